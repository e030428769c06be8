package written

import (
	"slices"
	"testing"
)

// TestTranslate: moves as they are written in other languages.
func TestTranslate(t *testing.T) {
	for _, test := range []struct {
		dialect, text, want string
		foreign             bool
	}{
		{"german", "Sf3", "Nf3", true}, {"german", "e4", "e4", false}, {"german", "Kxe2+", "Kxe2+", false}, {"german", "0-0-0", "0-0-0", false},
		{"german", "Tad1", "Rad1", true}, {"german", "e8D#", "e8Q#", true}, {"german", "exd8=S", "exd8=N", true}, {"german", "e8(T)", "e8(R)", true},
		{"german", "Nf3", "", false}, {"german", "Bf4", "", false}, {"german", "sf3", "Nf3", true}, {"german", "bxc3", "bxc3", false}, {"german", "--", "--", false},
		{"german", "Dd1-h5", "Qd1-h5", true}, {"german", "d4", "d4", false},
		{"french", "Cf3", "Nf3", true}, {"french", "Re2", "Ke2", false}, {"french", "Fb5", "Bb5", true}, {"french", "cxd4", "cxd4", false},
		{"spanish", "Ab5", "Bb5", true}, {"spanish", "a8=D+", "a8=Q+", true},
		{"portuguese", "Bb5", "Bb5", false}, {"portuguese", "Rg1", "Kg1", false}, {"portuguese", "Cc6", "Nc6", true},
		{"dutch", "Pf3", "Nf3", false}, {"dutch", "Lb5", "Bb5", true},
		{"polish", "Gb5", "Bb5", true}, {"polish", "Hh5", "Qh5", true}, {"polish", "Wd1", "Rd1", true},
		{"czech", "Jf3", "Nf3", true}, {"czech", "Vd1", "Rd1", true}, {"czech", "Sb5", "Bb5", true},
		{"hungarian", "Hf3", "Nf3", true}, {"hungarian", "Bd1", "Rd1", false}, {"hungarian", "Fb5", "Bb5", true},
		{"finnish", "Rf3", "Nf3", false}, {"finnish", "Lb5", "Bb5", true}, {"romanian", "Nb5", "Bb5", false}, {"romanian", "Cf3", "Nf3", true},
		{"turkish", "Şe2", "Ke2", true}, {"turkish", "Af3", "Nf3", true}, {"turkish in windows-1254", "\xDEe2", "Ke2", true},
		{"russian", "Кf3", "Nf3", true}, {"russian", "Крe2", "Ke2", true}, {"russian", "Ф:d8+", "Q:d8+", true}, {"russian", "О-О", "O-O", true},
		{"russian", "схd5", "cxd5", true}, {"russian", "Се2", "Be2", true}, {"russian", "e8Ф", "e8Q", true},
		{"russian in windows-1251", "\xCAf3", "Nf3", true}, {"russian in windows-1251", "\xCA\xF0e2", "Ke2", true},
		{"russian in koi8-r", "\xEB\xD2e2", "Ke2", true}, {"russian in code page 866", "\x8Bd1", "Rd1", true},
		{"ukrainian", "Тd1", "Rd1", true}, {"bulgarian", "Оb5", "Bb5", true}, {"serbian", "Кe2", "Ke2", true}, {"greek", "Ιf3", "Nf3", true},
		{"estonian", "Ob5", "Bb5", true}, {"estonian", "O-O+", "O-O+", false}, {"latvian", "Zf3", "Nf3", true}, {"icelandic", "Hd1", "Rd1", true},
	} {
		i := slices.Index(Dialects(), test.dialect)
		if i < 0 {
			t.Fatalf("no dialect %s", test.dialect)
		}
		got, foreign := Translate(nil, i, []byte(test.text))
		if string(got) != test.want || foreign != test.foreign {
			t.Errorf("%s: %q is translated to %q (foreign %v), want %q (%v)", test.dialect, test.text, got, foreign, test.want, test.foreign)
		}
	}
}

package human

import "testing"

// TestColumns: letters of Chinese, Japanese and Korean are two columns wide, accents none.
func TestColumns(t *testing.T) {
	for text, want := range map[string]int{"": 0, "Réti": 4, "Re\u0301ti": 4, "羽生善治": 8, "横歩取り": 8, "이세돌 A": 8, "ｱｲ": 2, "Ａ": 2, "½–½": 3} {
		if got := Columns(text); got != want {
			t.Errorf("%q is %d columns wide, want %d", text, got, want)
		}
	}
}

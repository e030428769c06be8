package japanese

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// TestDetect: texts of records in all encodings are told and decoded.
func TestDetect(t *testing.T) {
	for _, text := range []string{"手合割：平手　　", "先手：羽生善治", "まで103手で先手の勝ち", "▲７六歩", "ｱｲｳ先手", "N+きふわらべ", "title: 第59期順位戦Ｃ級２組"} {
		sjis, err := japanese.ShiftJIS.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		euc, err := japanese.EUCJP.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		all := map[Encoding]string{UTF8: text, ShiftJIS: sjis, EUCJP: euc}
		if !strings.ContainsRune(text, 'ｱ') { // ISO-2022-JP has no kana of half width
			if all[ISO2022JP], err = japanese.ISO2022JP.NewEncoder().String(text); err != nil {
				t.Fatal(err)
			}
		}
		for e, data := range all {
			if got := Detect([]byte(data)); got != e {
				t.Errorf("%s in encoding %d is taken for %d", text, e, got)
			}
			if got := string(Append([]byte("x"), e, []byte(data))); got != "x"+text {
				t.Errorf("%s in encoding %d is decoded as %s", text, e, got)
			}
		}
		cut := Append(nil, ShiftJIS, []byte(sjis[:len(sjis)-1]))
		if !utf8.Valid(cut) {
			t.Errorf("%s cut off is decoded as %q", text, cut)
		}
	}
}

func TestBoard(t *testing.T) {
	var b Board
	b.SetUp()
	if got := string(b.AppendSFEN(nil)); got != "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1" {
		t.Errorf("the usual start is %s", got)
	}
	if !b.Usual() {
		t.Error("the usual start is not known")
	}
	if !b.Take('R', 8, 2) || b.Take('B', 2, 3) || b.Take('B', 0, 3) || b.Put(true, 'P', 10, 1) || b.Give(true, 'K', 1) || b.Give(true, 'P'|Promoted, 1) {
		t.Error("a piece is taken from, put on, or given where there is none")
	}
	b.Put(false, 'P'|Promoted, 2, 3)
	if b.Usual() {
		t.Error("a rook less is taken for the usual start")
	}
	b.White = true
	b.GiveRest(true)
	if got := string(b.AppendSFEN(nil)); got != "lnsgkgsnl/7b1/ppppppp+Pp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w r 1" {
		t.Errorf("with a rook given: %s", got)
	}
}

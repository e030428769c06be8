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

// TestWorth: values have no decimals that say nothing.
func TestWorth(t *testing.T) {
	for v, want := range map[float64]string{312: "312", -100: "−100", 231.7: "232", 10: "10", 9.996: "10", 2.5: "2.5", 3: "3", 0.754: "0.75", 0: "0", -0.001: "0", 1200: "1200"} {
		if got := Worth(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}

package human

import "testing"

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "500": 500, "4GB": 4e9, "4 gb": 4e9, "1.5k": 1500, "2GiB": 2 << 30, " 3TB ": 3e12, "7b": 7} {
		if got, err := ParseBytes(text); err != nil || got != want {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "GB", "-1GB", "4XB", "1e30GB", "NaN", "inf", "4 GB of it"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("%q is taken for %d", text, got)
		}
	}
}

package person

import "testing"

func TestRespelled(t *testing.T) {
	for want, names := range map[string][]string{
		"": {"Tinsley, M.F.", "Tinsley, M.", "tal", "Tal", "Barker, C.F.", "Barker, C.F. 2"},
		"“Tinsley, M.F.” and “Tinsley ,M.F.” may be one player: --aliases merges them (kifu names).":                                             {"Tinsley, M.F.", "x", "Tinsley ,M.F."},
		"2 names differ from another in case, accents or punctuation alone, as “Hübner R” and “HUBNER, R.”: --aliases merges them (kifu names).": {"Hübner R", "Tal M", "HUBNER, R.", "Tal M."},
	} {
		if got := Respelled(names); got != want {
			t.Errorf("%q: %s, want %s", names, got, want)
		}
	}
}

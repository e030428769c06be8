package params_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kifu/internal/params"
)

// TestChanged: differences have the names of flags and both values, whatever the order of the fields; long values are cut, and a
// missing value is none.
func TestChanged(t *testing.T) {
	long := strings.Repeat("x", 100)
	old := `{"MinPly": 10, "l2": 0, "Scale": {"max_ply": null, "by": "ply"}, "free": ["a", "b"], "same": 1}`
	now := `{"same": 1, "free": [ "a" ], "Scale": {"by": "` + long + `", "max_ply": 4}, "l2": 0, "MinPly": 8, "seed": 7}`
	want := []string{
		`by ("ply" → "` + long[:59] + `…)`,
		`free (["a","b"] → ["a"])`,
		"max-ply (none → 4)",
		"min-ply (10 → 8)",
		"seed (none → 7)",
	}
	if got := params.Changed(json.RawMessage(old), json.RawMessage(now)); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if got := params.Changed(json.RawMessage(old), json.RawMessage(old)); len(got) > 0 {
		t.Errorf("%q differs from itself", got)
	}
}

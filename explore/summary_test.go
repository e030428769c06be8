package explore

import (
	"context"
	"path/filepath"
	"testing"

	"kifu/datasets"
)

// TestSummaryOfAnotherForm: a file that is no result, or of another form, says nothing, and its
// dataset can be looked at.
func TestSummaryOfAnotherForm(t *testing.T) {
	for name, text := range map[string]string{"fit.json": `{}`, "learn.json": `{"model": 3}`, "result.json": `[]`, "curve.json": `{"tables": "x"}`} {
		dir := filepath.Join(t.TempDir(), "d")
		_, _, err := datasets.Build(t.Context(), dir, datasets.Step{Stage: "report", Output: "report/v1", Params: 1,
			Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
				return out.AddFile(name, []byte(text))
			}}, datasets.Options{})
		if err != nil {
			t.Fatal(err)
		}
		d, err := datasets.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := summaryOf(&Set{Name: "d", Dir: d}); s != nil || err != nil {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

// TestScore: a score has one decimal, of few games with Wilson's interval, and of none nothing.
func TestScore(t *testing.T) {
	for want, of := range map[string]Tally{
		"100.0 (21 to 100)": {All: 1, First: 1}, "50.0 (24 to 76)": {All: 11, First: 4, Draws: 2, Second: 4}, "25.1": {All: 1000, First: 251, Second: 749}, "–": {All: 3},
	} {
		if got := of.Score(); got != want {
			t.Errorf("%v: %q, want %q", of, got, want)
		}
	}
}

package summary

import (
	"context"
	"path/filepath"
	"testing"

	"kifu/datasets"
	"kifu/kit/datasettest"
)

// TestSummaryOfAnotherForm: a file that is no result, or of another form, says nothing, and its
// dataset can be looked at.
func TestSummaryOfAnotherForm(t *testing.T) {
	for name, text := range map[string]string{"fit.json": `{}`, "learn.json": `{"model": 3}`, "result.json": `[]`, "curve.json": `{"tables": "x"}`} {
		dir := filepath.Join(t.TempDir(), "d")
		d := datasettest.Build(t, dir, datasets.Step{Stage: "report", Output: "report/v1", Params: 1,
			Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
				return out.AddFile(name, []byte(text))
			}})
		if s, err := Of(d, "d"); s != nil || err != nil {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

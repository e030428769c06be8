package fit

import (
	"context"
	"path/filepath"
	"testing"

	"kifu/datasets"
	"kifu/schemas"
)

// fitTo runs the stage.
func fitTo(t testing.TB, p Params, workers int, in *datasets.Dir, columns columnReader) (*datasets.Dir, error) {
	t.Helper()
	return fitBy(t, p, Means{Workers: workers}, in, columns)
}

func fitBy(t testing.TB, p Params, m Means, in *datasets.Dir, columns columnReader) (*datasets.Dir, error) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "fit")
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "fit", Output: schemas.Weights.ID(), Params: p, Inputs: []string{in.Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return run(ctx, p, m, Sources{Labels: in[0]}, out, columns)
		}}, datasets.Options{})
	if err != nil {
		return nil, err
	}
	return datasets.Open(dir)
}

// gamesDir is a dataset of games without a part.
func gamesDir(t *testing.T) *datasets.Dir {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "games")
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "test", Output: schemas.Games.ID(),
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			out.SetTable(schemas.Games)
			return nil
		}}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

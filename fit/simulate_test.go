package fit

import (
	"context"
	"path/filepath"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/fit/computed"
	"kifu/fit/method"
	"kifu/kit/datasettest"
	"kifu/schemas"
)

// fitTo runs the stage.
func fitTo(t testing.TB, p Params, workers int, in *datasets.Dir, columns computed.Reader) (*datasets.Dir, error) {
	t.Helper()
	return fitBy(t, p, Means{Workers: workers}, in, columns)
}

func fitBy(t testing.TB, p Params, m Means, in *datasets.Dir, columns computed.Reader) (*datasets.Dir, error) {
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

// by returns the method of a name.
func by(t *testing.T, name string, c method.Choices) method.Method {
	t.Helper()
	m, err := c.Of(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// chosen returns the choices of p.
func chosen(t *testing.T, p Params) choices {
	t.Helper()
	c, err := p.choices()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// gamesDir is a dataset of so many games of which nothing but the number is known.
func gamesDir(t *testing.T, games int) *datasets.Dir {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "games")
	table := schemas.Table{Name: schemas.Games.Name, Version: schemas.Games.Version, Columns: schemas.Games.Columns[:1]}
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "test", Output: table.ID(),
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			out.SetTable(table)
			b := columns.NewBatch(table)
			for ; b.Rows < games; b.Rows++ {
				b.Cols[0].AppendInt64(int64(b.Rows))
			}
			return datasettest.Part(out, 0, b)
		}}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := datasettest.Open(t, dir)
	return d
}

// inParts is a computed.Reader of columns that all makes of a whole dataset.
func inParts(all func(ctx context.Context, dir *datasets.Dir, features []computed.Feature) ([][]float64, error)) computed.Reader {
	return func(ctx context.Context, dir *datasets.Dir, features []computed.Feature) (computed.Columns, error) {
		x, err := all(ctx, dir, features)
		return wholeTest{dir, x}, err
	}
}

// wholeTest holds columns of a dataset.
type wholeTest struct {
	dir *datasets.Dir
	all [][]float64
}

func (x wholeTest) Part(_ context.Context, i int) (out [][]float64, err error) {
	from := int64(0)
	for k := range i + 1 {
		info, err := x.dir.Info(k)
		if err != nil {
			return nil, err
		}
		if k < i {
			from += info.Rows
			continue
		}
		for _, column := range x.all {
			out = append(out, column[from:from+info.Rows])
		}
	}
	return out, nil
}

func (x wholeTest) Close() error { return nil }

package fit

import (
	"context"
	"path/filepath"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/fit/computed"
	"kifu/fit/method"
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
			return writeRows(out, 0, games, func(batch *columns.Batch, row int) { batch.Col("game_id").AppendInt64(int64(row)) })
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

// writeRows writes part i of so many rows.
func writeRows(out *datasets.Builder, i, rows int, add func(batch *columns.Batch, row int)) error {
	w, err := out.Part(i)
	if err != nil {
		return err
	}
	batch := columns.NewBatch(out.Table())
	for row := range rows {
		add(batch, row)
		batch.Rows++
	}
	if rows > 0 {
		rg, err := w.Encode(batch)
		if err == nil {
			err = w.Append(rg)
		}
		if err != nil {
			return err
		}
	}
	return w.Close(manifest.Counts{Read: int64(rows), Written: int64(rows)}, nil)
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

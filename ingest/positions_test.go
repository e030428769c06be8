package ingest

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"kifu/datasets"
	"kifu/games/chess"
	"kifu/ingest/fens"
	"kifu/ingest/nnue"
	"kifu/ingest/record"
	"kifu/schemas"
)

var lists = Bind[chess.Position](chess.Rules{}, []*record.Format{fens.Format(), nnue.Plain(), nnue.Binpack(), nnue.Bullet()})

// ingestPositions makes a dataset of positions of files.
func ingestPositions(t testing.TB, dir string, workers int, files ...string) *datasets.Manifest {
	t.Helper()
	ctx, p, o := context.Background(), Params{Game: "chess", Positions: true}, Options{Inputs: files, Workers: workers}
	keys, err := InputKeys(ctx, lists, p, o)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := datasets.Build(ctx, dir, datasets.Step{Stage: "ingest", Output: schemas.Positions(0, nil, false).ID(), Params: p, InputKeys: keys,
		Run: func(ctx context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			return Run(ctx, lists, p, o, out)
		}}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestPositions: chains give the rows of the text they were made of, whatever the number of
// workers, and stretches have a number each.
func TestPositions(t *testing.T) {
	dir := t.TempDir()
	var all []string
	for _, name := range []string{"games.plain", "games.binpack"} {
		for _, workers := range []int{1, 3} {
			out := filepath.Join(dir, name, string(rune('0'+workers)))
			m := ingestPositions(t, out, workers, filepath.Join("nnue", "testdata", name))
			if m.Counts.Read != 186 || m.Counts.Written != 186 || m.Meta[schemas.NoGames] != "positions" {
				t.Errorf("%s: %+v, %v", name, m.Counts, m.Meta)
			}
			got := rows(t, out)
			if all == nil {
				all = got
			}
			for i := range all {
				if got[i] != all[i] {
					t.Fatalf("%s with %d workers: row %d is %s, want %s", name, workers, i, got[i], all[i])
				}
			}
		}
	}
}

// BenchmarkPositions reads a file that KIFU_TRAINING names, the test's binpack without it.
func BenchmarkPositions(b *testing.B) {
	file := os.Getenv("KIFU_TRAINING")
	if file == "" {
		file = filepath.Join("nnue", "testdata", "games.binpack")
	}
	for b.Loop() {
		m := ingestPositions(b, filepath.Join(b.TempDir(), "p"), runtime.GOMAXPROCS(0), file)
		b.ReportMetric(float64(m.Counts.Written)*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
	}
}

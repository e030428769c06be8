package ingest

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/games/chess"
	"kifu/ingest/fens"
	"kifu/ingest/legal"
	"kifu/ingest/nnue"
	"kifu/ingest/record"
	"kifu/kit/datasettest"
	"kifu/schemas"
)

var positionFiles = legal.Bind[chess.Position](chess.Rules{}, []*record.Format{fens.Format(), nnue.Plain(), nnue.Binpack(), nnue.Bullet()})

// ingestPositions makes a dataset of positions of files.
func ingestPositions(t testing.TB, dir string, workers int, files ...string) *manifest.Manifest {
	t.Helper()
	return ingestPositionsIn(t, dir, workers, 0, files...)
}

// ingestPositionsIn does so in parts of about so many positions; 0 for the usual number.
func ingestPositionsIn(t testing.TB, dir string, workers, part int, files ...string) *manifest.Manifest {
	t.Helper()
	ctx, p, o := context.Background(), Params{Game: "chess", Positions: true, PartGames: part}, Options{Inputs: files, Workers: workers}
	keys, err := InputKeys(ctx, positionFiles, p, o)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := datasets.Build(ctx, dir, datasets.Step{Stage: "ingest", Output: schemas.Positions(0, nil, false).ID(), Params: p, InputKeys: keys,
		Run: func(ctx context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			return Run(ctx, positionFiles, p, o, out)
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
			got := rowsOf(t, out)
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
	positions := int64(0)
	for b.Loop() {
		positions += ingestPositions(b, filepath.Join(b.TempDir(), "p"), runtime.GOMAXPROCS(0), file).Counts.Written
	}
	b.ReportMetric(float64(positions)/b.Elapsed().Seconds(), "positions/s")
}

// longChunks writes a binpack of two chunks, each of the test's chains n times, and returns the
// positions of a chunk.
func longChunks(t testing.TB, path string, n int) (positions int64) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("nnue", "testdata", "games.binpack"))
	if err != nil {
		t.Fatal(err)
	}
	body := bytes.Repeat(data[8:], n)
	chunk := append(binary.LittleEndian.AppendUint32([]byte("BINP"), uint32(len(body))), body...)
	if err := os.WriteFile(path, append(chunk, chunk...), 0o600); err != nil {
		t.Fatal(err)
	}
	return 186 * int64(n)
}

// TestLongChunks: a chunk of a binpack becomes several row groups, whose size does not depend on
// the chunk's, but of one part: reading can go on between chunks only.
func TestLongChunks(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "long.binpack")
	each := longChunks(t, file, 1000)
	out := filepath.Join(dir, "p")
	m := ingestPositionsIn(t, out, 2, 1000, file)
	if len(m.Parts) != 2 || m.Parts[0].Rows != each || m.Parts[1].Rows != each {
		t.Errorf("%d parts, %+v; want 2 of %d rows", len(m.Parts), m.Parts, each)
	}
	d := datasettest.Open(t, out)
	groups := 0
	for _, err := range d.Groups(nil) {
		if err != nil {
			t.Fatal(err)
		}
		groups++
	}
	if groups != 6 { // of 65,536 positions and the rest of the last chain, and what is left of a chunk
		t.Errorf("%d row groups of %d positions, want 6", groups, 2*each)
	}
}

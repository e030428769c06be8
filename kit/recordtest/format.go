package recordtest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"kifu/ingest/record"
	"kifu/internal/cpu"
)

// Format reads the bytes of one format at once and in blocks. The tests that every reader
// of text has to pass are its methods; NewFormat makes one.
type Format struct {
	Vectors
	format *record.Format
}

// NewFormat returns the tests of f. Its vectors are escaped texts (Unescape).
func NewFormat(f *record.Format) Format {
	t := Format{format: f}
	t.Vectors = Vectors{
		Text:   true,
		Decode: Unescape,
		All: func(data []byte) ([]string, error) {
			return ReadAll(record.NewStream(f, bytes.NewReader(data), record.Options{}))
		},
		Split: func(data []byte, size int) ([]string, error) {
			return t.ReadBlocks(t.splitter(bytes.NewReader(data), size))
		},
	}
	return t
}

// splitter cuts r, a whole stream, into blocks of about size bytes.
func (f Format) splitter(r io.Reader, size int) record.Splitter {
	return f.format.NewSplitter(r, size, record.Start{Line: 1})
}

// ReadBlocks reads the blocks that s cuts.
func (f Format) ReadBlocks(s record.Splitter) (lines []string, err error) {
	return ReadBlocks(s, f.format.NewReader(record.Options{}))
}

// Allocations returns how often memory is allocated for text, one game of so many moves, by a
// reader that has read one before.
func (f Format) Allocations(t *testing.T, text string, moves int) float64 {
	t.Helper()
	block := record.Block{Data: []byte(text), Line: 1}
	r := f.format.NewReader(record.Options{})
	var g record.Game
	return testing.AllocsPerRun(10, func() {
		r.Reset(block)
		if err := r.Read(&g); err != nil || len(g.Moves) != moves {
			t.Fatalf("%d moves, %v", len(g.Moves), err)
		}
	})
}

// Keep reads a text of which the games of the Black player "yes" are kept. moves has their
// numbers of moves; the others are Skipped, whose moves are not read.
func (f Format) Keep(t *testing.T, text string, moves ...int) {
	t.Helper()
	keep := func(g *record.Game) bool { return string(g.Tag(record.TagBlack)) == "yes" }
	r := record.NewStream(f.format, bytes.NewReader([]byte(text)), record.Options{Keep: keep})
	var g record.Game
	for i, want := range moves {
		if err := r.Read(&g); err != nil || g.Skipped != (want == Skipped) || len(g.Moves) != max(want, 0) {
			t.Fatalf("game %d: %s, skipped %t, %v", i, Describe(&g), g.Skipped, err)
		}
	}
	if err := r.Read(&g); err != io.EOF {
		t.Errorf("after %d games: %s, %v", len(moves), Describe(&g), err)
	}
}

// TooManyMoves reads games of most times a move, and of once more: the reader gives the first, and the tags of the other with a fault.
func (f Format) TooManyMoves(t *testing.T, move string, most int) {
	t.Helper()
	game := func(name string, n int) string {
		return "[Event \"" + name + "\"]\n\n" + strings.Repeat(move+" ", n) + "*\n\n"
	}
	r := record.NewStream(f.format, strings.NewReader(game("0", most)+game("1", most+1)), record.Options{})
	var g record.Game
	if err := r.Read(&g); err != nil || len(g.Moves) != most {
		t.Errorf("%d moves, %v", len(g.Moves), err)
	}
	var fault *record.SyntaxError
	if err := r.Read(&g); !errors.As(err, &fault) || len(g.Moves) != 0 || string(g.Tag("Event")) != "1" {
		t.Errorf("%d moves, %v", len(g.Moves), err)
	}
}

// Skipped is in Keep for a game that is not kept.
const Skipped = -1

// Read measures how fast the games of data are read from memory, as one block.
func (f Format) Read(b *testing.B, data []byte) {
	r := f.format.NewReader(record.Options{})
	var g record.Game
	b.SetBytes(int64(len(data)))
	begun, plies := cpu.Time(), 0
	for b.Loop() {
		r.Reset(record.Block{Data: data, Line: 1})
		for {
			err := r.Read(&g)
			if _, fault := Fault(err); err != nil && !fault {
				break
			}
			plies += len(g.Moves)
		}
	}
	seconds := (cpu.Time() - begun).Seconds()
	b.ReportMetric(float64(len(data))*float64(b.N)/1e6/seconds, "MB/cpu-s")
	b.ReportMetric(float64(plies)/1e6/seconds, "Mplies/cpu-s")
}

// ReadFile is Read of the file that a variable of the environment names; without it, of
// another text, and if that is empty the benchmark is left out.
func (f Format) ReadFile(b *testing.B, variable, other string) {
	data := []byte(other)
	if path := os.Getenv(variable); path != "" {
		var err error
		if data, err = os.ReadFile(path); err != nil {
			b.Fatal(err)
		}
	}
	if len(data) == 0 {
		b.Skip(variable + " names no file")
	}
	f.Read(b, data)
}

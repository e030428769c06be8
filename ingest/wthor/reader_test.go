package wthor

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"kifu/ingest/record"
	"kifu/kit/golden"
	"kifu/kit/recordtest"
)

// readSplit reads data in blocks of about size bytes, each after the first by a splitter
// that begins where the last block ended, as an ingest that was interrupted does.
func readSplit(data []byte, size int, names *Names) (lines []string, err error) {
	r := newBlockReader(record.Options{}, names)
	s := newSplitter(bytes.NewReader(data), size, 0, nil)
	for {
		var b record.Block
		err := s.Next(&b)
		if err == io.EOF {
			return lines, nil
		}
		if line, ok := recordtest.Fault(err); ok {
			lines = append(lines, line)
			continue
		}
		if err != nil {
			return lines, err
		}
		r.Reset(b)
		games, err := recordtest.ReadAll(r)
		if err != nil {
			return lines, err
		}
		lines = append(lines, games...)
		end := b.Offset + int64(len(b.Data))
		s = newSplitter(bytes.NewReader(data[end:]), size, end, data[:headerSize])
	}
}

// TestRealFile reads the eight games of 1978 (WTHOR may be distributed freely).
func TestRealFile(t *testing.T) {
	data, err := os.ReadFile("testdata/1978.wtb")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := recordtest.ReadAll(record.NewStream(Format(), bytes.NewReader(data), record.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, "testdata/1978.txt", []byte(strings.Join(lines, "\n")+"\n"))
	if !recognize(data) || recognize([]byte("(;GM[Othello]PC[GGS/os]")) || recognize(data[:15]) {
		t.Error("what is a file of games is not recognised")
	}
	for i, value := range map[int]byte{0: 21, 1: 100, 2: 13, 3: 32, 11: 12, 12: 9, 13: 2, 14: 61} {
		head := slices.Clone(data[:headerSize])
		if head[i] = value; recognize(head) {
			t.Errorf("a header with %d in byte %d is recognised", value, i)
		}
	}
}

// table makes a file of names.
func table(size int, names ...string) []byte {
	data := []byte{20, 9, 12, 7, 0, 0, 0, 0, byte(len(names)), 0, 0, 0, 0, 0, 0, 0}
	for _, name := range names {
		data = append(data, append([]byte(name), make([]byte, size-len(name))...)...)
	}
	return data
}

func testNames(t testing.TB) *Names {
	t.Helper()
	n, err := readNames(bytes.NewReader(table(playerSize, "???", "Tastet Marc", "a name of 20 letters")), bytes.NewReader(table(tournamentSize, "Diverses parties", "Pr\xe9qualif de Paris")))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNames(t *testing.T) {
	n := testNames(t)
	if got := fmt.Sprintf("%q %q", n.players, n.tournaments); got != `["???" "Tastet Marc" "a name of 20 letters"] ["Diverses parties" "Pr\xe9qualif de Paris"]` {
		t.Error(got)
	}
	good := table(playerSize, "a", "b")
	for _, c := range []struct {
		data []byte
		want string
	}{
		{good[:len(good)-1], "players (.JOU): 55 bytes, 56 for the 2 names of its header; get the file again"},
		{append(slices.Clone(good), 0), "players (.JOU): 57 bytes, 56 for the 2 names of its header; get the file again"},
		{good[:10], "players (.JOU): 10 bytes: too short for a header"},
	} {
		if _, err := readNames(bytes.NewReader(c.data), nil); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if _, err := readNames(nil, iotest.ErrReader(io.ErrClosedPipe)); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

// many makes a file of n games of 60 moves.
func many(n int) []byte {
	data := make([]byte, headerSize, headerSize+n*gameSize)
	copy(data, []byte{20, 9, 12, 22, 0, 0, 0, 0, 0, 0, 0xc5, 7, 8, 0, 24})
	binary.LittleEndian.PutUint32(data[4:], uint32(n))
	for range n {
		data = append(data, 1, 0, 1, 0, 2, 0, 40, 36)
		for i := range 60 {
			data = append(data, byte(10*(i/8+1)+i%8+1))
		}
	}
	return data
}

func TestGamesDoNotAllocate(t *testing.T) {
	r := newBlockReader(record.Options{}, testNames(t))
	var g record.Game
	block := record.Block{Data: many(1), Line: 1}
	read := func() {
		r.Reset(block)
		if err := r.Read(&g); err != nil || len(g.Moves) != 60 || string(g.Tag("White")) != "a name of 20 letters" || string(g.Tag("Date")) != "1989" {
			t.Fatalf("%s, %v", recordtest.Describe(&g), err)
		}
	}
	read()
	if n := testing.AllocsPerRun(10, read); n != 0 {
		t.Errorf("%v allocations a game: want none", n)
	}
}

// A game that is not kept has its tags and no moves.
func TestKeep(t *testing.T) {
	r := record.NewStream(Format(), bytes.NewReader(many(2)), record.Options{Keep: func(g *record.Game) bool { return g.Line == 2 }})
	var g record.Game
	if err := r.Read(&g); err != nil || !g.Skipped || len(g.Moves) != 0 || len(g.Tags) == 0 {
		t.Errorf("%s, %v", recordtest.Describe(&g), err)
	}
	if err := r.Read(&g); err != nil || g.Skipped || len(g.Moves) != 60 {
		t.Errorf("%s, %v", recordtest.Describe(&g), err)
	}
}

// A stream that fails gives the games before the failure, then what was cut, then the
// failure again and again.
func TestStreamFailure(t *testing.T) {
	broken := errors.New("broken")
	data := many(5)
	r := record.NewStream(Format(), io.MultiReader(bytes.NewReader(data[:headerSize+3*gameSize+10]), iotest.ErrReader(broken)), record.Options{})
	lines, err := recordtest.ReadAll(r)
	if len(lines) != 4 || !strings.HasPrefix(lines[3], "@220:4! cut off in the middle of a game") || err != broken {
		t.Errorf("%q, %v", lines, err)
	}
	if err := r.Read(&record.Game{}); err != broken {
		t.Error(err)
	}
}

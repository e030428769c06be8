package recordtest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"kifu/ingest/record"
)

// LongGames cuts a text of a game, one longer than the limit of 1,000 bytes and another game
// into blocks of many sizes: the long one is given up on its line, whatever the blocks; the
// next one is not. begin occurs once in each game.
func LongGames(t *testing.T, text []byte, initial record.Initial, begin string, line int) {
	t.Helper()
	initial.Max = 1000
	want := fmt.Sprintf("game, %d: %s, game", line, initial.TooLong)
	for size := 1; size <= initial.Max; size += 13 {
		s := initial.Cuts().Splitter(bytes.NewReader(text), size, record.Start{Line: 1})
		var got []string
		var b record.Block
		for {
			err := s.Next(&b)
			if err == io.EOF {
				break
			} else if fault, ok := errors.AsType[*record.SyntaxError](err); ok {
				got = append(got, fmt.Sprintf("%d: %s", fault.Line, fault.Reason))
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			for range bytes.Count(b.Data, []byte(begin)) {
				got = append(got, "game")
			}
		}
		if strings.Join(got, ", ") != want {
			t.Fatalf("blocks of %d: %q, want %q", size, got, want)
		}
	}
}

// GivenUp reads a text in blocks of many sizes, cut by what split makes for a size: it gives
// the lines of want, whatever the blocks. A line is written by Describe or Fault.
func (f Format) GivenUp(t *testing.T, largest, step int, split func(size int) record.Splitter, want ...string) {
	t.Helper()
	for size := 1; size < largest; size += step {
		got, err := f.ReadBlocks(split(size))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("in blocks of %d bytes\n%s\nwant\n%s", size, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// At writes the place of the first occurrence of part in text, as Describe and Fault do.
func At(text []byte, part string) string {
	i := bytes.Index(text, []byte(part))
	return fmt.Sprintf("@%d:%d", i, 1+bytes.Count(text[:i], []byte("\n")))
}

// StreamFailure reads two games and the beginning of a third, which begins at its byte begin,
// from a stream that fails then: whatever the blocks, it gives the two games, then what was cut,
// then the failure again and again.
func (f Format) StreamFailure(t *testing.T, games, cut string, begin int) {
	t.Helper()
	whole, err := f.All([]byte(games))
	if err != nil || len(whole) != 2 {
		t.Fatal(whole, err)
	}
	text := games + cut
	third := At([]byte(text), cut[begin:]) + "! cut off in the middle"
	broken := errors.New("broken")
	check := func(lines []string, err error) {
		if err != broken || len(lines) != 3 || lines[0] != whole[0] || lines[1] != whole[1] || !strings.HasPrefix(lines[2], third) {
			t.Errorf("%v\n%s\nwant at last\n%s", err, strings.Join(lines, "\n"), third)
		}
	}
	stream := func() io.Reader { return io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)) }
	for size := 1; size < len(text); size += 9 {
		check(f.ReadBlocks(f.splitter(stream(), size)))
	}
	r := record.NewStream(f.format, stream(), record.Options{})
	check(ReadAll(r))
	if err := r.Read(&record.Game{}); err != broken {
		t.Error(err)
	}
}

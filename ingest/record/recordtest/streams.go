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
// next one is not. begin stands once in each game.
func LongGames(t *testing.T, text []byte, initial record.Initial, begin string, line int) {
	t.Helper()
	initial.Max = 1000
	want := fmt.Sprintf("game, %d: %s, game", line, initial.TooLong)
	for size := 1; size <= initial.Max; size += 13 {
		s := record.NewInitialSplitter(bytes.NewReader(text), size, 0, 1, initial)
		var got []string
		var b record.Block
		for {
			err := s.Next(&b)
			var fault *record.SyntaxError
			if err == io.EOF {
				break
			} else if errors.As(err, &fault) {
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

// StreamFailure reads a text of two games and the beginning of a third from a stream that
// fails then: it gives the games before the failure, then what was cut, then the failure
// again and again.
func StreamFailure(t *testing.T, text string, newReader func(io.Reader, record.Options) *record.Stream) {
	t.Helper()
	broken := errors.New("broken")
	r := newReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), record.Options{})
	lines, err := ReadAll(r)
	if len(lines) != 3 || !strings.HasSuffix(lines[2], "! cut off in the middle") || err != broken {
		t.Errorf("%q, %v", lines, err)
	}
	if err := r.Read(&record.Game{}); err != broken {
		t.Error(err)
	}
}

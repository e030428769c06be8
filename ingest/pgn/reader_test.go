package pgn

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"kifu/ingest/record"
	"kifu/kit/recordtest"
)

// TestMovesDoNotAllocate: a reader that has read a game takes no memory for the next, but for variations and words.
func TestMovesDoNotAllocate(t *testing.T) {
	game := "[Event \"a \\\"b\\\"\"]\n[White \"x\"]\n\n" + strings.Repeat("1. e4 { [%eval 0.17] [%clk 0:01:00] } e5 2. Nf3 $1 {[%eval #3]} Nc6!? ", 100) + "1-0\n"
	if n := tested.Allocations(t, game, 400); n != 0 {
		t.Errorf("%v allocations a game: want none", n)
	}
}

func TestReaderIsTheSameForAnyBlockSize(t *testing.T) {
	var text bytes.Buffer
	for i := range 50 {
		fmt.Fprintf(&text, "[Event \"%d\"]\r\n[White \"a\"]\r\n\r\n1. e4 {c [%%eval 0.%02d]} e5 (1... c5) 2. Nf3 1-0\r\n\r\n", i, i)
	}
	want, err := recordtest.ReadAll(record.NewStream(Format(), bytes.NewReader(text.Bytes()), record.Options{}))
	if err != nil || len(want) != 50 {
		t.Fatalf("%d games, %v", len(want), err)
	}
	for size := 1; size < 400; size += 7 {
		got, err := tested.Split(text.Bytes(), size)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("blocks of %d bytes give other games:\n%s", size, strings.Join(got, "\n"))
		}
	}
}

// TestLongGames: a game longer than the limit is given up, whatever the blocks; the next one is not.
func TestLongGames(t *testing.T) {
	long := strings.Repeat("abcd ] \n", 100)
	text := []byte("[Event \"0\"]\n\n1. e4 *\n\n" +
		"[Event \"1\"]\n\n1. e4 {" + long + "} *\n\n[Event \"2\"]\n\n1. e4 *\n" +
		"[Event \"3\"]\n\n1. e4 {" + long + "[Event \"in a tag section\"]\n]\n[Event \"4\"]\n]" + strings.Repeat(" ", 70) + "\n[Event \"5\"]\n\n*\n\n[Event \"6\"]\n\n1. e4 {" + long)
	at := func(event string) string { return recordtest.At(text, "[Event \""+event) }
	split := func(size int) record.Splitter {
		longest := initial
		longest.Max = 500
		return longest.Cuts().Splitter(bytes.NewReader(text), size, record.Start{Line: 1})
	}
	tested.GivenUp(t, 400, 13, split,
		`@0:1 [Event "0"] e4 => "*"`,
		at("1")+`! longer than 8 MiB: "[Event \"1\"]"`,
		at("2")+` [Event "2"] e4 => "*"`,
		at("3")+`! longer than 8 MiB: "[Event \"3\"]"`,
		at("5")+` [Event "5"] => "*"`,
		at("6")+`! longer than 8 MiB: "[Event \"6\"]"`,
	)
}

// After a game that was given up the next one needs no Event tag, wherever reads end.
func TestGameAfterLongOne(t *testing.T) {
	for _, next := range []string{"[White \"a\"]", "[WhiteTitle_2 \"a\"]"} {
		text := "[Event \"0\"]\n\n1. e4 {" + strings.Repeat("abcd \n\n[no tag]\n", 60) + "[White \"quoted\"]\n} e5 1-0\r\n \r\n" + next + "\n[Black \"b\"]\n\n1. d4 *\n"
		for size := 1; size < 400; size++ {
			longest := initial
			longest.Max = 500
			s := longest.Cuts().Splitter(strings.NewReader(text), size, record.Start{Line: 1})
			got, err := tested.ReadBlocks(s)
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != 2 || !strings.Contains(got[0], "longer than 8 MiB") || !strings.Contains(got[1], next) {
				t.Fatalf("in blocks of %d bytes\n%s", size, strings.Join(got, "\n"))
			}
		}
	}
}

func TestTooManyMoves(t *testing.T) { tested.TooManyMoves(t, "Nf3", maxPlies) }

func TestKeep(t *testing.T) {
	text := "[White \"a\"]\n\n1. e4 {+0.1/1 1s} e5 (1... c5) 1-0\n\n[White \"b\"]\n\n1. d4 *\n"
	r := record.NewStream(Format(), strings.NewReader(text), record.Options{Keep: func(g *record.Game) bool { return string(g.Tag("White")) == "b" }})
	var g record.Game
	if err := r.Read(&g); err != nil || !g.Skipped || len(g.Moves) != 0 || string(g.Result) != "1-0" {
		t.Errorf("skipped %v, %d moves, result %q, %v", g.Skipped, len(g.Moves), g.Result, err)
	}
	if err := r.Read(&g); err != nil || g.Skipped || len(g.Moves) != 1 {
		t.Errorf("skipped %v, %d moves, %v", g.Skipped, len(g.Moves), err)
	}
}

// TestStreamFailure: a stream that fails gives the games before the failure, then what was
// cut, then the failure again and again.
func TestStreamFailure(t *testing.T) {
	tested.StreamFailure(t, "[Event \"0\"]\n\n1. e4 *\n\n[Event \"1\"]\n\n1. e4 e5 1-0\n\n", "[Event \"2\"]\n\n1. e4", 0)
}

// TestEvaluation: a value that is read at once is what a comment of more blanks says.
func TestEvaluation(t *testing.T) {
	read := func(text string) string {
		t.Helper()
		all, err := recordtest.ReadAll(record.NewStream(Format(), strings.NewReader(text), record.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(all, "\n")
	}
	for _, v := range []string{"0.21", "-0.03", "12.34", "-99.99", "321.00", "0.2", "0.213", ".21", "+0.50", "-.10", "5", "#3", "#-12", "0.21,18", "0.2x", "", "-", "00.00", "-0.00"} {
		for _, game := range []string{"1. e4 { [%%eval %s] } e5 { [%%eval %[1]s] } 2. Nf3 1-0\n", "[White \"x\"]\n\n{ [%%eval %s] } 1. e4 e5 1-0\n", "1. e4 { [%%eval 0.40] } { [%%eval %s] } e5 1-0\n", "1. e4 { [%%eval %s] } *\n"} {
			quick := fmt.Sprintf(game, v)
			if got, want := read(quick), read(strings.ReplaceAll(quick, "[%eval ", "[%eval  ")); got != want {
				t.Errorf("%q\n%s\nwant\n%s", quick, got, want)
			}
		}
	}
}

// TestCommentLines: the lines of a comment may end at any blank, as in a record that was exported.
func TestCommentLines(t *testing.T) {
	read := func(c string) (m record.Move, more bool) {
		more = valued([]byte(c), &m, true)
		return m, more
	}
	for _, c := range []string{"(e7c5 c1b2 tb=0/0) 0.27/15 01:45.094", "+0.57 17/28 583 363004", "-M5/20 1.2s tl=0:05:00", "ev=0.12, d=26, tl=01:40:00, wv=-0.18,", "[%clock w0:05:00 B0:04:10]", "[%clock B0:05:00 w0:04:10] good", "[%eval 0.21] [%clk 0:05:00]"} {
		want, wantMore := read(c)
		if !want.HasValue && !want.HasClock {
			t.Errorf("%q: no value and no clock", c)
		}
		for i := range c {
			if c[i] != ' ' {
				continue
			}
			for _, end := range []string{"\n", "\r\n", "\n\n  "} {
				broken := c[:i] + end + c[i+1:]
				if got, more := read(broken); more != wantMore || !reflect.DeepEqual(got, want) {
					t.Errorf("%q: %+v, %v, want %+v, %v", broken, got, more, want, wantMore)
				}
			}
		}
	}
}

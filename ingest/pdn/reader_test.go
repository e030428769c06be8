package pdn

import (
	"bytes"
	"strings"
	"testing"

	"kifu/ingest/record"
	"kifu/kit/recordtest"
)

// TestMovesDoNotAllocate: a reader that has read a game takes no memory for the next, but for variations and comments.
func TestMovesDoNotAllocate(t *testing.T) {
	game := "[Event \"a \\\"b\\\"\"]\n[White \"x\"]\n\n" + strings.Repeat("1. 11-15 { [%clock w0:01:00] } 24-20 2. 8- 11 $1 28x24!? ", 100) + "1-0\n"
	if n := tested.Allocations(t, game, 400); n != 0 {
		t.Errorf("%v allocations a game: want none", n)
	}
}

// TestLongGames: a game longer than the limit is given up, whatever the blocks; the next one is not.
func TestLongGames(t *testing.T) {
	long := strings.Repeat("abcd ] \n", 800)
	text := []byte("[Event \"0\"]\n\n1. 11-15 *\n\n" +
		"[Event \"1\"]\n\n1. 11-15 {" + long + "} *\n\n[White \"2\"]\n\n1. 11-15 *\n" +
		"[Event \"3\"]\n\n1. 11-15 {" + long + "[Event \"after a bracket\"]\n]\n[Event \"4\"]\n]" + strings.Repeat(" ", 70) + "\n[Event \"5\"]\n\n*\n\n[Event \"6\"]\n\n1. 11-15 {" + long)
	at := func(tag string) string { return recordtest.At(text, tag) }
	split := func(size int) record.Splitter {
		longest := initial()
		longest.Max = 4000
		return longest.Cuts().Splitter(bytes.NewReader(text), size, record.Start{Line: 1})
	}
	tested.GivenUp(t, 5000, 137, split,
		`@0:1 [Event "0"] 11-15 => "*"`,
		at(`[Event "1`)+`! longer than 8 MiB: "[Event \"1\"]"`,
		at(`[White "2`)+` [White "2"] 11-15 => "*"`,
		at(`[Event "3`)+`! longer than 8 MiB: "[Event \"3\"]"`,
		at(`[Event "5`)+` [Event "5"] => "*"`,
		at(`[Event "6`)+`! longer than 8 MiB: "[Event \"6\"]"`,
	)
}

func TestTooManyMoves(t *testing.T) { tested.TooManyMoves(t, "11-15", maxPlies) }

func TestKeep(t *testing.T) {
	text := "[White \"a\"]\n\n1. 11-15 24-20 (1... 23-19) 1-0\n\n[White \"b\"]\n\n1. 9-14 *\n"
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
	tested.StreamFailure(t, "[Event \"0\"]\n\n1. 9-14 *\n\n[Event \"1\"]\n\n1. 9-14 22-17 1-0\n\n", "[Event \"2\"]\n\n1. 9-14", 0)
}

func TestGameType(t *testing.T) {
	for value, want := range map[string]string{
		"20": "draughts", "20,W,10,10,N1,0": "draughts", " 21 ": "checkers", "25": "russian", "22": "italian", "40": "frisian", "98": "Antidraughts", "": "", "77": "77", "Russian": "Russian",
	} {
		if got := gameType([]byte(value)); got != want {
			t.Errorf("GameType %q is %q, want %q", value, got, want)
		}
	}
}

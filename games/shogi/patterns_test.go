package shogi_test

import (
	"slices"
	"testing"

	"kifu/games"
	"kifu/games/shogi"
	"kifu/kit/gametest"
)

// patternsOf returns all keys of the move that coordinates name.
func patternsOf(t *testing.T, p shogi.Position, move string) (keys []uint64) {
	t.Helper()
	m, err := shogi.Rules{}.ParseMove(p, []byte(move))
	if err != nil {
		t.Fatalf("%s: %s: %v", p.String(), move, err)
	}
	shogi.Rules{}.EachPattern(p, []games.Move{m}, func(_ int, key uint64) bool {
		keys = append(keys, key)
		return true
	})
	return keys
}

// TestPatternsTurn: a move has the same patterns on the board turned round, for the other side.
func TestPatternsTurn(t *testing.T) {
	turn := func(move string) string {
		b := []byte(move)
		from := 0
		if b[1] == '*' {
			from = 2
		}
		for i := from; i < min(len(b), 4); i++ {
			if b[i] <= '9' {
				b[i] = '1' + '9' - b[i]
			} else {
				b[i] = 'a' + 'i' - b[i]
			}
		}
		return string(b)
	}
	seen := 0
	gametest.Random(shogi.Start(), 200, 3, func(p shogi.Position, _ []games.Move) {
		for _, m := range p.AppendMoves(nil) {
			move := string(shogi.Rules{}.AppendCoordinates(nil, p, m))
			if want, got := patternsOf(t, p, move), patternsOf(t, turned(t, p), turn(move)); !slices.Equal(got, want) {
				t.Fatalf("%s: %s: %v turned round, %v", p.String(), move, got, want)
			}
			seen++
		}
	})
	if seen < 1000 {
		t.Errorf("%d moves", seen)
	}
}

// TestPatternsReflect: nor does it matter which is the left side.
func TestPatternsReflect(t *testing.T) {
	p, err := shogi.ParseSFEN("4k4/9/2p6/9/3P5/9/9/7R1/4K4 b G 1")
	if err != nil {
		t.Fatal(err)
	}
	q, err := shogi.ParseSFEN("4k4/9/6p2/9/5P3/9/9/1R7/4K4 b G 1")
	if err != nil {
		t.Fatal(err)
	}
	for move, reflected := range map[string]string{"6e6d": "4e4d", "2h8h": "8h2h", "G*1e": "G*9e", "5i4h": "5i6h"} {
		if got, want := patternsOf(t, q, reflected), patternsOf(t, p, move); !slices.Equal(got, want) {
			t.Errorf("%s: %v reflected, %v", move, got, want)
		}
	}
}

// TestPatternsTell: what is outside a size does not change it, what is inside does.
func TestPatternsTell(t *testing.T) {
	const board = "4k4/9/9/9/3P5/9/9/9/4K4 b G 1"
	p, err := shogi.ParseSFEN(board)
	if err != nil {
		t.Fatal(err)
	}
	keys := patternsOf(t, p, "6e6d")
	for sfen, from := range map[string]int{
		"4k4/9/9/2r6/3P5/9/9/9/4K4 b G 1": 1, // a rook that looks at 6d
		"4k4/9/4n4/9/3P5/9/9/9/4K4 b G 1": 2, // a knight beside it
		"4k4/9/9/1p7/3P5/9/9/9/4K4 b G 1": 3,
		"4k4/9/9/9/3P5/9/9/9/4K4 b S 1":   4,
		"4k4/9/9/9/3P5/9/9/8P/4K4 b G 1":  5,
	} {
		q, err := shogi.ParseSFEN(sfen)
		if err != nil {
			t.Fatal(err)
		}
		again := patternsOf(t, q, "6e6d")
		for size := range keys {
			if changed := keys[size] != again[size]; changed != (size >= from) {
				t.Errorf("%s: size %d changed: %v, want it from %d on", sfen, size, changed, from)
			}
		}
	}
}

package aix

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kifu/games"
	"kifu/games/chess"
)

// published is a game in the three levels, of the tests of Aix's extension for DuckDB.
var published = struct {
	moves  string
	levels [3]string
}{
	"e2e4 e7e5 f1c4 b8c6 g1f3 b7b6 e1g1 g8f6 c2c3 f8c5 c4f7 e8f7 f3g5 f7g8 d1b3 f6d5 b3d5 g8f8 d5f7",
	[3]string{
		"\x0C\x1C4$\x05\x1A9*\x06\x151)\x04\x07>-\x0A\x12=\x22\x9A5\xBC5\x15&5>\x03\x11-#\x91#>=#5\x00",
		"<]\x93.\x0DT?\xE2\xEC\xDE\xEFaFR\x973\xDB\x03v",
		"\x9F-\x84\x1C\x1A\x9D:\xBD\xB3\xB8",
	},
}

func movesOf(t testing.TB, text string) (moves []games.Move) {
	t.Helper()
	rules, p := chess.Rules{}, chess.Start()
	for _, word := range strings.Fields(text) {
		m, err := rules.ParseMove(p, []byte(word))
		if err != nil {
			t.Fatal(err)
		}
		moves, p = append(moves, m), p.Play(m)
	}
	return moves
}

// TestPublished: the published game is written byte for byte, and read.
func TestPublished(t *testing.T) {
	moves := movesOf(t, published.moves)
	for level, want := range published.levels {
		got, err := Append(nil, moves, Level(level))
		if err != nil || string(got) != want {
			t.Errorf("level %d: %q, %v; want %q", level, got, err, want)
		}
		back, err := Decode(nil, []byte(want))
		if err != nil || len(back) != len(moves) {
			t.Fatalf("level %d: %d moves, %v", level, len(back), err)
		}
		for i, m := range back {
			if m != moves[i] {
				t.Errorf("level %d, ply %d: %v, want %v", level, i+1, m, moves[i])
			}
		}
	}
	for level := range 3 {
		if got, _ := Append(nil, nil, Level(level)); len(got) != 1 || got[0] != byte(level)<<6 {
			t.Errorf("level %d, no moves: %q", level, got)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, one := range published.levels {
		f.Add([]byte(one))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		moves, err := Decode(nil, data)
		if err != nil {
			return
		}
		again, err := Append(nil, moves, Level(data[len(data)-1]>>6))
		if err != nil {
			t.Fatal(err)
		}
		if back, err := Decode(nil, again); err != nil || len(back) != len(moves) {
			t.Fatalf("%d moves, written and read %d, %v", len(moves), len(back), err)
		}
	})
}

// TestRoundTrip: games of random moves come back, with castling, captures in passing and each promotion among them.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	met, became := map[string]bool{}, map[chess.Kind]bool{}
	for range 150 {
		var moves, legal []games.Move
		for p := chess.Start(); len(moves) < 250; p = p.Play(moves[len(moves)-1]) {
			if legal = p.AppendMoves(legal[:0]); len(legal) == 0 {
				break
			}
			m := legal[rng.IntN(len(legal))]
			for _, special := range legal { // rare ones wherever they are possible
				if chess.IsCastling(special) || chess.IsPassing(special) || chess.Promotion(special) != chess.NoKind && rng.IntN(4) == 0 {
					m = special
				}
			}
			met["castling"] = met["castling"] || chess.IsCastling(m)
			met["passing"] = met["passing"] || chess.IsPassing(m)
			if k := chess.Promotion(m); k != chess.NoKind {
				became[k] = true
			}
			moves = append(moves, m)
		}
		for level := range 3 {
			data, err := Append(nil, moves, Level(level))
			if err != nil {
				t.Fatal(err)
			}
			if back, err := Decode(nil, data); err != nil || !slices.Equal(back, moves) {
				t.Fatalf("level %d: %d of %d moves, %v", level, len(back), len(moves), err)
			}
		}
	}
	if !met["castling"] || !met["passing"] || len(became) != 4 {
		t.Errorf("met %v, promotions to %v", met, became)
	}
}

// TestDamaged: what is cut, or names no legal move, is refused.
func TestDamaged(t *testing.T) {
	for _, data := range []string{"", "invalid", "\xff", "\x0c\x00", "\x0c\x1c\x0c\x1c\x00", "\x00\xc0", published.levels[1][:9] + "\x40"} {
		if moves, err := Decode(nil, []byte(data)); err == nil {
			t.Errorf("%q: %d moves", data, len(moves))
		}
	}
	e5 := movesOf(t, "e2e4 e7e5")[1:]
	if _, err := Append(bytes.Clone(nil), e5, Medium); err == nil {
		t.Error("a move of the other side is written")
	}
}

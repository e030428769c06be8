package match

import (
	"context"
	"testing"

	"kifu/eval"
	evalchess "kifu/eval/chess"
	"kifu/games/chess"
	"kifu/internal/cpu"
	"kifu/players/play"
)

var chessGame = eval.Game[chess.Position]{Rules: chess.Rules{}, NewEvaluator: evalchess.New, Default: evalchess.Default}

// BenchmarkGame plays chess at depth 1 from six random plies, of players with equal
// weights, who share what they remember, and with others.
func BenchmarkGame(b *testing.B) {
	other, err := evalchess.Default().Zero("king_safety")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("equal", func(b *testing.B) { benchmarkGame(b, nil) })
	b.Run("other", func(b *testing.B) { benchmarkGame(b, other) })
}

func benchmarkGame(b *testing.B, second *eval.Model) {
	p := Params{Games: 1, Seed: 1, Openings: Openings{RandomPlies: 6}, Ends: Ends{MaxPlies: 1000}}
	p.Players = []play.Player{{Text: "a", Depth: 1}, {Text: "b", Depth: 1, Weights: play.Weights{Eval: second}}}
	o, err := newOpener(chessGame.Rules, p)
	if err != nil {
		b.Fatal(err)
	}
	t, err := newTable(chessGame, p, o)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	begun, plies := cpu.Time(), 0
	for i := range b.N {
		g := record{Number: i, index: i, players: [2]int{0, 1}}
		if err := t.play(context.Background(), &g); err != nil {
			b.Fatal(err)
		}
		plies += g.Plies
	}
	spent := (cpu.Time() - begun).Seconds()
	b.ReportMetric(float64(b.N)/spent, "games/cpu-s")
	b.ReportMetric(float64(plies)/spent, "plies/cpu-s")
}

package draughts_test

import (
	"testing"

	"kifu/games"
	"kifu/games/draughts"
	"kifu/internal/cpu"
	"kifu/kit/gametest"
)

// BenchmarkPerft reports leaves counted in bulk, a second of processor time: on a busy
// machine the clock says little.
func BenchmarkPerft(b *testing.B) {
	for _, c := range []struct {
		rules draughts.Rules
		depth int
	}{{draughts.Checkers, 9}, {draughts.International, 7}, {draughts.Russian, 9}} {
		b.Run(c.rules.Name(), func(b *testing.B) {
			p, _, err := c.rules.Start("", "")
			if err != nil {
				b.Fatal(err)
			}
			var leaves uint64
			begun := cpu.Time()
			for b.Loop() {
				leaves += games.Perft(c.rules, p, c.depth)
			}
			b.ReportMetric(float64(leaves)/(cpu.Time()-begun).Seconds()/1e6, "Mleaves/cpu-s")
		})
	}
}

// BenchmarkParseMove resolves and plays the moves of games: what ingest does.
func BenchmarkParseMove(b *testing.B) {
	rules := draughts.International
	start, _, err := rules.Start("", "")
	if err != nil {
		b.Fatal(err)
	}
	var texts [][]byte
	at := start
	gametest.Random(start, 80, 1, func(p draughts.Position, moves []games.Move) {
		if n := len(moves); n > 0 {
			texts = append(texts, rules.AppendMove(nil, at, moves[n-1]))
		}
		at = p
	})
	plies := 0
	for b.Loop() {
		p := start
		for _, text := range texts {
			m, err := rules.ParseMove(p, text)
			if err != nil {
				b.Fatal(err)
			}
			p = p.Play(m)
		}
		plies += len(texts)
	}
	b.ReportMetric(float64(plies)/b.Elapsed().Seconds()/1e6, "Mplies/s")
}

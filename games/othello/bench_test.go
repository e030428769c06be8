package othello

import (
	"testing"

	"kifu/games"
	"kifu/kit/gametest"
)

// BenchmarkPerft reports leaves counted in bulk, on one core.
func BenchmarkPerft(b *testing.B) {
	var leaves uint64
	for b.Loop() {
		leaves += games.Perft(Rules{}, Start(), 9)
	}
	b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}

// BenchmarkReplay resolves and plays the moves of games: what ingest does.
func BenchmarkReplay(b *testing.B) {
	var texts [][]byte
	gametest.Random(Start(), 80, 1, func(p Position, line []games.Move) {
		if n := len(line); n > 0 {
			texts = append(texts, Rules{}.AppendMove(nil, p, line[n-1]))
		}
	})
	plies := 0
	for b.Loop() {
		p := Start()
		for _, text := range texts {
			m, err := Rules{}.ParseMove(p, text)
			if err != nil {
				b.Fatal(err)
			}
			p = p.Play(m)
		}
		plies += len(texts)
	}
	b.ReportMetric(float64(plies)/b.Elapsed().Seconds()/1e6, "Mplies/s")
}

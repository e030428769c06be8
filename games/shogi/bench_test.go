package shogi_test

import (
	"testing"

	"kifu/games"
	"kifu/games/shogi"
	"kifu/internal/cpu"
	"kifu/kit/gametest"
)

// BenchmarkPerft reports leaves a second of processor time, every move of the last ply built.
func BenchmarkPerft(b *testing.B) {
	for _, c := range []struct {
		name, sfen string
		depth      int
	}{
		{"start", shogi.StartSFEN, 5},
		{"matsuri", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1", 3},
		{"mostmoves", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 3},
	} {
		b.Run(c.name, func(b *testing.B) {
			p, err := shogi.ParseSFEN(c.sfen)
			if err != nil {
				b.Fatal(err)
			}
			var leaves uint64
			begun := cpu.Time()
			for b.Loop() {
				leaves += games.Perft(shogi.Rules{}, p, c.depth)
			}
			b.ReportMetric(float64(leaves)/(cpu.Time()-begun).Seconds()/1e6, "Mleaves/cpu-s")
		})
	}
}

// BenchmarkMoves resolves and plays the moves of random games: what ingest does.
func BenchmarkMoves(b *testing.B) {
	styles := map[string]func([]byte, shogi.Position, games.Move) []byte{"CSA": shogi.AppendCSA, "KIF": shogi.AppendKIF, "KI2": shogi.AppendKI2}
	for name, write := range styles {
		var texts [][]byte
		p := shogi.Start()
		gametest.Random(p, 200, 1, func(next shogi.Position, line []games.Move) {
			if len(line) > 0 {
				texts = append(texts, write(nil, p, line[len(line)-1]))
			}
			p = next
		})
		b.Run(name, func(b *testing.B) {
			plies := 0
			for b.Loop() {
				p := shogi.Start()
				for _, text := range texts {
					m, err := shogi.Rules{}.ParseMove(p, text)
					if err != nil {
						b.Fatal(err)
					}
					p = p.Play(m)
				}
				plies += len(texts)
			}
			b.ReportMetric(float64(plies)/b.Elapsed().Seconds()/1e6, "Mplies/s")
		})
	}
}

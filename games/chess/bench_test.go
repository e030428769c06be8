package chess_test

import (
	"testing"

	"kifu/games"
	"kifu/games/chess"
	"kifu/kit/gametest"
)

// BenchmarkPerft reports leaves counted in bulk, on one core.
func BenchmarkPerft(b *testing.B) {
	for _, c := range []struct {
		name, fen string
		depth     int
	}{{"start", chess.StartFEN, 5}, {"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4}} {
		b.Run(c.name, func(b *testing.B) {
			p, err := chess.ParseFEN(c.fen)
			if err != nil {
				b.Fatal(err)
			}
			var leaves uint64
			for b.Loop() {
				leaves += games.Perft(chess.Rules{}, p, c.depth)
			}
			b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
		})
	}
}

// line is a random game with the texts of its moves.
type line struct {
	positions []chess.Position
	moves     []games.Move
	texts     [][]byte
}

func lines() []line {
	var all []line
	for seed := range uint64(50) {
		var l line
		gametest.Random(chess.Start(), 120, seed, func(p chess.Position, moves []games.Move) {
			if n := len(moves); n > 0 {
				l.texts = append(l.texts, chess.Rules{}.AppendMove(nil, l.positions[n-1], moves[n-1]))
				l.moves = append(l.moves, moves[n-1])
			}
			l.positions = append(l.positions, p)
		})
		all = append(all, l)
	}
	return all
}

// BenchmarkSAN resolves and plays the moves of games: what ingest does.
func BenchmarkSAN(b *testing.B) {
	all := lines()
	plies := 0
	for b.Loop() {
		for _, l := range all {
			p := l.positions[0]
			for _, text := range l.texts {
				m, err := chess.Rules{}.ParseMove(p, text)
				if err != nil {
					b.Fatal(err)
				}
				p = p.Play(m)
			}
			plies += len(l.texts)
		}
	}
	b.ReportMetric(float64(plies)/b.Elapsed().Seconds()/1e6, "Mplies/s")
}

// BenchmarkPosition measures what the stages ask of single positions.
func BenchmarkPosition(b *testing.B) {
	var positions []chess.Position
	var moves []games.Move
	for _, l := range lines() {
		positions = append(positions, l.positions[:len(l.moves)]...)
		moves = append(moves, l.moves...)
	}
	var buf []byte
	var values []int16
	list := make([]games.Move, 0, 256)
	for _, c := range []struct {
		name string
		do   func(i int, p chess.Position)
	}{
		{"Play", func(i int, p chess.Position) { _ = p.Play(moves[i]) }},
		{"AppendMoves", func(_ int, p chess.Position) { list = p.AppendMoves(list[:0]) }},
		{"AppendTactics", func(_ int, p chess.Position) { list, _ = p.AppendTactics(list[:0]) }},
		{"Outcome", func(_ int, p chess.Position) { p.Outcome() }},
		{"AppendBoard", func(_ int, p chess.Position) { buf = p.AppendBoard(buf[:0]) }},
		{"UnpackBoard", func(_ int, p chess.Position) { _, _ = chess.UnpackBoard(p.AppendBoard(buf[:0])) }},
		{"AppendColumns", func(_ int, p chess.Position) { values = chess.Rules{}.AppendColumns(values[:0], p) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				c.do(i, positions[i])
				if i++; i == len(positions) {
					i = 0
				}
			}
		})
	}
}

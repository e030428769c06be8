package weiqi

import (
	"testing"

	"kifu/games"
	"kifu/kit/gametest"
)

// game returns one random game of 300 moves on 19 lines.
func game() (moves []games.Move) {
	gametest.Random(New(19, Unnamed, 0), 300, 1, func(_ Position, line []games.Move) { moves = line })
	return moves
}

// BenchmarkReplay resolves and plays the moves of a game: what ingest does.
func BenchmarkReplay(b *testing.B) {
	var texts [][]byte
	for _, m := range game() {
		texts = append(texts, Rules{}.AppendMove(nil, Position{}, m))
	}
	for b.Loop() {
		p := New(19, Unnamed, 0)
		for _, text := range texts {
			m, err := Rules{}.ParseMove(p, text)
			if err != nil {
				b.Fatal(err)
			}
			p = p.Play(m)
		}
	}
	b.ReportMetric(float64(len(texts)*b.N)/b.Elapsed().Seconds()/1e6, "Mplies/s")
}

// BenchmarkMoves lists the legal moves of every position of a game.
func BenchmarkMoves(b *testing.B) {
	benchmark(b, func(p Position, dst []games.Move) { p.AppendMoves(dst) })
}

// BenchmarkTactics lists captures, rescues and ladders of every position of a game.
func BenchmarkTactics(b *testing.B) {
	benchmark(b, func(p Position, dst []games.Move) { p.AppendTactics(dst) })
}

// BenchmarkColumns computes the columns of every position of a game, and packs it: what transform does.
func BenchmarkColumns(b *testing.B) {
	board, columns := make([]byte, 0, boardSize), make([]int16, 0, len(columnList))
	benchmark(b, func(p Position, _ []games.Move) {
		Rules{}.AppendColumns(columns, p)
		Rules{}.AppendBoard(board, p)
	})
}

func benchmark(b *testing.B, f func(p Position, dst []games.Move)) {
	var all []Position
	p := New(19, Unnamed, 0)
	for _, m := range game() {
		p = p.Play(m)
		all = append(all, p)
	}
	dst := make([]games.Move, 0, 400)
	for b.Loop() {
		for _, p := range all {
			f(p, dst)
		}
	}
	b.ReportMetric(float64(len(all)*b.N)/b.Elapsed().Seconds()/1e3, "kpositions/s")
}

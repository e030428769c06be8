package board_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/games"
	"kifu/games/board"
	"kifu/games/weiqi"
)

// TestLine: however a game is turned, mirrored and its colours exchanged, the line near a pattern is the same; of the
// pattern alone it is what is played there.
func TestLine(t *testing.T) {
	g := board.Of(weiqi.Rules{})
	const size = 9
	lines := map[string]bool{}
	random := rand.New(rand.NewPCG(1, 2))
	for trial := range 200 {
		b, err := g.Start("", "9/9/9/9/9/9/9/9/9 b - 0 0:0 7 -")
		if err != nil {
			t.Fatal(err)
		}
		for range random.IntN(8) {
			moves := b.Moves()
			b = moves[random.IntN(len(moves))].Play()
		}
		cells := b.AppendCells(nil)
		rows := []string{"####"}
		for y := range 3 {
			row := "#"
			for x := range 3 {
				row += string(".XO"[cells[y*size+x]])
			}
			rows = append(rows, row)
		}
		p := parse(t, g, strings.Join(rows, "/"))
		var played []board.Played
		for i := range 30 {
			played = append(played, board.Played{Cell: random.IntN(size * size), Side: games.Side(i % 2)})
		}
		want, exchanged := p.Line(g, b.Layout(), cells, true, played)
		lines[want] = true
		for way := range 16 {
			turned := make([]uint8, len(cells))
			for i, c := range cells {
				if way >= 8 && c > 0 {
					c = 3 - c
				}
				turned[turn(i, size, way%8)] = c
			}
			same := make([]board.Played, len(played))
			for i, m := range played {
				same[i] = board.Played{Cell: turn(m.Cell, size, way%8), Side: m.Side ^ games.Side(way/8)}
			}
			if got, other := p.Line(g, b.Layout(), turned, true, same); got != want || other != (exchanged != (way >= 8)) && strings.ContainsAny(rows[1]+rows[2]+rows[3], "XO") {
				t.Fatalf("trial %d, way %d: %q, %v; want %q, %v", trial, way, got, other, want, exchanged)
			}
		}
		var near []string
		for _, m := range played {
			if m.Cell%size < 5 && m.Cell/size < 5 {
				near = append(near, [2]string{"B", "W"}[m.Side]+b.Layout().Names[m.Cell])
			}
		}
		if got, _ := p.Line(g, b.Layout(), cells, false, played); got != strings.Join(near, " ") {
			t.Errorf("trial %d: %q; want %q", trial, got, near)
		}
	}
	if len(lines) < 150 {
		t.Errorf("%d lines of 200", len(lines))
	}
}

// turn returns the cell that one comes to, by one of the eight ways.
func turn(cell, size, way int) int {
	x, y := cell%size, cell/size
	if way&1 != 0 {
		x = size - 1 - x
	}
	if way&2 != 0 {
		y = size - 1 - y
	}
	if way&4 != 0 {
		x, y = y, x
	}
	return y*size + x
}

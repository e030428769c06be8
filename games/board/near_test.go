package board_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/games"
	"kifu/games/board"
	"kifu/games/weiqi"
	"kifu/kit/gametest"
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
				turned[gametest.Turn(i, size, way%8)] = c
			}
			same := make([]board.Played, len(played))
			for i, m := range played {
				same[i] = board.Played{Cell: gametest.Turn(m.Cell, size, way%8), Side: m.Side ^ games.Side(way/8)}
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

// TestLineMoved: near a pattern that no edge holds the line is the same wherever the pattern is, turned and with colours
// exchanged too; at a side, wherever it is along it.
func TestLineMoved(t *testing.T) {
	g := board.Of(weiqi.Rules{})
	l, size := g.Layout(), g.Layout().Columns
	random := rand.New(rand.NewPCG(3, 4))
	type stone struct{ column, row, side int } // from the upper left point of the pattern
	put := func(stones, moves []stone, left, top, way int) (cells []uint8, played []board.Played) {
		cells = make([]uint8, size*size)
		for _, s := range stones {
			cells[gametest.Turn((top+s.row)*size+left+s.column, size, way%8)] = uint8(1 + (s.side ^ way/8))
		}
		for _, m := range moves {
			played = append(played, board.Played{Cell: gametest.Turn((top+m.row)*size+left+m.column, size, way%8), Side: games.Side(m.side ^ way/8)})
		}
		return cells, played
	}
	for trial := range 200 {
		var stones, moves []stone
		text := ""
		for row := range 2 {
			for column := range 3 {
				switch side := random.IntN(3); {
				case side < 2 || row+column == 0:
					side &= 1
					stones = append(stones, stone{column, row, side})
					text += "XO"[side : side+1]
				default:
					text += "."
				}
			}
		}
		text = text[:3] + "/" + text[3:]
		for i := range 10 {
			moves = append(moves, stone{random.IntN(9) - 3, random.IntN(8) - 3, i % 2})
		}
		anywhere := func() int { return 4 + random.IntN(size-11) }
		p := parse(t, g, text)
		cells, played := put(stones, moves, anywhere(), anywhere(), 0)
		want, _ := p.Line(g, l, cells, true, played)
		cells, played = put(stones, moves, anywhere(), anywhere(), random.IntN(16))
		if got, _ := p.Line(g, l, cells, true, played); got != want || len(strings.Fields(got)) != len(moves) {
			t.Fatalf("trial %d, %s: %q; want %q", trial, text, got, want)
		}
		// The pattern is in the middle: its upper left point is J11.
		cells, played = put(stones, moves[:1], anywhere(), anywhere(), 0)
		if got, _ := p.Line(g, l, cells, false, played); got != "BW"[moves[0].side:moves[0].side+1]+l.Names[(8+moves[0].row)*size+8+moves[0].column] {
			t.Fatalf("trial %d, %s: %s for %v", trial, text, got, moves[0])
		}
		side := parse(t, g, "###/"+text)
		for i := range moves {
			moves[i].row += 3
		}
		cells, played = put(stones, moves, anywhere(), 0, 0)
		want, _ = side.Line(g, l, cells, false, played)
		cells, played = put(stones, moves, anywhere(), 0, 0)
		if got, _ := side.Line(g, l, cells, false, played); got != want || len(strings.Fields(got)) != len(moves) {
			t.Fatalf("trial %d, ###/%s: %q; want %q", trial, text, got, want)
		}
	}
	for text, want := range map[string]string{"X.O/...": "J11", "###/X.O": "J19", "###/#.X": "", "###/#XO/#..": "", "*/???X*": ""} {
		if text == "*/???X*" {
			text += strings.Repeat("/*", size-2)
		}
		if got := parse(t, g, text).Moved(l); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestLineEarliest: where the board has the pattern in two corners, the line is that of the corner that was played in first.
func TestLineEarliest(t *testing.T) {
	g := board.Of(weiqi.Rules{})
	l, size := g.Layout(), g.Layout().Columns
	p := parse(t, g, "####/#.../#.../#..X")
	at := func(column, row int) int { return row*size + column }
	cells := make([]uint8, size*size)
	cells[at(2, 2)], cells[at(size-3, size-3)] = 1, 1
	upper := []board.Played{{Cell: at(3, 2), Side: 1}, {Cell: at(3, 3), Side: 0}}
	lower := []board.Played{{Cell: at(size-3, size-2), Side: 1}, {Cell: at(size-4, size-2), Side: 0}, {Cell: at(size-5, size-3), Side: 1}}
	for _, first := range []struct{ moves, others []board.Played }{{upper, lower}, {lower, upper}} {
		want, _ := p.Line(g, l, cells, true, first.moves)
		if got, _ := p.Line(g, l, cells, true, append(first.moves[:len(first.moves):len(first.moves)], first.others...)); got != want || len(strings.Fields(got)) != len(first.moves) {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

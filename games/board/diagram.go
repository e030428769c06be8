package board

import (
	"slices"

	"kifu/games"
)

// Diagram is a drawn position.
type Diagram struct {
	Layout *games.Layout
	Pieces []games.Piece
	Cells  []uint8    // index into Pieces of each cell
	Hands  [2][]uint8 // by side, empty in most games
	ToMove games.Side
	Holds  bool   // pieces may be in hand in this game: there is room for them
	Text   string // of the position, for those who cannot see it

	// What may be set before it is drawn:
	Last    []int // cells of the last move, the target last
	Marked  []int // cells with a ring
	Flipped bool  // the other side is below
	Plain   bool  // without names of rows and columns, and without the side to move
	Western bool  // Latin letters in place of kanji and of symbols in a terminal
	Size    int   // width of the SVG in pixels; 0: as wide as its place
}

// Draw returns the diagram of b.
func Draw(g Game, b Board) *Diagram {
	d := &Diagram{Layout: b.Layout(), Pieces: g.Pieces(), Cells: b.AppendCells(nil), ToMove: b.ToMove(), Holds: holds(g), Text: string(b.AppendText(nil))}
	for side := range d.Hands {
		d.Hands[side] = b.AppendHand(nil, games.Side(side))
	}
	return d
}

// holds reports whether pieces may be in hand in a game.
func holds(g Game) bool { return len(g.Holdable(games.First)) > 0 }

// bottom returns the side drawn below.
func (d *Diagram) bottom() games.Side {
	if d.Flipped {
		return d.Layout.Bottom.Other()
	}
	return d.Layout.Bottom
}

// at returns the cell that is drawn in a column from the left and a row from the top.
func (d *Diagram) at(column, row int) int {
	if d.Flipped {
		column, row = d.Layout.Columns-1-column, d.Layout.Rows-1-row
	}
	return row*d.Layout.Columns + column
}

// files returns the names of the drawn columns.
func (d *Diagram) files() []string { return turned(d.Layout.Files, d.Flipped) }

// ranks returns the names next to the drawn rows; on a board with numbers they are
// the first ones of the rows.
func (d *Diagram) ranks() []string {
	switch {
	case d.Western && d.Layout.LatinRanks != nil:
		return turned(d.Layout.LatinRanks, d.Flipped)
	case !d.Layout.Numbered:
		return turned(d.Layout.Ranks, d.Flipped)
	}
	names := make([]string, d.Layout.Rows)
	for row := range names {
		for column := 0; names[row] == "" && column < d.Layout.Columns; column++ {
			names[row] = d.Layout.Names[d.at(column, row)]
		}
	}
	return names
}

func turned(names []string, flipped bool) []string {
	if !flipped {
		return names
	}
	names = slices.Clone(names)
	slices.Reverse(names)
	return names
}

// hands reports whether a side has a piece in hand.
func (d *Diagram) hands() bool { return len(d.Hands[0])+len(d.Hands[1]) > 0 }

// held is a kind of piece in hand.
type held struct {
	piece uint8
	count int
}

// inHand returns the kinds in the hand of a side.
func (d *Diagram) inHand(s games.Side) (all []held) {
	for _, piece := range d.Hands[s&1] {
		if n := len(all); n > 0 && all[n-1].piece == piece {
			all[n-1].count++
			continue
		}
		all = append(all, held{piece, 1})
	}
	return all
}

// status names the side to move.
func (d *Diagram) status() string { return d.Layout.Sides[d.ToMove&1] + " to move" }

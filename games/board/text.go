package board

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kifu/games"
)

// AppendTerminal appends the diagram as lines of text. The last move's cells are in round
// brackets, its target and marked cells in square ones, so that no colour is needed. Lines
// have no space at their ends.
func (d *Diagram) AppendTerminal(dst []byte) []byte {
	l := d.Layout
	ranks, margin := d.ranks(), 0
	for _, name := range ranks {
		margin = max(margin, columnsOf(name))
	}
	dst = d.appendHandLine(dst, d.bottom().Other())
	above := l.NamesAbove
	if above {
		dst = d.appendFiles(dst, 0)
	}
	for row := range l.Rows {
		var line strings.Builder
		if ranks != nil && !d.Plain && !above {
			line.WriteString(strings.Repeat(" ", margin-columnsOf(ranks[row])) + ranks[row] + " ")
		}
		for column := range l.Columns {
			cell := d.at(column, row)
			before, after := d.brackets(cell)
			if column > 0 && before == " " {
				_, before = d.brackets(d.at(column-1, row))
			}
			line.WriteString(before + d.symbol(cell))
			if column == l.Columns-1 {
				line.WriteString(after)
			}
		}
		if ranks != nil && !d.Plain && above {
			line.WriteString(" " + ranks[row])
		}
		dst = append(append(dst, strings.TrimRight(line.String(), " ")...), '\n')
	}
	if !above {
		dst = d.appendFiles(dst, margin+1)
	}
	dst = d.appendHandLine(dst, d.bottom())
	if d.Plain {
		return dst
	}
	return append(append(dst, d.status()...), '\n')
}

// appendFiles appends the names of the columns, after a margin.
func (d *Diagram) appendFiles(dst []byte, margin int) []byte {
	files := d.files()
	if files == nil || d.Plain {
		return dst
	}
	dst = append(dst, strings.Repeat(" ", margin)...)
	for _, name := range files {
		dst = append(dst, ' ')
		dst = append(append(dst, strings.Repeat(" ", d.width()-len(name))...), name...)
	}
	return append(dst, '\n')
}

// brackets returns the characters to the left and to the right of a cell.
func (d *Diagram) brackets(cell int) (left, right string) {
	switch {
	case slices.Contains(d.Marked, cell), len(d.Last) > 0 && d.Last[len(d.Last)-1] == cell:
		return "[", "]"
	case slices.Contains(d.Last, cell):
		return "(", ")"
	}
	return " ", " "
}

// symbol returns the text of a cell, always of width columns of a terminal.
func (d *Diagram) symbol(cell int) string {
	text := ""
	switch piece := d.Pieces[d.Cells[cell]]; {
	case d.Cells[cell] != 0 && d.Western:
		text = piece.Letter
	case d.Cells[cell] != 0:
		text = piece.Symbol
	case slices.Contains(d.Layout.Stars, cell):
		text = "+"
	case d.Layout.Names[cell] != "":
		text = "·"
	}
	return strings.Repeat(" ", max(d.width()-columnsOf(text), 0)) + text
}

// width returns the columns of a terminal that the widest piece takes.
func (d *Diagram) width() int {
	width := 1
	for _, p := range d.Pieces {
		if d.Western {
			width = max(width, len(p.Letter))
		} else {
			width = max(width, columnsOf(p.Symbol))
		}
	}
	return width
}

// columnsOf returns the columns that a text takes: two for a letter of Chinese or Japanese.
func columnsOf(text string) int {
	n := utf8.RuneCountInString(text)
	for _, r := range text {
		if r >= 0x3000 {
			n++
		}
	}
	return n
}

// appendHandLine appends what a side has in hand, if the game has hands.
func (d *Diagram) appendHandLine(dst []byte, s games.Side) []byte {
	if !d.hands() {
		return dst
	}
	dst = append(append(dst, d.Layout.Sides[s&1]...), " has in hand:"...)
	all := d.inHand(s)
	if len(all) == 0 {
		dst = append(dst, " nothing"...)
	}
	for _, h := range all {
		piece := d.Pieces[h.piece]
		text := strings.TrimLeft(piece.Symbol, " v")
		if d.Western {
			text = piece.Letter
		}
		dst = append(append(dst, ' '), text...)
		if h.count > 1 {
			dst = fmt.Append(dst, h.count)
		}
	}
	return append(dst, '\n')
}

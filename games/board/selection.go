package board

import (
	"fmt"
	"strings"

	"kifu/games"
)

// parseSelection reads pieces and squares of a game on the board of l:
//
//	N, +p, X        that piece, anywhere
//	A, a, ?, .      any piece of the first player, of the second; anything; an empty square
//	[QR]            one of these; [^Pp] none of these
//	f7, Q16, 22     anything on that square
//	Nf7, [QR]f7, .e4, N[d5,e5]   these pieces there; of several squares on any of them
//
// A text that names a square is the square: b4 is a square of chess, and bb4 a bishop there.
func parseSelection(g Game, l *games.Layout, text string) (s games.Selection, err error) {
	s.Pieces = uint32(anything)
	rest := text
	if text == "" {
		return s, fmt.Errorf("no pieces and no squares: write N, f7, Nf7 or [QR][d5,e5]")
	}
	if l.Cell(text) < 0 && (text[0] != '[' || !strings.Contains(text, ",") || strings.Contains(text[:strings.IndexByte(text, ',')], "]")) {
		r := patternRow{game: g, rest: text}
		pieces, err := r.item()
		if err != nil {
			return s, fmt.Errorf("%q: %w", text, err)
		}
		s.Pieces, rest = uint32(pieces), r.rest
	}
	if rest == "" {
		for i, name := range l.Names {
			if name != "" {
				s.Cells[i>>6] |= 1 << (i & 63)
			}
		}
		return s, nil
	}
	inner, opened := strings.CutPrefix(rest, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	switch {
	case opened && !closed:
		return s, fmt.Errorf("%q: [ without ]", text)
	case closed && !opened:
		return s, fmt.Errorf("%q: ] without [", text)
	}
	for name := range strings.SplitSeq(inner, ",") {
		cell := l.Cell(strings.TrimSpace(name))
		if cell < 0 {
			return s, fmt.Errorf("%q: no square %q on this board", text, name)
		}
		s.Cells[cell>>6] |= 1 << (cell & 63)
	}
	return s, nil
}

// selected counts the cells of a selection.
func selected(cells []uint8, s *games.Selection) (n int) {
	for cell, piece := range cells {
		if s.Has(cell, piece) {
			n++
		}
	}
	return n
}

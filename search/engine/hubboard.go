package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// hubSquares is the number of squares of the board of Hub, 10×10.
const hubSquares = 50

// hubPosition converts a FEN of draughts to a position of Hub: "W:W31-50:BK1,2" becomes W
// and a letter for each square, w and b for men, W and B for kings, e for an empty square.
func hubPosition(fen string) (string, error) {
	bad := fmt.Errorf("%q is not a FEN of draughts on 50 squares", fen)
	fields := strings.Split(strings.TrimSuffix(strings.TrimSpace(fen), "."), ":")
	if len(fields) != 3 || fields[0] != "W" && fields[0] != "B" {
		return "", bad
	}
	board := []byte(fields[0] + strings.Repeat("e", hubSquares))
	for _, field := range fields[1:] {
		if field == "" || field[0] != 'W' && field[0] != 'B' {
			return "", bad
		}
		man := field[0] | 0x20
		for _, text := range strings.Split(field[1:], ",") {
			if text == "" {
				continue
			}
			piece := man
			if king, ok := strings.CutPrefix(text, "K"); ok {
				text, piece = king, field[0]
			}
			first, last, ranged := strings.Cut(text, "-")
			from, err := strconv.Atoi(first)
			to := from
			if ranged && err == nil {
				to, err = strconv.Atoi(last)
			}
			if err != nil || from < 1 || to > hubSquares {
				return "", bad
			}
			for at := from; at <= to; at++ {
				board[at] = piece
			}
		}
	}
	return string(board), nil
}

// sortTaken sorts the men taken by a move in ascending order: programs may name them in any
// order. A text that is not a move is returned unchanged.
func sortTaken(move string) string {
	words := strings.Split(move, "x")
	if len(words) < 4 {
		return move
	}
	slices.SortStableFunc(words[2:], func(a, b string) int {
		m, _ := strconv.Atoi(a) // an invalid number makes the move illegal, whatever its place
		n, _ := strconv.Atoi(b)
		return m - n
	})
	return strings.Join(words, "x")
}

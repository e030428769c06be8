package main

import (
	"fmt"
	"strings"

	"kifu/games"
	"kifu/games/chess"
)

// unsolved is the depth of a position that White does not win.
const unsolved = -1

// ending holds all legal positions of some material, and those that White can reach by promotion, solved backwards from the mates.
type ending struct {
	positions []chess.Position
	depth     []int // plies until mate with the best play of both, or unsolved
	asked     int   // positions of the chosen material come first
}

// newEnding solves King and piece ("P", "Q" or "R") against King.
func newEnding(piece string) *ending {
	e := &ending{}
	at := map[uint64]int{}
	add := func(piece string) {
		for _, p := range placements(piece) {
			at[p.Hash()] = len(e.positions)
			e.positions = append(e.positions, p)
		}
	}
	add(piece)
	e.asked = len(e.positions)
	if piece == "P" { // bishops and knights do not win
		add("Q")
		add("R")
	}
	e.solve(at)
	return e
}

// placements returns the legal positions of White's king and piece against Black's king, either side to move.
func placements(piece string) (all []chess.Position) {
	for men := range 64 * 64 * 64 {
		king, man, other := men>>12, men>>6&63, men&63
		if king == man || king == other || man == other || piece == "P" && (man < 8 || man >= 56) {
			continue
		}
		board := []byte(strings.Repeat("1", 64))
		board[king], board[man], board[other] = 'K', piece[0], 'k'
		for _, side := range []string{"w", "b"} {
			if p, err := parse(board, side); err == nil {
				all = append(all, p)
			}
		}
	}
	return all
}

// parse returns the position of 64 squares, a letter or 1 each, from a8 on.
func parse(board []byte, side string) (chess.Position, error) {
	var rows []string
	for row := range 8 {
		rows = append(rows, string(board[row*8:row*8+8]))
	}
	return chess.ParseFEN(strings.Join(rows, "/") + " " + side + " - - 0 1")
}

// solve finds the depths by going back from the mates: a position is won if a move leads to a lost one, and lost if all moves
// lead to won ones.
func (e *ending) solve(at map[uint64]int) {
	e.depth = make([]int, len(e.positions))
	open := make([]int, len(e.positions)) // moves of Black that do not lose yet
	before := make([][]int32, len(e.positions))
	var queue []int
	var moves []games.Move
	for i, p := range e.positions {
		e.depth[i] = unsolved
		moves = p.AppendMoves(moves[:0])
		open[i] = len(moves)
		if len(moves) == 0 && p.ToMove() == games.Second && p.InCheck() {
			e.depth[i] = 0
			queue = append(queue, i)
		}
		for _, m := range moves {
			if to, known := at[p.Play(m).Hash()]; known {
				before[to] = append(before[to], int32(i))
			}
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, b := range before[i] {
			open[b]--
			if e.depth[b] == unsolved && (e.positions[b].ToMove() == games.First || open[b] == 0) {
				e.depth[b] = e.depth[i] + 1
				queue = append(queue, int(b))
			}
		}
	}
}

// line returns a position as EPD with its result as opcode c9: won by White, or not.
func line(p chess.Position, won bool) string {
	result := "1/2-1/2"
	if won {
		result = "1-0"
	}
	return fmt.Sprintf("%s c9 \"%s\";", strings.Join(strings.Fields(p.String())[:4], " "), result)
}

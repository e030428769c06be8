package main

import (
	"math/rand/v2"
	"strings"

	"kifu/games/chess"
)

// knightPositions is the number of positions of King and Rook against King and Knight that are sampled.
const knightPositions = 400_000

// sampleKnight calls each with random legal positions of King and Rook against King and Knight, Black to move, and with whether
// Black is lost in two plies.
func sampleKnight(each func(p chess.Position, lost bool)) {
	random := rand.New(rand.NewPCG(1, 0))
	for n := 0; n < knightPositions; {
		board := []byte(strings.Repeat("1", 64))
		for i, square := range random.Perm(64)[:4] {
			board[square] = "KRkn"[i]
		}
		if p, err := parse(board, "b"); err == nil {
			each(p, lostInTwo(p))
			n++
		}
	}
}

// lostInTwo reports whether Black, to move, is mated, or whatever the move is mated by White's reply or loses the knight to it
// without taking the rook or being stalemated.
func lostInTwo(p chess.Position) bool {
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		return p.InCheck()
	}
	for _, m := range moves {
		if !winsAtOnce(p.Play(m)) {
			return false
		}
	}
	return true
}

// winsAtOnce reports whether a move of White mates, or takes the knight and leaves Black a move but none that takes the rook.
func winsAtOnce(p chess.Position) bool {
	if p.Rooks().Count() == 0 {
		return false
	}
	for _, m := range p.AppendMoves(nil) {
		q := p.Play(m)
		replies := q.AppendMoves(nil)
		if len(replies) == 0 {
			if q.InCheck() {
				return true
			}
			continue
		}
		won := q.Knights().Count() == 0
		for _, r := range replies {
			after := q.Play(r)
			won = won && after.Rooks().Count() > 0
		}
		if won {
			return true
		}
	}
	return false
}

package main

import (
	"fmt"
	"strconv"

	"kifu/games/board"
)

// playMoves plays the moves in a text; last are the cells of the last one.
func playMoves(b board.Board, moves string) (end board.Board, last []int, err error) {
	return playWords(b, board.Words(b, moves))
}

// playWords plays moves.
func playWords(b board.Board, words []string) (end board.Board, last []int, err error) {
	for i, text := range words {
		m, err := b.Find(text)
		if err != nil {
			return nil, nil, fmt.Errorf("--moves: %q, the %s move: %w in %s", text, ordinal(i+1), err, b.AppendText(nil))
		}
		last, b = m.Marks(), m.Play()
	}
	return b, last, nil
}

func ordinal(n int) string {
	suffix := "th"
	switch {
	case n%100/10 == 1:
	case n%10 == 1:
		suffix = "st"
	case n%10 == 2:
		suffix = "nd"
	case n%10 == 3:
		suffix = "rd"
	}
	return strconv.Itoa(n) + suffix
}

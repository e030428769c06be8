package main

import (
	"fmt"
	"strconv"
	"strings"

	"kifu/games/board"
	"kifu/internal/pattern"
)

// moveWords returns the words of moves. Where a word is no move but points without spaces, as
// books of Othello have them (f5d6c3), and each is a move, each point is a word.
func moveWords(b board.Board, moves string) (words []string) {
	for _, word := range strings.Fields(moves) {
		m, err := b.Find(word)
		if err == nil {
			b, words = m.Play(), append(words, word)
			continue
		}
		points := onePoint().FindAllString(word, -1)
		if end, whole := playPoints(b, points); whole && len(strings.Join(points, "")) == len(word) {
			b, words = end, append(words, points...)
			continue
		}
		words = append(words, word)
	}
	return words
}

// playPoints plays moves that are a point each: e4 of chess, which has a square to come from, is
// none of these.
func playPoints(b board.Board, points []string) (end board.Board, whole bool) {
	for _, p := range points {
		m, err := b.Find(p)
		if err != nil || len(m.Marks()) != 1 {
			return nil, false
		}
		b = m.Play()
	}
	return b, len(points) > 1
}

// playMoves plays moves, separated by spaces, with or without numbers; last are the cells of the last one.
func playMoves(b board.Board, moves string) (end board.Board, last []int, err error) {
	return playWords(b, moveWords(b, moves))
}

// playWords plays the words of moves.
func playWords(b board.Board, words []string) (end board.Board, last []int, err error) {
	for i, text := range words {
		text = strings.TrimLeft(moveNumber().ReplaceAllString(text, ""), ".")
		if text == "" {
			continue
		}
		m, err := b.Find(text)
		if err != nil {
			return nil, nil, fmt.Errorf("--moves: %q, the %s word: %w in %s", text, ordinal(i+1), err, b.AppendText(nil))
		}
		last, b = m.Marks(), m.Play()
	}
	return b, last, nil
}

// onePoint is a point of a board: a letter and a number.
var onePoint = pattern.Of(`[A-Za-z][0-9]{1,2}`)

// moveNumber is the number before a move in a record: "1.", "12...".
var moveNumber = pattern.Of(`^\d+\.+`)

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

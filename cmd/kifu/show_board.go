package main

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/games/board"
	"kifu/internal/edits"
	"kifu/internal/fresh"
)

// showFlags are the flags of kifu show.
type showFlags struct {
	game, moves, svg, mark string
	size                   int
	flip, plain, letters   bool
	rows                   int
}

// readPosition reads a text by the game of that name, or by the first game that can.
func readPosition(name, text string) (command.Game, board.Board, error) {
	if text == "start" || text == "startpos" {
		text = ""
	}
	if name != "" || text == "" {
		name = cmp.Or(name, gametable.All[0].Name)
		g, err := command.FindGame(name)
		if err != nil {
			return g, nil, err
		}
		b, err := g.Boards.Start("", text)
		if err != nil {
			err = fmt.Errorf("%q is not a position of %s: %w", text, name, err)
		}
		return g, b, err
	}
	for _, g := range gametable.All {
		if b, err := g.Boards.Start("", text); err == nil {
			return g, b, nil
		}
	}
	_, first := gametable.All[0].Boards.Start("", text)
	return command.Game{}, nil, fmt.Errorf("%q is not a position of any game (%s: %w; --game NAME tries another)", text, gametable.All[0].Name, first)
}

// draw prints a board with a line about it, or writes it to --svg.
func (f showFlags) draw(mk *command.Maker, g command.Game, b board.Board, last []int, said string) error {
	d := board.Draw(g.Boards, b)
	d.Last, d.Flipped, d.Plain, d.Western, d.Size = last, f.flip, f.plain, f.letters, f.size
	for _, name := range strings.FieldsFunc(f.mark, func(r rune) bool { return r == ',' || r == ' ' }) {
		cell := d.Layout.Cell(name)
		if cell < 0 {
			return command.Usagef("--mark %s: no such square%s", name, nearSquare(name, d.Layout.Names))
		}
		d.Marked = append(d.Marked, cell)
	}
	switch f.svg {
	case "-":
		_, err := mk.Stdout.Write(append(d.AppendSVG(nil, false), '\n'))
		return err
	case "":
		fmt.Fprintf(mk.Stdout, "%s%s%s (%s)\n", said, d.AppendTerminal(nil), d.Text, g.Name)
		return nil
	}
	if err := mk.MayWrite(f.svg); err != nil {
		return err
	}
	if err := mk.WriteFile(f.svg, fresh.Of(append(d.AppendSVG(nil, false), '\n'))); err != nil {
		return err
	}
	mk.Announce(f.svg, "the board of "+d.Text)
	return nil
}

func nearSquare(name string, names []string) string {
	if near, ok := edits.Nearest(name, names); ok {
		return "; did you mean " + near + "?"
	}
	return ""
}

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

package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/gametable"
	"kifu/games/board"
	"kifu/internal/edits"
	"kifu/internal/pattern"
)

// showFlags are the flags of kifu show.
type showFlags struct {
	game, moves, svg, mark string
	size                   int
	flip, plain, letters   bool
	rows                   int
}

func showCommand(mk *maker) *cobra.Command {
	var f showFlags
	cmd := &cobra.Command{
		Use:   "show POSITION | DATASET [GAME[:PLY]]",
		Short: "Show a position on its board, or the first rows of a dataset",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && f.moves != "" {
				return nil // the moves are from the start
			}
			return atLeast(1, "a position (FEN, or start), or a dataset with or without GAME:PLY")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"start"}
			}
			return f.show(cmd.Context(), mk, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.game, "game", "", "the position's `GAME` (default: the first that can read it)")
	flags.StringVar(&f.moves, "moves", "", "first play `MOVES`: 'e4 e5 Nf3', 'f5d6c3' (Othello)")
	flags.StringVar(&f.svg, "svg", "", "write the board as SVG to `FILE`, - for the standard output")
	flags.IntVar(&f.size, "size", 0, "make the SVG `N` pixels wide (default: fit its container)")
	flags.StringVar(&f.mark, "mark", "", "mark `SQUARES`: e4,d5")
	flags.BoolVar(&f.flip, "flip", false, "turn the board")
	flags.BoolVar(&f.plain, "plain", false, "omit square names and the side to move")
	flags.BoolVar(&f.letters, "letters", false, "write pieces as Latin letters")
	flags.IntVar(&f.rows, "rows", 10, "show `N` rows of a dataset")
	return cmd
}

// gameAddress is a game of a dataset in one word: games:12 or games:12:40.
var gameAddress = pattern.Of(`^(.+?):(\d+(?::\d+)?)$`)

// show takes what its arguments can be for: a dataset, a game of one, or a position.
func (f showFlags) show(ctx context.Context, mk *maker, args []string) error {
	in, notDataset := mk.openAny(args[0])
	switch m := gameAddress().FindStringSubmatch(args[0]); {
	case notDataset == nil && len(args) == 1:
		return f.showRows(ctx, mk, in)
	case notDataset == nil && len(args) == 2:
		return f.showGame(ctx, mk, in, args[1])
	case notDataset == nil:
		return usagef("%d arguments after %s; want GAME or GAME:PLY", len(args)-1, args[0])
	case m != nil && len(args) == 1:
		if in, err := mk.openAny(m[1]); err == nil {
			return f.showGame(ctx, mk, in, m[2])
		}
	}
	g, b, err := readPosition(f.game, strings.Join(args, " "))
	if err != nil {
		return fmt.Errorf("%w; %w", err, notDataset)
	}
	var last []int
	if b, last, err = playMoves(b, f.moves); err != nil {
		return err
	}
	return f.draw(mk, g, b, last, "")
}

// readPosition reads a text by the game of that name, or by the first game that can.
func readPosition(name, text string) (game, board.Board, error) {
	if text == "start" || text == "startpos" {
		text = ""
	}
	if name != "" || text == "" {
		if name == "" {
			name = gametable.All[0].Name
		}
		g, err := findGame(name)
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
	return game{}, nil, fmt.Errorf("%q is not a position of any game (%s: %w; --game NAME tries another)", text, gametable.All[0].Name, first)
}

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

// onePoint is a point of a board: a letter and a number.
var onePoint = pattern.Of(`[A-Za-z][0-9]{1,2}`)

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

// draw prints a board with a line about it, or writes it to --svg.
func (f showFlags) draw(mk *maker, g game, b board.Board, last []int, said string) error {
	d := board.Draw(g.Boards, b)
	d.Last, d.Flipped, d.Plain, d.Western, d.Size = last, f.flip, f.plain, f.letters, f.size
	for _, name := range strings.FieldsFunc(f.mark, func(r rune) bool { return r == ',' || r == ' ' }) {
		cell := d.Layout.Cell(name)
		if cell < 0 {
			return usagef("--mark %s: no such square%s", name, nearSquare(name, d.Layout.Names))
		}
		d.Marked = append(d.Marked, cell)
	}
	switch f.svg {
	case "-":
		_, err := mk.stdout.Write(append(d.AppendSVG(nil, false), '\n'))
		return err
	case "":
		fmt.Fprintf(mk.stdout, "%s%s%s (%s)\n", said, d.AppendTerminal(nil), d.Text, g.Name)
		return nil
	}
	if err := mk.mayWrite(f.svg); err != nil {
		return err
	}
	if err := mk.writeFile(f.svg, text(append(d.AppendSVG(nil, false), '\n'))); err != nil {
		return err
	}
	mk.announce(f.svg, "the board of "+d.Text)
	return nil
}

func nearSquare(name string, names []string) string {
	if near, ok := edits.Nearest(name, names); ok {
		return "; did you mean " + near + "?"
	}
	return ""
}

package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets/remote"
	"kifu/internal/pattern"
)

func showCommand(mk *command.Maker) *cobra.Command {
	var f showFlags
	cmd := &cobra.Command{
		Use:   "show POSITION | DATASET [GAME[:PLY]]",
		Short: "Show a position on its board, or the first rows of a dataset",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && f.moves != "" {
				return nil // the moves are from the start
			}
			return command.AtLeast(1, "a position (FEN, or start), or a dataset with or without GAME:PLY")(cmd, args)
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
func (f showFlags) show(ctx context.Context, mk *command.Maker, args []string) error {
	in, notDataset := mk.OpenAny(args[0])
	switch m := gameAddress().FindStringSubmatch(args[0]); {
	case notDataset == nil && len(args) == 1:
		return f.showRows(ctx, mk, in)
	case notDataset == nil && len(args) == 2:
		return f.showGame(ctx, mk, in, args[1])
	case notDataset == nil:
		return command.Usagef("%d arguments after %s; want GAME or GAME:PLY", len(args)-1, args[0])
	case m != nil && len(args) == 1:
		if in, err := mk.OpenAny(m[1]); err == nil {
			return f.showGame(ctx, mk, in, m[2])
		}
	}
	if remote.Is(args[0]) {
		return notDataset
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

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/chosen"
	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/games"
	"kifu/query/find"
	"kifu/query/format"
)

func findCommand(mk *command.Maker) *cobra.Command {
	var f findFlags
	cmd := &cobra.Command{
		Use:   "find --fen FEN|--moves MOVES|--material PIECES|--pattern PATTERN|--when CONDITION DATASET [GAMES]",
		Short: "Find the games that reach a position, and what was played there",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return command.Usagef("%d arguments; want games, positions or labels, the latter two optionally with their games", len(args))
			}
			return nil
		},
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			if f.fen == "" && f.moves == "" && f.position() == "" && f.sql == "" && f.who == (chosen.Players{}) && f.dates.Condition() == "" {
				return command.Usagef("nothing to find: give --fen, --moves, --material, --pattern, --when, --sql, --player or --from")
			}
			switch {
			case f.out == "-":
				return command.Usagef("--out -: kifu find prints its tables there: name a file")
			case f.any && f.position() == "" && len(f.then) == 0:
				return command.Usagef("--any needs --pattern, --when or --then")
			case len(f.then) == 0 && (f.without != "" || f.sameSide || cmd.Flags().Changed("within")):
				return command.Usagef("--within, --without and --same-side need --then")
			case f.sameSide && f.within == 1:
				return command.Usagef("--same-side needs --within 2 or more: the other side moves next")
			case f.within < 1:
				return command.Usagef("--within %d: want 1 or more plies", f.within)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.find(cmd.Context(), mk, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.fen, "fen", "", "find the position `FEN`, as the game writes positions")
	flags.StringVar(&f.moves, "moves", "", "find the position after `MOVES` from the start or --fen: 'e4 c5', f5d6c3")
	flags.StringVar(&f.material, "material", "", "find positions with exactly these `PIECES`: KRPkr")
	flags.StringVar(&f.pattern, "pattern", "", "find positions that match `PATTERN`, as in board_like")
	flags.StringVar(&f.when, "when", "", "find positions where the SQL `CONDITION` holds: 'fork and ply < 40'")
	flags.StringArrayVar(&f.then, "then", nil, "require a later position where `CONDITION` holds; repeatable, in order")
	flags.IntVar(&f.within, "within", 1, "look for --then in the next `N` plies")
	flags.StringVar(&f.without, "without", "", "require that `CONDITION` holds nowhere in between")
	flags.BoolVar(&f.sameSide, "same-side", false, "match --then only with the same side to move")
	flags.BoolVar(&f.any, "any", false, "also find mirror images of --pattern, and positions with sides exchanged")
	flags.StringVar(&f.sql, "sql", "", "select rows of the dataset by an SQL `CONDITION`")
	f.who.Declare(flags, "only games of `NAME`, in full or in part; * is any text")
	command.DeclareDates(flags, &f.dates.From, &f.dates.To)
	flags.IntVar(&f.games, "games", 10, "list `N` games")
	flags.IntVar(&f.replies, "replies", 12, "list `N` moves played")
	flags.BoolVar(&f.letters, "letters", false, "write pieces as Latin letters")
	flags.StringVar(&f.out, "out", "", "write all games to `FILE`: .csv, .json, .md, .tex or .arrow")
	return cmd
}

// find looks for positions in games by replaying them, in others by SQL.
func (f findFlags) find(ctx context.Context, mk *command.Maker, args []string) error {
	in, g, err := mk.OpenGame(args[0], "")
	if err != nil {
		return err
	}
	of := in
	if len(args) == 2 {
		if of, err = mk.Open(args[1], "games"); err != nil {
			return err
		}
		if err := datasets.CheckTogether(in, of); err != nil {
			return err
		}
	}
	start := f.fen
	if f.fen == "" && f.moves != "" && of.Table.Name == "games" {
		if start, err = usualStart(ctx, mk, g, of); err != nil {
			return err
		}
	}
	q, same, name, err := f.query(g, start)
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := format.Check(formatOf(f.out)); err != nil {
			return command.Misused(err)
		}
		if err := mk.MayWrite(f.out); err != nil {
			return err
		}
	}
	if in.Table.Name == "tree" && of != in && (f.sql != "" || !f.inTree(same, in)) {
		in = of // the games have what the tree does not
	}
	if err := f.checkConditions(ctx, in); err != nil {
		return err
	}
	result := &findings{opening: name, what: "rows", replies: find.Replies{Same: same}}
	if q.Near != nil {
		result.lines, result.near = g.Boards.Layout().Sides[games.First], q.Near.Pattern
	}
	begun := time.Now()
	if in.Table.Name != "tree" {
		if err := f.findPlayer(ctx, mk, &q, of); err != nil {
			return err
		}
	}
	switch {
	case in.Table.Name == "tree":
		err = f.findInTree(ctx, mk, g, same, in, result)
	case in.Table.Name == "games":
		result.what = "games"
		err = f.findInGames(ctx, mk, g, q, in, result)
	case in.Table.Index("board") >= 0 && in.Table.Index("hash") >= 0:
		err = f.findInRows(ctx, mk, g, q, in, result)
	default:
		err = fmt.Errorf("%s holds %s: want games, trees, positions or labels", in.Path, in.Table.Name)
	}
	if err != nil {
		return err
	}
	result.elapsed = time.Since(begun)
	return f.printFound(ctx, mk, g, of, result)
}

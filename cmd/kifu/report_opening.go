package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"kifu/report/opening"
)

func openingCommand(rp *reporter) *cobra.Command {
	var to made
	var p opening.Params
	var cluster dependenceFlags
	cmd := &cobra.Command{
		Use:   "opening --out DIR POSITIONS|LABELS|TREE|GAMES [CHOICES] [GAMES]",
		Short: "Make the opening tree: frequency, score, strength, recency, values",
		Args:  atLeast(1, "a dataset of positions, labels or games, or a tree"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return usageError{err}
			}
			args, err := orTree(cmd.Context(), rp.maker, p, args)
			if err != nil {
				return err
			}
			p.Sources, p.Workers = baseNames(args), rp.workers
			if p.Clusters, err = ownPlayers(rp.maker, cluster); err != nil {
				return err
			}
			if err := chooseGames(cmd.Context(), rp.maker, &p.Chosen, args); err != nil {
				return err
			}
			return printReport(rp, cmd, "opening", to, p, args, "opening.txt", opening.Make)
		},
	}
	to.declare(cmd, "best lines")
	cmd.Flags().IntVar(&p.Depth, "depth", 12, "count the first `N` plies")
	cmd.Flags().IntVar(&p.MinGames, "min-games", 5, "list moves of at least `N` games")
	flags := cmd.Flags()
	flags.Float64Var(&p.Bonus, "bonus", 50, "let games change a book value by at most `X`")
	cluster.declare(flags, true)
	flags.StringVar(&p.Player, "player", "", "only games of `NAME`, in full or in part; * is any text")
	flags.StringVar(&p.Side, "colour", "", "only games of the player as `SIDE`: first or second, white or black")
	declareDates(flags, &p.From, &p.To)
	flags.IntVar(&p.MinElo, "min-elo", 0, "only games with a mean rating of `N` or more")
	flags.IntVar(&p.MaxElo, "max-elo", 0, "only games with a mean rating of `N` or less")
	return cmd
}

// orTree returns the datasets that the report reads: instead of games alone their opening tree, which is made if the user's cache
// does not have it.
func orTree(ctx context.Context, mk *maker, p opening.Params, datasets []string) ([]string, error) {
	if len(datasets) != 1 || mk.plan != nil {
		return datasets, nil
	}
	in, err := mk.openAny(datasets[0])
	if err != nil || in.Table.Name != "games" {
		return datasets, err
	}
	if p.Player != "" || p.Chosen.String() != "" {
		return nil, usagef("%s holds games: selecting some also needs their positions: kifu transform --out positions --max-ply %d %s", datasets[0], p.Depth, datasets[0])
	}
	tree, err := cachedTree(ctx, mk, in)
	return []string{tree}, err
}

// chooseGames resolves the player, whose games are among the datasets, and the side.
func chooseGames(ctx context.Context, mk *maker, c *opening.Chosen, datasets []string) (err error) {
	if c.Side != "" && c.Player == "" {
		return usagef("--colour needs --player")
	}
	if c.Player == "" {
		return nil
	}
	for _, path := range datasets {
		in, err := mk.openAny(path)
		if err != nil {
			return err
		}
		if in.Table.Name != "games" {
			continue
		}
		g, err := gameOf(in)
		if err != nil {
			return err
		}
		if c.Side, err = sideOf(g, c.Side); err != nil {
			return err
		}
		names, err := playerNames(ctx, mk, in, c.Player)
		if err == nil {
			c.Names = names[0]
		}
		return err
	}
	return usagef("--player also needs the games: positions have no names")
}

// sideOf reads a side by its number or by the game's name of it.
func sideOf(g game, text string) (string, error) {
	for i, name := range g.Boards.Layout().Sides {
		if side := []string{"first", "second"}[i]; text == side || strings.EqualFold(text, name) {
			return side, nil
		}
	}
	if text == "" {
		return "", nil
	}
	sides := g.Boards.Layout().Sides
	return "", usagef("--colour %s: want first or second, or %s or %s", text, strings.ToLower(sides[0]), strings.ToLower(sides[1]))
}

package main

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets/several"
	"kifu/report/opening"
)

func openingCommand(rp *reporter) *cobra.Command {
	var to destination
	var p opening.Params
	var cluster command.DependenceFlags
	cmd := &cobra.Command{
		Use:   "opening --out DIR POSITIONS|LABELS|TREE|GAMES [CHOICES] [GAMES]",
		Short: "Make the opening tree: frequency, score, strength, recency, values",
		Args:  command.AtLeast(1, "a dataset of positions, labels or games, or a tree"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			args, err := withPositions(cmd.Context(), rp.Maker, p, args)
			if err != nil {
				return err
			}
			p.Sources, p.Workers = baseNames(args), rp.Workers
			if p.Clusters, err = command.OwnPlayers(rp.Maker, cluster, args); err != nil {
				return err
			}
			if err := chooseGames(cmd.Context(), rp.Maker, &p.Chosen, args); err != nil {
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
	cluster.Declare(flags, true)
	flags.StringVar(&p.Player, "player", "", "only games of `NAME`, in full or in part; * is any text")
	flags.StringVar(&p.Side, "colour", "", "only games of the player as `SIDE`: first or second, white or black")
	command.DeclareDates(flags, &p.From, &p.To)
	flags.IntVar(&p.MinElo, "min-elo", 0, "only games with a mean rating of `N` or more")
	flags.IntVar(&p.MaxElo, "max-elo", 0, "only games with a mean rating of `N` or less")
	return cmd
}

// withPositions returns the datasets that the report reads: before games alone their first plies, which are replayed if the user's
// cache does not have them.
func withPositions(ctx context.Context, mk *command.Maker, p opening.Params, datasets []string) ([]string, error) {
	if len(datasets) != 1 || mk.Plan != nil {
		return datasets, nil
	}
	in, err := mk.OpenAny(datasets[0])
	if err != nil || in.Table.Name != "games" {
		return datasets, err
	}
	games, err := several.Paths(ctx, mk.Path(datasets[0]))
	if err != nil {
		return nil, err
	}
	var positions []string // of each of several datasets
	for _, path := range games {
		if in, err = mk.OpenAny(path); err != nil {
			return nil, err
		}
		made, err := cachedPositions(ctx, mk, in, p.Depth)
		if err != nil {
			return nil, err
		}
		positions = append(positions, made)
	}
	return []string{strings.Join(positions, string(filepath.ListSeparator)), datasets[0]}, nil
}

// chooseGames resolves the player, whose games are among the datasets, and the side.
func chooseGames(ctx context.Context, mk *command.Maker, c *opening.Chosen, datasets []string) (err error) {
	if c.Side != "" && c.Player == "" {
		return command.Usagef("--colour needs --player")
	}
	if c.Player == "" {
		return nil
	}
	for _, path := range datasets {
		in, err := mk.OpenAny(path)
		if err != nil {
			return err
		}
		if in.Table.Name != "games" {
			continue
		}
		g, err := command.GameOf(in)
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
	return command.Usagef("--player also needs the games: positions have no names")
}

// sideOf reads a side by its number or by the game's name of it.
func sideOf(g command.Game, text string) (string, error) {
	for i, name := range g.Boards.Layout().Sides {
		if side := []string{"first", "second"}[i]; text == side || strings.EqualFold(text, name) {
			return side, nil
		}
	}
	if text == "" {
		return "", nil
	}
	sides := g.Boards.Layout().Sides
	return "", command.Usagef("--colour %s: want first or second, or %s or %s", text, strings.ToLower(sides[0]), strings.ToLower(sides[1]))
}

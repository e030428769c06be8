package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/players/learn"
)

func (a *app) learnCommand() *cobra.Command {
	var out, evalFile, aliases string
	var compare []string
	p := learn.Params{MaxDepth: 4, MaxDecisions: 1600, Holdout: 0.3, Test: 0.2, Seed: 1, Fit: learn.All, Epsilon: 0.005}
	cmd := &cobra.Command{
		Use:   "learn --player NAME --out DIR GAMES",
		Short: "Learn how deep a player looks ahead and by which weights, from its games",
		Args:  exactly(1, "a dataset of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return usageError{err}
			}
			in, err := a.open(args[0], "games")
			if err != nil {
				return err
			}
			g, err := gameOf(in)
			if err != nil {
				return err
			}
			if p.Eval, err = a.readModel(g, evalFile); err != nil {
				return err
			}
			p.FromEval = evalFile != ""
			p.Compare = nil
			for _, file := range compare {
				s, err := readStrategy(g, file)
				if err != nil {
					return err
				}
				p.Compare = append(p.Compare, learn.Rival{Player: s})
			}
			if err := p.Validate(); err != nil {
				return usageError{err}
			}
			if p.Aliases, err = readAliases(aliases, p.Player); err != nil {
				return err
			}
			if err := a.build(cmd.Context(), out, datasets.Step{
				Stage: "learn", Output: "report/v1", Params: p, Inputs: args,
				Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
					return g.learn(ctx, p, a.workers, in[0], b)
				},
			}, "decisions"); err != nil || a.plan != nil {
				return err
			}
			return a.printFile(out, learn.Text)
		},
	}
	outFlag(cmd, &out)
	flags := cmd.Flags()
	flags.StringArrayVar(&p.Player, "player", nil, "learn from the games of `NAME`; * is any text (required)")
	flags.StringVar(&aliases, "aliases", "", "take all names of one person by the table in `FILE` (kifu names --format csv)")
	flags.StringVar(&p.Side, "side", "", "only the games with this `SIDE`: first or second")
	flags.StringVar(&p.From, "from", "", "only games from `DATE` on: 1990, 1990-05 or 1990-05-31")
	flags.StringVar(&p.To, "to", "", "only games up to `DATE`")
	flags.IntVar(&p.MinElo, "min-elo", 0, "only games in which the player is rated `N` or more")
	flags.IntVar(&p.MaxElo, "max-elo", 0, "only games in which the player is rated `N` or less")
	flags.IntVar(&p.SkipPlies, "skip-plies", 0, "leave out the first `N` plies of each game")
	flags.IntVar(&p.MaxPly, "max-ply", 0, "leave out the plies from number `N` on")
	flags.IntVar(&p.Book, "book", 0, "leave out moves that `K` other games have in the same position")
	flags.IntVar(&p.MaxDepth, "max-depth", p.MaxDepth, "look `N` plies ahead at most")
	flags.IntVar(&p.MaxDecisions, "max-decisions", p.MaxDecisions, "draw `N` decisions when there are more")
	flags.Float64Var(&p.Holdout, "holdout", p.Holdout, "fit nothing to this `SHARE` of the games")
	flags.Float64Var(&p.Test, "test", p.Test, "neither fit to this `SHARE` of the games nor choose by it: it tests the model")
	flags.StringVar(&p.Fit, "fit", p.Fit, "learn weights by `SOLVER`: lp, likelihood, both of these, shrunk, all, or given (none)")
	flags.StringSliceVar(&p.Free, "free", nil, "learn the weights of these `TERMS` and groups; all others weigh nothing (default: all)")
	flags.BoolVar(&p.Tapered, "tapered", false, "learn a weight for each stage of the game, not one for all")
	flags.Float64Var(&p.Epsilon, "epsilon", p.Epsilon, "go on while the share foretold rises by `E`")
	flags.StringArrayVar(&compare, "compare", nil, "foretell the games of --test by the model in `FILE` (model.toml), too")
	flags.Uint64Var(&p.Seed, "seed", p.Seed, "draw from `SEED`")
	flags.StringVar(&evalFile, "eval", "", "value with the weights in `FILE` (weights.toml), not the default ones")
	return cmd
}

// readAliases returns the player's other names by a table of names; none without a file.
func readAliases(file string, player []string) ([]string, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := learn.WithAliases(f, player)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return names, nil
}

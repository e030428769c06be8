package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/players/choose"
	"kifu/players/population"
	"kifu/schemas"
)

func humanCommand(e *env) *cobra.Command {
	var out, weights, prior string
	var run engineFlags
	p := population.Params{SkipPlies: 10, MinClock: 30, Holdout: 0.2, Shapes: 0.5, MinPlayed: 3, Depth: 3, Decisions: 100_000, Tested: 50_000, Pull: 1, Seed: 1}
	cmd := &cobra.Command{
		Use:   "human --out DIR GAMES",
		Short: "Learn which moves people choose, and test it on other players",
		Args:  exactly(1, "a dataset of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, flag := range []string{"shapes", "depth", "eval"} {
				if prior != "" && cmd.Flags().Changed(flag) {
					return usageError{fmt.Errorf("--%s: the model of --prior sets it: omit one of the two", flag)}
				}
			}
			in, g, err := e.openGame(args[0], "games")
			if err != nil {
				return err
			}
			if prior == "" {
				err = readValues(e.maker, g, weights, &p)
			} else {
				err = readPrior(cmd.Context(), e.maker, in, g, prior, &p)
			}
			if err != nil {
				return err
			}
			if err := p.Validate(); err != nil {
				return usageError{err}
			}
			if run.command != "" {
				if err := e.mayStart(run.command); err != nil {
					return err
				}
			}
			program, err := run.open(cmd.Context(), g, e.dir)
			if err != nil {
				return err
			}
			if program != nil {
				p.Engine = &population.Engine{Name: program.Name, Options: program.Options, Limits: program.Limits, Start: program.Start}
			}
			if err := e.build(cmd.Context(), out, datasets.Step{
				Stage: "human", Output: schemas.Predictions().ID(), Params: p, Inputs: args,
				Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
					return g.Human(ctx, p, e.workers, in[0], b)
				},
			}, "decisions"); err != nil || e.plan != nil {
				return err
			}
			return printFile(e.maker, out, population.Text)
		},
	}
	outFlag(cmd, &out)
	flags := cmd.Flags()
	flags.IntVar(&p.SkipPlies, "skip-plies", p.SkipPlies, "skip the first `N` plies of each game")
	flags.Float64Var(&p.MinClock, "min-clock", p.MinClock, "skip moves made with less than `S` seconds left")
	flags.IntVar(&p.MinElo, "min-elo", 0, "only moves of players rated `N` or more")
	flags.IntVar(&p.MaxElo, "max-elo", 0, "only moves of players rated `N` or less")
	flags.Float64Var(&p.Holdout, "holdout", p.Holdout, "predict the share `P` of the players, learn from the rest")
	flags.Var(date{&p.TestFrom}, "test-from", "learn from games before `DATE`, predict games from then on")
	flags.Float64Var(&p.Shapes, "shapes", p.Shapes, "learn shapes from the share `P` of the games (0: none)")
	flags.IntVar(&p.Depth, "depth", p.Depth, "value moves by searches of up to `N` plies (0: none)")
	flags.Int64Var(&p.Decisions, "max-decisions", p.Decisions, "fit weights to at most `N` sampled decisions")
	flags.Int64Var(&p.Tested, "max-tested", p.Tested, "test on at most `N` sampled decisions")
	flags.Uint64Var(&p.Seed, "seed", p.Seed, "choose players and samples by seed `S`")
	flags.StringVar(&weights, "eval", "", "value with the weights in `FILE` (weights.toml)")
	flags.StringArrayVar(&p.Player, "player", nil, "learn from the games of `NAME` alone, near --prior; * is any text")
	flags.StringVar(&prior, "prior", "", "start from the model of other players in `FILE` (model.toml)")
	run.addProgram(flags, "compare with the moves of the UCI or USI engine `COMMAND`")
	return cmd
}

// readValues reads the weights that value moves into the parameters.
func readValues(mk *maker, g game, file string, p *population.Params) (err error) {
	if p.Eval, err = readModel(mk, g, file); err != nil {
		return err
	}
	p.Evaluator, err = p.Eval.Key()
	return err
}

// readPrior reads the model of other players, with its values and shapes, and the names of the one player into the parameters.
func readPrior(ctx context.Context, mk *maker, in *datasets.Dir, g game, file string, p *population.Params) (err error) {
	if p.Prior, err = readHuman(mk, g, file); err != nil {
		return err
	}
	if p.PriorKey, err = p.Prior.Key(); err != nil {
		return err
	}
	p.Shapes, p.Depth = 0, 0
	p.Player, _, err = resolve(ctx, mk, in, p.Player, "")
	return err
}

// readHuman reads a model of human moves in a game.
func readHuman(mk *maker, g game, file string) (*choose.Model, error) {
	m, err := choose.Read(mk.path(file))
	if err == nil && m.Game != g.Name {
		err = fmt.Errorf("%s: a model of %s, not of %s", file, m.Game, g.Name)
	}
	return m, err
}

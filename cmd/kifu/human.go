package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/chosen"
	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/models"
	"kifu/datasets"
	"kifu/internal/lists"
	"kifu/players/population"
	"kifu/schemas"
)

func humanCommand(e *command.Env) *cobra.Command {
	var out, weights, prior string
	var engines []string
	var patience time.Duration
	p := population.Params{SkipPlies: 10, MinClock: 30, Holdout: 0.2, Shapes: 0.5, MinPlayed: 3, Depth: 3, Decisions: 100_000, Tested: 50_000, Pull: 1, Seed: 1}
	cmd := &cobra.Command{
		Use:   "human --out DIR GAMES",
		Short: "Learn which moves people choose, and test it on other players",
		Args:  command.Exactly(1, "a dataset of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, flag := range []string{"shapes", "depth", "eval"} {
				if prior != "" && cmd.Flags().Changed(flag) {
					return command.Misused(fmt.Errorf("--%s: the model of --prior sets it: omit one of the two", flag))
				}
			}
			in, g, err := e.OpenGame(args[0], "games")
			if err != nil {
				return err
			}
			if prior == "" {
				err = readValues(e.Maker, g, weights, &p)
			} else {
				err = readPrior(cmd.Context(), e.Maker, in, g, prior, &p)
			}
			if err != nil {
				return err
			}
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			if p.Engines, err = readEngines(cmd.Context(), e.Maker, g, engines, patience); err != nil {
				return err
			}
			if err := e.Build(cmd.Context(), out, datasets.Step{
				Stage: "human", Output: schemas.Predictions().ID(), Params: p, Inputs: args,
				Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
					return g.Human(ctx, p, e.Workers, in[0], b)
				},
			}, "decisions"); err != nil || e.Plan != nil {
				return err
			}
			return e.PrintFile(out, population.Text)
		},
	}
	command.OutFlag(cmd, &out)
	flags := cmd.Flags()
	flags.IntVar(&p.SkipPlies, "skip-plies", p.SkipPlies, "skip the first `N` plies of each game")
	flags.Float64Var(&p.MinClock, "min-clock", p.MinClock, "skip moves made with less than `S` seconds left")
	flags.IntVar(&p.MinElo, "min-elo", 0, "only moves of players rated `N` or more")
	flags.IntVar(&p.MaxElo, "max-elo", 0, "only moves of players rated `N` or less")
	flags.Float64Var(&p.Holdout, "holdout", p.Holdout, "predict the share `P` of the players, learn from the rest")
	command.DeclareDate(flags, &p.TestFrom, "test-from", "learn from games before `DATE`, predict games from then on")
	flags.Float64Var(&p.Shapes, "shapes", p.Shapes, "learn shapes from the share `P` of the games (0: none)")
	flags.IntVar(&p.Depth, "depth", p.Depth, "value moves by searches of up to `N` plies (0: none)")
	flags.Int64Var(&p.Decisions, "max-decisions", p.Decisions, "fit weights to at most `N` sampled decisions")
	flags.Int64Var(&p.Tested, "max-tested", p.Tested, "test on at most `N` sampled decisions")
	flags.Uint64Var(&p.Seed, "seed", p.Seed, "choose players and samples by seed `S`")
	flags.StringVar(&weights, "eval", "", "value with the weights in `FILE` (weights.toml)")
	flags.StringArrayVar(&p.Player, "player", nil, "learn from the games of `NAME` alone, near --prior; * is any text")
	flags.StringVar(&prior, "prior", "", "start from the model of other players in `FILE` (model.toml)")
	flags.StringArrayVar(&engines, "engine", nil, "compare with `PLAYER`, a program as kifu match has it (uci:stockfish depth=1); repeatable")
	flags.DurationVar(&patience, "engine-timeout", time.Minute, "stop waiting for a program after `TIME` beyond its movetime=")
	return cmd
}

// readValues reads the weights that value moves into the parameters.
func readValues(mk *command.Maker, g command.Game, file string, p *population.Params) (err error) {
	if p.Eval, err = models.Evaluator(mk, g, file); err != nil {
		return err
	}
	p.Evaluator, err = p.Eval.Key()
	return err
}

// readPrior reads the model of other players, with its values and shapes, and the names of the one player into the parameters.
func readPrior(ctx context.Context, mk *command.Maker, in *datasets.Dir, g command.Game, file string, p *population.Params) (err error) {
	if p.Prior, err = models.Human(mk, g, file); err != nil {
		return err
	}
	if p.PriorKey, err = p.Prior.Key(); err != nil {
		return err
	}
	p.Shapes, p.Depth = 0, 0
	p.Player, _, err = chosen.Resolve(ctx, mk, in, p.Player, "")
	return err
}

// readEngines reads the programs whose moves are compared with the model's, and starts each once.
func readEngines(ctx context.Context, mk *command.Maker, g command.Game, words []string, patience time.Duration) ([]population.Engine, error) {
	return lists.Try(words, func(text string) (population.Engine, error) {
		p, err := models.Player(ctx, mk, g, text, patience, nil)
		if err != nil {
			return population.Engine{}, err
		}
		o := p.Outside
		if o == nil || o.Protocol == "hub" || o.Config.Limits.Timed() {
			return population.Engine{}, command.Usagef("--engine %s: want uci:PROGRAM, usi:PROGRAM or gtp:PROGRAM, with depth=, nodes= or movetime=", text)
		}
		return population.Engine{Name: p.Text, Program: o.Name, Arguments: o.Config.Command[1:], Options: o.Config.Options, Limits: o.Config.Limits, Start: o.Start}, nil
	})
}

package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/chosen"
	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/models"
	"kifu/datasets"
	"kifu/eval"
	"kifu/players/learn"
)

// learnFlags are the flags of kifu learn.
type learnFlags struct {
	out, eval, aliases string
	compare            []string
	params             learn.Params
	thorough           bool
	changed            func(flag string) bool // flags that were given
}

// The defaults of learn in a game whose positions have many moves: about a twentieth of the work, two
// minutes of one processor.
const (
	wideDepth     = 3
	wideDecisions = 400
	wideFit       = learn.Noisy
)

func learnCommand(mk *command.Maker) *cobra.Command {
	f := learnFlags{params: learn.Params{MaxDepth: 4, Ahead: ahead, MaxDecisions: 1600, Holdout: 0.3, Test: 0.2, Seed: 1, Fit: learn.All, Epsilon: 0.005}}
	cmd := &cobra.Command{
		Use:   "learn --player NAME --out DIR GAMES",
		Short: "Learn a player's search depth and weights from its games",
		Args:  command.Exactly(1, "a dataset of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.changed = cmd.Flags().Changed
			return f.learn(cmd.Context(), mk, args[0])
		},
	}
	command.OutFlag(cmd, &f.out)
	f.add(cmd.Flags())
	return cmd
}

// ahead is the share of the games that are searched one ply deeper than the candidates look.
const ahead = 0.25

func (f *learnFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.params.Player, "player", nil, "learn from the games of `NAME`; * is any text (required)")
	command.DeclareAliases(flags, &f.aliases)
	flags.StringVar(&f.params.Side, "side", "", "only the player's games as `SIDE`: first or second")
	command.DeclareDates(flags, &f.params.From, &f.params.To)
	flags.IntVar(&f.params.MinElo, "min-elo", 0, "only games in which the player is rated `N` or more")
	flags.IntVar(&f.params.MaxElo, "max-elo", 0, "only games in which the player is rated `N` or less")
	command.DeclarePlies(flags, &f.params.SkipPlies, &f.params.MaxPly)
	flags.IntVar(&f.params.Book, "book", 0, "skip moves that `K` other games played in the position")
	flags.IntVar(&f.params.MaxDepth, "max-depth", f.params.MaxDepth, "search at most `N` plies deep")
	flags.BoolVar(&f.params.Quiescence, "quiescence", true, "also try strategies with quiescence search")
	flags.IntVar(&f.params.MaxDecisions, "max-decisions", f.params.MaxDecisions, "sample `N` decisions when there are more")
	flags.Float64Var(&f.params.Holdout, "holdout", f.params.Holdout, "hold out this `SHARE` of the games")
	flags.Float64Var(&f.params.Test, "test", f.params.Test, "test the model on this `SHARE` of the games")
	flags.StringVar(&f.params.Fit, "fit", f.params.Fit, "learn weights by `SOLVER`: lp, likelihood, both, shrunk, noisy (likelihood, shrunk), all, given (none)")
	flags.StringSliceVar(&f.params.Free, "free", nil, "learn the weights of these `TERMS` and groups; others are 0 (default: all)")
	flags.BoolVar(&f.params.Tapered, "tapered", false, "learn a weight for each stage of the game")
	flags.Float64Var(&f.params.Epsilon, "epsilon", f.params.Epsilon, "continue refitting while held-out accuracy rises by `E`")
	flags.StringArrayVar(&f.compare, "compare", nil, "also test the model in `FILE` on the games of --test")
	flags.BoolVar(&f.thorough, "thorough", false, "use 4 plies, 1600 decisions and all solvers in chess, Go and Shogi")
	flags.Uint64Var(&f.params.Seed, "seed", f.params.Seed, "`SEED` of random choices")
	flags.StringVar(&f.eval, "eval", "", "evaluate by `FILE` (weights or patterns), terms, or tables (Othello) (default: terms)")
}

// learn makes the model of a player and prints what it found.
func (f learnFlags) learn(ctx context.Context, mk *command.Maker, games string) error {
	if err := f.params.Validate(); err != nil {
		return command.Misused(err)
	}
	in, g, err := mk.OpenGame(games, "games")
	if err != nil {
		return err
	}
	if f.params.Player, f.params.Aliases, err = chosen.Resolve(ctx, mk, in, f.params.Player, f.aliases); err != nil {
		return err
	}
	p, err := f.readLearn(mk, g)
	if err != nil {
		return err
	}
	err = mk.Build(ctx, f.out, datasets.Step{
		Stage: "learn", Output: "report/v1", Params: p, Inputs: []string{games},
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return g.Learn(ctx, p, mk.Workers, in[0], b)
		},
	}, "decisions")
	if err != nil || mk.Plan != nil {
		return err
	}
	return mk.PrintFile(f.out, learn.Text)
}

// readLearn reads the files that the flags name into the parameters.
func (f learnFlags) readLearn(mk *command.Maker, g command.Game) (p learn.Params, err error) {
	p = f.params
	if g.Wide && !f.thorough && !f.changed("max-depth") {
		p.MaxDepth = wideDepth
	}
	if g.Wide && !f.thorough && !f.changed("max-decisions") {
		p.MaxDecisions = wideDecisions
	}
	if g.Wide && !f.thorough && !f.changed("fit") {
		p.Fit = wideFit
	}
	if p.Eval, err = models.Evaluator(mk, g, f.eval); err != nil {
		return p, err
	}
	p.FromEval = f.eval != "" && f.eval != eval.Counted
	for _, file := range f.compare {
		s, err := models.Strategy(mk, g, file)
		if err != nil {
			return p, err
		}
		p.Compare = append(p.Compare, learn.Rival{Player: s})
	}
	if err := p.Validate(); err != nil {
		return p, command.Misused(err)
	}
	return p, nil
}

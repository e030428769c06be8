package main

import (
	"context"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/chosen"
	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/models"
	"kifu/datasets"
	"kifu/players/identify"
)

// identifyFlags are the flags of kifu identify.
type identifyFlags struct {
	out, library, aliases string
	models                []string
	params                identify.Params
}

func identifyCommand(mk *command.Maker) *cobra.Command {
	f := identifyFlags{params: identify.Params{Sizes: []int{1, 5, 20, 100}}}
	cmd := &cobra.Command{
		Use:   "identify --model MODEL --out DIR GAMES",
		Short: "Find which of several players made the moves of games",
		Args:  command.Exactly(1, "a dataset of games"),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.identify(cmd.Context(), mk, args[0]) },
	}
	command.OutFlag(cmd, &f.out)
	flags, p := cmd.Flags(), &f.params
	flags.StringArrayVar(&f.models, "model", nil, "`MODEL` of kifu learn, or a directory of several; repeatable (required)")
	flags.StringVar(&f.library, "library", "", "read the games behind the models from `GAMES` (default: the games to identify)")
	flags.StringArrayVar(&p.Player, "player", nil, "identify the games of `NAME`; * is any text (default: the models' test games)")
	command.DeclareAliases(flags, &f.aliases)
	command.DeclarePlies(flags, &p.SkipPlies, &p.MaxPly)
	flags.IntSliceVar(&p.Sizes, "sizes", p.Sizes, "identify sets of `N` games")
	flags.IntVar(&p.MaxGames, "max-games", 150, "fit the posterior to `N` sampled games of each player, and test on as many")
	flags.IntVar(&p.Decisions, "game-decisions", 12, "search `N` sampled decisions of each game")
	flags.IntVar(&p.Trials, "trials", 40, "identify `N` sets of each player and size")
	flags.Uint64Var(&p.Seed, "seed", 1, "`SEED` of random choices")
	return cmd
}

// identify asks which of the players of some models played games.
func (f identifyFlags) identify(ctx context.Context, mk *command.Maker, asked string) error {
	if len(f.models) == 0 {
		return command.Usagef("--model MODEL is missing")
	}
	in, g, err := mk.OpenGame(asked, "games")
	if err != nil {
		return err
	}
	p := f.params
	if p.Player, p.Aliases, err = chosen.Resolve(ctx, mk, in, p.Player, f.aliases); err != nil {
		return err
	}
	for _, name := range f.models {
		more, err := models.Candidates(mk, g, name)
		if err != nil {
			return err
		}
		p.Library = append(p.Library, more...)
	}
	if err := p.Validate(); err != nil {
		return command.Misused(err)
	}
	inputs := []string{asked}
	if f.library != "" {
		inputs = append(inputs, f.library)
	}
	err = mk.Build(ctx, f.out, datasets.Step{
		Stage: "identify", Output: "report/v1", Params: p, Inputs: inputs,
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return g.Identify(ctx, p, mk.Workers, in, b)
		},
	}, "decisions")
	if err != nil || mk.Plan != nil {
		return err
	}
	return mk.PrintFile(f.out, identify.Text)
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/chosen"
	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/models"
	"kifu/datasets"
	"kifu/datasets/remote"
	"kifu/players"
	"kifu/players/decide"
	"kifu/players/identify"
	"kifu/report/sheet"
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
	flags.StringVar(&f.aliases, "aliases", "", aliasesText)
	addPlies(flags, &p.SkipPlies, &p.MaxPly)
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
		more, err := readCandidates(mk, g, name)
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

// readCandidates reads a model, or a directory's models in the order of their names.
func readCandidates(mk *command.Maker, g command.Game, name string) ([]identify.Candidate, error) {
	if _, err := os.Stat(filepath.Join(mk.Path(name), players.File)); err == nil || remote.Is(name) {
		c, err := readCandidate(mk, g, name)
		return []identify.Candidate{c}, err
	}
	inside, err := filepath.Glob(filepath.Join(mk.Path(name), "*", players.File))
	if err != nil {
		return nil, err
	}
	if len(inside) == 0 {
		return nil, fmt.Errorf("%s: neither a model made by kifu learn nor a directory of models", name)
	}
	var all []identify.Candidate
	for _, file := range inside {
		c, err := readCandidate(mk, g, filepath.Join(name, filepath.Base(filepath.Dir(file))))
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// readCandidate reads the dataset of one model.
func readCandidate(mk *command.Maker, g command.Game, name string) (c identify.Candidate, err error) {
	d, err := mk.OpenAny(name)
	if err != nil {
		return c, err
	}
	if d.Manifest.Stage != "learn" || len(d.Manifest.Inputs) != 1 {
		return c, fmt.Errorf("%s: made by kifu %s, not by kifu learn", name, d.Manifest.Stage)
	}
	l, err := sheet.ReadLearn(d)
	if err != nil {
		return c, err
	}
	if c.Player, err = models.Strategy(mk, g, filepath.Join(name, players.File)); err != nil {
		return c, err
	}
	c.Names = slices.Concat(l.Player, l.Aliases)
	c.Split = decide.Split{Seed: l.Seed, Holdout: l.Holdout, Test: l.TestPart}
	c.Games = d.Manifest.FirstInput()
	return c, nil
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/datasets"
	"kifu/players"
	"kifu/players/decide"
	"kifu/players/identify"
	"kifu/report/sheet"
)

// identifyFlags holds the flags of kifu learn --identify.
type identifyFlags struct {
	models  []string
	library string
	params  identify.Params
}

// identifyOnly are the flags that go with --identify alone; withIdentify those of learn that
// it takes, too.
var (
	identifyOnly = []string{"library", "sizes", "max-games", "game-decisions", "trials"}
	withIdentify = append([]string{"out", "identify", "player", "aliases", "skip-plies", "max-ply", "seed"}, identifyOnly...)
)

func (f *identifyFlags) add(flags *pflag.FlagSet) {
	p := &f.params
	flags.StringArrayVar(&f.models, "identify", nil, "find which player of these models made the moves of GAMES: `MODEL` is a directory of learn, or one with several; repeatable")
	flags.StringVar(&f.library, "library", "", "the models of --identify were learned from the dataset `GAMES`, not the one asked of")
	flags.IntSliceVar(&p.Sizes, "sizes", []int{1, 5, 20, 100}, "ask of `N` games of a player together")
	flags.IntVar(&p.MaxGames, "max-games", 150, "sample `N` games of each known player to fit the posterior to, and as many to test it")
	flags.IntVar(&p.Decisions, "game-decisions", 12, "search `N` decisions of each game, sampled")
	flags.IntVar(&p.Trials, "trials", 40, "ask of `N` sets of games of each player and size")
}

// given returns the first flag that goes with --identify alone and was given, "" for none.
func (f *identifyFlags) given(flags *pflag.FlagSet) string {
	for _, name := range identifyOnly {
		if flags.Changed(name) {
			return name
		}
	}
	return ""
}

// onlyWith refuses flags that a use of kifu learn named by a flag does not take.
func onlyWith(cmd *cobra.Command, use string, takes []string) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains(takes, flag.Name) && cmd.InheritedFlags().Lookup(flag.Name) == nil {
			err = usagef("--%s has no effect with --%s", flag.Name, use)
		}
	})
	return err
}

// identify asks which of the players of some models played games.
func (a *app) identify(cmd *cobra.Command, f *learnFlags, asked string) (err error) {
	if err := onlyWith(cmd, "identify", withIdentify); err != nil {
		return err
	}
	ctx := cmd.Context()
	in, err := a.open(asked, "games")
	if err != nil {
		return err
	}
	g, err := gameOf(in)
	if err != nil {
		return err
	}
	p := f.identify.params
	p.Seed, p.SkipPlies, p.MaxPly = f.params.Seed, f.params.SkipPlies, f.params.MaxPly
	if p.Player, p.Aliases, err = a.resolve(ctx, in, f.params.Player, f.aliases); err != nil {
		return err
	}
	for _, name := range f.identify.models {
		more, err := a.candidates(g, name)
		if err != nil {
			return err
		}
		p.Library = append(p.Library, more...)
	}
	if err := p.Validate(); err != nil {
		return usageError{err}
	}
	inputs := []string{asked}
	if f.identify.library != "" {
		inputs = append(inputs, f.identify.library)
	}
	err = a.build(ctx, f.out, datasets.Step{
		Stage: "identify", Output: "report/v1", Params: p, Inputs: inputs,
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return g.identify(ctx, p, a.workers, in, b)
		},
	}, "decisions")
	if err != nil || a.plan != nil {
		return err
	}
	return a.printFile(f.out, identify.Text)
}

// candidates reads a model, or those of a directory in the order of their names.
func (a *app) candidates(g game, name string) ([]identify.Candidate, error) {
	if _, err := os.Stat(filepath.Join(a.path(name), players.File)); err == nil || datasets.Remote(name) {
		c, err := a.candidate(g, name)
		return []identify.Candidate{c}, err
	}
	inside, err := filepath.Glob(filepath.Join(a.path(name), "*", players.File))
	if err != nil {
		return nil, err
	}
	if len(inside) == 0 {
		return nil, fmt.Errorf("%s: neither a model that kifu learn made nor a directory of these", name)
	}
	var all []identify.Candidate
	for _, file := range inside {
		c, err := a.candidate(g, filepath.Join(name, filepath.Base(filepath.Dir(file))))
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// candidate reads the dataset of one model.
func (a *app) candidate(g game, name string) (c identify.Candidate, err error) {
	d, err := a.openAny(name)
	if err != nil {
		return c, err
	}
	if d.Manifest.Stage != "learn" || len(d.Manifest.Inputs) != 1 {
		return c, fmt.Errorf("%s: made by kifu %s, not a model that kifu learn made", name, d.Manifest.Stage)
	}
	l, err := sheet.ReadLearn(d)
	if err != nil {
		return c, err
	}
	if c.Player, err = a.readStrategy(g, filepath.Join(name, players.File)); err != nil {
		return c, err
	}
	c.Names = slices.Concat(l.Player, l.Aliases)
	c.Split = decide.Split{Seed: l.Seed, Holdout: l.Holdout, Test: l.TestPart}
	c.Games = d.Manifest.FirstInput()
	return c, nil
}

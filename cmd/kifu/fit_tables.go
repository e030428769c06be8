package main

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/datasets"
	"kifu/eval/pattern"
	"kifu/fit"
	"kifu/internal/bounded"
	"kifu/schemas"
)

// tablesFlags are the flags of kifu fit that tables of patterns alone have.
type tablesFlags struct {
	patterns, board  string
	gamesTarget      string
	minCount, errors int
	tolerance        float64
}

// ofTables are the other flags of kifu fit that tables of patterns have.
var ofTables = []string{"out", "method", "target", "where", "draws", "scale", "holdout", "seed", "games", "games-where", "dependence", "aliases"}

func (f *tablesFlags) declare(flags *pflag.FlagSet) {
	flags.StringVar(&f.patterns, "patterns", "", "fit tables indexed by sets of squares: a pattern `FILE` (TOML), or a preset: "+pattern.Presets)
	flags.StringVar(&f.board, "board", "", "with --patterns: the `COLUMN` with the positions, such as quiescence_leaf of label --pv (default board)")
	flags.StringVar(&f.gamesTarget, "games-target", "", "with --patterns and --games: the target of positions without another, an `SQL` expression over the columns of the games")
	flags.IntVar(&f.minCount, "min-count", 0, "with --patterns: leave weights at 0 that occur fewer than `N` times")
	flags.IntVar(&f.errors, "errors", 0, "with --patterns: standard errors of the `N` strongest weights of each pattern")
	flags.Float64Var(&f.tolerance, "tolerance", 0, "with --patterns: the gradient norm `X` at which the fit ends (0: 1e-7)")
}

// unused refuses flags that are for --patterns.
func (f *tablesFlags) unused(flags *pflag.FlagSet) error {
	for _, name := range []string{"board", "games-target", "min-count", "errors", "tolerance"} {
		if flags.Changed(name) {
			return usagef("--%s is for --patterns", name)
		}
	}
	return nil
}

// fitTables fits tables of patterns.
func (a *app) fitTables(cmd *cobra.Command, out string, f *fitFlags, from string) error {
	var stray []string
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		own := []string{"patterns", "board", "games-target", "min-count", "errors", "tolerance"}
		if flag.Changed && !slices.Contains(append(own, ofTables...), flag.Name) && cmd.InheritedFlags().Lookup(flag.Name) == nil {
			stray = append(stray, "--"+flag.Name)
		}
	})
	if stray != nil {
		return usagef("%s: not with --patterns, which takes %s", strings.Join(stray, ", "), "--"+strings.Join(ofTables[1:], ", --"))
	}
	in, err := a.openAny(from)
	if err != nil {
		return err
	}
	g, err := gameOf(in)
	if err != nil {
		return err
	}
	j := &f.job.p
	if j.GamesWhere+f.tables.gamesTarget != "" && f.job.games == "" {
		return usagef("--games-where and --games-target are over the columns of --games DIR: give both")
	}
	p := fit.TablesParams{Method: f.method, Board: f.tables.board, Draws: j.Draws, Target: j.Target, Where: j.Where, GamesTarget: f.tables.gamesTarget, GamesWhere: j.GamesWhere, Scale: j.Scale,
		Holdout: j.Holdout, Seed: j.Seed, MinCount: f.tables.minCount, Errors: f.tables.errors, Tolerance: f.tables.tolerance}
	if err := p.Validate(); err != nil {
		return usageError{err}
	}
	if p.Plan, err = a.readPlan(g, f.tables.patterns); err != nil {
		return err
	}
	inputs, names, err := a.tablesInputs(from, &p, f)
	if err != nil {
		return err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(30)) // as for other fits
	err = a.build(cmd.Context(), out, datasets.Step{
		Stage: "fit", Output: schemas.Tables.ID(), Params: p, Inputs: inputs,
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			var games, players *datasets.Dir
			if f.job.games != "" {
				games = in[1]
			}
			if names {
				players = in[len(in)-1]
			}
			return fit.RunTables(ctx, p, fit.Means{Workers: a.workers}, in[0], games, players, g.tables.index, b)
		},
	}, "phases of patterns")
	if err != nil || a.plan != nil {
		return err
	}
	made, err := a.openAny(out)
	if err != nil {
		return err
	}
	return fit.PrintTables(a.stdout, made)
}

// tablesInputs returns the datasets of a fit of tables; names says that the last has the games in which players are looked up for errors.
func (a *app) tablesInputs(from string, p *fit.TablesParams, f *fitFlags) (inputs []string, names bool, err error) {
	inputs = []string{from}
	if f.job.games != "" {
		if _, err := a.open(f.job.games, "games"); err != nil {
			return nil, false, err
		}
		inputs = append(inputs, f.job.games)
	}
	if p.Errors == 0 {
		return inputs, false, nil
	}
	who := f.job.cluster
	if err := who.validate(); err != nil {
		return nil, false, err
	}
	who.games, p.Cluster = f.job.games, who.param()
	if p.Aliases, err = sameNames(a, who); err != nil {
		return nil, false, err
	}
	games, err := a.namesOf(from, who)
	if names = games != ""; names && games != f.job.games {
		inputs = append(inputs, games)
	}
	return inputs, names, err
}

// readPlan reads a pattern file or a preset.
func (a *app) readPlan(g game, word string) (*pattern.Plan, error) {
	usual, err := g.model(nil)
	if err != nil {
		return nil, err
	}
	text, known, err := pattern.Preset(word, g.name, usual.Unit, g.tables.layout, g.tables.pieces)
	if err != nil {
		return nil, usageError{err}
	}
	if !known {
		if text, err = a.readFile(word, bounded.Weights); err != nil {
			return nil, fmt.Errorf("--patterns: %w: want a pattern file, or one of %s", err, pattern.Presets)
		}
	}
	f, err := pattern.Parse(text)
	if err == nil {
		var p *pattern.Plan
		if p, err = pattern.NewPlan(f, g.name, g.tables.layout, g.tables.pieces); err == nil {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", word, err)
}

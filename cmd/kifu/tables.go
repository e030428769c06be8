package main

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/eval/pattern"
	"kifu/fit"
	"kifu/fit/losses"
	"kifu/fit/tables"
	"kifu/internal/bounded"
	"kifu/schemas"
)

// tablesFlags are the flags of kifu tables.
type tablesFlags struct {
	out, patterns, games string
	cluster              command.DependenceFlags
	params               tables.Params
}

func tablesCommand(mk *command.Maker) *cobra.Command {
	var f tablesFlags
	cmd := &cobra.Command{
		Use:   "tables --patterns FILE --out DIR LABELS|POSITIONS",
		Short: "Fit tables indexed by sets of squares, with millions of weights",
		Args:  command.Exactly(1, "a dataset of labels or positions"),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.tables(cmd.Context(), mk, args[0]) },
	}
	command.OutFlag(cmd, &f.out)
	flags, p := cmd.Flags(), &f.params
	flags.StringVar(&f.patterns, "patterns", "", "a pattern `FILE` (TOML), or a preset: "+pattern.Presets+" (required)")
	flags.StringVar(&p.Method, "method", losses.MLM, "fit by `METHOD`: mlm (maximum likelihood), ls (least squares), value (of --target)")
	flags.StringVar(&p.Target, "target", "", "fit to another value: an `SQL` expression over columns of positions")
	flags.StringVar(&p.Where, "where", "", "select positions by an SQL `CONDITION` over their columns")
	flags.StringVar(&p.Draws, "draws", "exclude", "count draws by `RULE`: exclude, or half (half a win)")
	flags.Float64Var(&p.Scale, "scale", 0, "fix the scale w_0 at `X` (0: the scale of the labels)")
	flags.Float64Var(&p.Holdout, "holdout", 0, "hold out the share `P` of the games to test on")
	flags.Uint64Var(&p.Seed, "seed", 1, "choose the held-out games by seed `S`")
	flags.StringVar(&f.games, "games", "", "read players and columns from `DATASET`, the positions' games")
	flags.StringVar(&p.GamesWhere, "games-where", "", "select games by an SQL `CONDITION` over columns of --games")
	flags.StringVar(&p.GamesTarget, "games-target", "", "with --games: fit to an `SQL` expression over the games' columns")
	f.cluster.Declare(flags, true)
	flags.StringVar(&p.Board, "board", "", "positions in `COLUMN`, such as quiescence_leaf of label --pv (default board)")
	flags.IntVar(&p.MinCount, "min-count", 0, "set weights that occur fewer than `N` times to 0")
	flags.IntVar(&p.Errors, "errors", 0, "print standard errors of each pattern's `N` strongest weights")
	flags.Float64Var(&p.Tolerance, "tolerance", 0, "end the fit at gradient norm `X` (0: 1e-7)")
	return cmd
}

// tables fits tables of patterns.
func (f tablesFlags) tables(ctx context.Context, mk *command.Maker, from string) error {
	if f.patterns == "" {
		return command.Usagef("--patterns FILE is missing")
	}
	_, g, err := mk.OpenGame(from, "")
	if err != nil {
		return err
	}
	p := f.params
	if p.GamesWhere+p.GamesTarget != "" && f.games == "" {
		return command.Usagef("--games-where and --games-target need --games DIR")
	}
	if err := p.Validate(); err != nil {
		return command.Misused(err)
	}
	if p.Plan, err = readPlan(mk.Files, g, f.patterns); err != nil {
		return err
	}
	inputs, names, err := f.inputs(mk, from, &p)
	if err != nil {
		return err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(30)) // as for other fits
	err = mk.Build(ctx, f.out, datasets.Step{
		Stage: "fit", Output: schemas.Tables.ID(), Params: p, Inputs: inputs,
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			var games, players *datasets.Dir
			if f.games != "" {
				games = in[1]
			}
			if names {
				players = in[len(in)-1]
			}
			return tables.Run(ctx, p, fit.Means{Workers: mk.Workers}, in[0], games, players, g.Tables.Index, b)
		},
	}, "phases of patterns")
	if err != nil || mk.Plan != nil {
		return err
	}
	made, err := mk.OpenAny(f.out)
	if err != nil {
		return err
	}
	return tables.Print(mk.Stdout, made)
}

// inputs returns the datasets of the fit; names: the last one has the games with the players' names for
// errors.
func (f tablesFlags) inputs(mk *command.Maker, from string, p *tables.Params) (inputs []string, names bool, err error) {
	inputs = []string{from}
	if f.games != "" {
		labels, err := mk.OpenAny(from)
		if err != nil {
			return nil, false, err
		}
		games, err := mk.Open(f.games, "games")
		if err != nil {
			return nil, false, err
		}
		if err := datasets.CheckTogether(labels, games); err != nil {
			return nil, false, err
		}
		inputs = append(inputs, f.games)
	}
	who := f.cluster
	if err := who.Validate(); err != nil || p.Errors == 0 {
		return inputs, false, err
	}
	who.Games, p.Cluster = f.games, who.Param()
	games, err := command.NamesOf(mk.Files, from, who)
	if names = games != ""; names && games != f.games {
		inputs = append(inputs, games)
	}
	if err == nil {
		p.Aliases, err = command.SameNames(mk, who.Aliases, inputs[1:]...)
	}
	return inputs, names, err
}

// readPlan reads a pattern file or a preset.
func readPlan(disk *command.Files, g command.Game, word string) (*pattern.Plan, error) {
	usual, err := g.Model(nil)
	if err != nil {
		return nil, err
	}
	text, known, err := pattern.Preset(word, g.Name, usual.Unit, g.Tables.Layout, g.Tables.Pieces)
	if err != nil {
		return nil, command.Misused(err)
	}
	if !known {
		if text, err = disk.ReadFile(word, bounded.Weights); err != nil {
			return nil, fmt.Errorf("--patterns: %w: want a pattern file, or one of %s", err, pattern.Presets)
		}
	}
	f, err := pattern.Parse(text)
	if err == nil {
		var p *pattern.Plan
		if p, err = pattern.NewPlan(f, g.Name, g.Tables.Layout, g.Tables.Pieces); err == nil {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", word, err)
}

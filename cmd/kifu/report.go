package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/query"
	"kifu/report"
)

func (a *app) reportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Make pages, pictures and tables",
		Args:  cobra.ArbitraryArgs,
		RunE:  helpOrSuggest("report"),
		// The flags are those of the report that was meant.
		FParseErrWhitelist:         cobra.FParseErrWhitelist{UnknownFlags: true},
		SuggestionsMinimumDistance: 2,
	}
	cmd.AddCommand(a.allCommand(), a.curveCommand(), a.splitCommand(), a.weightsCommand(), a.opponentCommand(), a.databaseCommand(), a.openingCommand())
	cmd.AddCommand(a.calibrationCommand(), a.depthCommand(), a.movesCommand(), a.playersCommand())
	return cmd
}

func (a *app) curveCommand() *cobra.Command {
	var out string
	var when []string
	var ratings []int
	var p report.CurveParams
	cmd := &cobra.Command{
		Use:   "curve --out DIR LABELS...",
		Short: "Draw evaluation curves: win probability by evaluation",
		Args:  atLeast(1, "datasets of labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if p.When, err = query.ParseNamed(when); err != nil {
				return usageError{fmt.Errorf("--when: %w", err)}
			}
			bands, err := report.RatingBands(ratings)
			if err != nil {
				return usageError{fmt.Errorf("--ratings: %w", err)}
			}
			p.When = append(p.When, bands...)
			if err := p.Validate(); err != nil {
				return usageError{err}
			}
			if p.Interval != report.IntervalBootstrap {
				p.Seed = 0
			}
			p.Sources, p.Workers = baseNames(args), a.workers
			return makeReport(a, cmd, "curve", out, p, args, report.Curve)
		},
	}
	outFlag(cmd, &out)
	flags := cmd.Flags()
	flags.StringSliceVar(&p.Values, "value", nil, "evaluate by `COLUMN`, or one curve for each of several (default: the labels' last search)")
	flags.Float64Var(&p.Bin, "bin", 0, "bins of width `W` in the evaluator's unit (default: by the unit)")
	flags.Int64Var(&p.MinCount, "min-count", 0, "leave out bins of fewer than `N` positions (default: 1000, or 100 when there are few)")
	flags.StringVar(&p.Draws, "draws", "exclude", "draws: exclude, half a win, or bands: shares won, drawn and lost")
	flags.StringVar(&p.Interval, "interval", "robust", "95 % intervals: robust (clustered by game), bootstrap (games drawn again), or wilson (positions taken as independent: too narrow)")
	flags.Uint64Var(&p.Seed, "seed", 1, "draw the games of the bootstrap by seed `S`")
	flags.IntSliceVar(&ratings, "ratings", nil, "also draw the positions of players whose mean rating lies below, between and above `RATINGS`")
	flags.StringArrayVar(&when, "when", nil, "also draw the positions for which `NAME=SQL` holds")
	return cmd
}

func (a *app) weightsCommand() *cobra.Command {
	var out string
	var references []string
	cmd := &cobra.Command{
		Use:   "weights --out DIR FIT...",
		Short: "Set the weights of fits side by side",
		Args:  atLeast(1, "fits: directories made by kifu fit"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := report.WeightsParams{Sources: baseNames(args), Workers: a.workers}
			for _, name := range references {
				if !slices.Contains(report.Literature(), name) {
					name = a.path(name)
				}
				r, err := report.ReadReference(name)
				if err != nil {
					return usageError{fmt.Errorf("--reference: %w", err)}
				}
				p.References = append(p.References, r)
			}
			return makeReport(a, cmd, "weights", out, p, args, report.Weights)
		},
	}
	outFlag(cmd, &out)
	cmd.Flags().StringSliceVar(&references, "reference", nil, "set the fits beside `REFERENCE`: values of the literature by name, or a file of weights")
	return cmd
}

// makeReport builds the dataset of a report from its inputs.
func makeReport[P any](a *app, cmd *cobra.Command, kind, out string, p P, inputs []string, run func(context.Context, P, []*datasets.Dir, report.Output) error) error {
	return a.build(cmd.Context(), out, datasets.Step{
		Stage: "report " + kind, Output: "report/v1", Params: p, Inputs: inputs,
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error { return run(ctx, p, in, b) },
	}, "files")
}

// printReport prints what a report says in short, or its query, once it is made.
func (a *app) printReport(made error, dir, text, query string, sql bool) error {
	if made != nil || a.plan != nil {
		return made
	}
	if sql {
		return a.printFile(dir, query)
	}
	return a.printFile(dir, text)
}

// printFile prints a file of the dataset at dir.
func (a *app) printFile(dir, name string) error {
	d, err := a.openAny(dir)
	if err != nil {
		return err
	}
	text, err := d.ReadFile(name)
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(text)
	return err
}

// baseNames are the names by which a report calls its inputs.
func baseNames(paths []string) []string {
	var names []string
	for _, p := range paths {
		names = append(names, sourceName(p))
	}
	return names
}

// sourceName is the last part of a path; of a run of a sweep, STEP/KEY=VALUE, the step, too.
func sourceName(path string) string {
	dir, name := filepath.Split(filepath.Clean(path))
	if step := filepath.Base(dir); strings.Contains(name, "=") && strings.Trim(step, `./\`) != "" {
		return step + " " + name
	}
	return name
}

package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/models"
	"kifu/datasets"
	"kifu/eval"
	"kifu/fit"
	"kifu/fit/method"
	"kifu/label"
	"kifu/schemas"
)

// backwardFlags are the flags of kifu backward.
type backwardFlags struct {
	labelFlags
	phases     string
	depth, end int
}

func backwardCommand(mk *command.Maker) *cobra.Command {
	f := backwardFlags{labelFlags: usualLabels()}
	cmd := &cobra.Command{
		Use:   "backward --phases PHASES --out DIR POSITIONS",
		Short: "Value positions backward from the end of the game, without results",
		Args:  command.Exactly(1, "a dataset of positions"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.backward(cmd, mk, args[0])
		},
	}
	command.OutFlag(cmd, &f.out)
	flags := cmd.Flags()
	flags.StringVar(&f.phases, "phases", "", "value and fit from the last range of phases to the first; ranges begin at `PHASES`: 0,10,14,20 (required)")
	flags.IntVar(&f.depth, "depth", 6, "search at most `N` plies for a position of a later range")
	flags.IntVar(&f.end, "end", 8, "without --solve: search at most `N` plies for the game's end")
	f.addSearches(flags)
	f.addExact(flags)
	return cmd
}

// backwardRidge is the ridge that keeps a weight without evidence in a stretch near its value in the
// stretch after it.
const backwardRidge = 1e-3

// stretches returns the stretches of phases that begin at firsts, the last of the game first.
// start is the phase of its beginning.
func stretches(firsts []int, start int) ([]label.Backward, error) {
	if len(firsts) < 2 || !slices.IsSorted(firsts) || len(slices.Compact(slices.Clone(firsts))) < len(firsts) {
		return nil, fmt.Errorf("want the first phases of two or more ranges, ascending, as in 0,10,14,20")
	}
	var all []label.Backward
	for i, first := range firsts {
		b := label.Backward{First: first, Last: math.MaxInt16}
		if i+1 < len(firsts) {
			b.Last = firsts[i+1] - 1
		}
		all = append(all, b)
	}
	all[0].First = math.MinInt16
	switch {
	case start < firsts[1]:
		slices.Reverse(all)
	case start >= firsts[len(firsts)-1]:
		for i := range all {
			all[i].Falls = true
		}
	default:
		return nil, fmt.Errorf("the game begins at phase %d, which must be in the first or the last range", start)
	}
	all[0].End = true
	return all, nil
}

// backwardFit returns how the values of the stretches so far are fitted: points by least
// squares, outcomes and values of the evaluator as win probabilities, in which a man or a pawn
// is worth one in log-odds.
func backwardFit(points bool, unit string) fit.Params {
	p := fit.Params{Free: []string{"all"}, Draws: fit.DrawsExclude, Cluster: "games", Seed: 1}
	ridge := method.Minimised{L2: backwardRidge}
	if points {
		p.Method = method.Value{Target: schemas.BackwardValue, Held: method.Held{Scale: 1}, Minimised: ridge}
		return p
	}
	// greatest and least would make a number of a missing value.
	target := fmt.Sprintf("CASE WHEN abs(%s) > %d THEN sign(%[1]s) * %[2]d ELSE %[1]s END", schemas.BackwardValue, schemas.Decided)
	scale := 1 / float64(eval.UnitOf(unit).Per)
	p.Draws = fit.DrawsHalf
	p.Method = method.MLM{Aim: method.Aim{Target: target, Blend: 1, TargetScale: scale}, Held: method.Held{Scale: scale}, Minimised: ridge}
	return p
}

// backward values the ranges of phases one by one, from the last to the first, each with the
// evaluator fitted to the later ones. Then it labels all positions with the result. Labels and
// fits of the ranges are kept next to out, so that an interrupted run resumes after the last
// complete range.
func (f backwardFlags) backward(cmd *cobra.Command, mk *command.Maker, positions string) error {
	if f.phases == "" {
		return command.Usagef("--phases PHASES is missing")
	}
	if f.depth < 1 || f.end < 1 {
		return command.Usagef("--depth %d, --end %d: want 1 or more", f.depth, f.end)
	}
	f.params.Backward = &label.Backward{Depth: f.depth}
	ctx := cmd.Context()
	g, err := f.read(mk, cmd.Flags(), positions)
	if err != nil {
		return err
	}
	firsts, err := fit.ParsePhases(f.phases)
	if err != nil {
		return command.Usagef("--phases %v", err)
	}
	start, err := g.StartPhase()
	if err != nil {
		return err
	}
	all, err := stretches(firsts, start)
	if err != nil {
		return command.Usagef("--phases %s: %v", f.phases, err)
	}
	p := f.params
	inputs := []string{positions}
	for i, b := range all {
		b.Depth = f.depth
		step := label.Params{Search: p.Search, Eval: p.Eval, Backward: &b}
		if b.End {
			if step.Solve = p.Solve; p.Solve == 0 {
				b.Depth = f.end
			}
		}
		name := command.Below(command.Below(f.out, "")+"-backward", fmt.Sprint(i+1))
		if made, err := backwardLabels(ctx, mk, name+"-labels", g, step, inputs); err != nil || !made {
			return err
		}
		inputs = []string{positions, name + "-labels"}
		if made, err := fitStretch(ctx, mk, name+"-fit", g, p.Eval.Unit, inputs[1]); err != nil || !made {
			return err
		}
		if p.Eval, err = models.Evaluator(mk, g, command.Below(name+"-fit", "weights.toml")); err != nil {
			return err
		}
		first, last := b.First, all[0].Last
		if b.Falls {
			first, last = all[0].First, b.Last
		}
		p.Eval.Extend(first, last)
		p.Eval.Name = "backward"
	}
	p.Solve, p.Backward = 0, &label.Backward{First: math.MinInt16, Last: math.MaxInt16}
	_, err = backwardLabels(ctx, mk, f.out, g, p, inputs)
	return err
}

// backwardLabels makes the labels of one stretch; made is false if a plan is requested and they do not
// exist.
func backwardLabels(ctx context.Context, mk *command.Maker, out string, g command.Game, p label.Params, inputs []string) (made bool, err error) {
	err = mk.Build(ctx, out, datasets.Step{
		Stage: "label", Output: labelsTable, Params: p, Inputs: inputs,
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			if len(in) > 1 {
				p.Backward.Known = in[1]
			}
			return g.Label(ctx, p, mk.Workers, in[0], b)
		},
	}, "labels")
	return mk.Plan == nil || mk.Plan.Current, err
}

// fitStretch fits to the labels of the stretches so far.
func fitStretch(ctx context.Context, mk *command.Maker, out string, g command.Game, unit, labels string) (made bool, err error) {
	p := backwardFit(g.Points, unit)
	err = mk.Build(ctx, out, datasets.Step{
		Stage: "fit", Output: schemas.Weights.ID(), Params: p, Inputs: []string{labels},
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return fit.Run(ctx, p, fit.Means{Workers: mk.Workers, Memory: 4 << 30}, fit.Sources{Labels: in[0]}, b)
		},
	}, "weights")
	return mk.Plan == nil || mk.Plan.Current, err
}

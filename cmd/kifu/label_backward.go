package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/pflag"

	"kifu/datasets"
	"kifu/eval"
	"kifu/fit"
	"kifu/label"
	"kifu/schemas"
)

// backwardFlags are the flags of labels that come from the end of the game.
type backwardFlags struct {
	phases string
	depth  int
	end    int
}

func (f *backwardFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.phases, "backward", "", "value positions from the end of the game back: stretches of the phases that begin at `PHASES`, as in 0,10,14,20, are valued and fitted one by one")
	flags.IntVar(&f.depth, "backward-depth", 6, "with --backward: search at most `N` plies for a later stretch")
	flags.IntVar(&f.end, "backward-end", 8, "with --backward and without --solve: search at most `N` plies for the end of the game in the last stretch")
}

// backwardRidge is the ridge that keeps a weight of which a stretch says nothing near that of
// the stretch after it.
const backwardRidge = 1e-3

// stretches returns the stretches of phases that begin at firsts, the last of the game first.
// start is the phase of its beginning.
func stretches(firsts []int, start int) ([]label.Backward, error) {
	if len(firsts) < 2 || !slices.IsSorted(firsts) || len(slices.Compact(slices.Clone(firsts))) < len(firsts) {
		return nil, fmt.Errorf("want the first phases of two stretches or more, ascending, as in 0,10,14,20")
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
		return nil, fmt.Errorf("the game begins at phase %d, which has to be in the first or the last of the stretches", start)
	}
	all[0].End = true
	return all, nil
}

// backwardFit returns how the values of the stretches so far are fitted: points by least
// squares, outcomes and values of the evaluator as win probabilities, in which a man or a pawn
// is worth one in log-odds.
func backwardFit(points bool, unit string) fit.Params {
	p := fit.Params{Method: fit.Value, Free: []string{"all"}, Target: schemas.BackwardValue, Draws: fit.DrawsExclude, Scale: 1, L2: backwardRidge, Cluster: "games", Seed: 1}
	if !points {
		p.Method, p.Draws, p.Blend = fit.MLM, fit.DrawsHalf, 1
		// greatest and least would make a number of a missing value.
		p.Target = fmt.Sprintf("CASE WHEN abs(%s) > %d THEN sign(%[1]s) * %[2]d ELSE %[1]s END", schemas.BackwardValue, schemas.Decided)
		p.Scale = 1 / float64(eval.UnitOf(unit).Per)
		p.TargetScale = p.Scale
	}
	return p
}

// labelBackward values the stretches one by one, from the last to the first, each with the
// evaluator that was fitted to those before, and labels all positions with what comes out.
// Labels and fits of the stretches are kept beside out: a run that was killed goes on after
// the last that is there.
func (a *app) labelBackward(ctx context.Context, f labelFlags, p label.Params, g game, positions string) error {
	firsts, err := fit.ParsePhases(f.backward.phases)
	if err != nil {
		return usagef("--backward %v", err)
	}
	start, err := g.startPhase()
	if err != nil {
		return err
	}
	all, err := stretches(firsts, start)
	if err != nil {
		return usagef("--backward %s: %v", f.backward.phases, err)
	}
	inputs := []string{positions}
	for i, b := range all {
		b.Depth = f.backward.depth
		step := label.Params{Search: p.Search, Eval: p.Eval, Backward: &b}
		if b.End {
			if step.Solve = p.Solve; p.Solve == 0 {
				b.Depth = f.backward.end
			}
		}
		name := below(below(f.out, "")+"-backward", fmt.Sprint(i+1))
		if made, err := a.backwardLabels(ctx, name+"-labels", g, step, inputs); err != nil || !made {
			return err
		}
		inputs = []string{positions, name + "-labels"}
		if made, err := a.backwardFit(ctx, name+"-fit", g, p.Eval.Unit, inputs[1]); err != nil || !made {
			return err
		}
		if p.Eval, err = a.readModel(g, below(name+"-fit", "weights.toml")); err != nil {
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
	_, err = a.backwardLabels(ctx, f.out, g, p, inputs)
	return err
}

// backwardLabels makes the labels of one stretch; made is false if a plan is asked for and
// they are not there.
func (a *app) backwardLabels(ctx context.Context, out string, g game, p label.Params, inputs []string) (made bool, err error) {
	err = a.build(ctx, out, datasets.Step{
		Stage: "label", Output: labelsTable, Params: p, Inputs: inputs,
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			if len(in) > 1 {
				p.Backward.Known = in[1]
			}
			return g.label(ctx, p, a.workers, in[0], b)
		},
	}, "labels")
	return a.plan == nil || a.plan.current, err
}

// backwardFit fits to the labels of the stretches so far.
func (a *app) backwardFit(ctx context.Context, out string, g game, unit, labels string) (made bool, err error) {
	p := backwardFit(g.points, unit)
	err = a.build(ctx, out, datasets.Step{
		Stage: "fit", Output: schemas.Weights.ID(), Params: keyed{p, fit.Sums}, Inputs: []string{labels},
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return fit.Run(ctx, p, fit.Means{Workers: a.workers, Memory: 4 << 30}, fit.Sources{Labels: in[0]}, b)
		},
	}, "weights")
	return a.plan == nil || a.plan.current, err
}

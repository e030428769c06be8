package main

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/stat"

	"kifu/fit/losses"
	"kifu/internal/dyads"
	"kifu/internal/paired"
)

// report writes the tables of a design.
func report(w io.Writer, d design, truth map[string][]float64, all []map[string]estimate) {
	fmt.Fprintf(w, "### %s\n\n%s: %d games of %d positions, %d data sets.\n\n", d.name, d.about, d.games, d.positions, len(all))
	fmt.Fprintf(w, "| term | planted | method | tends to | mean | bias | spread | mean s.e. by game | naive | covered by game | naive |\n|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	spread, robust, delta, naive := map[string][]float64{}, map[string]int{}, map[string]int{}, map[string]int{}
	for i, name := range terms {
		for _, method := range []string{losses.MLM, losses.LS} {
			t := tallyOf(all, method, i, truth[method][i])
			spread[method] = append(spread[method], t.spread)
			robust[method], delta[method], naive[method] = robust[method]+t.coveredRobust, delta[method]+t.coveredDelta, naive[method]+t.coveredNaive
			fmt.Fprintf(w, "| %s | %g | %s | %.1f | %.2f | %+.2f ± %.2f | %.2f | %.2f | %.2f | %s | %s |\n", name, planted[i], method,
				truth[method][i], t.mean, t.mean-truth[method][i], t.spread/math.Sqrt(float64(len(all))), t.spread, t.robust, t.naive,
				percent(t.coveredRobust, len(all)), percent(t.coveredNaive, len(all)))
		}
	}
	n := len(all) * len(terms)
	fmt.Fprintf(w, "\nIntervals of all five cover: by game %s (mlm), %s (ls); ± 1.96 s.e. by game %s, %s; naive %s, %s.\n", percent(robust[losses.MLM], n), percent(robust[losses.LS], n), percent(delta[losses.MLM], n), percent(delta[losses.LS], n), percent(naive[losses.MLM], n), percent(naive[losses.LS], n))
	wald, ratio, ls := 0, 0, 0
	for _, r := range all {
		wald, ratio, ls = wald+one(r[losses.MLM].wald < 0.05), ratio+one(r[losses.MLM].ratio < 0.05), ls+one(r[losses.LS].wald < 0.05)
	}
	fmt.Fprintf(w, "Tests at 5 %% find an effect of d and e in: Wald by game %s (mlm), %s (ls); likelihood ratio %s.\n", percent(wald, len(all)), percent(ls, len(all)), percent(ratio, len(all)))
	held, unpaired, width := 0, 0, 0.0
	for i := range terms {
		for _, r := range all {
			a, b, is := r[losses.MLM], r[losses.LS], truth[losses.LS][i]-truth[losses.MLM][i]
			d, ok := a.groups.Differ(b.groups, keyOf(i), a.weights[i], a.robust[i], b.weights[i], b.robust[i])
			held += one(ok && d.Low <= is && is <= d.High)
			unpaired += one(math.Abs(d.Value-is) <= dyads.Normal95*math.Hypot(a.robust[i], b.robust[i]))
			width += d.SE / math.Hypot(a.robust[i], b.robust[i]) / float64(n)
		}
	}
	fmt.Fprintf(w, "Paired differences of ls to mlm are held in %s; as if the fits were independent in %s, with errors %.1f times as large.\n", percent(held, n), percent(unpaired, n), 1/width)
	fmt.Fprintf(w, "Spread of ls relative to mlm:")
	for i, name := range terms {
		fmt.Fprintf(w, " %s %.3f", name, spread[losses.LS][i]/spread[losses.MLM][i])
	}
	fmt.Fprintf(w, ".\n\n")
}

// tally sums up the estimates of a weight.
type tally struct {
	mean, spread, robust, naive               float64 // of the estimates, and their mean errors
	coveredRobust, coveredDelta, coveredNaive int
}

func tallyOf(all []map[string]estimate, method string, term int, truth float64) (t tally) {
	var weights []float64
	for _, r := range all {
		e := r[method]
		off := math.Abs(e.weights[term] - truth)
		weights = append(weights, e.weights[term])
		t.robust += e.robust[term] / float64(len(all))
		t.naive += e.naive[term] / float64(len(all))
		t.coveredRobust += one(e.low[term] <= truth && truth <= e.high[term])
		t.coveredDelta += one(off <= dyads.Normal95*e.robust[term])
		t.coveredNaive += one(off <= dyads.Normal95*e.naive[term])
	}
	t.mean, t.spread = stat.MeanStdDev(weights, nil)
	return t
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func percent(n, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of)) }

// keyOf returns what the fits call a term.
func keyOf(i int) paired.Key {
	group := "planted"
	if planted[i] == 0 {
		group = "nothing"
	}
	return paired.Key{Group: group, Term: terms[i]}
}

package fitted

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"kifu/fit/losses"
	"kifu/fit/solve"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/schemas"
)

// mostWeights is how many weights a fit prints: the rest is for report weights.
const mostWeights = 20

// Print writes what fits found: the scale, how well they predict, and the weights that
// are surest to have moved.
func Print(w io.Writer, fits []*Result) error {
	for _, r := range fits {
		if err := printFit(w, r); err != nil {
			return err
		}
	}
	if len(fits) == 1 && fits[0].Sets != nil {
		return printSets(w, fits[0])
	}
	if len(fits) > 1 {
		return printBeside(w, fits)
	}
	return printWeights(w, fits[0])
}

func printFit(w io.Writer, r *Result) error {
	how := fmt.Sprintf("gradient norm %.1g; ", r.Solver.GradientNorm)
	if r.Method == losses.TD || r.Method == losses.LSTD {
		how = "" // there is no minimum
	}
	fmt.Fprintf(w, "  %s of %s, %s; %s%s\n", r.Method, r.Value, sizeOf(r.Train), how, r.Solver.Status)
	printTemporal(w, r.Temporal)
	fmt.Fprintf(w, "  w_0 %s per %s\n", withError(r.Scale.Value, r.Scale.SERobust), unitOf(r.Unit))
	if err := printScales(w, r); err != nil {
		return err
	}
	if r.DrawWidth != nil {
		fmt.Fprintf(w, "  draw width %s\n", withError(r.DrawWidth.Value, r.DrawWidth.SERobust))
	}
	if r.Expected != "" {
		fmt.Fprintf(w, "  fitted to the expected result %s instead of results\n", r.Expected)
	}
	if r.Blend > 0 {
		fmt.Fprintf(w, "  fitted to %.4g of 1/(1+exp(-%.5g target)), target %s, and %.4g of the result\n", r.Blend, r.TargetScale, r.Target, 1-r.Blend)
	}
	PrintClusters(w, r.Clusters)
	printCopies(w, r.Copies, r.Held != nil)
	printQuality(w, "train", r.Train)
	printQuality(w, "held out", r.Held)
	if r.Held != nil {
		if d := r.Held.Difference; d != nil {
			fmt.Fprintf(w, "    change of log-loss %+.5f (95 %%: %+.5f to %+.5f), paired by game, effectively %s of equal length\n", d.LogLoss, d.CILow, d.CIHigh, human.Plural(int64(math.Round(d.EffectiveGames)), "game", "games"))
		}
		if err := printBands(w, r.Held.Bands); err != nil {
			return err
		}
	}
	if f := r.Folds; f != nil {
		all := &schemas.FitSample{Positions: r.Train.Positions, Alternatives: r.Train.Alternatives, Games: r.Train.Games, Base: f.Base, Original: f.Original, Fitted: f.Fitted}
		printQuality(w, fmt.Sprintf("cross-validated in %d folds", f.Folds), all)
		if err := printBands(w, f.Bands); err != nil {
			return err
		}
	}
	if err := printSetQuality(w, r.Sets); err != nil {
		return err
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "  note: %s\n", n)
	}
	printInference(w, r)
	return nil
}

// printCopies prints how many games are kept with their copies.
func printCopies(w io.Writer, c *schemas.FitCopies, held bool) {
	if c == nil {
		return
	}
	moved := ""
	if held {
		moved = fmt.Sprintf(" (%s moved)", human.Grouped(int64(c.Moved)))
	}
	fmt.Fprintf(w, "  %s in %s share a position from ply %d on; each group is fitted or held out as a whole%s\n", human.Plural(int64(c.Games), "game", "games"), human.Plural(int64(c.Groups), "group", "groups"), c.FromPly, moved)
}

// PrintClusters prints which games errors let depend on each other.
func PrintClusters(w io.Writer, c *schemas.FitClusters) {
	if c != nil {
		fmt.Fprintf(w, "  %s\n", solve.Describe(*c))
	}
}

func printWeights(w io.Writer, r *Result) error {
	if len(r.Weights) == 0 { // the scale alone was fitted
		return nil
	}
	weights := slices.Clone(r.Weights)
	slices.SortStableFunc(weights, func(a, b schemas.Weight) int { return int(sureness(b)) - int(sureness(a)) })
	if len(weights) > mostWeights {
		fmt.Fprintf(w, "  %d weights; the %d most certain (kifu report weights shows all):\n", len(weights), mostWeights)
		weights = weights[:mostWeights]
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  TERM\tSTAGE\tWAS\tWEIGHT\t95 % INTERVAL\tPOSITIONS\tGAMES\tSTATUS")
	for _, x := range weights {
		fmt.Fprintf(t, "  %s\t%s\t%.2f\t%.2f\t%s\t%s\t%s\t%s\n", x.Term, x.Stage, x.Initial, x.Fitted, between(x.CILow, x.CIHigh, "%.2f"), human.Grouped(x.Positions), human.Grouped(x.Games), x.Status)
	}
	return t.Flush()
}

// sureness is how many standard errors a weight has moved, in thousandths.
func sureness(x schemas.Weight) float64 {
	if x.SERobust == nil || *x.SERobust == 0 {
		return -1
	}
	return math.Round(1000 * math.Abs(x.Fitted-x.Initial) / *x.SERobust)
}

func printQuality(w io.Writer, name string, s *schemas.FitSample) {
	if s == nil {
		return
	}
	before, order := "", ""
	if s.Fitted.Order != nil {
		order = fmt.Sprintf("; order %.4f", *s.Fitted.Order)
	}
	if s.Alternatives > 0 {
		printMoves(w, name, s)
		return
	}
	if s.Fitted.RMSE > 0 {
		if s.Original != nil {
			before = fmt.Sprintf(", was %.4g", s.Original.RMSE)
		}
		fmt.Fprintf(w, "  %s: root mean square error %.4g%s; R² %s%s (%s)\n", name, s.Fitted.RMSE, before, optional(s.Fitted.R2, "%.4f"), order, sizeOf(s))
		return
	}
	if s.Original != nil {
		before = fmt.Sprintf(", was %.5f", s.Original.LogLoss)
	}
	fmt.Fprintf(w, "  %s: log-loss %.5f%s; Brier %.5f; accuracy %.2f %%%s (%s)\n", name, s.Fitted.LogLoss, before, s.Fitted.Brier, 100*s.Fitted.Accuracy, order, sizeOf(s))
}

// printMoves prints how well moves are predicted, with the original evaluator and a draw among all
// moves.
func printMoves(w io.Writer, name string, s *schemas.FitSample) {
	one := func(of func(schemas.FitMetrics) string) string {
		text := of(s.Fitted)
		if s.Original != nil {
			text += ", was " + of(*s.Original)
		}
		return text + ", by chance " + of(s.Base)
	}
	loss := one(func(m schemas.FitMetrics) string { return fmt.Sprintf("%.5f", m.LogLoss) })
	first := one(func(m schemas.FitMetrics) string { return fmt.Sprintf("%.2f %%", 100*m.Accuracy) })
	above := one(func(m schemas.FitMetrics) string { return optional(m.Order, "%.4f") })
	fmt.Fprintf(w, "  %s (%s, %s alternatives):\n    log-loss %s\n    played move is best: %s\n    played above others: %s\n", name, sizeOf(s), human.Grouped(int64(s.Alternatives)), loss, first, above)
}

// printBands prints the quality by ply and phase.
func printBands(w io.Writer, bands []schemas.FitBand) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, b := range bands {
		if b.Brier == 0 && b.RMSE == 0 {
			if i == 0 {
				fmt.Fprintln(t, "    BAND\tDECISIONS\tLOG-LOSS\tBEST\tABOVE")
			}
			fmt.Fprintf(t, "    %s %s\t%s\t%.5f\t%.2f %%\t%s\n", b.By, b.Band, human.Grouped(int64(b.Positions)), b.LogLoss, 100*b.Accuracy, optional(b.Order, "%.4f"))
			continue
		}
		if b.RMSE > 0 {
			if i == 0 {
				fmt.Fprintln(t, "    BAND\tPOSITIONS\tERROR\tR²\tORDER")
			}
			fmt.Fprintf(t, "    %s %s\t%s\t%.4g\t%s\t%s\n", b.By, b.Band, human.Grouped(int64(b.Positions)), b.RMSE, optional(b.R2, "%.4f"), optional(b.Order, "%.4f"))
			continue
		}
		if i == 0 {
			fmt.Fprintln(t, "    BAND\tPOSITIONS\tLOG-LOSS\tBRIER\tACCURACY\tORDER")
		}
		fmt.Fprintf(t, "    %s %s\t%s\t%.5f\t%.5f\t%.2f %%\t%s\n", b.By, b.Band, human.Grouped(int64(b.Positions)), b.LogLoss, b.Brier, 100*b.Accuracy, optional(b.Order, "%.4f"))
	}
	return t.Flush()
}

func sizeOf(s *schemas.FitSample) string {
	if s == nil {
		return "no positions"
	}
	what := "positions"
	if s.Alternatives > 0 {
		what = "decisions"
	}
	return fmt.Sprintf("%s %s of %s games", human.Grouped(int64(s.Positions)), what, human.Grouped(int64(s.Games)))
}

func withError(x float64, se *float64) string {
	if se == nil {
		return fmt.Sprintf("%.5g", x)
	}
	return fmt.Sprintf("%.5g ± %.1g", x, *se)
}

// optional writes a number, if there is one.
func optional(x *float64, format string) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf(format, *x)
}

// unitOf is one of a unit that is named in the plural.
func unitOf(unit string) string {
	if n := len(unit); n > 1 && unit[n-1] == 's' {
		return unit[:n-1]
	}
	return unit
}

// printBeside prints the weights of several fits in one table, those first that are
// surest not to be what they were by the first fit.
func printBeside(w io.Writer, fits []*Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "  TERM\tSTAGE\tWAS")
	for _, r := range fits {
		fmt.Fprintf(t, "\t%s\t± S.E.\tZ", strings.ToUpper(r.Method))
	}
	for _, r := range fits[1:] {
		fmt.Fprintf(t, "\t%s − %s\t95 %% INTERVAL", strings.ToUpper(r.Method), strings.ToUpper(fits[0].Method))
	}
	fmt.Fprintln(t)
	order := lists.N(len(fits[0].Weights), func(i int) int { return i })
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(sureness(fits[0].Weights[b]), sureness(fits[0].Weights[a]))
	})
	known := false
	for _, i := range order[:min(mostWeights, len(order))] {
		first := fits[0].Weights[i]
		fmt.Fprintf(t, "  %s\t%s\t%.2f", first.Term, first.Stage, first.Initial)
		for _, r := range fits {
			x := r.Weights[i]
			if x.SERobust == nil || x.Z == nil {
				fmt.Fprintf(t, "\t%.2f\t-\t%s", x.Fitted, x.Status)
				continue
			}
			fmt.Fprintf(t, "\t%.2f\t%.2f\t%.1f", x.Fitted, *x.SERobust, *x.Z)
		}
		for _, r := range fits[1:] {
			text, ok := fits[0].less(r, i)
			fmt.Fprintf(t, "\t%s", text)
			known = known || ok
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil || !known {
		return err
	}
	_, err := fmt.Fprintln(w, "  Differences are paired by game. Compare methods by them, not by whether intervals overlap.")
	return err
}

// less returns the cells of weight i by fit b less that by r.
func (r *Result) less(b *Result, i int) (text string, ok bool) {
	x, y := r.Weights[i], b.Weights[i]
	if x.SERobust == nil || y.SERobust == nil {
		return "-\t-", false
	}
	d, ok := r.groups.Differ(b.groups, KeyOf(&x), x.Fitted, *x.SERobust, y.Fitted, *y.SERobust)
	if !ok {
		return "-\t-", false
	}
	return fmt.Sprintf("%+.3f\t%+.3f to %+.3f", d.Value, d.Low, d.High), true
}

// printInference prints the tests of groups, strong correlations and the learning curve.
func printInference(w io.Writer, r *Result) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	tests := r.Tests
	if len(tests) == 1 && tests[0].Weights == 1 && tests[0].Ratio == nil {
		tests = nil // the weight's own interval has the same information
	}
	if len(tests) > 0 {
		test := "SCORE"
		if tests[0].Score == nil {
			test = "WALD" // of --scale-by and lstd
		}
		fmt.Fprintf(t, "    GROUP UNCHANGED?\tWEIGHTS\t%s\tP\tRATIO\tP\n", test)
	}
	for _, x := range tests {
		score, p := x.Score, x.ScoreP
		if score == nil {
			score, p = x.Wald, x.WaldP
		}
		fmt.Fprintf(t, "    %s\t%d\t%s\t%s\t%s\t%s\n", x.Group, x.Weights, optional(score, "%.3g"), optional(p, "%.3g"), optional(x.Ratio, "%.3g"), optional(x.RatioP, "%.3g"))
	}
	t.Flush()
	for i, x := range r.Pairs {
		if i == 3 || math.Abs(x.Correlation) < 0.9 {
			break
		}
		fmt.Fprintf(w, "  errors of %s and %s are correlated: %.3f\n", x.A, x.B, x.Correlation)
	}
	if len(r.Curve) > 0 {
		fmt.Fprintln(t, "    GAMES\tPOSITIONS\tTRAIN\tHELD OUT")
	}
	for _, x := range r.Curve {
		switch {
		case x.Held == nil:
			fmt.Fprintf(t, "    %s\t%s\t%s\n", human.Grouped(int64(x.Games)), human.Grouped(int64(x.Positions)), x.Refused)
		case x.Held.RMSE > 0:
			fmt.Fprintf(t, "    %s\t%s\t%.4g\t%.4g\n", human.Grouped(int64(x.Games)), human.Grouped(int64(x.Positions)), x.Train.RMSE, x.Held.RMSE)
		default:
			fmt.Fprintf(t, "    %s\t%s\t%.5f\t%.5f\n", human.Grouped(int64(x.Games)), human.Grouped(int64(x.Positions)), x.Train.LogLoss, x.Held.LogLoss)
		}
	}
	t.Flush()
}

// printTemporal prints how TD went: every epoch, or of many the first and the last ones.
func printTemporal(w io.Writer, t *schemas.FitTemporal) {
	if t == nil {
		return
	}
	of := "those learned from"
	if t.StopGames > 0 {
		of = human.Plural(int64(t.StopGames), "game", "games") + " kept apart"
	}
	fmt.Fprintf(w, "  log-loss of %s: %.5f at the start", of, t.Start)
	const most = 12
	for i, e := range t.Epochs {
		switch {
		case len(t.Epochs) <= most || i < most/2 || i >= len(t.Epochs)-most/2:
			fmt.Fprintf(w, ", %s", optional(e.LogLoss, "%.5f"))
		case i == most/2:
			fmt.Fprint(w, ", …")
		}
	}
	if t.Best == 0 {
		fmt.Fprintln(w, "")
		return
	}
	best := t.Epochs[t.Best-1]
	fmt.Fprintf(w, "; taken after epoch %d (α %.3g, λ %.3g)\n", t.Best, best.Alpha, best.Lambda)
}

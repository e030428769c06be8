package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"kifu/datasets"
	"kifu/fit"
	"kifu/schemas"
)

// mostWeights is how many weights a fit prints: the rest is for report weights.
const mostWeights = 20

// printFit prints what a fit found: the scale, how well it predicts, and the weights
// that are surest not to be what they were.
func printFit(w io.Writer, dir string) error {
	d, err := datasets.Open(dir)
	if err != nil {
		return err
	}
	r, err := fit.Read(d)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "  %s of %s, %s; gradient norm %.1g; %s\n", r.Method, r.Value, sizeOf(r.Train), r.Solver.GradientNorm, r.Solver.Status)
	fmt.Fprintf(w, "  w_0 %s per %s\n", withError(r.Scale.Value, r.Scale.SERobust), unitOf(r.Unit))
	if r.DrawWidth != nil {
		fmt.Fprintf(w, "  draw width %s\n", withError(r.DrawWidth.Value, r.DrawWidth.SERobust))
	}
	if r.Blend > 0 {
		fmt.Fprintf(w, "  fitted to %.4g of 1/(1+exp(-%.5g target)), target %s, and %.4g of the result\n", r.Blend, r.TargetScale, r.Target, 1-r.Blend)
	}
	printQuality(w, "train", r.Train)
	printQuality(w, "held out", r.Held)
	if r.Held != nil {
		if err := printBands(w, r.Held.Bands); err != nil {
			return err
		}
	}
	if f := r.Folds; f != nil {
		all := &schemas.FitSample{Positions: r.Train.Positions, Games: r.Train.Games, Original: f.Original, Fitted: f.Fitted}
		printQuality(w, fmt.Sprintf("cross-validated in %d folds", f.Folds), all)
		if err := printBands(w, f.Bands); err != nil {
			return err
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "  note: %s\n", n)
	}
	weights := slices.Clone(r.Weights)
	slices.SortStableFunc(weights, func(a, b fit.Weight) int { return int(sureness(b)) - int(sureness(a)) })
	if len(weights) > mostWeights {
		fmt.Fprintf(w, "  %d weights; the %d surest (kifu report weights shows all):\n", len(weights), mostWeights)
		weights = weights[:mostWeights]
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  TERM\tSTAGE\tWAS\tWEIGHT\t95 % INTERVAL\tPOSITIONS\tGAMES\tSTATUS")
	for _, x := range weights {
		interval := "-"
		if x.CILow != nil && x.CIHigh != nil {
			interval = fmt.Sprintf("%.2f to %.2f", *x.CILow, *x.CIHigh)
		}
		fmt.Fprintf(t, "  %s\t%s\t%.2f\t%.2f\t%s\t%s\t%s\t%s\n", x.Term, x.Stage, x.Initial, x.Fitted, interval, number(x.Positions), number(x.Games), x.Status)
	}
	return t.Flush()
}

// sureness is how many standard errors a weight has moved, in thousandths.
func sureness(x fit.Weight) float64 {
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
	if s.Fitted.RMSE > 0 {
		if s.Original != nil {
			before = fmt.Sprintf(", was %.4g", s.Original.RMSE)
		}
		fmt.Fprintf(w, "  %s: root mean square error %.4g%s; R² %s%s (%s)\n", name, s.Fitted.RMSE, before, optional(s.Fitted.R2), order, sizeOf(s))
		return
	}
	if s.Original != nil {
		before = fmt.Sprintf(", was %.5f", s.Original.LogLoss)
	}
	fmt.Fprintf(w, "  %s: log-loss %.5f%s; Brier %.5f; accuracy %.2f %%%s (%s)\n", name, s.Fitted.LogLoss, before, s.Fitted.Brier, 100*s.Fitted.Accuracy, order, sizeOf(s))
}

// printBands prints the quality by ply and phase.
func printBands(w io.Writer, bands []schemas.FitBand) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, b := range bands {
		if b.RMSE > 0 {
			if i == 0 {
				fmt.Fprintln(t, "    BAND\tPOSITIONS\tERROR\tR²\tORDER")
			}
			fmt.Fprintf(t, "    %s %s\t%s\t%.4g\t%s\t%s\n", b.By, b.Band, number(int64(b.Positions)), b.RMSE, optional(b.R2), optional(b.Order))
			continue
		}
		if i == 0 {
			fmt.Fprintln(t, "    BAND\tPOSITIONS\tLOG-LOSS\tBRIER\tACCURACY\tORDER")
		}
		fmt.Fprintf(t, "    %s %s\t%s\t%.5f\t%.5f\t%.2f %%\t%s\n", b.By, b.Band, number(int64(b.Positions)), b.LogLoss, b.Brier, 100*b.Accuracy, optional(b.Order))
	}
	return t.Flush()
}

func sizeOf(s *schemas.FitSample) string {
	if s == nil {
		return "no positions"
	}
	return fmt.Sprintf("%s positions of %s games", number(int64(s.Positions)), number(int64(s.Games)))
}

func withError(x float64, se *float64) string {
	if se == nil {
		return fmt.Sprintf("%.5g", x)
	}
	return fmt.Sprintf("%.5g ± %.1g", x, *se)
}

func optional(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.4f", *x)
}

// unitOf is one of a unit that is named in the plural.
func unitOf(unit string) string {
	if n := len(unit); n > 1 && unit[n-1] == 's' {
		return unit[:n-1]
	}
	return unit
}

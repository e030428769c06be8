package fitted

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"kifu/internal/human"
	"kifu/schemas"
)

// printScales prints the scales of --scale-by.
func printScales(w io.Writer, r *Result) error {
	if len(r.Scales) == 0 {
		return nil
	}
	fmt.Fprintf(w, "  that is one scale for all; by %s:\n", strings.Join(strings.Fields(r.ScaleBy), " "))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "    SOURCE\tPOSITIONS\tGAMES\tW_0\t95 % INTERVAL\tWAS\tSTATUS")
	for _, l := range r.Scales {
		fmt.Fprintf(t, "    %s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.Name, human.Grouped(int64(l.Positions)), human.Grouped(int64(l.Games)),
			withError(l.Value, l.SERobust), between(l.CILow, l.CIHigh, "%.4g"), optional(l.Original, "%.3g"), l.Status)
	}
	return t.Flush()
}

// between writes an interval, if there is one.
func between(low, high *float64, format string) string {
	if low == nil || high == nil {
		return "-"
	}
	return fmt.Sprintf(format+" to "+format, *low, *high)
}

// printSetQuality prints how well the sets of --phases predict, compared with the one fit.
func printSetQuality(w io.Writer, s *schemas.FitSets) error {
	if s == nil {
		return nil
	}
	shared := ""
	switch s.Neighbours {
	case 0:
	case 1:
		shared = ", each with the positions of a neighbour on either side"
	default:
		shared = fmt.Sprintf(", each with the positions of %d neighbours on either side", s.Neighbours)
	}
	fmt.Fprintf(w, "  %d sets by phase%s\n", len(s.Sets), shared)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "    PHASES\tPOSITIONS\tGAMES\tW_0\tHELD OUT\tONE SET\tSTATUS")
	for _, set := range s.Sets {
		status, scale := strings.TrimSuffix(set.Status, ": the gradient norm is below the tolerance"), "-"
		if set.Refused != "" {
			status = "refused: " + set.Refused
		}
		if set.Scale != nil {
			scale = withError(set.Scale.Value, set.Scale.SERobust)
		}
		fmt.Fprintf(t, "    %s\t%s\t%s\t%s\t%s\t%s\t%s\n", set.Name, human.Grouped(int64(set.Positions)), human.Grouped(int64(set.Games)), scale, quality(set.Held), quality(set.OneSet), status)
	}
	if s.Held != nil {
		fmt.Fprintf(t, "    all\t\t\t\t%s\t%s\n", quality(s.Held), quality(s.OneSet))
	}
	return t.Flush()
}

// quality is the log-loss, or of method value the root mean square error.
func quality(m *schemas.FitMetrics) string {
	switch {
	case m == nil:
		return "-"
	case m.RMSE > 0:
		return fmt.Sprintf("%.4g", m.RMSE)
	}
	return fmt.Sprintf("%.5f", m.LogLoss)
}

// printSets prints the weights of the sets in one table, a column a set; those terms
// first that are surest to have moved in some set.
func printSets(w io.Writer, r *Result) error {
	const across = 6 // columns that a terminal has room for
	var terms []string
	in := map[string]map[string]schemas.Weight{}
	sure := map[string]float64{}
	for _, x := range r.Weights {
		name, found := strings.CutPrefix(x.Stage, "phase ")
		if !found {
			continue
		}
		if in[x.Term] == nil {
			in[x.Term] = map[string]schemas.Weight{}
			terms = append(terms, x.Term)
		}
		in[x.Term][name] = x
		sure[x.Term] = max(sure[x.Term], sureness(x))
	}
	slices.SortStableFunc(terms, func(a, b string) int { return int(sure[b]) - int(sure[a]) })
	if len(terms) > mostWeights {
		fmt.Fprintf(w, "  %d terms; the %d most certain (the weights dataset has all):\n", len(terms), mostWeights)
		terms = terms[:mostWeights]
	}
	for sets := range slices.Chunk(r.Sets.Sets, across) {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprint(t, "  TERM")
		for _, set := range sets {
			fmt.Fprintf(t, "\t%s ± S.E.", set.Name)
		}
		fmt.Fprintln(t)
		for _, term := range terms {
			fmt.Fprintf(t, "  %s", term)
			for _, set := range sets {
				x := in[term][set.Name]
				if x.SERobust == nil {
					fmt.Fprintf(t, "\t%.2f (%s)", x.Fitted, x.Status)
					continue
				}
				fmt.Fprintf(t, "\t%.2f ± %.2f", x.Fitted, *x.SERobust)
			}
			fmt.Fprintln(t)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

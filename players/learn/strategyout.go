package learn

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"

	"kifu/players/decide"
	"kifu/schemas"
)

// strategyTable returns the contents of strategies.csv.
func (l *Learned) strategyTable() [][]string {
	rows := [][]string{{"depth", "solver", "systems", "solved_at_depth", "constraints", "violated", "temperature", "lapse",
		"train_accuracy", "train_se", "train_in_best", "train_log_loss", "held_accuracy", "held_se", "held_in_best", "held_log_loss", "behind", "behind_se", "quiescence", "log_loss_behind", "log_loss_behind_se"}}
	for _, s := range l.Strategies {
		row := []string{strconv.Itoa(s.Depth), s.Solver, strconv.Itoa(s.Systems), strconv.Itoa(s.Solved), strconv.Itoa(s.Constraints), strconv.Itoa(s.Violated),
			decide.Decimal(s.Temperature), decide.Decimal(s.Lapse)}
		rows = append(rows, slices.Concat(row, cells(&s.Train), cells(&s.Held), []string{decide.Decimal(s.Behind), decide.OrEmpty(s.BehindSE), strconv.FormatBool(s.Quiescence), decide.OrEmpty(s.LossBehind), decide.OrEmpty(s.LossBehindSE)}))
	}
	return rows
}

// weightTable returns the contents of weights.csv: every weight of every strategy.
func (l *Learned) weightTable() [][]string {
	rows := [][]string{{"depth", "solver", "model", "term_group", "term", "stage", "weight", "se", "given_weight", "quiescence"}}
	for _, s := range l.Strategies {
		for _, w := range s.Weights {
			rows = append(rows, []string{strconv.Itoa(s.Depth), s.Solver, strconv.FormatBool(isModel(l.Model, s)),
				w.Group, w.Term, w.Stage, decide.Decimal(w.Value), decide.OrEmpty(w.SE), decide.Decimal(w.Given), strconv.FormatBool(s.Quiescence)})
		}
	}
	return rows
}

func isModel(m *schemas.LearnModel, s *schemas.LearnStrategy) bool {
	return s.Depth == m.Depth && s.Quiescence == m.Quiescence && s.Solver == m.Solver
}

// strategies writes a table of the strategies of the solvers.
func (r *report) strategies(b *bytes.Buffer) {
	var solvers []string
	for _, s := range r.Strategies {
		if !slices.Contains(solvers, s.Solver) {
			solvers = append(solvers, s.Solver)
		}
	}
	fmt.Fprintf(b, "\nwith weights learned for each depth; a random move is right in %.1f %% of the moves held out\n", 100*r.Held.Chance)
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "DEPTH\t")
	for _, name := range solvers {
		fmt.Fprintf(w, "%s: HELD OUT\tLOG-LOSS\t", name)
	}
	fmt.Fprintln(w)
	for i := 0; i < len(r.Strategies); i += len(solvers) {
		quiet := ""
		if r.Strategies[i].Quiescence {
			quiet = "q"
		}
		fmt.Fprintf(w, "%d%s\t", r.Strategies[i].Depth, quiet)
		for _, s := range r.Strategies[i : i+len(solvers)] {
			mark := ""
			if isModel(r.Model, s) {
				mark = "*"
			}
			fmt.Fprintf(w, "%s%s\t%.3f\t", mark, &s.Held, s.Held.LogLoss)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

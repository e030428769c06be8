package player

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kifu/internal/human"
	"kifu/internal/table"
	"kifu/schemas"
)

// mostWeights is how many learned weights are shown, those farthest from the given ones first.
const mostWeights = 12

// modelTables returns the tables of the player's depth of look-ahead and weights.
func (r *Report) modelTables() []table.Table {
	m := r.Model
	if m == nil || m.Model == nil {
		return nil
	}
	t := table.Table{Name: "model", Caption: fmt.Sprintf("Learned of %s decisions in %s games", human.Grouped(int64(m.Decisions)), human.Grouped(int64(m.Games))), Head: []table.Cell{table.Text(""), table.Text("")}}
	depth := human.Plural(int64(m.Model.Depth), "ply", "plies")
	if atLimit(m) {
		depth += ", at the limit of what was searched"
	}
	t.Rows = append(t.Rows, []string{"looks ahead", depth}, []string{"weights", m.Model.Solver})
	if m.Likeliest != nil {
		t.Rows = append(t.Rows, []string{"by the given weights", m.Likeliest.String()})
	}
	score, of := m.Model.Test, m.Test
	name := "moves predicted, in games kept to test"
	if score == nil {
		score, of, name = m.Model.Held, m.Held, "moves predicted, in games held out"
	}
	if score != nil && of != nil {
		t.Rows = append(t.Rows, []string{name, fmt.Sprintf("%s; a random move %s", score, human.Percent(of.Chance, 1))})
	}
	tables := []table.Table{t}
	if w := learnedWeights(m); len(w.Rows) > 0 {
		tables = append(tables, w)
	}
	return tables
}

// learnedWeights returns the model's weights next to the given ones, ordered by the difference in
// standard errors, the largest first.
func learnedWeights(m *schemas.Learn) table.Table {
	t := table.Table{Name: "weights", Caption: "Learned weights that differ most from the given ones, in " + m.Unit, Head: []table.Cell{table.Text("term"), table.Text("group"), table.Text("stage"), table.Number("learned"), table.Number("± s.e."), table.Number("given")}}
	for _, s := range m.Strategies {
		if s.Depth != m.Model.Depth || s.Solver != m.Model.Solver {
			continue
		}
		all := slices.Clone(s.Weights)
		far := func(w schemas.LearnWeight) float64 {
			if w.SE != nil && *w.SE > 0 {
				return math.Abs(w.Value-w.Given) / *w.SE
			}
			return 0
		}
		slices.SortStableFunc(all, func(a, b schemas.LearnWeight) int { return cmp.Compare(far(b), far(a)) })
		for _, w := range all[:min(mostWeights, len(all))] {
			se := "–"
			if w.SE != nil {
				se = human.Weight(*w.SE)
			}
			t.Rows = append(t.Rows, []string{w.Term, w.Group, w.Stage, human.Weight(w.Value), se, human.Weight(w.Given)})
		}
	}
	return t
}

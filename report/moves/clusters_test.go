package moves

import (
	"context"
	"math"
	"testing"

	"kifu/datasets"
	"kifu/kit/reporttest"
	"kifu/query"
	"kifu/report/sheet"
)

// TestPlayers: shares of two orders of the same decisions have a paired difference; errors are
// never narrower than those by game, and somewhere wider.
func TestPlayers(t *testing.T) {
	dir, _ := reporttest.NamedGames(t, 60, 20)
	choices := reporttest.WriteChoices(t, t.TempDir(), reporttest.CommittedChoices(t))
	p := twoOrders
	of := func(c sheet.Clusters) *report {
		p.Clusters = c
		g, err := run(context.Background(), reporttest.OpenDB(t), p, []*datasets.Dir{choices, dir})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	games, both := of(sheet.Clusters{Way: "games", Names: []int{1}}), of(sheet.Clusters{Names: []int{1}})
	wider := 0
	for i := range both.Rows {
		a, b := games.Rows[i], both.Rows[i]
		if a.Share != b.Share || b.High-b.Low < a.High-a.Low-1e-9 {
			t.Fatalf("%+v, by game %+v", b, a)
		}
		if b.High-b.Low > 1.01*(a.High-a.Low) {
			wider++
		}
	}
	first, second := both.guesses(0, "all"), both.guesses(1, "all")
	for k := range first {
		if !math.IsNaN(first[k].Difference) || math.Abs(second[k].Difference-(second[k].Share-first[k].Share)) > 1e-9 || k < 5 && !(second[k].DifferenceHigh > second[k].DifferenceLow) {
			t.Errorf("first %d: %+v, %+v", k+1, first[k], second[k])
		}
	}
	if wider == 0 {
		t.Error("no error is wider by player: the data tell nothing")
	}
}

var twoOrders = Params{Sources: []string{"choices"}, Patterns: []query.Named{{Name: "square", SQL: "move[3:]"}}, Holdout: 0.6, Seed: 1}

// TestOrderOfRows: no number depends on the order of the rows, in any bit.
func TestOrderOfRows(t *testing.T) {
	_, names := reporttest.NamedGames(t, 60, 20)
	p := twoOrders
	p.Clusters = sheet.Clusters{Way: "players", Names: []int{1}}
	reporttest.SameInAnyOrder(t, names, reporttest.CommittedChoices(t), func(rows []reporttest.Choice, games *datasets.Dir) any {
		g, err := run(context.Background(), reporttest.OpenDB(t), p, []*datasets.Dir{reporttest.WriteChoices(t, t.TempDir(), rows), games})
		if err != nil {
			t.Fatal(err)
		}
		return g.Rows
	})
}

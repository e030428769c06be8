package solve

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/fit/fittest"
	"kifu/fit/forecast"
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/internal/dyads"
)

// TestClusters: of every number the wider error is taken, also of tests and of differences;
// without players, or with two of them, errors are by game and a reason is given.
func TestClusters(t *testing.T) {
	club := fittest.Club{Games: fittest.Schedule(600), Terms: 6, Effect: 0.3}
	r := club.Play(rand.New(rand.NewPCG(1, 1)))
	fit := func(r *rows.Store, way string) *Estimate {
		e, err := Fit(context.Background(), r, Settings{Method: losses.MLM, Workers: 2, Cluster: way})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	games, players, both := fit(r, dyads.ByGame), fit(r, dyads.ByPlayer), fit(r, "")
	wider := 0
	for j, se := range both.se.robust {
		if want := max(games.se.robust[j], players.se.robust[j]); se != want {
			t.Errorf("error %d is %v, want %v", j, se, want)
		}
		if players.se.robust[j] > games.se.robust[j] {
			wider++
		}
	}
	if wider == 0 || wider == len(both.se.robust) {
		t.Errorf("%d of %d errors are wider by player: the data tell nothing of both", wider, len(both.se.robust))
	}
	if !(*both.Tests[0].Score < *games.Tests[0].Score) || !(*both.Tests[0].Wald < *games.Tests[0].Wald) {
		t.Errorf("tests: %+v, by game %+v", both.Tests[0], games.Tests[0])
	}
	if a, b := forecast.Difference(r, both.Fitted(), both.Original(), dyads.Both), forecast.Difference(r, both.Fitted(), both.Original(), dyads.ByGame); a.LogLoss != b.LogLoss || a.SE < b.SE {
		t.Errorf("differences %+v, by game %+v", a, b)
	}
	if c := both.Clusters; c.By != dyads.Both || c.Players < 50 || c.Ratio == nil || *c.Ratio < 1 {
		t.Errorf("clusters %+v", c)
	}

	r.Players = nil
	if e := fit(r, dyads.Both); e.Clusters.By != dyads.ByGame || e.Clusters.Why == "" || e.se.robust[0] != games.se.robust[0] {
		t.Errorf("without names: %+v", e.Clusters)
	}
	two := dyads.ByID{}
	for i := range club.Games {
		two[int64(i)] = dyads.Pair{A: int32(i % 2), B: 1 - int32(i%2)}
	}
	r.Players = two
	if e := fit(r, dyads.Both); e.Clusters.By != dyads.ByGame || !strings.Contains(e.Clusters.Why, "few") {
		t.Errorf("a match: %+v", e.Clusters)
	}
}

// TestClustersOfLevels: the scales of --scale-by have the wider error, too.
func TestClustersOfLevels(t *testing.T) {
	club := fittest.Club{Games: fittest.Schedule(0), Terms: 1, Effect: 1}
	r := club.Play(rand.New(rand.NewPCG(2, 1)))
	for _, b := range r.Blocks {
		for i := range b.Rows() {
			b.Level = append(b.Level, uint8(i/100%2))
		}
	}
	fit := func(way string) *Estimate {
		e, err := Fit(context.Background(), r, Settings{Method: losses.MLM, Workers: 1, Cluster: way, Levels: []string{"a", "b"}})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	games, both := fit(dyads.ByGame), fit(dyads.Both)
	for l := range both.levels {
		if !(both.levels[l].robust > 1.05*games.levels[l].robust) {
			t.Errorf("scale %d: %v, by game %v", l, both.levels[l].robust, games.levels[l].robust)
		}
	}
}

package curve

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/internal/dyads"
	"kifu/kit/reporttest"
	"kifu/query"
	"kifu/report/shape"
	"kifu/report/sheet"
)

// randomLabels has games with forced wins, values that are none, draws and unfinished games.
func randomLabels(rng *rand.Rand, games int) (labels []reporttest.Label) {
	for g := range games {
		result := []string{"first", "second", "draw", ""}[rng.IntN(4)]
		for ply := range 1 + rng.IntN(30) {
			v := float32(25 * rng.NormFloat64())
			switch rng.IntN(40) {
			case 0:
				v = 31000
			case 1:
				v = -31000
			}
			labels = append(labels, reporttest.Label{Game: int64(g), Ply: int32(ply), Value: v, Result: result})
		}
	}
	return labels
}

// TestIsTheQuery: the rows are those of the query that the report prints, whether they are
// summed up by game or by player, of all positions or of those of conditions, of labels in any order.
func TestIsTheQuery(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const games = 400
	named, _ := reporttest.NamedGames(t, games, 30)
	labels := randomLabels(rng, games)
	for i, draws := range []string{shape.DrawsExclude, shape.DrawsHalf, shape.DrawsBands, shape.DrawsHalf} {
		apart := i == 3
		if apart {
			rng.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
		}
		d := reporttest.WriteLabels(t, t.TempDir(), labels, nil)
		for k := range 4 {
			var names []int
			if k%2 == 1 {
				names = []int{1}
			}
			p := Params{Bin: 20, MinCount: 1, Draws: draws, Sources: []string{"labels"}, Clusters: sheet.Clusters{Names: names}}
			if k >= 2 {
				p.When = []query.Named{{Name: "thirds", SQL: "ply % 3 = 0 -- of them"}, {Name: "few", SQL: "labels.game_id % 50 = 7 and ply < 3"}, {Name: "never", SQL: "ply < 0"}}
			}
			db := reporttest.OpenDB(t)
			c, err := Run(context.Background(), db, p, []*datasets.Dir{d, named}[:1+len(names)])
			if err != nil {
				t.Fatal(err)
			}
			if note, err := c.query.Players.Note(context.Background(), db); err != nil || note != c.errors {
				t.Errorf("draws %s, names %v: %q, the query has %q, %v", draws, names, c.errors, note, err)
			}
			r, err := db.Query(context.Background(), c.SQL)
			if err != nil {
				t.Fatal(err)
			}
			within := 0.0
			if names != nil {
				within = 1e-12
			}
			sameRows(t, fmt.Sprintf("apart %v, draws %s, names %v", apart, draws, names), c.Rows(), r, within)
		}
	}
}

// TestSharesOfClusters: clusters in several shares, each from a reading of its own, add up to
// those of one reading.
func TestSharesOfClusters(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const games = 400
	named, _ := reporttest.NamedGames(t, games, 30)
	s := &reading{dir: reporttest.WriteLabels(t, t.TempDir(), randomLabels(rng, games), nil), column: "quiescence_value", bin: 20, curves: conditions(nil),
		counting: counting{lines: []scoring{{"score", 0.5}}}, known: &known{games: named, names: dyads.NewNames(nil)}}
	one, err := s.sums(context.Background(), 1, 1<<23)
	if err != nil {
		t.Fatal(err)
	}
	many, err := s.sums(context.Background(), 2, 40)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := one[0].players[0], many[0].players[0]; len(a) < 5 || !maps.Equal(a, b) {
		t.Errorf("%v in shares, %v in one", b, a)
	}
}

// TestManyPositions: a cluster has more positions in a bin than an entry has room for.
func TestManyPositions(t *testing.T) {
	games := []dyads.Pair{{A: 0, B: 1}, {A: 0, B: 2}}
	s := &reading{known: &known{of: dyads.Of(games), index: &bygame.Index{}}}
	s.known.of.Of[0], s.known.of.Sums = [3]int32{0, -1, -1}, []float64{1}
	s.known.index.Add(0, []int64{7})
	c := s.newClusterSums(0, true, mostEntries)
	for range 5 {
		c.add(played{id: 7, shares: []share{{3, [outcomes]int32{lost: 1 << 15}}, {-4, [outcomes]int32{lost: 1<<16 + 1}}}})
	}
	got := map[int32]float64{}
	for _, e := range c.bins[0] {
		if e.code != 0 {
			got[c.coded[e.code]] = c.positions(0, e)[lost]
		}
	}
	if want := map[int32]float64{3: 5 << 15, -4: 5 * (1<<16 + 1)}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestSeveralResults: a game has one result.
func TestSeveralResults(t *testing.T) {
	one := func(game int64, ply int32, result string) reporttest.Label {
		return reporttest.Label{Game: game, Ply: ply, Value: 1, Result: result}
	}
	for _, labels := range [][]reporttest.Label{
		{one(1, 0, "first"), one(1, 1, "second")},
		{one(1, 0, "first"), one(2, 0, "first"), one(1, 1, "second")},
	} {
		if _, err := ask(t, Params{MinCount: 1}, reporttest.WriteLabels(t, t.TempDir(), labels, nil)); err == nil || !strings.Contains(err.Error(), "game 1 has several results") {
			t.Errorf("error %v", err)
		}
	}
}

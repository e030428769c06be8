package curve

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kifu/datasets"
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

// TestStreamIsTheQuery: the numbers are those of the query over the labels, whether they are
// summed up by game or by player, of all positions or of those of conditions.
func TestStreamIsTheQuery(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const games = 400
	named, _ := reporttest.NamedGames(t, games, 30)
	d := reporttest.WriteLabels(t, t.TempDir(), randomLabels(rng, games), nil)
	for _, draws := range []string{shape.DrawsExclude, shape.DrawsHalf, shape.DrawsBands} {
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
			if s, err := c.stream(context.Background(), db); err != nil || s == nil || (s.Players != "") != (names != nil) {
				t.Fatalf("draws %s, names %v: not streamed: %+v, %v", draws, names, s, err)
			}
			if note, err := c.query.Players.Note(context.Background(), db); err != nil || note != c.errors {
				t.Errorf("draws %s, names %v: %q, the query has %q, %v", draws, names, c.errors, note, err)
			}
			r, err := db.Query(context.Background(), c.SQL)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(c.Rows.Columns, r.Columns) {
				t.Errorf("draws %s, names %v: columns %v, the query has %v", draws, names, c.Rows.Columns, r.Columns)
			}
			want, err := r.All()
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Rows.All()
			if err != nil || len(got) != len(want) || len(got) < 5 {
				t.Fatalf("%d rows, the query has %d; %v", len(got), len(want), err)
			}
			for i := range want {
				for k := range want[i] {
					a, number := got[i][k].(float64)
					b, _ := want[i][k].(float64)
					if number && math.Abs(a-b) > 1e-12*math.Abs(b) || !number && got[i][k] != want[i][k] || number && names == nil && a != b {
						t.Errorf("draws %s, names %v, row %d, %s: %v, the query has %v", draws, names, i, r.Columns[k].Name, got[i][k], want[i][k])
					}
				}
			}
		}
	}
}

// TestSharesOfClusters: clusters in several shares, each from a reading of its own, add up to
// those of one reading.
func TestSharesOfClusters(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const games = 400
	named, _ := reporttest.NamedGames(t, games, 30)
	s := &streamed{dir: reporttest.WriteLabels(t, t.TempDir(), randomLabels(rng, games), nil), games: named, column: "quiescence_value", bin: 20, scores: []scored{{"score", 0.5}}, known: &known{}}
	_, one, err := s.sums(context.Background(), 1, 1<<23)
	if err != nil {
		t.Fatal(err)
	}
	_, many, err := s.sums(context.Background(), 2, 40)
	if err != nil {
		t.Fatal(err)
	}
	if len(one[0][0]) < 5 || !maps.Equal(one[0][0], many[0][0]) {
		t.Errorf("%v in shares, %v in one", many[0][0], one[0][0])
	}
}

// TestManyPositions: a cluster has more positions in a bin than an entry has room for.
func TestManyPositions(t *testing.T) {
	games := []dyads.Pair{{A: 0, B: 1}, {A: 0, B: 2}}
	s := &streamed{known: &known{of: dyads.Of(games)}}
	s.known.of.Of[0], s.known.of.Sums = [3]int32{0, -1, -1}, []float64{1}
	s.known.games.add(7)
	c := s.newClusterSums(0, true, mostEntries)
	for range 5 {
		c.games = s.known.games.start()
		c.add(played{id: 7, outcome: lost, shares: []share{{3, 1 << 15}, {-4, 1<<16 + 1}}})
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

// TestNumbered: ids are found by a cursor, and others are not, whatever the distances.
func TestNumbered(t *testing.T) {
	ids := []int64{math.MinInt64, -300, -1, 0, 1, 128, 1 << 40, math.MaxInt64}
	var x numbered
	for _, id := range ids {
		x.add(id)
	}
	c := x.start()
	for i, id := range ids {
		if i > 0 {
			if at, found := c.find(id - 1); found != slices.Contains(ids, id-1) {
				t.Errorf("%d: %d, %v", id-1, at, found)
			}
		}
		if at, found := c.find(id); !found || at != i {
			t.Errorf("%d: %d, %v", id, at, found)
		}
	}
	if _, found := new(numbered).start().find(0); found {
		t.Error("an id among none")
	}
}

// TestApart: labels whose games do not lie together are grouped by the query.
func TestApart(t *testing.T) {
	labels := randomLabels(rand.New(rand.NewPCG(9, 10)), 60)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
	c := mustAsk(t, Params{MinCount: 1}, reporttest.WriteLabels(t, t.TempDir(), labels, nil))
	if s, err := c.stream(context.Background(), nil); s != nil || err != nil {
		t.Errorf("%+v, %v", s, err)
	}
}

package curve

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kifu/datasets"
	"kifu/report/reporttest"
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
// summed up by game or by player, and in memory or in several shares.
func TestStreamIsTheQuery(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const games = 400
	named, _ := reporttest.NamedGames(t, games, 30)
	d := reporttest.WriteLabels(t, t.TempDir(), randomLabels(rng, games), nil)
	for _, draws := range []string{shape.DrawsExclude, shape.DrawsHalf, shape.DrawsBands} {
		for _, names := range [][]int{nil, {1}} {
			p := Params{Bin: 20, MinCount: 1, Draws: draws, Sources: []string{"labels"}, Clusters: sheet.Clusters{Names: names}}
			db := reporttest.OpenDB(t)
			c, err := Run(context.Background(), db, p, []*datasets.Dir{d, named}[:1+len(names)])
			if err != nil {
				t.Fatal(err)
			}
			if s, err := c.stream(context.Background()); err != nil || s == nil || (s.Players != "") != (names != nil) {
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
	if len(one[0]) < 5 || len(many[0]) != len(one[0]) {
		t.Fatalf("%d bins and %d", len(one[0]), len(many[0]))
	}
	for bin, v := range one[0] {
		if math.Abs(many[0][bin]-v) > 1e-12*v {
			t.Errorf("bin %d: %v in shares, %v in one", bin, many[0][bin], v)
		}
	}
}

// TestApart: labels whose games do not lie together are grouped by the query.
func TestApart(t *testing.T) {
	labels := randomLabels(rand.New(rand.NewPCG(9, 10)), 60)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
	c := mustAsk(t, Params{MinCount: 1}, reporttest.WriteLabels(t, t.TempDir(), labels, nil))
	if s, err := c.stream(context.Background()); s != nil || err != nil {
		t.Errorf("%+v, %v", s, err)
	}
}

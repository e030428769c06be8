package fit

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/eval"
	"kifu/schemas"
)

// TestOldLabels: labels whose features are packed in the old way are told, not misread.
func TestOldLabels(t *testing.T) {
	labels := small().labels(t, "", func(*datasets.Batch) {})
	labels.Table.Version = schemas.LabelsVersion - 1
	if _, err := newDecoder(&input{leaf: "quiescence_value"}, Params{}, labels, nil, extras{}); err == nil || !strings.Contains(err.Error(), "anew") {
		t.Errorf("error %v", err)
	}
}

// TestDamagedFeatures: features of terms that the evaluator does not have, or that are no
// features, are told with the game.
func TestDamagedFeatures(t *testing.T) {
	for _, features := range [][]byte{{0x80}, eval.AppendPacked(nil, []eval.Feature{{Term: 999, Count: 1}})} {
		labels := small().labels(t, "", func(b *datasets.Batch) {
			v := b.Col("features")
			v.Bytes, v.Ends = append(v.Bytes[:v.Ends[b.Rows-2]], features...), v.Ends[:b.Rows-1]
			v.Ends = append(v.Ends, int32(len(v.Bytes)))
		})
		if _, err := fitTo(t, Params{Method: MLM, Draws: DrawsHalf}, 1, labels, nil); err == nil || !strings.Contains(err.Error(), "labels of game") || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%v: error %v", features, err)
		}
	}
}

// TestDistinct: a row that stands for several positions counts as them.
func TestDistinct(t *testing.T) {
	s := small()
	s.distinct = true
	labels := s.labels(t, "g1", func(*datasets.Batch) {})
	first := 6000.0
	s.play(func(_ int, _ []eval.Feature, _ int, won bool) {
		if won {
			first += 2
		}
	})
	for draws, want := range map[string]schemas.FitSample{
		DrawsExclude: {FirstWins: first, SecondWins: 4*6000 - first},
		DrawsHalf:    {FirstWins: first, SecondWins: 4*6000 - first, Draws: 2 * 6000},
	} {
		dir, err := fitTo(t, Params{Method: MLM, Draws: draws, Free: []string{"t3"}}, 2, labels, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		got := *r.Train
		if got.FirstWins != want.FirstWins || got.SecondWins != want.SecondWins || got.Draws != want.Draws || got.Positions != 6000 {
			t.Errorf("draws %s: %+v", draws, got)
		}
		mean := (want.FirstWins + want.Draws/2) / (want.FirstWins + want.SecondWins + want.Draws)
		if loss := -mean*math.Log(mean) - (1-mean)*math.Log(1-mean); math.Abs(got.Base.LogLoss-loss) > 1e-7 {
			t.Errorf("draws %s: log-loss of the mean is %v, want %v", draws, got.Base.LogLoss, loss)
		}
	}
}

// TestGamesApart: rows of a game that do not lie together are put together.
func TestGamesApart(t *testing.T) {
	s := small()
	d := newDesign(s.present, between(1, s.terms), nil, nil)
	near, far := newBuilder(d), newBuilder(d)
	var later []*row
	s.play(func(game int, features []eval.Feature, phase int, won bool) {
		x := &row{game: int64(game), phase: phase, weight: 1, value: s.present.Score(features, phase)}
		for _, f := range features {
			if f.Term > 0 {
				x.features = append(x.features, count{f.Term - 1, f.Count * 20}) // beyond the table of small counts
			}
		}
		if won {
			x.y = 1
		}
		near.add(x)
		if phase%2 == 0 {
			far.add(x)
		} else {
			later = append(later, x)
		}
	})
	for _, x := range later {
		far.add(x)
	}
	a, b := near.finish(), far.finish()
	sa, sb := a.supports(2), b.supports(2)
	for i := range sa { // sums in another order
		if math.Abs(sa[i].squares-sb[i].squares) > 1e-9*sa[i].squares {
			t.Errorf("squares %v, %v", sa[i].squares, sb[i].squares)
		}
		sa[i].squares, sb[i].squares = 0, 0
	}
	if a.n != b.n || a.games != b.games || !reflect.DeepEqual(sa, sb) {
		t.Fatalf("%d rows of %d games, %d of %d", a.n, a.games, b.n, b.games)
	}
	var active = between(0, d.scale()+1)
	theta := make([]float64, len(active))
	theta[d.scale()] = s.scale
	var columns [][]entry
	for _, j := range active {
		columns = append(columns, []entry{{j, 1}})
	}
	u := newUnknowns(d, make([]float64, len(active)), columns)
	ma, mb := a.meat(logistic{}, theta, u, 1), b.meat(logistic{}, theta, u, 1)
	for i := range active {
		for j := range active {
			if x, y := ma.At(i, j), mb.At(i, j); math.Abs(x-y) > 1e-9*(1+math.Abs(x)) {
				t.Fatalf("scores of games %d %d: %v, %v", i, j, x, y)
			}
		}
	}
}

package fit

import (
	"math"
	"strings"
	"testing"

	"kifu/datasets/columns"
	"kifu/eval"
	"kifu/fit/fitted"
	"kifu/fit/fittest"
	"kifu/fit/method"
	"kifu/schemas"
)

// TestOldLabels: labels whose features are packed in the old way are told, not misread.
func TestOldLabels(t *testing.T) {
	labels := fittest.Small().Labels(t, "", func(*columns.Batch) {})
	labels.Table.Version = schemas.LabelsVersion - 1
	if _, err := newDecoder(&input{leaf: "quiescence_value"}, source{dir: labels}); err == nil || !strings.Contains(err.Error(), "label its positions again") {
		t.Errorf("error %v", err)
	}
}

// TestDamagedFeatures: features of terms that the evaluator does not have, or that are no
// features, are told with the game.
func TestDamagedFeatures(t *testing.T) {
	for _, features := range [][]byte{{0x80}, eval.AppendPacked(nil, []eval.Feature{{Term: 999, Count: 1}})} {
		labels := fittest.Small().Labels(t, "", func(b *columns.Batch) {
			v := b.Col("features")
			v.Bytes, v.Ends = append(v.Bytes[:v.Ends[b.Rows-2]], features...), v.Ends[:b.Rows-1]
			v.Ends = append(v.Ends, int32(len(v.Bytes)))
		})
		if _, err := fitTo(t, Params{Method: method.MLM{}, Draws: DrawsHalf, Free: []string{"all"}}, 1, labels, nil); err == nil || !strings.Contains(err.Error(), "labels of game") || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%v: error %v", features, err)
		}
	}
}

// TestDistinct: a row that stands for several positions counts as them.
func TestDistinct(t *testing.T) {
	s := fittest.Small()
	s.Distinct = true
	labels := s.Labels(t, "g1", func(*columns.Batch) {})
	first := 6000.0
	s.Play(func(_ int, _ []eval.Feature, _ int, won bool) {
		if won {
			first += 2
		}
	})
	for draws, want := range map[string]schemas.FitSample{
		DrawsExclude: {FirstWins: first, SecondWins: 4*6000 - first},
		DrawsHalf:    {FirstWins: first, SecondWins: 4*6000 - first, Draws: 2 * 6000},
	} {
		dir, err := fitTo(t, Params{Method: method.MLM{}, Draws: draws, Free: []string{"t3"}}, 2, labels, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := fitted.Read(dir)
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

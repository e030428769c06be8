package curve

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"kifu/datasets"
	"kifu/kit/reporttest"
	"kifu/kit/slow"
	"kifu/report/shape"
)

// distinctOf are labels of distinct positions, each with several games' results.
func distinctOf(rows []reporttest.Label) []reporttest.Label {
	for i := range rows {
		first, drawn, second := int32(i%5), int32(i/5%3), int32(i/3%4)
		rows[i].Distinct = &[4]int32{first + drawn + second + int32(i%2), first, drawn, second}
	}
	return rows
}

// TestViewsAreCurves: what the page offers to choose from is what a report with that bin
// width and way of counting draws has.
func TestViewsAreCurves(t *testing.T) {
	slow.Test(t, "dozens of reports")
	labels := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	distinct := reporttest.WriteLabels(t, t.TempDir(), distinctOf(reporttest.CommittedLabels(t)), nil)
	all := map[string][]string{shape.DrawsExclude: {shape.DrawsExclude, shape.DrawsHalf}, shape.DrawsHalf: {shape.DrawsHalf, shape.DrawsExclude}, shape.DrawsBands: {shape.DrawsBands}}
	for turn, p := range []Params{
		{When: reporttest.When, MinCount: 30, Draws: shape.DrawsExclude},
		{When: reporttest.When, Draws: shape.DrawsExclude, Bin: 60},
		{When: reporttest.When, MinCount: 20, Draws: shape.DrawsHalf, Bin: 10.5, Interval: IntervalWilson},
		{When: reporttest.When, MinCount: 30, Draws: shape.DrawsBands},
		{Sources: []string{"labels"}, MinCount: 30, Draws: shape.DrawsExclude}, // is streamed
		{Sources: []string{"labels"}, MinCount: 20, Draws: shape.DrawsHalf, Bin: 10.5},
	} {
		in := []*datasets.Dir{labels, distinct}
		if p.Sources == nil {
			p.Sources = []string{"labels", "distinct"}
		}
		in = in[:len(p.Sources)]
		db := reporttest.OpenDB(t)
		c, err := Run(context.Background(), db, p, in)
		if err != nil {
			t.Fatal(err)
		}
		others, err := c.others(context.Background(), db, all[p.Draws])
		if err != nil {
			t.Fatal(err)
		}
		if want := len(viewWidths)*len(all[p.Draws]) - 1; len(others) != want {
			t.Errorf("%+v: %d views, want %d", p, len(others), want)
		}
		for i, other := range others {
			if (i+turn)%3 != 0 { // each by a third of the reports
				continue
			}
			what := fmt.Sprintf("%s, bins of %v, of a report with %s and %v", other.Params.Draws, other.Bin, p.Draws, c.Bin)
			if err := other.fill(); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			q := p
			q.Draws, q.Bin = other.Params.Draws, other.Bin
			alone, err := Run(context.Background(), reporttest.OpenDB(t), q, in)
			if err != nil {
				t.Fatal(err)
			}
			if other.MinCount != alone.MinCount {
				t.Errorf("%s: at least %d positions, want %d", what, other.MinCount, alone.MinCount)
			}
			for i, k := range alone.Curves {
				v := other.Curves[i]
				if len(k.Bins) < 2 || !reflect.DeepEqual(v.Bins, k.Bins) || !reflect.DeepEqual(v.Won, k.Won) || !reflect.DeepEqual(v.NotLost, k.NotLost) || v.Sigmoid != k.Sigmoid || v.Omitted != k.Omitted {
					t.Errorf("%s: %s is not the curve of a report of its own:\n%+v\n%+v", what, k.Name, v.Bins, k.Bins)
				}
			}
		}
	}
}

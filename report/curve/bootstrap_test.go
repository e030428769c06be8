package curve

import (
	"math"
	"math/rand/v2"
	"testing"

	"kifu/kit/reporttest"
	"kifu/kit/slow"
	"kifu/report/shape"
	"kifu/report/sheet"
	"kifu/schemas"
)

// TestBootstrapCovers: over many simulated sets of games the intervals of the bootstrap
// hold the true share of a bin at about their rate.
func TestBootstrapCovers(t *testing.T) {
	slow.Test(t, "bootstraps")
	const scale = 150
	r := rand.New(rand.NewPCG(11, 12))
	bins, covered := 0, 0
	for range 2 {
		d := reporttest.WriteLabels(t, t.TempDir(), simulate(r, 1200, scale), nil)
		c := mustAsk(t, Params{Bin: 10, Interval: IntervalBootstrap, Workers: 2}, d)
		for _, b := range c.Curves[0].Bins {
			bins++
			if p := 1 / (1 + math.Exp(-b.V/scale)); b.Low <= p && p <= b.High {
				covered++
			}
		}
	}
	if rate := float64(covered) / float64(bins); rate < 0.92 || rate > 0.985 {
		t.Errorf("bootstrap intervals cover %.3f of %d bins", rate, bins)
	}
}

// TestBootstrapOfGames: drawing the counts of like games is drawing games. A bootstrap
// that draws the committed games one by one gives the same intervals within the error of
// its samples.
func TestBootstrapOfGames(t *testing.T) {
	d := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	c := mustAsk(t, Params{Bin: 200, MinCount: 30, Interval: IntervalBootstrap}, d)
	robust := mustAsk(t, Params{Bin: 200, MinCount: 30}, d)
	type sums struct{ won, n float64 }
	for i, b := range c.Curves[0].Bins {
		games := map[int64]*sums{}
		var order []*sums
		for _, l := range reporttest.CommittedLabels(t) {
			if games[l.Game] == nil {
				games[l.Game] = &sums{}
				order = append(order, games[l.Game])
			}
			if math.Floor(float64(l.Value)/200+0.5)*200 != b.V || l.Result == "draw" || l.Result == "" || schemas.Forced(l.Value) {
				continue
			}
			games[l.Game].n++
			if l.Result == "first" {
				games[l.Game].won++
			}
		}
		r := rand.New(rand.NewPCG(5, uint64(i)))
		var mean, square, samples float64
		for range 4000 {
			var s sums
			for range order {
				g := order[r.IntN(len(order))]
				s.won, s.n = s.won+g.won, s.n+g.n
			}
			if s.n > 0 {
				mean, square, samples = mean+s.won/s.n, square+s.won/s.n*s.won/s.n, samples+1
			}
		}
		mean /= samples
		spread := math.Sqrt(square/samples - mean*mean)
		half := (b.High - b.Low) / 2 / 1.96
		if b.Games >= 40 && math.Abs(half/spread-1) > 0.15 {
			t.Errorf("bin %v: half the interval is %.4f standard errors wide, one by one %.4f", b.V, half, spread)
		}
		if w := robust.Curves[0].Bins[i]; b.Games >= 60 && math.Abs((b.High-b.Low)/(w.High-w.Low)-1) > 0.2 {
			t.Errorf("bin %v: bootstrap %.3f–%.3f, linearised %.3f–%.3f", b.V, b.Low, b.High, w.Low, w.High)
		}
	}
}

// TestBootstrapIsDeterministic: the number of workers does not change the intervals,
// the seed does.
func TestBootstrapIsDeterministic(t *testing.T) {
	d := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	text := func(workers int, seed uint64) string {
		c := mustAsk(t, Params{MinCount: 30, Interval: IntervalBootstrap, Workers: workers, Seed: seed}, d)
		csv, err := sheet.CSV(c.Rows())
		if err != nil {
			t.Fatal(err)
		}
		return csv
	}
	once := text(1, 1)
	if once != text(3, 1) {
		t.Error("other intervals with other workers")
	}
	if once == text(1, 2) {
		t.Error("the seed changes nothing")
	}
}

// TestIntervalsByName: the bins have the interval that was asked for.
func TestIntervalsByName(t *testing.T) {
	d := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	for interval, column := range map[string]string{IntervalRobust: "low", IntervalWilson: "wilson_low", IntervalBootstrap: "bootstrap_low"} {
		c := mustAsk(t, Params{MinCount: 30, Interval: interval}, d)
		rows, err := c.Rows().All()
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for _, row := range rows {
			f := sheet.Fields{Columns: c.Rows().Columns, Row: row}
			if !f.Truth("shown") {
				continue
			}
			if b := c.Curves[0].Bins[i]; b.Low != f.Number(column) {
				t.Errorf("%s: bin %v from %v, want %v", interval, b.V, b.Low, f.Number(column))
			}
			i++
		}
	}
}

// TestBands: the score is that of half, and the shares of a bin are its counts.
func TestBands(t *testing.T) {
	d := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	bands := mustAsk(t, Params{When: reporttest.When, MinCount: 30, Draws: shape.DrawsBands}, d)
	half := mustAsk(t, Params{When: reporttest.When, MinCount: 30, Draws: shape.DrawsHalf}, d)
	for i, k := range bands.Curves {
		h := half.Curves[i]
		if len(k.Bins) != len(h.Bins) || len(k.Won) != len(k.Bins) || len(k.NotLost) != len(k.Bins) || k.Games != h.Games || k.Forced != h.Forced || k.Draws != h.Draws {
			t.Fatalf("%s: %d bins, %d and %d in the bands, want %d; %+v", k.Name, len(k.Bins), len(k.Won), len(k.NotLost), len(h.Bins), k)
		}
		for j, b := range k.Bins {
			n := float64(b.Positions)
			if b != h.Bins[j] || k.Won[j].P != float64(b.Wins)/n || k.NotLost[j].P != float64(b.Wins+b.Draws)/n {
				t.Errorf("%s: %+v, want %+v; won %v, not lost %v", k.Name, b, h.Bins[j], k.Won[j].P, k.NotLost[j].P)
			}
			for _, s := range []shape.Bin{k.Won[j], k.NotLost[j]} {
				if s.P < s.Low || s.P > s.High {
					t.Errorf("%s at %v: %v outside of %v to %v", k.Name, b.V, s.P, s.Low, s.High)
				}
			}
		}
	}
	// The mirror image: what the first player does not lose the second does not win.
	rows := reporttest.CommittedLabels(t)
	mirrored := map[string]string{"first": "second", "second": "first"}
	for i := range rows {
		if m := mirrored[rows[i].Result]; m != "" {
			rows[i].Result = m
		}
	}
	other := mustAsk(t, Params{MinCount: 30, Draws: shape.DrawsBands}, reporttest.WriteLabels(t, t.TempDir(), rows, nil))
	for j, b := range bands.Curves[0].NotLost {
		m := other.Curves[0].Won[j]
		if math.Abs(1-b.P-m.P) > 1e-12 || math.Abs(1-b.Low-m.High) > 1e-9 || math.Abs(1-b.High-m.Low) > 1e-9 {
			t.Errorf("at %v not lost %v (%v to %v), mirrored won %v (%v to %v)", b.V, b.P, b.Low, b.High, m.P, m.Low, m.High)
		}
	}
}

// TestSeveralValues: two columns of one dataset are two sources.
func TestSeveralValues(t *testing.T) {
	d := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	c := mustAsk(t, Params{Values: []string{"quiescence_value", "king_safety"}, MinCount: 30}, d)
	one := mustAsk(t, Params{MinCount: 30}, d)
	if len(c.Curves) != 2 || c.Curves[0].Source != "quiescence value" || c.Curves[1].Source != "king safety" {
		t.Fatalf("%+v", c.Curves)
	}
	if c.Curves[0].Bins[3] != one.Curves[0].Bins[3] || c.Curves[1].Bins[3] == c.Curves[0].Bins[3] {
		t.Errorf("bins %+v and %+v", c.Curves[0].Bins[3], c.Curves[1].Bins[3])
	}
}

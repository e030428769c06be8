package learn

import (
	"bytes"
	"context"
	"math"
	"regexp"
	"testing"
	"time"

	"kifu/internal/progress"
)

// TestEstimate: what is counted adds up to what was told beforehand, whether climbs take
// more systems than usual or fewer; and it is told.
func TestEstimate(t *testing.T) {
	g := checkers()
	p := Params{Eval: g.Default(), MaxDepth: 3, Holdout: 0.3, Test: 0.2, Fit: All, Quiescence: true}
	ds := someDecisions(t, 30)
	var said bytes.Buffer
	w, err := estimate(progress.With(context.Background(), progress.Plain, &said), g, &p, 2, ds)
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	if want := regexp.MustCompile(`^learn: \d+ decisions to depth 3, weights by lp, likelihood, shrunk: about (ten seconds or less|[\dhms]+) on an idle machine\n$`); !want.MatchString(said.String()) {
		t.Errorf("%q", said.String())
	}
	_, all := distinct(ds)
	n := len(all)
	told := w.total(&p, float64(n))
	w.searched(n)
	for _, quiet := range p.leaves() {
		for depth := 1; depth <= p.MaxDepth; depth++ {
			for _, solver := range solvers(p.Fit) {
				w.begin(depth, quiet, solver, n)
				for range depth * 2 { // 2, 4, 6 systems
					w.passed(depth, quiet, n)
					w.solved(solver)
				}
				w.end()
			}
		}
	}
	w.searched(n)
	if math.Abs(w.spent-told) > 1e-6*told || told <= 0 {
		t.Errorf("%g ms are counted of %g", w.spent, told)
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{time.Second: "ten seconds or less", 34 * time.Second: "30s", 95 * time.Second: "1m40s", 10*time.Minute + 40*time.Second: "11m", 2 * time.Hour: "2h0m"} {
		if got := span(float64(d.Milliseconds())); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

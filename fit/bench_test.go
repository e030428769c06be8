package fit

import (
	"context"
	"fmt"
	"runtime"
	"testing"
)

// The benchmarks fit 500,000 rows of 31 features, 300 weights that do not depend on the
// phase or 150 terms with two stages (62 weights have a part in a row), and 1,000,000
// rows of 7 features.
func benchmarkFit(b *testing.B, method string) {
	for _, size := range []struct {
		name string
		s    simulation
	}{
		{"300x31", simulation{terms: 300, perRow: 31, games: 5000, perGame: 100}},
		{"150x2x31", simulation{terms: 150, perRow: 31, games: 5000, perGame: 100, tapered: true}},
		{"53x7", simulation{terms: 53, perRow: 7, games: 12500, perGame: 80}},
	} {
		s, name := &size.s, size.name
		s.scale, s.seed = 0.004, 7
		s.models()
		free := between(3, s.terms)
		s.zero(free)
		r := s.rows(free)
		runtime.GC()
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				e, err := solve(context.Background(), r, settings{method: method, workers: runtime.GOMAXPROCS(0)})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.bytes())/float64(r.n), "B/row")
				b.ReportMetric(float64(e.minimum.passes), "passes")
				if b.N == 1 {
					fmt.Printf("# %s %s: %d rows, %d weights, objective %.10f, gradient norm %.1e, %s\n", method, name, r.n, len(e.weights), e.meanLoss, e.minimum.norm, e.minimum.status)
				}
			}
		})
	}
}

func BenchmarkMLM(b *testing.B) { benchmarkFit(b, MLM) }
func BenchmarkLS(b *testing.B)  { benchmarkFit(b, LS) }

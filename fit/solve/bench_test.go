package solve

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"kifu/fit/fittest"
	"kifu/fit/losses"
)

// The benchmarks fit 500,000 rows of 31 features, 300 weights that do not depend on the
// phase or 150 terms with two stages (62 weights have a part in a row), and 1,000,000
// rows of 7 features.
func benchmarkFit(b *testing.B, method string) {
	for _, size := range []struct {
		name string
		s    fittest.Simulation
	}{
		{"300x31", fittest.Simulation{Terms: 300, PerRow: 31, Games: 5000, PerGame: 100}},
		{"150x2x31", fittest.Simulation{Terms: 150, PerRow: 31, Games: 5000, PerGame: 100, Tapered: true}},
		{"53x7", fittest.Simulation{Terms: 53, PerRow: 7, Games: 12500, PerGame: 80}},
	} {
		s, name := &size.s, size.name
		s.Scale, s.Seed = 0.004, 7
		s.Models()
		free := fittest.Between(3, s.Terms)
		s.Zero(free)
		r := s.Rows(free)
		runtime.GC()
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				e, err := Fit(context.Background(), r, Settings{Method: method, Workers: runtime.GOMAXPROCS(0)})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Bytes())/float64(r.N), "B/row")
				b.ReportMetric(float64(e.Minimum.Passes), "passes")
				if b.N == 1 {
					fmt.Printf("# %s %s: %d rows, %d weights, objective %.10f, gradient norm %.1e, %s\n", method, name, r.N, len(e.Weights), e.MeanLoss, e.Minimum.Norm, e.Minimum.Status)
				}
			}
		})
	}
}

func BenchmarkMLM(b *testing.B) { benchmarkFit(b, losses.MLM) }
func BenchmarkLS(b *testing.B)  { benchmarkFit(b, losses.LS) }

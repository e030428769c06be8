// Sutton is the random walk of Sutton's paper of 1988 (Learning to predict by the methods of
// temporal differences, Machine Learning 3), figures 3 to 5, by the TD(λ) of kifu fit:
//
//	go run ./bench/simulation/sutton -out experiments/knightcap
//
// It prints the tables of experiments/knightcap and draws its pictures.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"kifu/fit/temporal"
	"kifu/report/chart"
)

const states = 5

func main() {
	out := flag.String("out", "", "`DIR` for the pictures; none without")
	sets := flag.Int("sets", 1000, "training sets of ten walks (Sutton: 100)")
	flag.Parse()
	r := rand.New(rand.NewPCG(1988, 9))
	var training [][]*temporal.Sequence
	for range *sets {
		var set []*temporal.Sequence
		for range 10 {
			set = append(set, walk(r))
		}
		training = append(training, set)
	}
	converged := repeated(training)
	byStep, best := once(training)
	if *out == "" {
		return
	}
	for name, c := range map[string]*chart.Chart{
		"sutton-3.svg": picture("Presented until nothing changes", "λ", 1, 0.3, converged),
		"sutton-4.svg": picture("Presented once", "α", 0.6, 0.7, byStep...),
		"sutton-5.svg": picture("Presented once, with the best α", "λ", 1, 0.3, best),
	} {
		var look chart.Look
		if len(c.Series) == 1 { // the title reports what it is
			look.Legend = "none"
		}
		printed, err := c.Print(look)
		if err == nil {
			err = os.WriteFile(filepath.Join(*out, name), printed.SVG, 0o644)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

// walk is one walk from the middle; the right end is worth 1.
func walk(r *rand.Rand) *temporal.Sequence {
	s := &temporal.Sequence{}
	for at := states / 2; ; {
		s.At, s.X, s.Ends = append(s.At, int32(at)), append(s.X, 1), append(s.Ends, len(s.Ends)+1)
		if at += 2*r.IntN(2) - 1; at < 0 || at >= states {
			s.Result = float64(at / states)
			return s
		}
	}
}

// rms is the root mean square error of the values; the states' are 1/6 to 5/6.
func rms(values []float64) float64 {
	sum := 0.0
	for i, v := range values {
		d := v - float64(i+1)/(states+1)
		sum += d * d
	}
	return math.Sqrt(sum / states)
}

// mean returns the mean of the errors and its own error.
func mean(errors []float64) (m, se float64) {
	n := float64(len(errors))
	for _, e := range errors {
		m += e / n
	}
	for _, e := range errors {
		se += (e - m) * (e - m)
	}
	return m, math.Sqrt(se / (n - 1) / n)
}

// repeated is figure 3: where TD(λ) ends if the same ten walks are shown again and again.
func repeated(training [][]*temporal.Sequence) (line chart.Series) {
	fmt.Println("| λ | error, presented until nothing changes |")
	fmt.Println("|---:|---:|")
	for _, lambda := range []float64{0, 0.1, 0.3, 0.5, 0.7, 0.9, 1} {
		var errors []float64
		for _, set := range training {
			e := temporal.NewEquations(states)
			for _, s := range set {
				e.Add(s, lambda)
			}
			errors = append(errors, rms(solve(e)))
		}
		m, se := mean(errors)
		fmt.Printf("| %.1f | %.4f ± %.4f |\n", lambda, m, se)
		line.Points = append(line.Points, point(lambda, m, se))
	}
	fmt.Println()
	return line
}

// solve solves for the states that were seen; the others keep ½, where Sutton began.
func solve(e *temporal.Equations) []float64 {
	values := make([]float64, states)
	var seen []int
	for i := range values {
		if values[i] = 0.5; e.A[i*states+i] != 0 {
			seen = append(seen, i)
		}
	}
	a, b := mat.NewDense(len(seen), len(seen), nil), mat.NewVecDense(len(seen), nil)
	for p, i := range seen {
		for q, j := range seen {
			a.Set(p, q, e.A[i*states+j])
		}
		b.SetVec(p, e.B[i])
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil {
		log.Fatal(err)
	}
	for p, i := range seen {
		values[i] = x.AtVec(p)
	}
	return values
}

// once is figures 4 and 5: errors after each walk was shown once, by step, and with the
// step that is best for each λ.
func once(training [][]*temporal.Sequence) (byStep []chart.Series, best chart.Series) {
	fmt.Println("| λ | best α | error, presented once |")
	fmt.Println("|---:|---:|---:|")
	drawn := map[float64]bool{0: true, 0.3: true, 0.8: true, 1: true}
	for i := range 11 {
		lambda := float64(i) / 10
		least, leastSE, step := math.Inf(1), 0.0, 0.0
		line := chart.Series{Label: fmt.Sprintf("λ = %g", lambda), Colour: len(byStep)}
		for j := range 13 {
			alpha := float64(j) * 0.05
			var errors []float64
			for _, set := range training {
				errors = append(errors, rms(shown(set, lambda, alpha)))
			}
			m, se := mean(errors)
			if m < least {
				least, leastSE, step = m, se, alpha
			}
			if m < 0.7 {
				line.Points = append(line.Points, point(alpha, m, se))
			}
		}
		fmt.Printf("| %.1f | %.2f | %.4f ± %.4f |\n", lambda, step, least, leastSE)
		best.Points = append(best.Points, point(lambda, least, leastSE))
		if drawn[lambda] {
			byStep = append(byStep, line)
		}
	}
	return byStep, best
}

// shown learns from each walk of a set once.
func shown(set []*temporal.Sequence, lambda, alpha float64) []float64 {
	values, sum := make([]float64, states), make([]float64, states)
	for i := range values {
		values[i] = 0.5
	}
	l := &temporal.Learner{Value: temporal.Linear, Lambda: lambda}
	for _, s := range set {
		clear(sum)
		l.Change(s, values, sum)
		for i, d := range sum {
			values[i] += alpha * d
		}
	}
	return values
}

func point(x, m, se float64) chart.Point {
	return chart.Point{X: x, Y: m, Low: m - 1.96*se, High: m + 1.96*se}
}

func picture(title, x string, most, high float64, lines ...chart.Series) *chart.Chart {
	c := &chart.Chart{Title: title, Subtitle: "mean error of training sets of ten walks, with 95 % intervals", XLabel: x, YLabel: "root mean square error", XMax: most, YMax: high, Series: lines}
	for i := 0.0; i <= most+1e-9; i += 0.1 {
		c.XTicks = append(c.XTicks, chart.Tick{At: i, Label: fmt.Sprintf("%.1f", i)})
	}
	for i := 0.0; i <= high+1e-9; i += 0.1 {
		c.YTicks = append(c.YTicks, chart.Tick{At: i, Label: fmt.Sprintf("%.1f", i)})
	}
	return c
}

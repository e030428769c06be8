package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/eval"
)

// TestPlanted: the weights that the games were made with lie in the intervals.
func TestPlanted(t *testing.T) {
	for _, method := range []string{MLM, LS} {
		s := &simulation{terms: 30, perRow: 8, games: 1500, perGame: 20, scale: 0.01, tapered: true, seed: 4}
		s.models()
		free := between(1, s.terms)
		s.zero(free)
		e, err := solve(context.Background(), s.rows(free), settings{method: method, workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		inside, wider := 0, 0
		for j, p := range e.d.params {
			truth := s.planted.Terms[p.index].Weights[p.at]
			if math.Abs(e.weights[j]-truth) < normal95*e.errors.robust[j] {
				inside++
			}
			if math.Abs(e.weights[j]-truth) > 5*e.errors.robust[j] {
				t.Errorf("%s: %s is %.2f ± %.2f, planted %.2f", method, p, e.weights[j], e.errors.robust[j], truth)
			}
			if e.errors.robust[j] > e.errors.model[j] {
				wider++
			}
		}
		n := len(e.weights)
		// 95 % of 58 are 55; fewer than 50 would come once in a thousand times.
		if inside < 50 {
			t.Errorf("%s: %d of %d planted weights are in their intervals", method, inside, n)
		}
		if wider < n*9/10 {
			t.Errorf("%s: the robust errors are the larger ones for %d of %d weights only", method, wider, n)
		}
	}
}

// TestWorkers: results do not depend on the number of workers, to the bit.
func TestWorkers(t *testing.T) {
	s := &simulation{terms: 24, perRow: 6, games: 700, perGame: 20, scale: 0.01, tapered: true, seed: 5}
	s.models()
	free := between(1, s.terms)
	s.zero(free)
	for _, method := range []string{MLM, LS} {
		want := ""
		for _, workers := range []int{1, 2, 3, 8} {
			e, err := solve(context.Background(), s.rows(free), settings{method: method, workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%x %x %x %x %x %+v", e.theta, e.errors.model, e.errors.robust, e.meanLoss, e.minimum.norm, e.supports)
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s: %d workers: %.200s, one worker: %.200s", method, workers, got, want)
			}
		}
	}
}

// TestLarge: without a Hessian the solution is the same, and there are no errors.
func TestLarge(t *testing.T) {
	s := &simulation{terms: 24, perRow: 6, games: 700, perGame: 20, scale: 0.01, tapered: true, seed: 6}
	s.models()
	free := between(1, s.terms)
	s.zero(free)
	for _, method := range []string{MLM, LS} {
		want, err := solve(context.Background(), s.rows(free), settings{method: method, workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		got, err := solve(context.Background(), s.rows(free), settings{method: method, workers: 2, dense: 10})
		if err != nil {
			t.Fatal(err)
		}
		if got.errors.robust != nil || len(got.notes) == 0 || got.notes[0].Kind != "large" || got.minimum.status != converged {
			t.Errorf("%s: notes %+v, %s", method, got.notes, got.minimum.status)
		}
		for j, w := range want.weights {
			if math.Abs(got.weights[j]-w) > 1e-4*want.errors.model[j] {
				t.Errorf("%s: %s is %v, with a Hessian %v", method, want.d.name(j), got.weights[j], w)
			}
		}
	}
}

// TestWeights: a row of weight three is three rows, but for the residual variance.
func TestWeights(t *testing.T) {
	s := small()
	plain, heavy := newBuilder(newDesign(s.present, between(1, s.terms), nil, nil)), newBuilder(newDesign(s.present, between(1, s.terms), nil, nil))
	i := 0
	s.play(func(game int, features []eval.Feature, phase int, won bool) {
		x := &row{game: int64(game), phase: phase, weight: 1, value: s.present.Score(features, phase)}
		for _, f := range features {
			if f.Term > 0 {
				x.features = append(x.features, count{f.Term - 1, f.Count})
			}
		}
		if won {
			x.y = 1
		}
		i++
		for range i % 4 {
			plain.add(x)
		}
		if x.weight = float64(i % 4); x.weight > 0 {
			heavy.add(x)
		}
	})
	want, err := solve(context.Background(), plain.finish(), settings{method: MLM, workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	got, err := solve(context.Background(), heavy.finish(), settings{method: MLM, workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for j := range want.theta {
		for _, x := range [][2]float64{{got.theta[j], want.theta[j]}, {got.errors.model[j], want.errors.model[j]}, {got.errors.robust[j], want.errors.robust[j]}} {
			if math.Abs(x[0]-x[1]) > 1e-7*(1+math.Abs(x[1])) {
				t.Errorf("%s: %v, want %v", want.d.name(j), x[0], x[1])
			}
		}
	}
}

// TestManyAtoms: more pairs of slot and count than 16 bits hold.
func TestManyAtoms(t *testing.T) {
	const terms = 40_000
	m := &eval.Model{Stages: []string{"all"}, Knots: []int{0}}
	for range terms {
		m.Terms = append(m.Terms, eval.Term{Weights: []float64{0}})
	}
	b := newBuilder(newDesign(m, between(0, terms), nil, nil))
	theta := make([]float64, terms+1)
	theta[terms] = 0.01
	rng := rand.New(rand.NewPCG(1, 1))
	want, grad := 0.0, make([]float64, terms+1)
	for i := range terms {
		theta[i] = rng.NormFloat64()
		n := int16(1 + i%2)
		for _, c := range []int16{n, -40 - n} {
			x := &row{game: int64(i / 10), value: 3, y: float64(i / 10 % 2), weight: 1, features: []count{{uint16(i), c}}}
			b.add(x)
			at := logistic{}.at(theta[i]*float64(c)+0.03, x.y, 0)
			want += at.f
			grad[i] += at.d * float64(c)
		}
	}
	for range 2 * blockRows { // of no weight
		b.add(&row{game: -1, features: []count{{0, 1}}})
	}
	b.add(&row{game: -2, features: []count{{0, 1}}})
	r := b.finish()
	if n := len(r.blocks); r.blocks[0].narrow == nil || r.blocks[n-3].wide == nil || r.blocks[n-1].narrow == nil {
		t.Fatal("the codes are not of the width that they need")
	}
	got := make([]float64, terms+1)
	if f := r.pass(logistic{}, theta, 2, got); math.Abs(f-want) > 1e-9*want {
		t.Errorf("objective %v, want %v", f, want)
	}
	for i := range terms {
		if math.Abs(got[i]-grad[i]) > 1e-12 {
			t.Fatalf("gradient %d: %v, want %v", i, got[i], grad[i])
		}
	}
	sizes := r.supports(2)
	if sizes[terms-1].positions != 2 || sizes[terms-1].games != 1 || sizes[terms-1].high != 2 || sizes[terms-1].low != -42 {
		t.Errorf("%+v", sizes[terms-1])
	}
}

// columns are the entries of row i of the design that may be non-zero, w_0 with the value
// e(p) last.
func (r *rows) columns(b *block, i int) (params []int, x []float64) {
	at, v := make([]int32, len(r.d.slots)+1), make([]float64, len(r.d.slots)+1)
	n := r.counts(b, i, at, v)
	for j, s := range at[:n-1] {
		r.d.each(int(s), r.d.classes[b.class[i]], func(p int, share float64) {
			params, x = append(params, p), append(x, v[j]*share)
		})
	}
	return append(params, r.d.scale()), append(x, v[n-1])
}

// TestScale: with nothing free, w_0 is that which suits the values as they are.
func TestScale(t *testing.T) {
	s := small()
	for _, method := range []string{MLM, LS} {
		e, err := solve(context.Background(), s.rows(nil), settings{method: method, workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if w0 := e.theta[0]; math.Abs(e.present[0]-w0) > 1e-8*w0 || math.Abs(w0-s.scale) > 4*e.errors.robust[0] {
			t.Errorf("%s: %v on the values alone, %v ± %v as a fit, planted %v", method, e.present[0], w0, e.errors.robust[0], s.scale)
		}
	}
}

func sameWords(a, b string) bool {
	have := map[string]bool{}
	for _, w := range strings.Fields(a) {
		have[w] = true
	}
	for _, w := range strings.Fields(b) {
		if !have[w] {
			return false
		}
		delete(have, w)
	}
	return len(have) == 0
}

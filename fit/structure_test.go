package fit

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/eval"
)

func TestParseBound(t *testing.T) {
	show := func(x *float64) string {
		if x == nil {
			return "-"
		}
		return fmt.Sprint(*x)
	}
	for text, want := range map[string]string{
		"a>=0": "a 0 -", "a <= -1.5": "a - -1.5", "0<=a b<=9": "a b 0 9", "a=3": "a 3 3",
		"a": "", ">=1": "", "a>=x": "", "5<=a<=1": "", "a>=NaN": "", "a>1": "", "a<=1<=b": "",
	} {
		b, err := ParseBound(text)
		got := ""
		if err == nil {
			got = b.Of + " " + show(b.Low) + " " + show(b.High)
		}
		if got != want {
			t.Errorf("%s: %q (%v), want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]Prior{"30": {"", 30}, "mobility=2.5": {"mobility", 2.5}, "0": {}, "a=": {}, "-1": {}} {
		if got, err := ParsePrior(text); got != want || (err == nil) != (want.SD > 0) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

// fitted solves s with the terms free, under the structure of p.
func fitted(t *testing.T, s *simulation, free []int, p Params, method string) (*estimate, *rows) {
	t.Helper()
	r := s.rows(free)
	if r.d.drawn = method == Ordered; r.d.drawn {
		for _, b := range r.blocks {
			for i := range b.y {
				if (i+int(b.value[i]))%4 == 0 {
					b.y[i] = 0.5
				}
			}
		}
	}
	if err := r.d.constrain(p); err != nil {
		t.Fatal(err)
	}
	e, err := solve(context.Background(), r, settings{method: method, l1: p.L1, l2: p.L2, scale: p.Scale, workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return e, r
}

// TestTies: a tied weight is that of the sum of the columns, whatever the present
// weights, and one weight in all stages is that of a term without stages.
func TestTies(t *testing.T) {
	for _, method := range []string{MLM, LS, Ordered} {
		s := small()
		s.present.Terms[4].Weights = []float64{7, -3}
		s.present.Terms[5].Weights = []float64{2, 11}
		e, r := fitted(t, s, []int{3, 4, 5}, Params{Tie: [][]string{{"t3", "t4", "-t5"}}}, method)
		for stage := range 2 {
			a, b, c := e.weights[stage], e.weights[2+stage], e.weights[4+stage]
			if math.Abs(a-b) > 1e-9 || math.Abs(a+c) > 1e-9 || math.Abs(e.errors.robust[stage]-e.errors.robust[4+stage]) > 1e-9 {
				t.Errorf("%s: tied weights %v, %v, %v", method, a, b, c)
			}
		}
		// Nothing is gained by moving them together.
		grad := make([]float64, r.d.size())
		r.pass(e.settings.loss(), e.theta, 1, grad)
		if g := (grad[0] + grad[2] - grad[4]) / r.weight; math.Abs(g) > 1e-7 {
			t.Errorf("%s: gradient %v", method, g)
		}

		s = small()
		s.present.Terms[3].Weights = []float64{5, 5}
		tapered, _ := fitted(t, s, []int{3}, Params{Untapered: []string{"g1"}}, method)
		s.present.Terms[3].Weights = []float64{5}
		single, _ := fitted(t, s, []int{3}, Params{}, method)
		if got, want := tapered.weights[1], single.weights[0]; math.Abs(got-want) > 1e-7 || math.Abs(tapered.errors.robust[0]-single.errors.robust[0]) > 1e-7 || got == 5 {
			t.Errorf("%s: untapered %v ± %v, without stages %v ± %v", method, got, tapered.errors.robust[0], want, single.errors.robust[0])
		}
	}
}

// TestBounds: no step that the bounds allow lowers the loss, and those weights have no
// error that are at a bound.
func TestBounds(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		method string
		p      Params
	}{{MLM, Params{}}, {LS, Params{}}, {Ordered, Params{}}, {MLM, Params{Scale: 0.01}}, {MLM, Params{L2: 0.01}}} {
		s := small()
		free := []int{3, 4, 5, 6}
		plain, _ := fitted(t, s, free, c.p, c.method)
		low, high := plain.weights[0]+5, plain.weights[3]-4
		c.p.Bounds = []Bound{{Of: "t3", Low: &low}, {Of: "t4", Low: number(high - 30), High: &high}, {Of: "t5", Low: number(-1e3), High: number(1e3)}, {Of: "t6", Low: number(1.5), High: number(1.5)}}
		e, r := fitted(t, s, free, c.p, c.method)
		if e.minimum.status != converged {
			t.Errorf("%s: %s", c.method, e.minimum.status)
		}
		fn := func(weights []float64, w0 float64) float64 {
			theta := append([]float64(nil), e.theta...)
			theta[r.d.scale()] = w0
			f := 0.0
			for j, w := range weights {
				theta[j] = (w - r.d.params[j].initial) * w0
				f += c.p.L2 / 2 * theta[j] * theta[j]
			}
			return f + r.pass(e.settings.loss(), theta, 2, make([]float64, r.d.size()))/r.weight
		}
		best := fn(e.weights, e.theta[r.d.scale()])
		atBound := 0
		for j, p := range r.d.params {
			w := e.weights[j]
			if w < p.low-1e-9 || w > p.high+1e-9 {
				t.Errorf("%s: %s is %v, bounds %v to %v", c.method, p, w, p.low, p.high)
			}
			if e.status[j] == StatusBound {
				atBound++
				if !math.IsNaN(e.errors.robust[j]) || math.Min(math.Abs(w-p.low), math.Abs(w-p.high)) > 1e-9 {
					t.Errorf("%s: %s is %v ± %v at its bound, %v to %v", c.method, p, w, e.errors.robust[j], p.low, p.high)
				}
			}
			for _, by := range []float64{-0.1, 0.1} {
				moved := append([]float64(nil), e.weights...)
				if moved[j] += by; moved[j] < p.low || moved[j] > p.high {
					continue
				}
				if f := fn(moved, e.theta[r.d.scale()]); f < best-1e-12 {
					t.Errorf("%s: %s at %v is better than at %v", c.method, p, moved[j], w)
				}
			}
		}
		if atBound < 4 {
			t.Errorf("%s: %d weights at a bound", c.method, atBound)
		}
	}
}

// TestPrior: a prior is the ridge that its standard deviation stands for.
func TestPrior(t *testing.T) {
	s := small()
	s.zero([]int{3, 4})
	e, r := fitted(t, s, []int{3, 4}, Params{Prior: []Prior{{SD: 3}, {"t4", 1e6}}}, MLM)
	want, _ := fitted(t, s, []int{3, 4}, Params{}, MLM)
	w0 := e.present[r.d.scale()]
	if l2 := 1 / (r.weight * 9 * w0 * w0); math.Abs(e.ridge[0]-l2) > 1e-12*l2 {
		t.Errorf("ridge %v, want %v", e.ridge[0], l2)
	}
	if math.Abs(e.weights[0]) >= math.Abs(want.weights[0])-0.1 || math.Abs(e.weights[2]-want.weights[2]) > 1 {
		t.Errorf("%v with priors, %v without", e.weights, want.weights)
	}
}

// TestLasso: a strong one keeps every weight, and the scale is then that of the present
// weights.
func TestLasso(t *testing.T) {
	for _, method := range []string{MLM, LS, Ordered} {
		s := small()
		e, r := fitted(t, s, []int{3, 4}, Params{L1: 10}, method)
		for j := range r.d.params {
			if e.status[j] != StatusKept || e.weights[j] != r.d.params[j].initial {
				t.Errorf("%s: %s %v, %s", method, r.d.params[j], e.weights[j], e.status[j])
			}
		}
		if k := r.d.scale(); math.Abs(e.theta[k]-e.present[k]) > 1e-7*e.theta[k] || !(e.errors.robust[k] > 0) {
			t.Errorf("%s: w_0 %v ± %v, of the present weights %v", method, e.theta[k], e.errors.robust[k], e.present[k])
		}
	}
}

func TestStructureRefusals(t *testing.T) {
	s := small()
	labels := s.labels(t, "", func(*datasets.Batch) {})
	number := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		p    Params
		want string
	}{
		{Params{Bounds: []Bound{{Of: "t9", Low: number(0)}}}, `--bound: "t9" is no term or group that is fitted`},
		{Params{Bounds: []Bound{{Of: "t3", Low: number(1)}, {Of: "t3", High: number(0)}}}, "nothing lies between the bounds of t3 (opening), 1 and 0"},
		{Params{Tie: [][]string{{"t3"}}}, "--tie t3: want two terms or more"},
		{Params{Tie: [][]string{{"t3", "x"}}}, `--tie t3,x: "x" is no term`},
		{Params{Tie: [][]string{{"t3", "t4"}}, Bounds: []Bound{{Of: "t4", Low: number(0)}}}, "is tied to t3 (opening): bound that"},
		{Params{L1: 0.1, Bounds: []Bound{{Of: "t3", Low: number(1000)}}}, "--l1 pulls t3 (opening) to"},
		{Params{Untapered: []string{"queens"}}, `--untapered: "queens"`},
		{Params{Prior: []Prior{{"queens", 1}}}, `--prior: "queens"`},
	} {
		c.p.Method, c.p.Draws, c.p.Free = MLM, DrawsHalf, []string{"t3", "t4"}
		if _, err := fitTo(t, c.p, 1, labels, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	d := newDesign(&eval.Model{Stages: []string{"all"}, Knots: []int{0}, Terms: []eval.Term{{Name: "a", Weights: []float64{0}}, {Name: "b", Weights: []float64{0}}, {Name: "c", Weights: []float64{0}}}}, []int{0, 1, 2}, nil, nil)
	s.present.Terms[4].Weights[1]++ // tied all the same
	if _, r := fitted(t, s, []int{3, 4}, Params{Untapered: []string{"g1"}, Bounds: []Bound{{Of: "g1", Low: number(0)}}}, MLM); r.d.params[3].leader != 2 || r.d.params[2].low != 0 {
		t.Errorf("%+v", r.d.params)
	}
	if err := d.constrain(Params{Tie: [][]string{{"b", "-c"}, {"a", "-b"}}}); err != nil || d.params[2].leader != 0 || d.params[2].sign != 1 {
		t.Errorf("%+v, %v", d.params, err)
	}
}

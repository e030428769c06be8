package fit

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"kifu/eval"
)

// reference is a fit by somebody else's solver: the weights and w_0, their errors.
type reference struct {
	Weights   []float64
	SE        []float64
	SERobust  []float64 `json:"se_robust"`
	Objective float64
}

// referenceRows reads testdata/reference.csv: a is a term with two stages, b one
// without, c an added feature.
func referenceRows(t *testing.T, draws bool) *rows {
	t.Helper()
	f, err := os.Open("testdata/reference.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	m := &eval.Model{Stages: []string{"opening", "endgame"}, Knots: []int{24, 0}, Terms: []eval.Term{
		{Name: "a", Group: "g", Weights: []float64{0, 0}}, {Name: "b", Group: "g", Weights: []float64{0}}}}
	b := newBuilder(newDesign(m, []int{0, 1}, []string{"c"}))
	for _, line := range lines[1:] {
		var v [7]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(line[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		if v[6] == 0.5 && !draws {
			continue
		}
		x := &row{game: int64(v[0]), phase: int(v[1]), value: v[5], y: v[6], weight: 1, dense: []float64{v[4]}}
		for slot := range 2 {
			if v[2+slot] != 0 {
				x.features = append(x.features, count{uint16(slot), int16(v[2+slot])})
			}
		}
		b.add(x)
	}
	return b.finish()
}

// TestReference holds fits to the solutions and standard errors of statsmodels and
// scipy (testdata/reference.py), to 1e-6 of the value.
func TestReference(t *testing.T) {
	text, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]settings{
		"mlm":       {method: MLM},
		"mlm_half":  {method: MLM},
		"mlm_l2":    {method: MLM, l2: 0.01},
		"mlm_scale": {method: MLM, scale: 0.005},
		"ls":        {method: LS},
	} {
		t.Run(name, func(t *testing.T) {
			var want reference
			if err := json.Unmarshal(all[name], &want); err != nil {
				t.Fatal(err)
			}
			s.workers = 2
			e, err := solve(context.Background(), referenceRows(t, name == "mlm_half"), s)
			if err != nil {
				t.Fatal(err)
			}
			check := func(what string, got, want []float64) {
				for i, w := range want {
					if math.Abs(got[i]-w) > 1e-6*math.Abs(w) {
						t.Errorf("%s of %s: %.10g, want %.10g", what, e.d.name(i), got[i], w)
					}
				}
			}
			check("weight", append(e.weights[:4:4], e.theta[4]), want.Weights)
			check("se", e.errors.model, want.SE)
			check("robust se", e.errors.robust, want.SERobust)
			if math.Abs(e.meanLoss-want.Objective) > 1e-9 {
				t.Errorf("objective %.12f, want %.12f", e.meanLoss, want.Objective)
			}
			if e.minimum.status != converged {
				t.Error(e.minimum.status)
			}
		})
	}
}

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

// TestGradient compares the gradient and the Hessian with central differences.
func TestGradient(t *testing.T) {
	r := referenceRows(t, true)
	for i, b := range r.blocks { // uneven weights, so that they count
		b.weight = make([]float32, b.rows())
		for j := range b.weight {
			b.weight[j] = float32(1 + (i+j)%3)
		}
	}
	theta := []float64{0.1, -0.2, 0.05, 0.3, 0.004}
	k := len(theta)
	step := []float64{1e-4, 1e-4, 1e-4, 1e-4, 1e-6}
	at := func(l loss, i int, by float64, grad []float64) float64 {
		x := append([]float64(nil), theta...)
		x[i] += by
		return r.pass(l, x, 2, grad)
	}
	for _, l := range []loss{logistic{}, squares{}} {
		grad, up, down := make([]float64, k), make([]float64, k), make([]float64, k)
		r.pass(l, theta, 2, grad)
		h := r.hessian(theta, l, exact, 2)
		for i := range theta {
			f := (at(l, i, step[i], up) - at(l, i, -step[i], down)) / (2 * step[i])
			if math.Abs(f-grad[i]) > 1e-6*(1+math.Abs(f)) {
				t.Errorf("%T: gradient %d is %v, by differences %v", l, i, grad[i], f)
			}
			for j := range theta {
				d := (up[j] - down[j]) / (2 * step[i])
				if got := h.At(i, j); math.Abs(d-got) > 1e-5*(math.Abs(d)+math.Sqrt(h.At(i, i)*h.At(j, j))) {
					t.Errorf("%T: second derivative %d %d is %v, by differences %v", l, i, j, got, d)
				}
			}
		}
	}
}

// TestUndetermined: every profile that cannot be fitted is named.
func TestUndetermined(t *testing.T) {
	model := func(weights ...float64) *eval.Model {
		m := &eval.Model{Stages: []string{"all"}, Knots: []int{0}}
		for i, w := range weights {
			m.Terms = append(m.Terms, eval.Term{Name: string(rune('a' + i)), Group: "g", Weights: []float64{w}})
		}
		return m
	}
	type position struct {
		game   int
		y      float64
		counts []int16
	}
	// mixed are positions of many games in which no term tells the winner for sure.
	mixed := func(change func(i int, p *position)) []position {
		var out []position
		for i := range 600 {
			p := position{i / 6, float64((i / 6) % 2), []int16{int16(i*7%5 - 2), int16(i*3%7 - 3), int16(i*11%3 - 1)}}
			if p.y == 1 && i%3 == 0 {
				p.counts[0]++
			}
			change(i, &p)
			out = append(out, p)
		}
		return out
	}
	same := func(int, *position) {}
	free := []int{1, 2}
	for _, c := range []struct {
		kind, names string // of the error; or of a note when noted
		noted       bool
		model       *eval.Model
		free        []int
		settings    settings
		rows        []position
	}{
		{"", "", false, model(10, 5, 0), free, settings{}, mixed(same)},
		{"no position", "", false, model(10, 5, 0), free, settings{}, nil},
		{"no decided game", "", false, model(10, 5, 0), free, settings{}, mixed(func(_ int, p *position) { p.y = 0.5 })},
		{"one game", "", false, model(10, 5, 0), free, settings{}, mixed(func(_ int, p *position) { p.game, p.y = 1, 1 })},
		{"one winner", "", false, model(10, 5, 0), free, settings{}, mixed(func(_ int, p *position) { p.y = 1 })},
		{"no value", "", false, model(0, 0, 0), free, settings{}, mixed(same)},
		{"all free", "w_0", false, model(10, 5, 0), []int{0, 1, 2}, settings{}, mixed(same)},
		{"", "", false, model(10, 5, 0), []int{0, 1, 2}, settings{scale: 0.01}, mixed(same)},
		{"", "", false, model(10, 5, 0), []int{0, 1, 2}, settings{l2: 1e-4}, mixed(same)},
		{"collinear", "b c", false, model(10, 5, 0), free, settings{}, mixed(func(_ int, p *position) { p.counts[2] = 2 * p.counts[1] })},
		{"", "", false, model(10, 5, 0), free, settings{l2: 1e-6}, mixed(func(_ int, p *position) { p.counts[2] = 2 * p.counts[1] })},
		{"never fires", "c", true, model(10, 5, 3), free, settings{}, mixed(func(_ int, p *position) { p.counts[2] = 0 })},
		{"constant", "c", true, model(10, 5, 3), free, settings{}, mixed(func(_ int, p *position) { p.counts[2] = 1 })},
		{"thin", "c", true, model(10, 5, 3), free, settings{minGames: 10}, mixed(func(i int, p *position) {
			if i > 30 {
				p.counts[2] = 0
			}
		})},
		{"separable", "c", true, model(10, 5, 3), free, settings{}, mixed(func(i int, p *position) { p.counts[2] = int16(2*p.y-1) * int16(i%2) })},
		// b and c err, each for itself; their sum does not.
		{"separable", "b c", false, model(10, 5, 3), free, settings{}, mixed(func(i int, p *position) {
			p.counts[2] = int16(2*p.y-1)*int16(i%2) - p.counts[1]
		})},
		{"", "", false, model(10, 5, 3), free, settings{l2: 1e-4}, mixed(func(i int, p *position) {
			p.counts[2] = int16(2*p.y-1)*int16(i%2) - p.counts[1]
		})},
		{"weak", "b c", true, model(10, 5, 3), free, settings{}, mixed(func(i int, p *position) {
			p.counts[1] *= 100
			p.counts[2] = p.counts[1] + int16(i%64/63)
		})},
		{"separable", "w_0", false, model(10, 5, 3), free, settings{}, mixed(func(i int, p *position) { p.counts = []int16{int16(2*p.y - 1), 0, 0} })},
		{"no scale", "w_0", false, model(-10, 0, 0), []int{1}, settings{}, mixed(same)},
	} {
		for _, method := range []string{MLM, LS} {
			name := strings.TrimSpace(method + " " + c.kind + " " + c.names)
			b := newBuilder(newDesign(c.model, c.free, nil))
			for _, p := range c.rows {
				x := &row{game: int64(p.game), y: p.y, weight: 1}
				for term, n := range p.counts {
					x.value += c.model.Terms[term].Weights[0] * float64(n)
					for slot, f := range c.free {
						if f == term && n != 0 {
							x.features = append(x.features, count{uint16(slot), n})
						}
					}
				}
				b.add(x)
			}
			c.settings.method, c.settings.workers = method, 2
			e, err := solve(context.Background(), b.finish(), c.settings)
			if c.kind != "" && !c.noted {
				var u *Unidentified
				if !errors.As(err, &u) {
					t.Errorf("%s: %v", name, err)
				} else if got := strings.Join(u.Terms, " "); u.Kind != c.kind || got != c.names && !sameWords(got, c.names) {
					t.Errorf("%s: %s %q: %v", name, u.Kind, got, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			found := c.kind == ""
			for _, n := range e.notes {
				found = found || n.Kind == c.kind && strings.Join(n.Terms, " ") == c.names
			}
			if !found {
				t.Errorf("%s: notes %+v", name, e.notes)
			}
			for j, s := range e.status {
				if s == StatusFitted && (math.IsNaN(e.errors.model[j]) || math.IsNaN(e.errors.robust[j])) {
					t.Errorf("%s: %s has no error", name, e.d.name(j))
				}
				if s != StatusFitted && j < e.d.scale() && e.weights[j] != e.d.params[j].initial {
					t.Errorf("%s: %s is %v, but is not fitted", name, e.d.name(j), e.weights[j])
				}
			}
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

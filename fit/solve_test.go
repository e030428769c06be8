package fit

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/eval"
)

// reference is a fit by somebody else's solver: the weights and w_0, their errors.
type reference struct {
	Weights   []float64
	SE        []*float64 // nil where there is none
	SERobust  []*float64 `json:"se_robust"`
	Objective float64
	Target    float64 `json:"target_scale"`
}

// referenceRows reads testdata/reference.csv: a is a term with two stages, b one
// without, c an added feature. The deeper value is y for method Value, else the target.
func referenceRows(t *testing.T, method string, draws bool, builtin ...string) *rows {
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
	d := newDesign(m, []int{0, 1}, builtin, []string{"c"})
	d.drawn = method == Ordered
	b := newBuilder(d)
	b.blend = true
	for _, line := range lines[1:] {
		var v [8]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(line[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		if v[6] == 0.5 && !draws {
			continue
		}
		x := &row{game: int64(v[0]), phase: int(v[1]), value: v[5], y: v[6], target: v[7], weight: 1, dense: []float64{v[4]}}
		if method == Value {
			x.y = x.target
		}
		for slot := range 2 {
			if v[2+slot] != 0 {
				x.features = append(x.features, count{uint16(slot), int16(v[2+slot])})
			}
		}
		if len(builtin) > 0 {
			x.features = append(x.features, count{2, 1})
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
		"mlm":               {method: MLM},
		"mlm_half":          {method: MLM},
		"mlm_l2":            {method: MLM, l2: 0.01},
		"mlm_scale":         {method: MLM, scale: 0.005},
		"ls":                {method: LS},
		"ordered":           {method: Ordered},
		"ordered_intercept": {method: Ordered},
		"value":             {method: Value},
		"mlm_blend":         {method: MLM},
		"ls_blend":          {method: LS},
		"mlm_game":          {method: MLM},
		"mlm_l1":            {method: MLM, l1: 0.02},
		"mlm_bound":         {method: MLM},
	} {
		t.Run(name, func(t *testing.T) {
			var want reference
			if err := json.Unmarshal(all[name], &want); err != nil {
				t.Fatal(err)
			}
			s.workers = 2
			var builtin []string
			if name == "ordered_intercept" {
				builtin = []string{interceptName}
			}
			blend := strings.HasSuffix(name, "_blend")
			r := referenceRows(t, s.method, name == "mlm_half" || name == "mlm_game" || blend || s.method == Ordered || s.method == Value, builtin...)
			if blend {
				scale, err := r.blend(0.3, 0, 2)
				if err != nil || math.Abs(scale-want.Target) > 1e-7*want.Target {
					t.Fatalf("target scale %v, want %v: %v", scale, want.Target, err)
				}
			}
			if name == "mlm_game" {
				r = unevenGames(r)
				r.byGame()
			}
			if name == "mlm_bound" {
				zero, five, fifteen := 0.0, 5.0, 15.0
				if err := r.d.constrain(Params{Bounds: []Bound{{Of: "c", Low: &five, High: &fifteen}}}); err != nil {
					t.Fatal(err)
				}
				r.d.params[1].low = zero
			}
			e, err := solve(context.Background(), r, s)
			if err != nil {
				t.Fatal(err)
			}
			if len(builtin) > 0 { // it comes before c here
				for _, x := range [][]float64{e.weights, e.errors.model, e.errors.robust} {
					x[3], x[4] = x[4], x[3]
				}
			}
			check := func(what string, got, want []float64) {
				if len(got) < len(want) {
					t.Fatalf("%d of %s, want %d", len(got), what, len(want))
				}
				for i, w := range want {
					if !(math.Abs(got[i]-w) <= 1e-6*math.Abs(w)) && !(math.IsNaN(w) && math.IsNaN(got[i])) {
						t.Errorf("%s of %s: %.10g, want %.10g", what, e.d.name(i), got[i], w)
					}
				}
			}
			check("weight", append(slices.Clone(e.weights), e.theta[r.d.scale():]...), want.Weights)
			some := func(x []*float64) (out []float64) {
				for _, p := range x {
					if p == nil {
						out = append(out, math.NaN())
					} else {
						out = append(out, *p)
					}
				}
				return out
			}
			check("se", e.errors.model, some(want.SE))
			check("robust se", e.errors.robust, some(want.SERobust))
			if math.Abs(e.meanLoss-want.Objective) > 1e-9*max(1, want.Objective) {
				t.Errorf("objective %.12f, want %.12f", e.meanLoss, want.Objective)
			}
			if e.minimum.status != converged {
				t.Error(e.minimum.status)
			}
		})
	}
}

// unevenGames leaves 3 to 18 positions of each game of the reference.
func unevenGames(r *rows) *rows {
	b := newBuilder(r.d)
	phaseOf := r.d.phases()
	for _, block := range r.blocks {
		from := 0
		for _, run := range block.games {
			for i := from; i < min(run.end, from+3+int(run.id)%16); i++ {
				x := &row{}
				r.load(block, i, x)
				x.game, x.phase = run.id, phaseOf[block.class[i]]
				b.add(x)
			}
			from = run.end
		}
	}
	return b.finish()
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

// TestSum: many rows at once are the rows one by one, however large the scores.
func TestSum(t *testing.T) {
	var z []float64
	var y, ones []float32
	for i := range 3000 {
		z = append(z, math.Sinh(float64(i%601-300)/40))
		y = append(y, float32(i%3)/2)
		ones = append(ones, 1)
	}
	for _, l := range []loss{logistic{}, squares{}} {
		d, want := make([]float64, len(z)), make([]float64, len(z))
		f, _ := l.sum(z, y, nil, 0, d)
		g, _ := sumOf(l, z, y, ones, 0, want)
		if math.Abs(f-g) > 1e-12*g {
			t.Errorf("%T: %v, row by row %v", l, f, g)
		}
		for i := range d {
			if math.Abs(d[i]-want[i]) > 1e-15 {
				t.Fatalf("%T at %v: %v, want %v", l, z[i], d[i], want[i])
			}
		}
	}
}

// TestGradient compares the gradient and the Hessian with central differences.
func TestGradient(t *testing.T) {
	for _, method := range []string{MLM, LS, Ordered, Value} {
		testGradient(t, referenceRows(t, method, true), settings{method: method}.loss())
	}
}

func testGradient(t *testing.T, r *rows, l loss) {
	for i, b := range r.blocks { // uneven weights, so that they count
		b.weight = make([]float32, b.rows())
		for j := range b.weight {
			b.weight[j] = float32(1 + (i+j)%3)
		}
	}
	theta := []float64{0.1, -0.2, 0.05, 0.3, 0.004, 0.4}[:r.d.size()]
	k := len(theta)
	step := []float64{1e-4, 1e-4, 1e-4, 1e-4, 1e-6, 1e-4}
	at := func(i int, by float64, grad []float64) float64 {
		x := append([]float64(nil), theta...)
		x[i] += by
		return r.pass(l, x, 2, grad)
	}
	grad, up, down := make([]float64, k), make([]float64, k), make([]float64, k)
	r.pass(l, theta, 2, grad)
	h := r.hessian(theta, l, exact, 2)
	for i := range theta {
		f := (at(i, step[i], up) - at(i, -step[i], down)) / (2 * step[i])
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

// TestHessian: the sums by slots and stage mixes are the sums over rows of the design.
func TestHessian(t *testing.T) {
	s := small()
	s.perGame = 24 // all phases
	r := s.rows(between(2, s.terms))
	k := r.d.scale() + 1
	theta := make([]float64, k)
	for j := range theta {
		theta[j] = 0.01 * float64(j%5-2)
	}
	theta[k-1] = 0.003
	want := make([]float64, k*k)
	r.eachScore(theta, func(b *block, z []float64) {
		for i, zi := range z {
			at, x := r.columns(b, i)
			c := squares{}.at(zi, float64(b.y[i]), 0).exact
			for p := range at {
				for q := range at {
					want[at[p]*k+at[q]] += c * x[p] * x[q]
				}
			}
		}
	})
	h := r.hessian(theta, squares{}, exact, 2)
	for i := range k {
		for j := range k {
			if math.Abs(h.At(i, j)-want[i*k+j]) > 1e-9*math.Sqrt(math.Abs(want[i*k+i]*want[j*k+j])) {
				t.Fatalf("%s, %s: %v, want %v", r.d.name(i), r.d.name(j), h.At(i, j), want[i*k+j])
			}
		}
	}
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
		{"no draw", "draw width", false, model(10, 5, 0), free, settings{method: Ordered}, mixed(same)},
		{"one value", "", false, model(10, 5, 0), free, settings{method: Value}, mixed(func(_ int, p *position) { p.y = 3 })},
		{"no scale", "w_0", false, model(-10, 0, 0), []int{1}, settings{}, mixed(same)},
	} {
		methods := []string{MLM, LS}
		if c.settings.method != "" {
			methods = []string{c.settings.method}
		}
		for _, method := range methods {
			name := strings.TrimSpace(method + " " + c.kind + " " + c.names)
			d := newDesign(c.model, c.free, nil, nil)
			d.drawn = method == Ordered
			b := newBuilder(d)
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

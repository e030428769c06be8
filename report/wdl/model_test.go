package wdl

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"kifu/internal/dyads"
	"kifu/internal/logit"
)

// planted is a model of which games are sampled.
var planted = Model{A: [4]float64{-20, 60, -30, 90}, B: [4]float64{10, -20, 40, 50}, Target: 50, Least: 10, Most: 80}

// sampled are games of n positions with results by the model.
func sampled(games, n int, seed uint64) []game {
	r := rand.New(rand.NewPCG(seed, 1))
	all := make([]game, games)
	for g := range all {
		for range n {
			c := cell{m: 10 + r.Int32N(71), x: math.Round(150 * r.NormFloat64())}
			win, draw, _ := planted.Probabilities(float64(c.m), c.x)
			switch u := r.Float64(); {
			case u < win:
				c.wins = 1
			case u < win+draw:
				c.draws = 1
			default:
				c.losses = 1
			}
			all[g].cells = append(all[g].cells, c)
		}
	}
	return all
}

// TestDerivatives: gradient and observed information are the differences of the likelihood.
func TestDerivatives(t *testing.T) {
	cells := gather(sampled(40, 10, 1))
	theta := []float64{-10, 30, -20, 100, 5, -10, 30, 60}
	l := newLikelihood(cells, 50, Degree)
	gradient := func(at []float64) []float64 {
		l.Set(at)
		return append([]float64(nil), l.gradient...)
	}
	at := gradient(theta)
	information := l.observed
	const h = 1e-4
	for i := range theta {
		move := func(by float64) []float64 {
			some := append([]float64(nil), theta...)
			some[i] += by
			return some
		}
		if slope := (l.Set(move(h)) - l.Set(move(-h))) / (2 * h); math.Abs(slope-at[i]) > 1e-5*(1+math.Abs(slope)) {
			t.Errorf("by coefficient %d: %v, want %v", i, at[i], slope)
		}
		high, low := gradient(move(h)), gradient(move(-h))
		for j := range theta {
			if bend := -(high[j] - low[j]) / (2 * h); math.Abs(bend-information.At(i, j)) > 1e-5*(1e-3+math.Abs(bend)) {
				t.Errorf("by coefficients %d and %d: %v, want %v", i, j, information.At(i, j), bend)
			}
		}
	}
}

// TestProbabilities: three results make one, and half are won at a.
func TestProbabilities(t *testing.T) {
	for _, x := range []float64{-900, -50, 0, 30, 900} {
		a, b := planted.At(40)
		win, draw, loss := planted.Probabilities(40, x)
		k, ok := logsAt(a, b, x)
		if !ok || math.Abs(win+draw+loss-1) > 1e-12 || math.Abs(k.p[0]-win) > 1e-12 || math.Abs(k.p[1]-draw) > 1e-12 || math.Abs(k.p[2]-loss) > 1e-12 {
			t.Errorf("at %v: %v, %v, %v; %+v", x, win, draw, loss, k)
		}
	}
	a, _ := planted.At(40)
	if win, _, _ := planted.Probabilities(40, a); math.Abs(win-0.5) > 1e-12 {
		t.Errorf("at a %v are won", win)
	}
	if at, _ := planted.At(5); at != func() float64 { v, _ := planted.At(10); return v }() {
		t.Error("what is outside the range is not moved into it")
	}
}

// TestFitPlanted: the planted polynomials come back within their errors, and the model is better than simpler ones on
// games that were held out.
func TestFitPlanted(t *testing.T) {
	games := inOrder(sampled(1500, 40, 2))
	p := Params{By: "move", Target: 50, Least: 10, Most: 80}
	f, err := fit(games, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []float64{20, 35, 50, 65, 75} {
		a, b := f.At(m)
		wantA, wantB := planted.At(m)
		ofA, ofB := f.spreadsAt(m)
		aSE, bSE := ofA.Error(), ofB.Error()
		if !(aSE > 0 && aSE < 5 && bSE > 0 && bSE < 5) || math.Abs(a-wantA) > 3.5*aSE || math.Abs(b-wantB) > 3.5*bSE {
			t.Errorf("at %v: a %v ± %v, planted %v; b %v ± %v, planted %v", m, a, aSE, wantA, b, bSE, wantB)
		}
	}
	rivals, err := judge(games[:1000], games[1000:], p)
	if err != nil || len(rivals) != 3 || !(rivals[2].Difference < -10*rivals[2].OfDifference.Error()) || !(rivals[1].Difference < 0) {
		t.Errorf("%+v, %v", rivals, err)
	}
}

// TestErrorsCover: intervals of a and b at one m hold the planted values in about 95 of 100 samples, although each game has
// its position five times.
func TestErrorsCover(t *testing.T) {
	hit, tries := 0, 200
	wantA, wantB := planted.At(50)
	for seed := range tries {
		r := rand.New(rand.NewPCG(uint64(seed), 9))
		var games []game
		for range 250 {
			c := cell{m: 50, x: math.Round(150 * r.NormFloat64())}
			win, draw, _ := planted.Probabilities(50, c.x)
			switch u := r.Float64(); {
			case u < win:
				c.wins = 5
			case u < win+draw:
				c.draws = 5
			default:
				c.losses = 5
			}
			games = append(games, game{cells: []cell{c}, who: dyads.Nobody})
		}
		at, err := fitLocal(gather(games), games, dyads.Both)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []float64{(at.a - wantA) / at.ofA.Error(), (at.b - wantB) / at.ofB.Error()} {
			if math.Abs(d) < 1.96 {
				hit++
			}
		}
	}
	if share := float64(hit) / float64(2*tries); share < 0.91 || share > 0.98 {
		t.Errorf("%.1f %% of the intervals hold what was planted", 100*share)
	}
}

// TestConverges: from the local fits on it takes few steps.
func TestConverges(t *testing.T) {
	l := newLikelihood(gather(sampled(300, 20, 3)), 50, Degree)
	theta, err := logit.Maximise(l, []float64{0, 0, 0, 100, 0, 0, 0, 100})
	if err != nil {
		t.Fatal(err)
	}
	l.Set(theta)
	for i, g := range l.gradient {
		if math.Abs(g) > 1e-6 {
			t.Errorf("gradient %d is %v", i, g)
		}
	}
}

// TestByM: each game has its cells of an m together, and games without one are left out.
func TestByM(t *testing.T) {
	at := func(m int32, x float64) cell { return cell{m: m, x: x} }
	of := func(cells ...cell) game { return game{cells: cells, who: dyads.Nobody} }
	get := byM([]game{of(at(1, 1), at(1, 2), at(1, 4), at(2, 3)), of(at(2, 5)), of(at(1, 6), at(4, 7))})
	for m, want := range [][]game{nil, {of(at(1, 1), at(1, 2), at(1, 4)), of(at(1, 6))}, {of(at(2, 3)), of(at(2, 5))}, nil, {of(at(4, 7))}} {
		if got := get(int32(m)); !reflect.DeepEqual(got, want) {
			t.Errorf("at %d: %v, want %v", m, got, want)
		}
	}
}

// TestGather: cells of the same m and x are counted as one, however many there are before that.
func TestGather(t *testing.T) {
	var games []game
	for g := range 3 {
		var cells []cell
		for k := range 1 << 18 {
			cells = append(cells, cell{m: int32(k % 7), x: float64(k % 5), wins: int32(k % 2), losses: int32(g)})
		}
		games = append(games, game{cells: cells})
	}
	games = append(games, game{cells: []cell{{losses: 1}}})
	got := gather(games)
	wins, losses := int32(0), int32(0)
	for i, c := range got {
		wins, losses = wins+c.wins, losses+c.losses
		if i > 0 && got[i-1].compare(c) >= 0 {
			t.Errorf("%v before %v", got[i-1], c)
		}
	}
	if len(got) != 35 || wins != 3<<17 || losses != 3<<18+1 {
		t.Errorf("%d cells, %d wins, %d losses", len(got), wins, losses)
	}
}

package wdl

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"kifu/internal/dyads"
	"kifu/internal/logit"
)

// planted is a model of which games are sampled.
var planted = Model{A: [4]float64{-20, 60, -30, 90}, B: [4]float64{10, -20, 40, 50}, Target: 50, Least: 10, Most: 80}

// drawn is the result of a position of a cell by a number from 0 to 1.
func (k Model) drawn(c cell, u float64) int {
	win, draw, _ := k.Probabilities(float64(c.m), c.x)
	switch {
	case u < win:
		return 0
	case u < win+draw:
		return 1
	}
	return 2
}

// gamePlayed is a game with its positions by cell.
type gamePlayed struct {
	cells []cell
	who   dyads.Pair
}

// sampleOf is the sample of games.
func sampleOf(all []gamePlayed) *sample { return heldOut(all, nil) }

// heldOut is the sample of games of which some are held out.
func heldOut(train, held []gamePlayed) *sample {
	s, cells := &sample{}, &numbering{}
	for g, of := range slices.Concat(train, held) {
		game := game{who: of.who, held: g >= len(train)}
		for _, c := range of.cells {
			for result, n := range c.n {
				for range n {
					game.positions = append(game.positions, positionOf(cells.at(c.m, c.x), result))
				}
			}
		}
		s.games = append(s.games, game)
	}
	s.order(cells)
	return s
}

// sampled are games of n positions with results by the model.
func sampled(games, n int, seed uint64) []gamePlayed {
	r := rand.New(rand.NewPCG(seed, 1))
	all := make([]gamePlayed, games)
	for g := range all {
		for range n {
			c := cell{m: 10 + r.Int32N(71), x: math.Round(150 * r.NormFloat64())}
			c.n[planted.drawn(c, r.Float64())] = 1
			all[g].cells = append(all[g].cells, c)
		}
	}
	return all
}

// TestDerivatives: gradient and observed information are the differences of the likelihood.
func TestDerivatives(t *testing.T) {
	cells := sampleOf(sampled(40, 10, 1)).cells
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
		s, ok := spotAt(a, b)
		k := s.at(x)
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
	games := sampled(1500, 40, 2)
	p := Params{By: "move", Target: 50, Least: 10, Most: 80}
	f, err := fit(sampleOf(games), p)
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
	rivals, err := judge(heldOut(games[:1000], games[1000:]), f, p)
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
		var games []gamePlayed
		for range 250 {
			c := cell{m: 50, x: math.Round(150 * r.NormFloat64())}
			c.n[planted.drawn(c, r.Float64())] = 5
			games = append(games, gamePlayed{[]cell{c}, dyads.Nobody})
		}
		s := sampleOf(games)
		at, err := fitLocal(s.cells, 0, s.games, dyads.Both)
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
	l := newLikelihood(sampleOf(sampled(300, 20, 3)).cells, 50, Degree)
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

// TestWithoutDraws: where no game is drawn nothing is known of a, and its interval is without end or the picture has no point.
func TestWithoutDraws(t *testing.T) {
	all := sampled(2000, 40, 5)
	for _, g := range all {
		for i, c := range g.cells {
			if c.m%10 == 0 && c.n[1] == 1 {
				g.cells[i].n = [results]int32{int32(i % 2), 0, int32(1 - i%2)}
			}
		}
	}
	f, err := fit(sampleOf(all), Params{Target: 50, Least: 10, Most: 80})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range f.Locals {
		low, high := at.ofA.Positive(at.a)
		if !(low < high) || at.m%10 == 0 && !math.IsInf(high, 1) {
			t.Errorf("at %d: a is %v to %v", at.m, low, high)
		}
	}
}

// TestByM: each game has its positions of the cells together, and games without one are left out.
func TestByM(t *testing.T) {
	of := func(positions ...position) game { return game{positions: positions, who: dyads.Nobody} }
	get := byM([]game{of(0, 3, 4, 13), of(15), of(1, 20)})
	for _, c := range []struct {
		next int
		want []game
	}{{0, nil}, {2, []game{of(0, 3, 4), of(1)}}, {5, []game{of(13)}}, {6, []game{of(15)}}, {8, []game{of(20)}}} {
		if got := get(c.next); !reflect.DeepEqual(got, c.want) {
			t.Errorf("before cell %d: %v, want %v", c.next, got, c.want)
		}
	}
}

// TestOrder: positions of the same m and x are in one cell, however many there are; cells ascend, and those that are held out
// are taken off.
func TestOrder(t *testing.T) {
	var games []gamePlayed
	for g := range 3 {
		var cells []cell
		for k := range 1 << 16 {
			c := cell{m: int32(k%7 - 3), x: float64(k%(5<<g)) - 2}
			if c.x == 0 && k%2 == 0 {
				c.x = math.Copysign(0, -1)
			}
			c.n[g] = 1
			cells = append(cells, c)
		}
		games = append(games, gamePlayed{cells: cells})
	}
	s := heldOut(games[:2], games[2:])
	count := func(cells []cell) (n [results]int32) {
		for i, c := range cells {
			if i > 0 && cells[i-1].compare(c) >= 0 {
				t.Errorf("%v before %v", cells[i-1], c)
			}
			for k := range n {
				n[k] += c.n[k]
			}
		}
		return n
	}
	if n := count(s.cells); len(s.cells) != 7*20 || n != [results]int32{1 << 16, 1 << 16, 1 << 16} {
		t.Errorf("%d cells, %v", len(s.cells), n)
	}
	if rest := s.without(); len(rest) != 7*10 || count(rest) != [results]int32{1 << 16, 1 << 16, 0} {
		t.Errorf("%d cells, %v, without what is held out", len(rest), count(rest))
	}
	for i, p := range s.games[1].positions {
		if c := s.cells[p.cell()]; p.result() != 1 || c.x > 7 || i > 0 && p < s.games[1].positions[i-1] {
			t.Fatalf("position %d: result %d in %v", i, p.result(), c)
		}
	}
}

// TestMoves: what the coefficients move by without a game is about what a fit without it has.
func TestMoves(t *testing.T) {
	s := sampleOf(sampled(200, 20, 4))
	for g := range s.games {
		s.games[g].who = dyads.Nobody
	}
	theta := func(cells []cell) ([]float64, *likelihood) {
		l := newLikelihood(cells, 50, 0)
		theta, err := logit.Maximise(l, []float64{100, 60})
		if err != nil {
			t.Fatal(err)
		}
		return theta, l
	}
	all, l := theta(s.cells)
	m := l.moves(0, s.games, dyads.Both)
	for g := range 20 {
		s.games[g].held = true
		rest, _ := theta(s.without())
		s.games[g].held = false
		for i := range all {
			if got, want := m.games[g][i], all[i]-rest[i]; math.Abs(got-want) > 0.05*math.Abs(want)+0.01 {
				t.Errorf("game %d moves coefficient %d by %v, want %v", g, i, got, want)
			}
		}
	}
}

package tune

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"kifu/datasets"
	"kifu/internal/elo"
	"kifu/kit/datasettest"
	"kifu/schemas"
	"kifu/search/engine"
)

// one is a run of a real-valued parameter.
func one(start float64, n int) Params {
	return Params{Parameters: []Parameter{{Name: "x", Float: true, Start: start, Min: -1000, Max: 1000, C: 2, R: 0.01}},
		Schedule: Schedule{Iterations: n, Share: 0.1, Alpha: 0.602, Gamma: 0.101}, Pairs: 1, Seed: 7}
}

// TestGains: the last ones are those that were asked for, and all are those of fishtest, whose
// formulas (a and c of the start, then a/(A+k)^α and c/k^γ) are written out here.
func TestGains(t *testing.T) {
	p := one(0, 500)
	q := p.Parameters[0]
	c0 := q.C * math.Pow(500, p.Gamma)
	a0 := q.R * q.C * q.C * math.Pow(50+500, p.Alpha)
	for _, k := range []int{1, 2, 77, 500} {
		c, r := p.gains(q, k)
		wantC := c0 / math.Pow(float64(k), p.Gamma)
		wantR := a0 / math.Pow(50+float64(k), p.Alpha) / (wantC * wantC)
		if math.Abs(c-wantC) > 1e-12 || math.Abs(r-wantR) > 1e-12 {
			t.Errorf("iteration %d: c %g, r %g; want %g, %g", k, c, r, wantC, wantR)
		}
	}
	if c, r := p.gains(q, 500); math.Abs(c-2) > 1e-12 || math.Abs(r-0.01) > 1e-12 {
		t.Errorf("at the end: c %g, r %g", c, r)
	}
	whole := q
	whole.Float, whole.C = false, 0.1
	if c, _ := p.gains(whole, 500); c != 0.5 {
		t.Errorf("a whole number is moved by %g", c)
	}
}

// TestClosedForm: without noise, the score of a quadratic function is h·x·(optimum - m) for the
// difference x and the mean m, and SPSA moves the value towards the optimum by the share 2 a_k h
// each time, whatever the coins say. The results here are such scores in millions of games.
func TestClosedForm(t *testing.T) {
	const optimum, h, games = 30.0, 0.003, 1e6
	p := one(-200, 400)
	p.Parameters[0].R = 0.5 / games
	run := NewTrajectory(p)
	want := p.Parameters[0].Start - optimum
	for k := 1; k <= p.Iterations; k++ {
		it := run.Next()
		score := games * h * (it.Plus[0] - it.Minus[0]) * (optimum - (it.Plus[0]+it.Minus[0])/2)
		run.Learn(it, elo.Tally{Wins: max(0, int(math.Round(score))), Losses: max(0, int(math.Round(-score)))})
		c, r := p.gains(p.Parameters[0], k)
		want *= 1 - 2*r*c*c*h*games
		if got := run.value[0] - optimum; math.Abs(got-want) > 1e-3 {
			t.Fatalf("iteration %d: %.6f from the optimum; the closed form has %.6f", k, got, want)
		}
	}
	if math.Abs(want) > 1 {
		t.Errorf("still %.3f from the optimum: the test says nothing", want)
	}
}

// quadratic returns games of a program whose Elo is quadratic in the options, in one of which it
// is greatest at each of best, where it falls by 100 Elo in reach.
func quadratic(best []float64, reach float64, seed uint64) Play {
	return func(_ context.Context, _, pair int, settings [2][]engine.Option) (r elo.Tally, err error) {
		elo := [2]float64{}
		for i, options := range settings {
			for j, o := range options {
				d := (number(o.Value) - best[j]) / reach
				elo[i] -= 100 * d * d
			}
		}
		rng := rand.New(rand.NewPCG(seed, uint64(pair)))
		score := 1 / (1 + math.Pow(10, (elo[1]-elo[0])/400))
		for range 2 {
			switch u := rng.Float64(); {
			case u < 0.3:
				r.Draws++
			case u < 0.3+0.7*score:
				r.Wins++
			default:
				r.Losses++
			}
		}
		return r, nil
	}
}

func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return v
}

// run tunes into a directory.
func run(t *testing.T, p Params, play Play, workers int, dir string) (tuned *Trajectory, err error) {
	t.Helper()
	step := datasets.Step{Stage: "tune", Output: schemas.Trajectory.ID(), Params: p,
		Run: func(ctx context.Context, _ []*datasets.Dir, out *datasets.Builder) (err error) {
			tuned, err = Run(ctx, p, play, workers, out)
			return err
		}}
	_, _, err = datasets.Build(context.Background(), dir, step, datasets.Options{})
	return tuned, err
}

func two() Params {
	return Params{Parameters: []Parameter{
		{Name: "A", Start: 10, Min: 0, Max: 100, C: 6, R: 0.006}, {Name: "B", Float: true, Start: 0.9, Min: 0, Max: 1, C: 0.06, R: 0.006}},
		Schedule: Schedule{Iterations: 1200, Share: 0.1, Alpha: 0.602, Gamma: 0.101}, Pairs: 4, Seed: 3}
}

// TestFindsOptimum: from one end of the range to near the best values, which are in their
// intervals, and the same for any number of workers.
func TestFindsOptimum(t *testing.T) {
	best := []float64{70, 0.35}
	p := two()
	p.Iterations, p.Pairs = 250, 20
	play := func(ctx context.Context, w, pair int, s [2][]engine.Option) (elo.Tally, error) {
		return quadratic2(best, pair, s), nil
	}
	one, three := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "three")
	tuned, err := run(t, p, play, 1, one)
	if err != nil {
		t.Fatal(err)
	}
	final := tuned.Final()
	for i, within := range []float64{12, 0.12} {
		o := tuned.Optimum(i)
		if math.Abs(final[i]-best[i]) > within || i == 0 && !o.Found || o.Low > best[i] || o.High < best[i] {
			t.Errorf("parameter %d: %g and %+v, best is %g", i, final[i], o, best[i])
		}
	}
	if final[0] != math.Trunc(final[0]) {
		t.Errorf("a whole number became %g", final[0])
	}
	if _, err := run(t, p, play, 3, three); err != nil {
		t.Fatal(err)
	}
	datasettest.Same(t, one, three)
}

// quadratic2 is quadratic of two options, the second on a hundredth of the scale.
func quadratic2(best []float64, pair int, s [2][]engine.Option) elo.Tally {
	scaled := [2][]engine.Option{}
	for i := range s {
		scaled[i] = []engine.Option{s[i][0], {Name: "B", Value: strconv.FormatFloat(100*number(s[i][1].Value), 'g', -1, 64)}}
	}
	r, _ := quadratic([]float64{best[0], 100 * best[1]}, 30, 5)(context.Background(), 0, pair, scaled)
	return r
}

// TestResume: a run that broke off in an iteration plays no finished pair of games again, and ends as if it had not.
func TestResume(t *testing.T) {
	p := two()
	p.Iterations = 40
	games := 0
	limit := 1 << 30
	play := func(_ context.Context, _, pair int, s [2][]engine.Option) (elo.Tally, error) {
		if games++; games > limit {
			return elo.Tally{}, errors.New("the program died")
		}
		return quadratic2([]float64{70, 0.35}, pair, s), nil
	}
	whole, cut := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "cut")
	if _, err := run(t, p, play, 1, whole); err != nil {
		t.Fatal(err)
	}
	all := games
	games, limit = 0, 4*21+2 // in the 22nd iteration
	if _, err := run(t, p, play, 1, cut); err == nil || !strings.Contains(err.Error(), "iteration 22 (A=") || !strings.Contains(err.Error(), "the program died") {
		t.Fatalf("not broken off: %v", err)
	}
	if _, err := os.Stat(filepath.Join(cut, Options)); err == nil {
		t.Error("there are options of half a run")
	}
	games, limit = 0, 1<<30
	if _, err := run(t, p, play, 1, cut); err != nil || games != all-(4*21+2) {
		t.Errorf("%v; %d pairs played after that, want %d", err, games, all-(4*21+2))
	}
	datasettest.Same(t, whole, cut)
}

func TestParseParameter(t *testing.T) {
	spin := []engine.OptionInfo{{Name: "Contempt", Type: "spin", Default: "20", Min: -100, Max: 100, Bounded: true}, {Name: "Style", Type: "combo"},
		{Name: "Scale", Type: "string", Default: "0.5"}}
	for text, want := range map[string]Parameter{
		"contempt":                             {Name: "Contempt", Start: 20, Min: -100, Max: 100, C: 10, R: 0.002},
		"Contempt, 5, -50, 50, 4, 0.003":       {Name: "Contempt", Start: 5, Min: -50, Max: 50, C: 4, R: 0.003},
		"Contempt, int, 5, -50, 50, 4, 0.003":  {Name: "Contempt", Start: 5, Min: -50, Max: 50, C: 4, R: 0.003},
		"Contempt, 5":                          {Name: "Contempt", Start: 5, Min: -100, Max: 100, C: 10, R: 0.002},
		"Scale, float, 0.4, 0, 1, 0.05, 0.002": {Name: "Scale", Float: true, Start: 0.4, Max: 1, C: 0.05, R: 0.002},
		"Scale, 0.4, 0, 1, 0.05, 0.002":        {Name: "Scale", Float: true, Start: 0.4, Max: 1, C: 0.05, R: 0.002},
	} {
		q, err := ParseParameter(text)
		if err == nil {
			err = q.Complete("Program", spin)
		}
		if err != nil || q != want {
			t.Errorf("%s: %+v, %v; want %+v", text, q, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                            "want NAME",
		"Contemt":                     `Program has no option "Contemt"`,
		"Style":                       "is a combo",
		"Contempt, five":              `"five" is not a number`,
		"Contempt, 1, 2, 3, 4, 5, 6":  "6 numbers",
		"Contempt, 5, -200, 200":      "-200 to 200 goes beyond",
		"Contempt, 60, -50, 50":       "it starts at 60",
		"Contempt, 5, 50, -50":        "want two bounds",
		"Contempt, 5, -50, 50, -1":    "c_end -1",
		"Contempt, 5, -50, 50, 1, -1": "r_end -1",
		"Scale":                       "want a spin, or a string with a number",
		"Scale, float":                "announces no bounds",
	} {
		q, err := ParseParameter(text)
		if err == nil {
			err = q.Complete("Program", spin)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestOptimum: intervals of lines that are known, and of games that tell nothing.
func TestOptimum(t *testing.T) {
	line := func(b0, v00, v11 float64) slopes {
		return slopes{middle: 50, b: []float64{b0, 0.01}, v: mat.NewDense(2, 2, []float64{v00, 0, 0, v11})}
	}
	low, high, ok := line(0.1, 1e-8, 1e-10).zeroes()
	if !ok || math.Abs((low+high)/2-60) > 0.05 || high-low > 0.2 || high-low < 0.05 {
		t.Errorf("a sure line: %g to %g, %v; want about 60", low, high, ok)
	}
	// How it bends nobody knows, but it rises, or falls, in the middle.
	if low, high, ok = line(0.1, 1e-8, 1).zeroes(); !ok || !math.IsInf(high, 1) || low != 50 {
		t.Errorf("a rise: %g to %g, %v", low, high, ok)
	}
	if low, high, ok = line(-0.1, 1e-8, 1).zeroes(); !ok || !math.IsInf(low, -1) || high != 50 {
		t.Errorf("a fall: %g to %g, %v", low, high, ok)
	}
	if low, high, ok = line(0.1, 1, 1).zeroes(); ok {
		t.Errorf("no slope is known: %g to %g", low, high)
	}
	p := two()
	p.Iterations = 60
	noise := NewTrajectory(p)
	for range 60 {
		noise.Learn(noise.Next(), elo.Tally{Draws: 8})
	}
	if o := noise.Optimum(0); o.Found || o.Low != 0 || o.High != 100 {
		t.Errorf("draws alone: %+v", o)
	}
}

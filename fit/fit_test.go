package fit

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/eval"
	"kifu/fit/computed"
	"kifu/fit/fitted"
	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/fit/method"
	"kifu/fit/minimise"
	"kifu/fit/rows"
	"kifu/schemas"
)

func TestRun(t *testing.T) {
	s := fittest.Small()
	s.Zero([]int{3, 4, 5})
	labels := s.Labels(t, "g1", func(b *columns.Batch) {
		for i := range 6 { // positions that say nothing
			switch i {
			case 0, 1, 2:
				b.Col("result").Valid[i] = false
			case 3, 4:
				b.Col("quiescence_value").Float32[i] = 31990
			case 5:
				b.Col("quiescence_value").Float32[i] = 0
			}
		}
	})
	p := Params{Method: method.MLM{}, Draws: DrawsExclude, Holdout: 0.25, Seed: 1}
	dir, err := fitTo(t, p, 2, labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := fitted.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Weights) != 6 || r.Weights[1].Term != "t3" || r.Weights[1].Group != "g1" || r.Weights[1].Stage != "endgame" {
		t.Fatalf("weights %+v: want those of the group that label zeroed", r.Weights)
	}
	for _, w := range r.Weights {
		truth := 0.0
		for _, term := range s.Planted.Terms {
			if term.Name == w.Term {
				truth = term.Weights[map[string]int{"opening": 0, "endgame": 1}[w.Stage]]
			}
		}
		if w.Status != schemas.StatusFitted || w.Initial != 0 || math.Abs(w.Fitted-truth) > 4**w.SERobust {
			t.Errorf("%s %s: %s %v ± %v, planted %v", w.Term, w.Stage, w.Status, w.Fitted, *w.SERobust, truth)
		}
		if *w.CILow >= w.Fitted || *w.CIHigh <= w.Fitted || math.Abs(*w.Z) > 1.96 != (*w.CILow > 0 || *w.CIHigh < 0) || w.Games < 100 || w.Positions < w.Games {
			t.Errorf("%+v", w)
		}
	}
	// Of 8 row groups each has 3, 2, 1 and 1 positions spoilt, some of them drawn games'.
	groups := int64(8)
	m := dir.Manifest
	if m.Counts.Read != 6000 || r.Excluded[bygame.NoResult] != 3*groups || r.Excluded[computed.ForcedWin] != 2*groups || r.Excluded[drawnLeaf] > groups || r.Excluded[drawnLeaf] < 1 {
		t.Errorf("read %d, excluded %v", m.Counts.Read, r.Excluded)
	}
	left := int64(r.Train.Positions + r.Held.Positions)
	for _, n := range r.Excluded {
		left += n
	}
	if left != 6000 || m.Counts.Written != 6 || m.Counts.Noted[computed.HeldOut] != int64(r.Held.Positions) {
		t.Errorf("%d positions are accounted for, counts %+v", left, m.Counts)
	}
	if n := r.Train.Games + r.Held.Games; n != 240 || r.Held.Games < 40 || r.Held.Games > 80 {
		t.Errorf("%d and %d games", r.Train.Games, r.Held.Games)
	}
	for _, x := range []*schemas.FitSample{r.Train, r.Held} {
		if !(x.Fitted.LogLoss < x.Original.LogLoss && x.Original.LogLoss < x.Base.LogLoss && x.Fitted.Brier < x.Original.Brier && x.Fitted.Accuracy > x.Original.Accuracy && x.Original.Accuracy > 0.5) {
			t.Errorf("base %+v, original %+v, fitted %+v", x.Base, x.Original, x.Fitted)
		}
		if x.FirstWins+x.SecondWins != float64(x.Positions) || x.Draws != 0 {
			t.Errorf("%+v", x)
		}
	}
	if r.Solver.Status != minimise.Converged || r.Solver.GradientNorm > minimise.Tolerance || r.Train.Fitted.LogLoss-r.Solver.Objective > 1e-12 {
		t.Errorf("%+v, %+v", r.Solver, r.Train.Fitted)
	}
	if *r.Scale.CILow > s.Scale || *r.Scale.CIHigh < s.Scale {
		t.Errorf("w_0 %v, %v to %v", r.Scale.Value, *r.Scale.CILow, *r.Scale.CIHigh)
	}

	// weights.toml is the whole evaluator.
	text, err := dir.ReadFile("weights.toml")
	if err != nil {
		t.Fatal(err)
	}
	model, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(model.Terms) != s.Terms || math.Abs(model.Terms[3].Weights[1]-r.Weights[1].Fitted) > 0.005 || model.Terms[0].Weights[0] != s.Present.Terms[0].Weights[0] {
		t.Errorf("%s", text)
	}
}

// TestSameBytes: a fit's files do not depend on the workers, nor on where the features
// are kept.
func TestSameBytes(t *testing.T) {
	s := fittest.Small()
	labels := s.Labels(t, "", func(*columns.Batch) {})
	var want map[string]string
	p := Params{Method: method.LS{}, Draws: DrawsHalf, Free: []string{"g1", "t11"}, Holdout: 0.3, Folds: 2, LearningCurve: true}
	means := []Means{{Workers: 1, Memory: 1 << 30}, {Workers: 8, Memory: 1 << 30}, {Workers: 2, Memory: 1 << 16}, {Workers: 2, Memory: 1 << 30}, {Workers: 3, Memory: 1 << 30}, {Workers: 2}}
	if testing.Short() {
		means = means[:3]
	}
	for _, m := range means {
		dir, err := fitBy(t, p, m, labels, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		entries, err := os.ReadDir(dir.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			text, err := os.ReadFile(filepath.Join(dir.Path, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			got[e.Name()] = string(text)
		}
		if len(got) != 5 {
			t.Errorf("%d files", len(got))
		}
		if want == nil {
			want = got
		}
		for name := range got {
			if got[name] != want[name] {
				t.Errorf("%s differs with %+v", name, m)
			}
		}
	}
}

// TestAdd: an added feature that is a term's count gets the term's weight, and draws
// can count half.
func TestAdd(t *testing.T) {
	s := fittest.Small()
	s.Present.Terms[2].Weights, s.Planted.Terms[2].Weights = []float64{0}, []float64{30}
	labels := s.Labels(t, "", func(*columns.Batch) {})
	column := func(_ context.Context, dir *datasets.Dir, features []computed.Feature) ([][]float64, error) {
		var out []float64
		b := columns.NewBatch(dir.Table, "features")
		for _, err := range dir.Groups(b) {
			if err != nil {
				return nil, err
			}
			for i := range b.Rows {
				n := 0.0
				unpacked, err := eval.AppendUnpacked(nil, b.Col("features").Value(i))
				if err != nil {
					return nil, err
				}
				for _, f := range unpacked {
					if f.Term == 2 {
						n = float64(f.Count)
					}
				}
				out = append(out, n)
			}
		}
		return [][]float64{out}, nil
	}
	var fits [2]*fitted.Result
	for i, p := range []Params{{Free: []string{"t2"}}, {Add: []computed.Feature{{Name: "again", SQL: "x\n+1"}}}} {
		p.Method, p.Draws = method.MLM{}, DrawsHalf
		dir, err := fitTo(t, p, 2, labels, inParts(column))
		if err != nil {
			t.Fatal(err)
		}
		if fits[i], err = fitted.Read(dir); err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			text, err := dir.ReadFile("weights.toml")
			if err != nil || !strings.Contains(string(text), "for each again = x +1\n") {
				t.Errorf("%v\n%s", err, text)
			}
		}
	}
	a, b := fits[0].Weights[0], fits[1].Weights[0]
	if a.Stage != "" || b.Term != "again" || b.Group != rows.AddedGroup || math.Abs(a.Fitted-b.Fitted) > 1e-6 || math.Abs(*a.SERobust-*b.SERobust) > 1e-6 || a.Positions != b.Positions || a.Games != b.Games {
		t.Errorf("term %+v, added %+v", a, b)
	}
	if fits[0].Train.Draws != 60*20 || fits[0].Train.Positions != 6000 {
		t.Errorf("%+v", fits[0].Train)
	}
}

// TestScaleHeld: with all weights free the scale is held, and the fit is that of --scale at its value.
func TestScaleHeld(t *testing.T) {
	s := fittest.Small()
	labels := s.Labels(t, "", func(*columns.Batch) {})
	fitted := func(p Params) *fitted.Result {
		dir, err := fitTo(t, p, 1, labels, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := fitted.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, name := range []string{losses.MLM, losses.LS} {
		p := Params{Method: by(t, name, method.Choices{}), Draws: DrawsHalf, Free: []string{"all"}}
		held := fitted(p)
		if i := slices.IndexFunc(held.Notes, func(n schemas.FitNote) bool { return n.Kind == "scale held" }); i < 0 || held.Scale.SERobust != nil {
			t.Errorf("%s: notes %+v, scale %+v", name, held.Notes, held.Scale)
		}
		p.Method = by(t, name, method.Choices{Held: method.Held{Scale: held.Scale.Value}})
		given := fitted(p)
		for i, w := range held.Weights {
			if v := given.Weights[i]; math.Abs(w.Fitted-v.Fitted) > 1e-9 || math.Abs(*w.SERobust-*v.SERobust) > 1e-9 {
				t.Errorf("%s: %s is %v ± %v, with --scale %v ± %v", name, w.Term, w.Fitted, *w.SERobust, v.Fitted, *v.SERobust)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	s := fittest.Small()
	labels := s.Labels(t, "", func(*columns.Batch) {})
	for _, c := range []struct {
		p    Params
		want string
	}{
		{Params{Draws: DrawsHalf}, "no method"},
		{Params{Method: method.MLM{}, Draws: "none"}, `draws "none"`},
		{Params{Method: method.MLM{}, Draws: DrawsHalf, Holdout: 1}, "holdout 1"},
		{Params{Method: method.MLM{}, Draws: DrawsHalf, Free: []string{"queens"}}, `no term or group "queens"`},
		{Params{Method: method.MLM{}, Draws: DrawsHalf, Add: []computed.Feature{{Name: "t1", SQL: "x"}}}, "has a term or group of that name"},
	} {
		_, err := fitTo(t, c.p, 1, labels, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.p, err, c.want)
		}
	}
	null := func(_ context.Context, dir *datasets.Dir, _ []computed.Feature) ([][]float64, error) {
		return [][]float64{slices.Repeat([]float64{computed.Absent}, int(dir.Rows()))}, nil
	}
	if _, err := fitTo(t, Params{Method: method.Value{Target: "x"}, Draws: DrawsHalf, Free: []string{"t3"}}, 1, labels, inParts(null)); err == nil || !strings.Contains(err.Error(), "6000 no target: take a --target that is not null") {
		t.Errorf("no target: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := read(ctx, chosen(t, Params{Method: method.MLM{}, Draws: DrawsHalf}), Means{Workers: 2}, Sources{Labels: labels}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestMethods: what the methods make of results and targets, seen through the stage.
func TestMethods(t *testing.T) {
	s := fittest.Small()
	s.Present.Terms[2].Weights, s.Planted.Terms[2].Weights = []float64{0}, []float64{30}
	labels := s.Labels(t, "", func(*columns.Batch) {})
	deep := map[int]float64{}
	row := 0
	rng := rand.New(rand.NewPCG(9, 9))
	s.Play(func(_ int, features []eval.Feature, phase int, _ bool) {
		deep[row] = 2 * (s.Planted.Score(features, phase) + 5*rng.NormFloat64())
		row++
	})
	columns := func(_ context.Context, dir *datasets.Dir, features []computed.Feature) ([][]float64, error) {
		out := make([][]float64, len(features))
		for i, f := range features {
			for row := range int(dir.Rows()) {
				switch {
				case f.Name == "--where":
					out[i] = append(out[i], float64(min(1, row%4)))
				case row%10 == 1:
					out[i] = append(out[i], computed.Absent)
				default:
					out[i] = append(out[i], deep[row])
				}
			}
		}
		return out, nil
	}
	read := func(p Params) *fitted.Result {
		t.Helper()
		p.Free = []string{"t2"}
		dir, err := fitTo(t, p, 2, labels, inParts(columns))
		if err != nil {
			t.Fatal(err)
		}
		r, err := fitted.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	planted, ahead := s.Planted.Terms[2].Weights[0], method.Positions{Intercept: true}

	r := read(Params{Method: method.Value{Positions: ahead, Target: "deep"}, Draws: DrawsExclude, Where: "x", Holdout: 0.3})
	if r.Excluded[bygame.Unwanted] != 1500 || r.Excluded[bygame.NoTarget] != 600 || len(r.Excluded) != 2 {
		t.Errorf("excluded %v", r.Excluded)
	}
	if w := r.Weights[0]; math.Abs(w.Fitted-planted) > 4**w.SERobust || *w.SERobust > 0.5 || math.Abs(r.Scale.Value-2) > 4**r.Scale.SERobust {
		t.Errorf("value: %+v, scale %+v, planted %v and 2", w, r.Scale, planted)
	}
	if math.Abs(r.Held.Fitted.RMSE-10) > 1 || *r.Held.Fitted.R2 < 0.9 || r.Held.Fitted.RMSE > r.Held.Original.RMSE || r.Held.Fitted.LogLoss != 0 {
		t.Errorf("value: %+v, before %+v", r.Held.Fitted, r.Held.Original)
	}
	if r.Weights[1].Term != rows.InterceptName || r.Weights[1].Positions != int64(r.Train.Positions) || len(r.Notes) != 1 || r.Notes[0].Kind != "copies" {
		t.Errorf("%+v, notes %v", r.Weights[1], r.Notes)
	}

	// Every fifth game of the labels is called a draw.
	r = read(Params{Method: method.Ordered{Positions: ahead}, Draws: DrawsExclude})
	if r.Train.Positions != 6000 || r.Train.Draws != 1200 || r.DrawWidth == nil || r.DrawWidth.Value < *r.DrawWidth.CILow {
		t.Fatalf("%+v", r.Fit)
	}
	// With equal positions the width would be ln(1.2/0.8).
	if w := r.DrawWidth.Value; w < math.Log(1.5) || w > 0.7 {
		t.Errorf("draw width %v", w)
	}
	entropy := 0.0
	for _, n := range []float64{r.Train.FirstWins, r.Train.Draws, r.Train.SecondWins} {
		entropy -= n / 6000 * math.Log(n/6000)
	}
	if math.Abs(r.Train.Base.LogLoss-entropy) > 1e-9 {
		t.Errorf("log-loss of the shares %v, want %v", r.Train.Base.LogLoss, entropy)
	}

	// With nothing but the target in y, drawn and lost games teach the same.
	r = read(Params{Method: method.MLM{Positions: ahead, Aim: method.Aim{Target: "deep", Blend: 1, TargetScale: 0.002}}, Draws: DrawsHalf})
	if w := r.Weights[0]; math.Abs(w.Fitted-planted) > 4**w.SERobust || math.Abs(r.Scale.Value-0.004) > 4**r.Scale.SERobust || r.TargetScale != 0.002 {
		t.Errorf("blend: %+v, scale %+v, planted %v and 0.004", w, r.Scale, planted)
	}
}

package choose

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kifu/eval"
	evalchess "kifu/eval/chess"
	"kifu/games/chess"
	"kifu/internal/clogit"
)

// TestContext: ratings are lines between knots, flat beyond them; an unknown rating is the middle one.
func TestContext(t *testing.T) {
	m := &Model{Ratings: []float64{1000, 1400, 2000}, Clocks: true, Phases: [2]float64{24, 0}}
	if want := []string{"always", "rated 1000", "rated 2000", "little time", "end of the game"}; !slices.Equal(m.Contexts(), want) {
		t.Errorf("%q, want %q", m.Contexts(), want)
	}
	for _, c := range []struct {
		at   Situation
		want []float64
	}{
		{Situation{Rating: 1400, Clock: -1, Phase: 24}, []float64{1, 0, 0, 0, 0}},
		{Situation{Rating: 0, Clock: 20_000, Phase: 12}, []float64{1, 0, 0, 0.5, 0.5}},
		{Situation{Rating: 1100, Clock: 0, Phase: 0}, []float64{1, 0.75, 0, 1, 1}},
		{Situation{Rating: 500, Clock: 60_000, Phase: 30}, []float64{1, 1, 0, 0.25, 0}},
		{Situation{Rating: 1550, Clock: -1, Phase: 6}, []float64{1, 0, 0.25, 0, 0.75}},
		{Situation{Rating: 3000, Clock: -1, Phase: 6}, []float64{1, 0, 1, 0, 0.75}},
	} {
		got := m.Context(nil, c.at)
		for i, x := range c.want {
			if math.Abs(got[i]-x) > 1e-12 {
				t.Errorf("%+v: %v, want %v", c.at, got, c.want)
				break
			}
		}
	}
}

// TestTerms: the terms of a move add up to its log-odds against the mean move, and a model is read as it was written.
func TestTerms(t *testing.T) {
	g := eval.Game[chess.Position]{Rules: chess.Rules{}, NewEvaluator: evalchess.New, Default: evalchess.Default}
	m := &Model{Game: "chess", Depth: 1, Eval: g.Default()}
	r, err := NewRower(g, m.Eval, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	m.Features = r.Names
	for i := range m.Features {
		m.Weights = append(m.Weights, math.Sin(float64(i)))
		m.Pairs = append(m.Pairs, [clogit.Rank]float64{0.3 * math.Sin(float64(3*i)), 0.2 * math.Cos(float64(5*i))})
	}
	m.Round()
	c, err := NewPredictor(g, m)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := g.Rules.Start("", "")
	if err != nil {
		t.Fatal(err)
	}
	moves := p.AppendMoves(nil)
	chances := c.Chances(p, moves, Nothing, Situation{Clock: -1})
	mean, total := 0.0, 0.0
	for _, x := range chances {
		mean, total = mean+math.Log(x)/float64(len(chances)), total+x
	}
	if math.Abs(total-1) > 1e-9 {
		t.Errorf("chances add up to %v", total)
	}
	for i := range moves {
		sum := 0.0
		for _, term := range c.Terms(i) {
			sum += term.Odds
		}
		if want := math.Log(chances[i]) - mean; math.Abs(sum-want) > 1e-6 {
			t.Errorf("move %d: terms of %v, log-odds of %v", i, sum, want)
		}
	}
	files, err := m.Files()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if read, err := Read(filepath.Join(dir, File)); err != nil || !slices.Equal(read.Weights, m.Weights) || !slices.Equal(read.Pairs, m.Pairs) {
		t.Errorf("a model read has other weights or pairs (%v)", err)
	}
}

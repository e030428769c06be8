package evolve

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/eval"
	evaldraughts "kifu/eval/draughts"
	evalnetwork "kifu/eval/network"
	"kifu/games"
	"kifu/games/draughts"
	"kifu/internal/progress"
	"kifu/internal/splitmix"
	"kifu/kit/datasettest"
	"kifu/players"
	"kifu/schemas"
	"kifu/search"
)

func checkers() eval.Game[draughts.Position] {
	e := evaldraughts.Of(draughts.Checkers)
	return eval.Game[draughts.Position]{
		Rules: draughts.Checkers,
		NewEvaluator: func(m *eval.Model) (eval.Evaluator[draughts.Position], error) {
			if m.Network != nil {
				return evalnetwork.New(m)
			}
			return e.New(m)
		},
		Default: e.Default,
	}
}

// boards returns the network of checkers.
func boards() *Network { return &Network{Weights: evalnetwork.Weights, Model: evalnetwork.Model} }

func small() Params {
	return Params{Generations: 4, Population: 6, Depth: 1, Games: 2, MaxPlies: 60, Seed: 1, Keep: []string{"material"}}
}

// build evolves into dir.
func build(t *testing.T, g eval.Game[draughts.Position], p Params, workers int, dir string) error {
	t.Helper()
	return buildIn(context.Background(), g, p, workers, dir)
}

func buildIn(ctx context.Context, g eval.Game[draughts.Position], p Params, workers int, dir string) error {
	_, _, err := datasets.Build(progress.With(ctx, progress.None, nil), dir, datasets.Step{Stage: "evolve", Output: schemas.Generations.ID(), Params: p,
		Run: func(ctx context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			return Run(ctx, g, p, workers, out)
		}}, datasets.Options{})
	return err
}

// rows returns the columns of all generations.
func rows(t *testing.T, dir string) *columns.Batch {
	t.Helper()
	return datasettest.Rows(t, datasettest.Open(t, dir))
}

// counted is an evaluator that counts its values and calls back at one of them.
type counted struct {
	eval.Evaluator[draughts.Position]
	values *int
	at     int
	call   func()
}

func (c counted) Value(p draughts.Position) int32 {
	if *c.values++; *c.values == c.at {
		c.call()
	}
	return c.Evaluator.Value(p)
}

// TestResumeGames: a run that is interrupted within a generation keeps the games of it that were over, says so, and does not
// play them again.
func TestResumeGames(t *testing.T) {
	whole, cut := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "cut")
	values := 0
	counting := func(at int, call func()) eval.Game[draughts.Position] {
		g := checkers()
		plain := g.NewEvaluator
		g.NewEvaluator = func(m *eval.Model) (eval.Evaluator[draughts.Position], error) {
			e, err := plain(m)
			return counted{e, &values, at, call}, err
		}
		values = 0
		return g
	}
	if err := build(t, counting(0, nil), small(), 1, whole); err != nil {
		t.Fatal(err)
	}
	all := values
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	err := buildIn(ctx, counting(all*3/8, stop), small(), 1, cut) // in the second generation of four
	kept, ok := errors.AsType[*datasets.Interrupted](err)
	if !ok || kept.Parts != 1 || kept.Records == 0 || kept.Unit != "games" {
		t.Fatalf("%v: want a generation and some games kept", err)
	}
	before := values
	if err := build(t, counting(0, nil), small(), 1, cut); err != nil {
		t.Fatal(err)
	}
	if again := before + values - all; again > all/48 { // what one of 48 games takes
		t.Errorf("%d values of %d are computed again", again, all)
	}
	datasettest.Same(t, whole, cut)
}

// TestResume: a run that was cut off in generation 2 goes on there, and what it makes is,
// byte for byte, what an undisturbed run with other workers makes.
func TestResume(t *testing.T) {
	for _, network := range []bool{false, true} {
		p := small()
		if network {
			p.Network, p.Keep = boards(), nil
		}
		whole, cut := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "cut")
		if err := build(t, checkers(), p, 1, whole); err != nil {
			t.Fatal(err)
		}
		g := checkers()
		made, stop := 0, errors.New("stop")
		plain := g.NewEvaluator
		g.NewEvaluator = func(m *eval.Model) (eval.Evaluator[draughts.Position], error) {
			if made++; made > 6+3 { // six at first, three children a generation
				return nil, stop
			}
			return plain(m)
		}
		if err := build(t, g, p, 1, cut); !errors.Is(err, stop) {
			t.Fatal(err)
		}
		made = -100
		if err := build(t, g, p, 3, cut); err != nil {
			t.Fatal(err)
		}
		// Two generations are left: six evaluators and three more, for each of three workers.
		if made != -100+3*(6+3) {
			t.Errorf("%d evaluators for two generations", made+100)
		}
		datasettest.Same(t, whole, cut)
	}
}

// TestRows holds the dataset against the scheme.
func TestRows(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	p := small()
	p.RoundRobin = true
	if err := build(t, checkers(), p, 2, dir); err != nil {
		t.Fatal(err)
	}
	b := rows(t, dir)
	if b.Rows != 4*6 {
		t.Fatalf("%d rows", b.Rows)
	}
	number := func(column string, i int) int {
		v := b.Col(column)
		if v.Int64 != nil {
			return int(v.Int64[i])
		}
		return int(v.Int32[i])
	}
	kept := map[int]map[int]bool{0: {}, 1: {}, 2: {}, 3: {}}
	scores := 0
	for i := range b.Rows {
		g, id := number("generation", i), number("strategy", i)
		w, d, l, score := number("wins", i), number("draws", i), number("losses", i), number("score", i)
		if w+d+l != 10 || score != w-2*l {
			t.Errorf("generation %d: %d wins, %d draws, %d losses, score %d", g, w, d, l, score)
		}
		scores += w - l
		if rank := number("rank", i); rank != i%6+1 || rank > 1 && number("score", i-1) < score || b.Col("kept").Bool[i] != (rank <= 3) {
			t.Errorf("generation %d: rank %d of score %d, kept %t", g, rank, score, b.Col("kept").Bool[i])
		}
		kept[g][id] = b.Col("kept").Bool[i]
		born := number("born", i)
		if parent := b.Col("parent"); born == 0 != parent.IsNull(i) || born > 0 && !kept[born-1][int(parent.Int64[i])] {
			t.Errorf("strategy %d, born in %d, has no parent that was kept", id, born)
		}
		if lived, had := kept[g-1][id]; g > 0 && (had != (born < g) || had && !lived) {
			t.Errorf("strategy %d, born in %d, lives in %d", id, born, g)
		}
		if weights := b.Col("weights"); weights.IsNull(i) != (born < g) {
			t.Errorf("strategy %d, born in %d, has weights in %d: %t", id, born, g, !weights.IsNull(i))
		}
	}
	if scores != 0 {
		t.Errorf("all strategies together won %d games more than they lost", scores)
	}
}

// TestBest: weights.toml and model.toml are the best of the last generation, with the
// weights that its row has.
func TestBest(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	p := small()
	if err := build(t, checkers(), p, 2, dir); err != nil {
		t.Fatal(err)
	}
	s, err := players.Read(filepath.Join(dir, players.File))
	if err != nil || s.Game != "checkers" || s.Depth != 1 || !s.Quiescence {
		t.Fatalf("%+v, %v", s, err)
	}
	b := rows(t, dir)
	best := b.Col("strategy").Int64[3*6]
	var weights []byte
	for i := range b.Rows {
		if w := b.Col("weights"); b.Col("strategy").Int64[i] == best && !w.IsNull(i) {
			weights = w.Value(i)
		}
	}
	defaults := checkers().Default()
	for i, term := range s.Eval.Terms {
		for stage, w := range term.Weights {
			if term.Group == "material" {
				if want := defaults.Terms[i].Weights[stage]; w != want {
					t.Errorf("%s is %g, want %g: it was to be kept", term.Name, w, want)
				}
				continue
			}
			x := float64(math.Float32frombits(binary.LittleEndian.Uint32(weights)))
			weights = weights[4:]
			if math.Abs(x-w) > 0.0051 {
				t.Fatalf("%s weighs %g in the file and %g in the dataset", term.Name, w, x)
			}
		}
	}
	if len(weights) > 0 {
		t.Errorf("%d bytes of weights are left", len(weights))
	}
}

// TestMutation holds children against the distributions they are sampled from.
func TestMutation(t *testing.T) {
	c := &encoding{weights: evalnetwork.Weights}
	parent := c.first(0, splitmix.Stream(1, forStart, 0))
	var low, high, square float64
	for i, w := range parent.weights {
		low, high, square = min(low, w), max(high, w), square+w*w
		if parent.steps[i] != 0.05 {
			t.Fatalf("a step of %g at first", parent.steps[i])
		}
	}
	n := float64(len(parent.weights))
	if low < -0.2 || high > 0.2 || math.Abs(math.Sqrt(square/n)-0.2/math.Sqrt(3)) > 0.004 {
		t.Errorf("first weights from %g to %g, mean square %g: not uniform from -0.2 to 0.2", low, high, square/n)
	}
	for i := range parent.steps {
		parent.steps[i] = 0.01 * float64(1+i%3)
	}
	child := parent.child(30, 1, splitmix.Stream(1, forChildren, 30))
	var steps, noise, both [2]float64
	for i := range parent.weights {
		a := math.Log(child.steps[i] / parent.steps[i])
		b := (child.weights[i] - parent.weights[i]) / child.steps[i]
		steps[0], steps[1] = steps[0]+a/n, steps[1]+a*a/n
		noise[0], noise[1] = noise[0]+b/n, noise[1]+b*b/n
		both[0] += a * b / n
	}
	const tau = 0.0839 // for 5,046 weights, from the paper
	if math.Abs(steps[0]) > 4*tau/math.Sqrt(n) || math.Abs(math.Sqrt(steps[1])-tau) > 0.004 {
		t.Errorf("step sizes change by a factor of exp(%g ± %g), want 0 ± %g", steps[0], math.Sqrt(steps[1]), tau)
	}
	if math.Abs(noise[0]) > 4/math.Sqrt(n) || math.Abs(noise[1]-1) > 0.08 || math.Abs(both[0]) > 4*tau/math.Sqrt(n) {
		t.Errorf("noise of mean %g, variance %g and covariance %g with that of the step", noise[0], noise[1], both[0])
	}
	if child.parent != 0 || child.id != 30 || child.born != 1 {
		t.Errorf("child %d of %d, born in %d", child.id, child.parent, child.born)
	}
}

// TestKing: it begins at 2, moves by tenths, and stays from 1 to 3.
func TestKing(t *testing.T) {
	s := (&encoding{weights: 1}).first(0, splitmix.Stream(1, forStart, 0))
	seen := map[float64]bool{}
	moves := [3]int{}
	for i := range 3000 {
		c := s.child(i, i, splitmix.Stream(1, forChildren, i))
		moves[int(math.Round((c.king-s.king)*10))+1]++
		seen[math.Round(c.king*1e9)/1e9] = true
		s = c
	}
	if len(seen) != 21 || !seen[1] || !seen[2] || !seen[3] {
		t.Errorf("values of a king: %v", seen)
	}
	if moves[0] < 800 || moves[1] < 800 || moves[2] < 800 {
		t.Errorf("down, same, up: %v", moves)
	}
}

func TestPairings(t *testing.T) {
	p := Params{Population: 30, Games: 5}
	first, second := [30]int{}, [30]int{}
	for i := range 200 {
		all := p.pairings(splitmix.Stream(1, forPairings, i))
		if len(all) != 150 || len(all) != p.gamesAGeneration() {
			t.Fatalf("%d games", len(all))
		}
		for _, pair := range all {
			if pair[0] == pair[1] {
				t.Fatal("a strategy plays itself")
			}
			first[pair[0]]++
			second[pair[1]]++
		}
	}
	for i := range first {
		if first[i] != 1000 || math.Abs(float64(second[i])-1000) > 150 {
			t.Errorf("strategy %d: %d games as the first player, %d as the second", i, first[i], second[i])
		}
	}
	p.RoundRobin = true
	all := p.pairings(splitmix.Stream(1, forPairings, 0))
	slices.SortFunc(all, func(a, b pairing) int { return (a[0]-b[0])*100 + a[1] - b[1] })
	if all = slices.Compact(all); len(all) != 30*29 || len(all) != p.gamesAGeneration() || slices.ContainsFunc(all, func(a pairing) bool { return a[0] == a[1] }) {
		t.Errorf("%d different games of a round robin", len(all))
	}
}

// TestRanks: equal scores are drawn, others are not.
func TestRanks(t *testing.T) {
	p := played{Results: []result{{Wins: 1}, {Wins: 3, Losses: 1}, {Draws: 9}, {Losses: 1}}}
	seen := map[[4]int]bool{}
	for i := range 50 {
		seen[[4]int(p.ranks(splitmix.Stream(1, forTies, i)))] = true
	}
	if len(seen) != 2 || !seen[[4]int{0, 1, 2, 3}] || !seen[[4]int{1, 0, 2, 3}] {
		t.Errorf("ranks %v", seen)
	}
}

// TestProgress: after some generations the best strategy beats those drawn at random. The
// linear evaluator begins here without material, which it has to find.
func TestProgress(t *testing.T) {
	p := Params{Generations: 12, Population: 10, Depth: 1, Games: 5, MaxPlies: 100, Seed: 3}
	dir := filepath.Join(t.TempDir(), "out")
	g := checkers()
	if err := build(t, g, p, 2, dir); err != nil {
		t.Fatal(err)
	}
	s, err := players.Read(filepath.Join(dir, players.File))
	if err != nil {
		t.Fatal(err)
	}
	code, err := newEncoding(g, p)
	if err != nil {
		t.Fatal(err)
	}
	start, _, _ := g.Rules.Start("", "")
	table := &table[draughts.Position]{run: &run[draughts.Position]{Params: p, start: start}, replay: g.Rules.NewReplay(), players: map[int]*search.Searcher[draughts.Position]{}}
	player := func(id int, m *eval.Model) *individual {
		e, err := g.NewEvaluator(m)
		if err != nil {
			t.Fatal(err)
		}
		table.players[id] = search.New(e)
		return &individual{id: id}
	}
	best := player(-1, s.Eval)
	var got result
	for i := range 60 {
		drawn := player(i, code.modelOf(code.first(i, splitmix.Stream(99, forStart, i))))
		for side := games.First; side <= games.Second; side++ {
			sides := [2]*individual{drawn, drawn}
			sides[side] = best
			o, _, err := table.play(context.Background(), sides, splitmix.Stream(99, forGames, i))
			if err != nil {
				t.Fatal(err)
			}
			got.count(o, side)
		}
	}
	t.Logf("%+v", got)
	if got.games() != 120 || got.Wins < 2*got.Losses {
		t.Errorf("against random strategies: %+v", got)
	}
}

func TestErrors(t *testing.T) {
	for want, change := range map[string]func(g *eval.Game[draughts.Position], p *Params){
		"0 generations":                func(_ *eval.Game[draughts.Position], p *Params) { p.Generations = 0 },
		"a population of 7":            func(_ *eval.Game[draughts.Position], p *Params) { p.Population = 7 },
		"depth 0: want 1 to":           func(_ *eval.Game[draughts.Position], p *Params) { p.Depth = 0 },
		"0 games of each":              func(_ *eval.Game[draughts.Position], p *Params) { p.Games = 0 },
		"a limit of 0 plies":           func(_ *eval.Game[draughts.Position], p *Params) { p.MaxPlies = 0 },
		"a network evolves as a whole": func(_ *eval.Game[draughts.Position], p *Params) { p.Network = boards() },
		`no term or group "nosuch"`:    func(_ *eval.Game[draughts.Position], p *Params) { p.Keep = []string{"nosuch"} },
		"nothing is left to evolve":    func(g *eval.Game[draughts.Position], p *Params) { p.Keep = g.Default().Groups() },
		"network is a network, not weights": func(_ *eval.Game[draughts.Position], p *Params) {
			p.Eval = evalnetwork.Model(make([]float32, evalnetwork.Parameters))
		},
	} {
		g, p := checkers(), small()
		change(&g, &p)
		if err := build(t, g, p, 1, t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

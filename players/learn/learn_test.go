package learn

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/eval"
	evaldraughts "kifu/eval/draughts"
	"kifu/games"
	"kifu/games/draughts"
	"kifu/kit/datasettest"
	"kifu/kit/evaltest"
	"kifu/kit/slow"
	"kifu/players"
	"kifu/players/decide"
	"kifu/schemas"
	"kifu/search"
)

type position = draughts.Position

func checkers() eval.Game[position] {
	e := evaldraughts.Of(draughts.Checkers)
	return eval.Game[position]{Rules: draughts.Checkers, NewEvaluator: e.New, Default: e.Default}
}

// opponent is a player with known depth and weights; with the chance random it draws, and
// above temperature 0 it takes moves by their values.
type opponent struct {
	search      *search.Searcher[position]
	depth       int
	random      float64
	temperature float64
}

func newOpponent(t *testing.T, m *eval.Model, depth int, random float64) *opponent {
	t.Helper()
	e, err := checkers().NewEvaluator(m)
	if err != nil {
		t.Fatal(err)
	}
	return &opponent{search: search.New[position](e), depth: depth, random: random}
}

func (o *opponent) move(p position, rng *rand.Rand) games.Move {
	moves := p.AppendMoves(nil)
	if o.temperature > 0 {
		return moves[drawn(choice{temperature: o.temperature}, decide.Values(o.search, p, o.depth)[o.depth-1], rng)]
	}
	if o.random == 0 || rng.Float64() >= o.random {
		moves, _ = o.search.BestMoves(p, o.depth, nil)
	}
	return moves[rng.IntN(len(moves))]
}

// game returns a game of the opponent against itself: 6 to 13 random plies, then its own up
// to the limit. begun is the first of its own.
func (o *opponent) game(t *testing.T, rng *rand.Rand, limit int) (positions []position, moves []games.Move, begun int) {
	t.Helper()
	p, _, err := draughts.Checkers.Start("", "")
	if err != nil {
		t.Fatal(err)
	}
	begun = 6 + rng.IntN(8)
	for ply := 0; ply < limit && p.Outcome() == games.Undecided; ply++ {
		legal := p.AppendMoves(nil)
		m := legal[rng.IntN(len(legal))]
		if ply >= begun {
			m = o.move(p, rng)
		}
		positions, moves = append(positions, p), append(moves, m)
		p = p.Play(m)
	}
	return positions, moves, begun
}

// decisions are n of the opponent's, from as many games as it takes.
func (o *opponent) decisions(t *testing.T, rng *rand.Rand, n int) (ds []decision[position]) {
	t.Helper()
	for g := int64(0); ; g++ {
		positions, moves, begun := o.game(t, rng, 40)
		for ply := begun; ply < len(moves); ply++ {
			legal := positions[ply].AppendMoves(nil)
			if len(legal) < 2 {
				continue
			}
			ds = append(ds, decision[position]{
				position: positions[ply], game: g, ply: ply, moves: len(legal), chosen: slices.Index(legal, moves[ply]),
			})
			if len(ds) == n {
				return ds
			}
		}
	}
}

// The paper's claim: with the opponent's own function the true depth is always among the
// greatest counters, and a few moves tell it. Planted opponents of depths 1 to 4 are found
// in 31 trials of 32 from 35 moves.
func TestPlantedDepth(t *testing.T) {
	g := checkers()
	model := evaltest.Randomized(g.Default(), 90, 7)
	byCounter, byPosterior := 0, 0
	const trials = 32
	for trial := range trials {
		depth := 1 + trial%4
		rng := rand.New(rand.NewPCG(uint64(trial), 1))
		ds := newOpponent(t, model, depth, 0).decisions(t, rng, 35)
		if err := value(context.Background(), g, Params{Eval: model, MaxDepth: 5}, false, 2, ds, nil); err != nil {
			t.Fatal(err)
		}
		l := learnDepth(5, ds)
		if !slices.Contains(l.ByCounter, depth) {
			t.Errorf("trial %d: depth %d is not among the greatest counters, %v", trial, depth, l.ByCounter)
		}
		if l.ByCounter[0] == depth && len(l.ByCounter) == 1 {
			byCounter++
		}
		if l.ByPosterior == depth {
			byPosterior++
		}
		if in := l.Depths[depth-1].Train.InBest; in != 1 {
			t.Errorf("trial %d: the opponent's own strategy has %g of its moves among the best", trial, in)
		}
	}
	if byCounter < trials-1 || byPosterior < trials-1 {
		t.Errorf("depth found by the counter alone in %d trials of %d, by the posterior in %d: want all but one", byCounter, trials, byPosterior)
	}
}

// Posterior, counter, temperature and lapse are of the decisions fitted to alone: games held
// out and those for the test, more and played by another depth, change none of them.
func TestPosteriorOfTrain(t *testing.T) {
	played := func(of part, depth, games int) (ds []decision[position]) {
		for g := range games {
			d := decision[position]{game: int64(of)*1000 + int64(g), part: of, moves: 3, values: [][]int32{{0, 800, 1600}, {1600, 800, 0}}}
			if d.chosen = 2; depth == 2 {
				d.chosen = 0
			}
			if g%5 == 0 {
				d.chosen = 1
			}
			ds = append(ds, d)
		}
		return ds
	}
	own := played(train, 1, 20)
	alone := learnDepth(2, own)
	for name, others := range map[string][]decision[position]{"held out": played(held, 2, 60), "test": played(test, 2, 60)} {
		l := learnDepth(2, slices.Concat(own, others))
		for i, got := range l.Depths {
			got.Held = nil
			if want := alone.Depths[i]; !reflect.DeepEqual(got, want) {
				t.Errorf("with games %s: depth %d is %+v, want %+v", name, i+1, got, want)
			}
		}
	}
	if alone.ByPosterior != 1 {
		t.Errorf("depth %d by the posterior, of depth 1 %g", alone.ByPosterior, alone.Depths[0].Posterior)
	}
}

// An opponent that draws a third of its moves is found too, and its lapse with it.
func TestNoisyOpponent(t *testing.T) {
	slow.Test(t, "learns from a planted player")
	g := checkers()
	model := g.Default()
	for depth := 1; depth <= 4; depth++ {
		rng := rand.New(rand.NewPCG(uint64(depth), 2))
		ds := newOpponent(t, model, depth, 0.3).decisions(t, rng, 200)
		if err := value(context.Background(), g, Params{Eval: model, MaxDepth: 5}, false, 2, ds, nil); err != nil {
			t.Fatal(err)
		}
		l := learnDepth(5, ds)
		d := l.Depths[depth-1]
		if l.ByPosterior != depth || d.Posterior < 0.99 || d.Lapse < 0.2 || d.Lapse > 0.4 {
			t.Errorf("depth %d: found %d with posterior %g, lapse %g at the true one", depth, l.ByPosterior, d.Posterior, d.Lapse)
		}
	}
}

// drawn returns a move by the choice.
func drawn(c choice, values []int32, rng *rand.Rand) (chosen int) {
	x := rng.Float64()
	for ; chosen < len(values)-1; chosen++ {
		if x -= math.Exp(c.log(values, chosen)); x < 0 {
			break
		}
	}
	return chosen
}

// A choice by a known temperature comes back with it.
func TestTemperature(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	want := choice{temperature: temperature(8)} // 2.56
	var ds []ranked
	for range 3000 {
		values := make([]int32, 2+rng.IntN(6))
		for i := range values {
			values[i] = int32(rng.IntN(1000))
		}
		ds = append(ds, ranked{chosen: drawn(want, values, rng), values: values})
	}
	c := fitChoice(ds)
	if c.temperature != want.temperature || c.lapse > 0.1 {
		t.Errorf("temperature %g, lapse %g; want %g without", c.temperature, c.lapse, want.temperature)
	}
	if r := c.refine(ds); math.Abs(math.Log(r.temperature/want.temperature)) > 0.1 || r.lapse > 0.03 || r.logLikelihood < c.logLikelihood {
		t.Errorf("refined from %+v to %+v", c, r)
	}
}

// Counter, accuracy and choice of three decisions, counted by hand.
func TestScoresByHand(t *testing.T) {
	ds := []decision[position]{
		{game: 1, moves: 3, chosen: 0, values: [][]int32{{5, 5, 1}}}, // 3; one of two best
		{game: 1, moves: 2, chosen: 1, values: [][]int32{{4, 2}}},    // 1-1; a worse move
		{game: 2, moves: 4, chosen: 3, values: [][]int32{{0, 1, 2, 9}}},
	}
	rs := rank(ds, train, func(i int) []int32 { return ds[i].values[0] })
	if n := counter(rs); n != 3+0+4 {
		t.Errorf("counter %d, want 7", n)
	}
	s := scoreOf(rs, choice{temperature: 1e-3, lapse: 0.5})
	if math.Abs(s.Accuracy-0.5) > 1e-12 || math.Abs(s.InBest-2./3) > 1e-12 {
		t.Errorf("accuracy %g, in best %g; want 1/2 and 2/3", s.Accuracy, s.InBest)
	}
	// Residuals by game: 0.5-0.5 + 0-0.5 = -0.5, and 1-0.5 = 0.5; without a game 1/3 and 2/3 of the decisions are left.
	if want := math.Sqrt((0.25*9+0.25*9/4)/2) / 3; math.Abs(*s.SE-want) > 1e-12 {
		t.Errorf("standard error %g, want %g", *s.SE, want)
	}
	loss := -(math.Log(0.5/3+0.25) + math.Log(0.5/2) + math.Log(0.5/4+0.5)) / 3
	if math.Abs(s.LogLoss-loss) > 1e-6 {
		t.Errorf("log-loss %g, want %g", s.LogLoss, loss)
	}
	o := sampleOf(in(ds, train))
	if o.Games != 2 || math.Abs(o.Chance-(1./3+1./2+1./4)/3) > 1e-12 {
		t.Errorf("sample %+v", o)
	}
}

// played writes a dataset of games: the opponent is Ann, on either side by turns, and her
// partner is drawn.
func played(t *testing.T, o *opponent, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "games")
	rng := rand.New(rand.NewPCG(9, 9))
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "test", Output: schemas.Games.ID(), Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
		b.SetTable(schemas.Games)
		b.SetMeta("game", "checkers")
		rows := columns.NewBatch(schemas.Games)
		for i := range n {
			positions, moves, _ := o.game(t, rng, 60)
			row(rows, i, positions, moves)
		}
		return datasettest.Part(b, 0, rows)
	}}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func row(b *columns.Batch, i int, positions []position, moves []games.Move) {
	var codes []byte
	for j, m := range moves {
		code := draughts.Checkers.PackMove(positions[j], m)
		codes = append(codes, byte(code), byte(code>>8))
	}
	names := []string{"Ann A.", "Ben"}
	for c := range b.Cols {
		v := &b.Cols[c]
		switch v.Column.Name {
		case "game_id":
			v.AppendInt64(int64(i))
		case "game":
			v.AppendString("checkers")
		case "source_file":
			v.AppendString("test")
		case "source_offset":
			v.AppendInt64(0)
		case "first_player":
			v.AppendString(names[i%2])
		case "second_player":
			v.AppendString(names[1-i%2])
		case "first_elo", "second_elo":
			v.AppendInt32(int32(2000 + i))
		case "date":
			v.AppendString([]string{"1990", "1990-05", "1991-05-02"}[i%3])
		case "variant":
			v.AppendString("standard")
		case "ply_count":
			v.AppendInt32(int32(len(moves)))
		case "moves":
			v.AppendBytes(codes)
		case "tags":
			v.EndMap()
		default:
			v.AppendNull()
		}
	}
	b.Rows++
}

// learned runs Run and returns learn.json with all bytes of the dataset's files.
func learned(t *testing.T, p Params, workers int, in string) (schemas.Learn, string, error) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "learned")
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "learn", Output: "report/v1", Params: p, Inputs: []string{in}, Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
		return Run(ctx, checkers(), p, workers, in[0], out)
	}}, datasets.Options{})
	if err != nil {
		return schemas.Learn{}, "", err
	}
	d := datasettest.Open(t, dir)
	var r schemas.Learn
	var all strings.Builder
	for _, f := range d.Manifest.Files {
		text, err := d.ReadFile(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
		if f.Name == "learn.json" {
			if err := json.Unmarshal(text, &r); err != nil {
				t.Fatal(err)
			}
		}
	}
	return r, all.String(), nil
}

func params() Params {
	return Params{Player: []string{"ann*"}, MaxDepth: 4, MaxDecisions: 1000, Holdout: 0.3, SkipPlies: 14, Seed: 1}
}

// Records to a depth, with the same bytes from one worker and from three.
func TestRun(t *testing.T) {
	in := played(t, newOpponent(t, checkers().Default(), 3, 0), 24)
	r, one, err := learned(t, params(), 1, in)
	if err != nil {
		t.Fatal(err)
	}
	if _, three, err := learned(t, params(), 3, in); err != nil || one != three {
		t.Errorf("three workers give other bytes (%v)", err)
	}
	if r.ByPosterior != 3 || r.ByHeldOut != 3 || !slices.Equal(r.ByCounter, []int{3}) || r.Games != 24 {
		t.Errorf("found %+v", r)
	}
	excluded := 0
	for _, n := range r.Excluded {
		excluded += int(n)
	}
	if r.Excluded[forced] == 0 || r.Excluded[outside] < 14*24/2 || r.Choices+excluded != r.Moves || r.Train.Decisions+r.Held.Decisions != r.Decisions {
		t.Errorf("%d moves: %d choices, %d decisions, excluded %v", r.Moves, r.Choices, r.Decisions, r.Excluded)
	}
	for _, d := range r.Depths {
		if d.Depth == 3 && (d.Held.InBest != 1 || d.Held.Accuracy < r.Held.Chance+0.2) {
			t.Errorf("held out: %+v, chance %g", d.Held, r.Held.Chance)
		}
	}
}

// Weights are learned with the same bytes from one worker and from three, and the model is
// a strategy that can be read; without a fit it is that of the weights given.
func TestRunStrategy(t *testing.T) {
	slow.Test(t, "learns from a player")
	in := played(t, newOpponent(t, checkers().Default(), 2, 0), 24)
	for _, fit := range []string{Both, Given} {
		p := params()
		p.MaxDepth, p.Fit, p.Test, p.Epsilon = 2, fit, 0.2, 0.005
		p.Free = []string{"material", "mobility", "threats"}
		r, one, err := learned(t, p, 1, in)
		if err != nil {
			t.Fatal(err)
		}
		if _, three, err := learned(t, p, 3, in); err != nil || one != three {
			t.Errorf("%s: three workers give other bytes (%v)", fit, err)
		}
		if r.Model.Depth != 2 || r.Model.Test == nil || r.Test.Decisions+r.Held.Decisions+r.Train.Decisions != r.Decisions || r.Test.Games == 0 {
			t.Errorf("%s: model %+v of %+v", fit, r.Model, r.Test)
		}
		if fit == Given && (r.Model.Solver != Given || r.Model.Test.InBest != 1 || len(r.Strategies) > 0) {
			t.Errorf("given: %+v", r.Model)
		}
		if fit == Both && (len(r.Strategies) != 4 || len(r.Strategies[3].Weights) != 10) {
			t.Errorf("strategies %d", len(r.Strategies))
		}
		for _, want := range []string{"depth = 2\n", "weights = 'weights.toml'\n", "player = 'ann*'\n"} {
			if !strings.Contains(one, want) {
				t.Errorf("%s: no %q in the files", fit, want)
			}
		}
	}
}

// The games to test are predicted by other models: one that is the player's own as well as
// by the model that was given, one that looks less far worse, by more than chance.
func TestCompare(t *testing.T) {
	g := checkers()
	in := played(t, newOpponent(t, g.Default(), 3, 0), 24)
	p := params()
	p.MaxDepth, p.Test = 3, 0.4
	rival := func(player string, depth int) Rival {
		return Rival{&players.Player{Game: "checkers", Name: player, Depth: depth, Weights: players.Weights, Eval: g.Default()}}
	}
	p.Compare = []Rival{rival("deep", 3), rival("short", 1)}
	r, files, err := learned(t, p, 2, in)
	if err != nil {
		t.Fatal(err)
	}
	deep, short := r.Compared[0], r.Compared[1]
	if r.Model.Depth != 3 || deep.Accuracy != r.Model.Test.Accuracy || *deep.SE != *r.Model.Test.SE || deep.InBest != 1 || deep.Behind != 0 {
		t.Errorf("by the model %+v, by the same %+v", r.Model.Test, deep)
	}
	if d := deep.Accuracy - short.Accuracy; math.Abs(short.Behind-d) > 1e-12 || d < 5**short.BehindSE {
		t.Errorf("behind by %g ± %g, accuracies differ by %g", short.Behind, *short.BehindSE, d)
	}
	if d := short.LogLoss - deep.LogLoss; math.Abs(short.LossBehind-d) > 1e-9 || d < 5**short.LossBehindSE {
		t.Errorf("log-loss behind by %g ± %g, losses differ by %g", short.LossBehind, *short.LossBehindSE, d)
	}
	if !strings.Contains(files, "short,1,") {
		t.Error("compared.csv has no row of the rival")
	}
	p.Fit, p.Free, p.Compare = Likelihood, []string{"material"}, p.Compare[1:]
	if r, _, err = learned(t, p, 2, in); err != nil || len(r.Compared) != 2 || r.Compared[0].Player != "ann*" || r.Compared[0].Accuracy != r.Model.Test.Accuracy {
		t.Errorf("beside a model learned: %+v (%v)", r.Compared, err)
	}
}

// What is asked of games and plies holds; a draw of decisions is part of all of them.
func TestSelection(t *testing.T) {
	in := played(t, newOpponent(t, checkers().Default(), 1, 0), 12)
	all, _, err := learned(t, params(), 2, in)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*Params)
		games  int
	}{
		"first":          {func(p *Params) { p.Side = "first" }, 6},
		"dates":          {func(p *Params) { p.From, p.To = "1990-03", "1990-12-31" }, 8},
		"one day":        {func(p *Params) { p.From, p.To = "1991-05-02", "1991-05" }, 4},
		"rated":          {func(p *Params) { p.MinElo, p.MaxElo = 2003, 2005 }, 3},
		"another player": {func(p *Params) { p.Player = []string{"ben"} }, 12},
		"aliases":        {func(p *Params) { p.Player, p.Aliases = []string{"nobody"}, []string{"Ann A."} }, 12},
		"whole game":     {func(p *Params) { p.SkipPlies = 0 }, 12},
	} {
		p := params()
		c.change(&p)
		if r, _, err := learned(t, p, 2, in); err != nil || r.Games != c.games {
			t.Errorf("%s: %d games, want %d (%v)", name, r.Games, c.games, err)
		}
	}
	p := params()
	p.MaxDecisions, p.Holdout = 20, 0
	if r, _, err := learned(t, p, 2, in); err != nil || r.Decisions != 20 || r.Choices != all.Choices || r.Excluded[undrawn] != int64(all.Choices-20) || r.Held != nil {
		t.Errorf("20 drawn: %+v (%v)", r, err)
	}
	p = params()
	p.SkipPlies, p.Book = 0, 1
	r, _, err := learned(t, p, 2, in)
	if err != nil || r.Excluded[inBook] == 0 || r.Choices+int(r.Excluded[inBook]+r.Excluded[forced]) != r.Moves {
		t.Errorf("book: %d choices of %d moves, excluded %v (%v)", r.Choices, r.Moves, r.Excluded, err)
	}
}

func TestRefusals(t *testing.T) {
	in := played(t, newOpponent(t, checkers().Default(), 1, 0), 2)
	for want, change := range map[string]func(*Params){
		"has no such game of":                     func(p *Params) { p.Player = []string{"Cyd"} },
		"were forced or skipped":                  func(p *Params) { p.SkipPlies = 500 },
		"--test above 0":                          func(p *Params) { p.Compare = []Rival{{&players.Player{Eval: checkers().Default()}}} },
		"no player":                               func(p *Params) { p.Player = nil },
		"want first or second":                    func(p *Params) { p.Side = "white" },
		"depth 0":                                 func(p *Params) { p.MaxDepth = 0 },
		"want at least 0 and below 1":             func(p *Params) { p.Holdout = 1 },
		"no ply is left":                          func(p *Params) { p.MaxPly = 14 },
		"use --holdout 0 --test 0 to fit to them": func(p *Params) { p.Holdout = 0.999999 },
		"--holdout above 0":                       func(p *Params) { p.Holdout, p.Fit = 0, LP },
		"below 1 together":                        func(p *Params) { p.Test = 0.7 },
		"want lp, likelihood":                     func(p *Params) { p.Fit = "newton" },
		"no term or group":                        func(p *Params) { p.Fit, p.Free = LP, []string{"queens"} },
	} {
		p := params()
		change(&p)
		if _, _, err := learned(t, p, 1, in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, have %v", want, err)
		}
	}
}

package match

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets/columns"
	"kifu/eval"
	"kifu/games"
	"kifu/games/draughts"
	"kifu/kit/evaltest"
	"kifu/search"
)

// positions are some of random play.
func positions[P games.Position[P]](g eval.Game[P], n int) []P {
	p, _, _ := g.Rules.Start("", "")
	start, rng := p, rand.New(rand.NewPCG(1, 2))
	var list []P
	for len(list) < n {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			p = start
			continue
		}
		if p = p.Play(moves[rng.IntN(len(moves))]); p.Outcome() == games.Undecided && len(p.AppendMoves(nil)) > 0 {
			list = append(list, p)
		}
	}
	return list
}

// chosen returns a move and a value that the player gives in p.
func chosen[P games.Position[P]](t *testing.T, g eval.Game[P], text string, p P) choice {
	t.Helper()
	c, err := newChooser(g, player(t, text), map[weightsKey]*search.Searcher[P]{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.choose(context.Background(), p, &history[P]{start: p}, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestPlainPlayers: their moves and values are those of minimax and of M*, as search
// defines them.
func TestPlainPlayers(t *testing.T) {
	e, err := staticOf(checkersGame, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	const limit = 100 // less than a man
	weak, _ := staticOf(checkersGame, nil, limit)
	differs := false
	for _, p := range positions(checkersGame, 60) {
		want := search.New(e).Minimax(p, 3)
		got := chosen(t, checkersGame, "depth=3 plain", p)
		if v := search.New(e).Minimax(p.Play(got.move), 2).Value; got.value != want.Value || near1(v) != near1(want.Value) {
			t.Errorf("plain: %d, and %d after its move; want %d", got.value, v, want.Value)
		}
		if w, v := weak.Value(p), e.Value(p); v >= limit*search.Grain || v <= -limit*search.Grain {
			differs = true
			if w != 0 {
				t.Errorf("weakened at %d: %d for %d", limit, w, v)
			}
		} else if w != v {
			t.Errorf("weakened at %d: %d for %d", limit, w, v)
		}
		for _, modified := range []bool{false, true} {
			word := map[bool]string{false: "mstar", true: "mstar-modified"}[modified]
			m, err := search.NewMStar(search.Strategy[draughts.Position]{Static: e, Depth: 3}, search.Strategy[draughts.Position]{Static: weak, Depth: 2}, modified)
			if err != nil {
				t.Fatal(err)
			}
			want := m.Search(p)
			got := chosen(t, checkersGame, word+" depth=3 model-depth=2 model-weaken=100", p)
			if got.value != want.Value || !slices.Contains(want.Best, got.move) {
				t.Errorf("%s: %v worth %d; want one of %v worth %d", word, got.move, got.value, want.Best, want.Value)
			}
		}
	}
	if !differs {
		t.Error("no position beyond the limit: the test says nothing")
	}
}

// near1 takes off what the way to a win costs.
func near1(v int32) int32 {
	if v > search.Decisive || v < -search.Decisive {
		return v / search.Win
	}
	return v
}

// TestTemperature: the shares of the moves are those of the formula, and lapses are drawn
// from all.
func TestTemperature(t *testing.T) {
	p, _, err := checkersGame.Rules.Start("", "W:WK18,32:BK1,12")
	if err != nil {
		t.Fatal(err)
	}
	const temperature, lapse, n = 20, 0.25, 20000
	c, err := newChooser(checkersGame, player(t, "depth=2 plain temperature=20 random=0.25"), map[weightsKey]*search.Searcher[draughts.Position]{})
	if err != nil {
		t.Fatal(err)
	}
	e, _ := staticOf(checkersGame, nil, 0)
	moves := p.AppendMoves(nil)
	want, total := map[games.Move]float64{}, 0.0
	for _, m := range moves {
		v := search.New(e).Minimax(p.Play(m), 1).Value * p.ToMove().Sign()
		want[m] = math.Exp(float64(v) / search.Grain / temperature)
		total += want[m]
	}
	got, rng := map[games.Move]float64{}, rand.New(rand.NewPCG(3, 4))
	for range n {
		c, err := c.choose(context.Background(), p, nil, rng)
		if err != nil {
			t.Fatal(err)
		}
		got[c.move] += 1.0 / n
	}
	if len(moves) < 3 {
		t.Fatalf("only %d moves", len(moves))
	}
	for _, m := range moves {
		share := lapse/float64(len(moves)) + (1-lapse)*want[m]/total
		near(t, "share of a move", got[m], share, 4*math.Sqrt(share*(1-share)/n))
	}
}

func TestPseudoRandom(t *testing.T) {
	weights := func(text string) *eval.Model {
		p := player(t, text)
		if err := p.Resolve(func(string) (*eval.Model, error) { return checkersGame.Default(), nil }); err != nil {
			t.Fatal(err)
		}
		return p.Eval
	}
	a, again, b := weights("depth=1 pseudorandom=7"), weights("depth=2 pseudorandom=7"), weights("depth=1 pseudorandom=8")
	low, high, sum, n := 0.0, 0.0, 0.0, 0.0
	for i := range a.Terms {
		if !slices.Equal(a.Terms[i].Weights, again.Terms[i].Weights) || slices.Equal(a.Terms[i].Weights, b.Terms[i].Weights) {
			t.Errorf("%s: %v, %v, and by another seed %v", a.Terms[i].Name, a.Terms[i].Weights, again.Terms[i].Weights, b.Terms[i].Weights)
		}
		for _, w := range a.Terms[i].Weights {
			low, high, sum, n = min(low, w), max(high, w), sum+w, n+1
		}
	}
	if low < -10 || high > 10 || low > -7 || high < 7 || math.Abs(sum/n) > 3 {
		t.Errorf("%g weights from %g to %g, mean %g", n, low, high, sum/n)
	}
}

// TestParseModels: what may be said of players that model, and what not.
func TestParseModels(t *testing.T) {
	for text, want := range map[string]string{
		"mstar depth=4": "needs a model", "mstar model=m.toml": "needs a depth", "mstar depth=4 model=m model-depth=2": "choose one",
		"depth=4 model-depth=2": "mstar before it", "mstar depth=4 model-eval=x": "model-depth=N", "mstar depth=4 relearn=0": "a number of games",
		"model=m depth=2": "sets the depth", "depth=2 relearn=2": "none of", "mstar depth=4 model-depth=2 temperature=1": "best move",
		"depth=2 weaken=0": "above 0", "depth=2 weaken=-1": "above 0", "random weaken=5": "has no evaluation", "depth=2 pseudorandom=x": "a seed",
		"depth=2 pseudorandom=1 eval=f": "choose one", "mstar depth=4 model-depth=2 model-odd=1": "is none of", "depth=2 eval=": "none of",
		"depth=2 zero=a zero=b": "zero= is given twice", "uci:x depth=1 Hash=1 depth=2": "depth= is given twice", "engine=x depth=2": "uci:PROGRAM",
		`"gtp:gnugo`: "not closed", "gtp:gnugo depth=1": "GTP has no depth", "hub:scan": "limit", "gtp:": "no program",
	} {
		if _, err := ParsePlayer(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
	if p := player(t, "gtp:gnugo tc=60 level=1 level=2"); len(p.Outside.Config.Options) != 2 {
		t.Errorf("commands of GTP: %v", p.Outside.Config.Options)
	}
	p := player(t, "mstar-modified depth=6 model=m.toml relearn=4 name=x")
	if m := p.MStar; m == nil || !m.Modified || m.ModelFile != "m.toml" || m.Every != 4 || p.ModelFile != "" || !p.Plain || p.Text != "x" {
		t.Errorf("%+v", p)
	}
	if q := player(t, "model=m.toml mstar depth=6"); q.MStar.ModelFile != "m.toml" || q.ModelFile != "" {
		t.Errorf("%+v", q)
	}
	if q := player(t, `gtp:"gnugo --mode gtp" level=1`); !slices.Equal(q.Outside.Config.Command, []string{"gnugo", "--mode", "gtp"}) || q.Outside.Protocol != "gtp" || q.Outside.Config.Options[0].Name != "level" {
		t.Errorf("%+v", q.Outside)
	}
	deep := params(t, 2, "mstar depth=4 model-depth=4", "random")
	if _, err := play(t, checkersGame, nil, deep, 1, t.TempDir()); err == nil || !strings.Contains(err.Error(), "at most 3") {
		t.Errorf("a model that looks too far: %v", err)
	}
	odd := player(t, "mstar depth=4 relearn=3")
	if err := (Params{Players: []Player{odd, odd}, Games: 2, Ends: Ends{MaxPlies: 1}}).Validate(); err == nil || !strings.Contains(err.Error(), "whole pairs") {
		t.Errorf("relearns within a pair: %v", err)
	}
}

// TestRelearn: the learner gets the games of the meeting so far, after every so many of
// them, and what it finds is played with; all of that whatever the workers.
func TestRelearn(t *testing.T) {
	type lesson struct {
		games, skip, depth int
		player             string
	}
	var lessons []lesson
	learner := func(_ context.Context, l Lesson[draughts.Position]) (*Model, error) {
		lessons = append(lessons, lesson{len(l.Games), l.SkipPlies, l.Depth, l.Player})
		return &Model{Depth: 1, Weights: Weights{Weaken: 10}}, nil
	}
	p := params(t, 10, "mstar depth=2 relearn=4 name=learner", "depth=1 plain name=op")
	p.Players = append(p.Players, player(t, "random name=fool"))
	p.Openings.RandomPlies, p.Ends.MaxPlies = 3, 30
	one, three := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "three")
	if _, err := play(t, checkersGame, learner, p, 1, one); err != nil {
		t.Fatal(err)
	}
	want := []lesson{{4, 3, 1, "op"}, {8, 3, 1, "op"}, {4, 3, 1, "fool"}, {8, 3, 1, "fool"}}
	if !slices.Equal(lessons, want) {
		t.Errorf("%v, want %v", lessons, want)
	}
	if _, err := play(t, checkersGame, learner, p, 3, three); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"part-00000.parquet", "part-00002.parquet", "result.json"} {
		a, _ := os.ReadFile(filepath.Join(one, name))
		if b, err := os.ReadFile(filepath.Join(three, name)); err != nil || string(a) != string(b) {
			t.Errorf("%s depends on the number of workers: %v", name, err)
		}
	}

	// The first games are those of a player without a model, the others of one that has it.
	plain := filepath.Join(t.TempDir(), "plain")
	p.Players[0] = player(t, "depth=2 plain name=learner")
	if _, err := play(t, checkersGame, learner, p, 2, plain); err != nil {
		t.Fatal(err)
	}
	with, without := moves(t, one), moves(t, plain)
	if !slices.Equal(with[:4], without[:4]) || slices.Equal(with[4:10], without[4:10]) {
		t.Error("the games before the first lesson are to be equal, and those after it not all")
	}

	learner = func(context.Context, Lesson[draughts.Position]) (*Model, error) { return &Model{Depth: 2}, nil }
	p.Players[0] = player(t, "mstar depth=2 relearn=4 name=learner")
	if _, err := play(t, checkersGame, learner, p, 1, t.TempDir()); err == nil || !strings.Contains(err.Error(), "after game 3") {
		t.Errorf("a model that looks too far: %v", err)
	}
}

// moves returns those of the games of a match, as they are stored.
func moves(t *testing.T, dir string) (list []string) {
	t.Helper()
	read(t, dir, func(b *columns.Batch, i int) { list = append(list, string(b.Col("moves").Value(i))) })
	return list
}

// The weights of a lesson are played with, as if they had been given: the games after it
// are those of a player who had that model all along, and not those of one whose model has
// the same depth and other weights. A lesson without a model changes nothing.
func TestRelearnedWeights(t *testing.T) {
	learned := &Model{Depth: 2, Weights: Weights{Eval: evaltest.Randomized(checkersGame.Default(), 90, 3)}}
	p := params(t, 8, "mstar depth=3 relearn=4 name=learner", "depth=2 plain name=op")
	p.Openings.RandomPlies, p.Ends.MaxPlies = 4, 40
	games := func(given, lesson *Model) []string {
		dir := filepath.Join(t.TempDir(), "games")
		learner := func(context.Context, Lesson[draughts.Position]) (*Model, error) { return lesson, nil }
		p.Players[0].MStar.Model = given
		if _, err := play(t, checkersGame, learner, p, 2, dir); err != nil {
			t.Fatal(err)
		}
		return moves(t, dir)
	}
	none, taught, had := games(nil, nil), games(nil, learned), games(learned, nil)
	depthOnly := games(nil, &Model{Depth: 2})
	if !slices.Equal(taught[:4], none[:4]) || !slices.Equal(taught[4:], had[4:]) {
		t.Error("the first games are to be those of no model, the others those of the model learned")
	}
	if slices.Equal(had[:4], none[:4]) || slices.Equal(taught[4:], depthOnly[4:]) || slices.Equal(taught[4:], none[4:]) {
		t.Error("these games do not tell models apart")
	}
}

package play

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kifu/eval"
	evaldraughts "kifu/eval/draughts"
	"kifu/games"
	"kifu/games/draughts"
	"kifu/search"
	"kifu/search/engine"
)

var checkersGame = eval.Game[draughts.Position]{Rules: draughts.Checkers, NewEvaluator: evaldraughts.Of(draughts.Checkers).New, Default: evaldraughts.Of(draughts.Checkers).Default}

func player(t *testing.T, text string) Player {
	t.Helper()
	p, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

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
func chosen[P games.Position[P]](t *testing.T, g eval.Game[P], text string, p P) Choice {
	t.Helper()
	c, err := NewChooser(g, player(t, text), Searchers[P]{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Choose(context.Background(), p, &History[P]{start: p}, rand.New(rand.NewPCG(1, 1)))
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
		if v := search.New(e).Minimax(p.Play(got.Move), 2).Value; got.Value != want.Value || near1(v) != near1(want.Value) {
			t.Errorf("plain: %d, and %d after its move; want %d", got.Value, v, want.Value)
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
			if got.Value != want.Value || !slices.Contains(want.Best, got.Move) {
				t.Errorf("%s: %v worth %d; want one of %v worth %d", word, got.Move, got.Value, want.Best, want.Value)
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
	c, err := NewChooser(checkersGame, player(t, "depth=2 plain temperature=20 random=0.25"), Searchers[draughts.Position]{})
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
		c, err := c.Choose(context.Background(), p, nil, rng)
		if err != nil {
			t.Fatal(err)
		}
		got[c.Move] += 1.0 / n
	}
	if len(moves) < 3 {
		t.Fatalf("only %d moves", len(moves))
	}
	for _, m := range moves {
		share := lapse/float64(len(moves)) + (1-lapse)*want[m]/total
		if math.Abs(got[m]-share) > 4*math.Sqrt(share*(1-share)/n) {
			t.Errorf("share of %v: %g, want %g", m, got[m], share)
		}
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
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
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
}

// TestSharedSearchers: players share what is remembered of positions only if they value
// them alike.
func TestSharedSearchers(t *testing.T) {
	searchers := Searchers[draughts.Position]{}
	of := func(text string) *search.Searcher[draughts.Position] {
		p := player(t, text)
		if err := p.Resolve(func(string) (*eval.Model, error) { return checkersGame.Default(), nil }); err != nil {
			t.Fatal(err)
		}
		c, err := NewChooser(checkersGame, p, searchers)
		if err != nil {
			t.Fatal(err)
		}
		return c.(*searching[draughts.Position]).searcher
	}
	first := of("depth=1")
	if of("depth=3 random=0.1") != first || of("depth=2 plain") != first {
		t.Error("players of the same weights do not share")
	}
	others := []string{"depth=1 zero=tempo", "depth=1 zero=mobility", "depth=1 weaken=50", "depth=1 weaken=60", "depth=1 pseudorandom=1", "depth=1 pseudorandom=2"}
	if len(searchers) != 1 {
		t.Errorf("%d searchers", len(searchers))
	}
	for _, text := range others {
		of(text)
	}
	if len(searchers) != 1+len(others) {
		t.Errorf("%d searchers of %d evaluation functions", len(searchers), 1+len(others))
	}
}

func TestHistorySaw(t *testing.T) {
	var h History[draughts.Position]
	h.Reset(draughts.Position{}, 1)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		hash := rng.Uint64()
		if h.saw(hash) {
			t.Fatal("a new position was on the board before")
		}
		h.See(hash)
		if !h.saw(hash) || !h.saw(1) {
			t.Fatal("a position was forgotten")
		}
	}
	if h.Reset(draughts.Position{}, 2); h.saw(1) {
		t.Error("a position of the game before")
	}
}

// TestPlaying: a player without weights of its own has those that the game is played by.
func TestPlaying(t *testing.T) {
	g := checkersGame
	p, _, err := g.Rules.Start("", "W:WK1:B20")
	if err != nil {
		t.Fatal(err)
	}
	value := func(m *eval.Model) int32 {
		s, err := staticOf(g, m, 0)
		if err != nil {
			t.Fatal(err)
		}
		return s.Value(p)
	}
	usual := value(nil)
	twice := g.Default()
	for _, term := range twice.Terms {
		for i := range term.Weights {
			term.Weights[i] *= 2
		}
	}
	g.Play = func() (*eval.Model, error) { return twice, nil }
	if got := value(nil); usual == 0 || got != 2*usual || value(g.Default()) != usual {
		t.Errorf("played by twice the weights, a position is worth %d, by the default ones %d", got, usual)
	}
	g.Play = func() (*eval.Model, error) { return nil, io.ErrUnexpectedEOF }
	if _, err := staticOf(g, nil, 0); err != io.ErrUnexpectedEOF {
		t.Errorf("weights that cannot be read: %v", err)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"": "no player", "deep": "is none of", "depth=0": "from 1 to", "depth=64": "from 1 to", "random=2": "from 0 to 1",
		"random=0.5": "needs a depth", "eval=x": "needs a depth", "random eval=x": "has no evaluation",
		"uci:x": "limit", "uci: depth=1": "no program", "uci:x depth=a": "depth=a", "uci:x depth=1 odd": "Name=value",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
	p, err := Parse("  depth=3   random=0.1 zero=a,b eval=w.toml")
	if err != nil || p.Text != "depth=3 random=0.1 zero=a,b eval=w.toml" || p.Depth != 3 || p.Random != 0.1 || len(p.Zero) != 2 || p.EvalFile != "w.toml" {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err = Parse("depth=2 name=two"); err != nil || p.Text != "two" {
		t.Errorf("%+v, %v", p, err)
	}
	keys := map[string]bool{}
	for _, text := range []string{"depth=2 name=a", "depth=3 name=a", "depth=3 name=b", "depth=3 random=0.1 name=a", "uci:x depth=1 name=a", "uci:x depth=2 name=a", "uci:x depth=1 H=1 name=a"} {
		p, err := Parse(text)
		key, fault := json.Marshal(p)
		if keys[string(key)] || err != nil || fault != nil {
			t.Errorf("%s: %v, %v, or the key of another player: %s", text, err, fault, key)
		}
		keys[string(key)] = true
	}
	p, err = Parse("uci:stockfish nodes=100 Hash=4")
	if err != nil || p.Outside.Config.Limits.Nodes != 100 || p.Outside.Config.Options[0] != (engine.Option{Name: "Hash", Value: "4"}) {
		t.Errorf("%+v, %v", p, err)
	}
}

package match

import (
	"io"
	"math/rand/v2"
	"testing"

	"kifu/eval"
	"kifu/games/draughts"
	"kifu/search"
)

// TestSharedSearchers: players share what is remembered of positions only if they value
// them alike.
func TestSharedSearchers(t *testing.T) {
	searchers := map[weightsKey]*search.Searcher[draughts.Position]{}
	of := func(text string) *search.Searcher[draughts.Position] {
		p := player(t, text)
		if err := p.Resolve(func(string) (*eval.Model, error) { return checkersGame.Default(), nil }); err != nil {
			t.Fatal(err)
		}
		c, err := newChooser(checkersGame, p, searchers)
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
	var h history[draughts.Position]
	h.reset(draughts.Position{}, 1)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		hash := rng.Uint64()
		if h.saw(hash) {
			t.Fatal("a new position was on the board before")
		}
		h.see(hash)
		if !h.saw(hash) || !h.saw(1) {
			t.Fatal("a position was forgotten")
		}
	}
	if h.reset(draughts.Position{}, 2); h.saw(1) {
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

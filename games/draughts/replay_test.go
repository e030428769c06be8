package draughts

import (
	"math/rand/v2"
	"testing"

	"kifu/games"
)

// shuffle plays quiet moves from fen that bring no position back and leave nothing to
// take, at random, with a man as soon as the last one is pace plies ago, until the game
// is decided. It returns the plies played and the rule, none if it got stuck.
func shuffle(t *testing.T, r Rules, fen string, pace int, seed uint64) (plies int, rule string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	g := r.NewReplay()
	g.Reset(position(t, r, fen))
	seen := map[uint64]bool{g.Position().Hash(): true}
	still := 0
	for {
		if o, rule := g.Outcome(); o != games.Undecided {
			return plies, rule
		}
		p := g.Position()
		var best games.Move
		choices := 0
		for _, m := range p.AppendMoves(nil) {
			q := p.Play(m)
			man := p.kings&From(m).Bit() == 0
			if _, forced := q.AppendTactics(nil); forced || Taken(m) != 0 || seen[q.Hash()] || man && (still < pace || q.kings != p.kings) {
				continue
			}
			if choices++; man || rng.IntN(choices) == 0 {
				best = m
			}
		}
		if best == 0 {
			return plies, ""
		}
		if still++; p.kings&From(best).Bit() == 0 {
			still = 0
		}
		g.Play(best)
		seen[g.Position().Hash()] = true
		plies++
	}
}

func TestDrawRules(t *testing.T) {
	for _, c := range []struct {
		rules Rules
		fen   string
		pace  int
		plies int
		rule  string
	}{
		{Checkers, "B:WK32,K31,K24:BK1,K5,K6", 1000, 80, "forty moves"},
		{International, "W:WK46:BK49", 1000, 10, "five moves"},
		{International, "W:WK46,K37:BK50", 1000, 10, "five moves"},
		{International, "W:WK46,K37,K41:BK50", 1000, 32, "sixteen moves"},
		{International, "W:WK46,K37,K41,K36:BK50", 1000, 50, "twenty-five moves"},
		{International, "W:WK46,K37:BK50,K45", 1000, 50, "twenty-five moves"},
		{Russian, "W:WKa1:BKg1", 1000, 10, "five moves"},
		{Russian, "W:WKa1,Kb2,Kc1:BKg1", 1000, 30, "fifteen moves"},
		{Russian, "W:WKa1,Kb2:BKg1,Kh2", 1000, 30, "fifteen moves"},
		{Russian, "W:WKa1,Kb2,a3:BKg1,Kh2", 20, 60, "thirty moves"},
		{Russian, "W:WKa1,Kb2,a3:BKg1,Kh2,h6", 20, 120, "sixty moves"},
	} {
		var plies int
		var rule string
		for seed := uint64(0); rule != c.rule && seed < 1000; seed++ {
			plies, rule = shuffle(t, c.rules, c.fen, c.pace, seed)
		}
		if plies != c.plies || rule != c.rule {
			t.Errorf("%s %s: %s after %d plies, want %s after %d", c.rules.Name(), c.fen, rule, plies, c.rule, c.plies)
		}
	}
}

// line plays moves and returns the outcome after each with its rule.
func line(t *testing.T, r Rules, fen string, moves ...string) (games.Outcome, string) {
	t.Helper()
	g := r.NewReplay()
	g.Reset(position(t, r, fen))
	for i, text := range moves {
		if o, rule := g.Outcome(); o != games.Undecided {
			t.Fatalf("%s: %s before move %d", fen, rule, i)
		}
		m, err := r.ParseMove(g.Position(), []byte(text))
		if err != nil {
			t.Fatalf("%s: %s: %v", fen, text, err)
		}
		g.Play(m)
	}
	return g.Outcome()
}

func TestEnds(t *testing.T) {
	for _, c := range []struct {
		rules   Rules
		fen     string
		moves   []string
		outcome games.Outcome
		rule    string
	}{
		{Checkers, "B:W18:B14", []string{"14x23"}, games.FirstWins, "no men left"},
		{Checkers, "W:W18:B14", []string{"18x9"}, games.SecondWins, "no men left"},
		{Giveaway, "B:W18:B14", []string{"14x23"}, games.SecondWins, "no men left"},
		{Giveaway, "W:W18:B14", []string{"18x9"}, games.FirstWins, "no men left"},
		{Checkers, "W:W9,10,13:B1,5", []string{"10-6", "1x10"}, games.Undecided, ""},
		{Checkers, "W:W13,14:B5", []string{"14-9", "5x14"}, games.Undecided, ""},
		{Checkers, "B:W13,22:B5,1", []string{"5-9", "13x6", "1x10", "22-18", "10-14", "18x9"}, games.SecondWins, "no men left"},
		{Checkers, "W:W9,14,17:B5", []string{"17-13"}, games.SecondWins, "no moves"},
		{Giveaway, "W:W9,14,17:B5", []string{"17-13"}, games.FirstWins, "no moves"},
		{Checkers, "B:WK32:BK1", []string{"1-5", "32-28", "5-1", "28-32", "1-5", "32-28", "5-1", "28-32"}, games.Drawn, "threefold repetition"},
	} {
		if o, rule := line(t, c.rules, c.fen, c.moves...); o != c.outcome || rule != c.rule {
			t.Errorf("%s %s %v: %q by %q, want %q by %q", c.rules.Name(), c.fen, c.moves, o, rule, c.outcome, c.rule)
		}
	}
}

// A promotion changes the balance of men, a man's step does not: the thirty moves of
// Russian draughts go on counting.
func TestPromotionBeginsTheCountAnew(t *testing.T) {
	const thirty = 3
	if name := Russian.variant().draws[thirty].name; name != "thirty moves" {
		t.Fatalf("rule %d is %s", thirty, name)
	}
	var g replay
	g.Reset(position(t, Russian, "W:WKa1,Kc1,a5:BKh2,Kh4"))
	for i, c := range []struct {
		move  string
		plies int
	}{{"a5-b6", 1}, {"h4-g3", 2}, {"b6-a7", 3}, {"g3-h4", 4}, {"a7-b8", 0}, {"h4-g3", 1}} {
		m, err := Russian.ParseMove(g.now, []byte(c.move))
		if err != nil {
			t.Fatalf("%s: %v", c.move, err)
		}
		if g.Play(m); g.plies[thirty] != c.plies {
			t.Errorf("after ply %d, %s, %d plies are counted, want %d", i+1, c.move, g.plies[thirty], c.plies)
		}
	}
}

package match

import (
	"testing"

	"kifu/games"
	"kifu/games/chess"
	"kifu/players/play"
	"kifu/search"
)

// TestJudge: values after each ply, from the first player's side in hundredths, and the ply after
// which the game is over; 0: it goes on. X is a move without a value, and P one that cannot be
// undone.
func TestJudge(t *testing.T) {
	const none, undone = 1 << 20, 1 << 21
	resign := Ends{MaxPlies: 99, ResignValue: 500, ResignPlies: 3, ResignOneSided: true}
	both := Ends{MaxPlies: 99, ResignValue: 500, ResignPlies: 4}
	draw := Ends{MaxPlies: 99, Draw: &Draw{From: 2, Count: 2, Value: 10}}
	for name, c := range map[string]struct {
		ends   Ends
		values []int
		after  int
		by     games.Outcome
	}{
		"the loser's own three":          {resign, []int{0, 500, 100, 500, 100, 600, 0}, 6, games.FirstWins},
		"of the first side":              {resign, []int{-500, 0, -500, 0, -900, 0}, 5, games.SecondWins},
		"the winner's do not count":      {resign, []int{500, 0, 500, 0, 500, 0, 500, 0}, 0, games.Undecided},
		"a move between":                 {resign, []int{0, 500, 0, 499, 0, 500, 0, 500, 0}, 0, games.Undecided},
		"one without a value":            {resign, []int{0, 500, 0, none, 0, 500, 0, 500, 0}, 0, games.Undecided},
		"both agree":                     {both, []int{500, 499, 500, 500, 700, 500}, 6, games.FirstWins},
		"both, but of different minds":   {both, []int{500, -500, 500, -500, 500, -500}, 0, games.Undecided},
		"two moves of each":              {draw, []int{50, 10, -10, 0, 10, 3}, 5, games.Drawn},
		"not before the second move":     {Ends{MaxPlies: 99, Draw: &Draw{From: 4, Count: 1, Value: 10}}, []int{0, 0, 0, 0, 0, 0, 0, 0, 0}, 8, games.Drawn},
		"a capture begins anew":          {draw, []int{0, 0, 0, 0 + undone, 0, 0, 0, 0}, 7, games.Drawn},
		"a value outside begins anew":    {draw, []int{0, 0, 0, 11, 0, 0, 0, -11}, 0, games.Undecided},
		"a move limit":                   {Ends{MaxPlies: 3}, []int{0, 0, 0, 0}, 3, games.Undecided},
		"a move limit that makes a draw": {Ends{MaxPlies: 3, LimitDraw: true}, []int{0, 0, 0, 0}, 3, games.Drawn},
	} {
		j := judge{grain: search.Grain}
		j.reset(c.ends)
		over, by := 0, games.Undecided
		for i, v := range c.values {
			progress := v >= undone
			if progress {
				v -= undone
			}
			valued := v != none
			j.see(play.Choice{Value: int32(v) * search.Grain, Valued: valued}, games.Side(i%2), progress)
			var rule string
			if by, rule, _ = j.verdict(i + 1); rule != "" {
				over = i + 1
				break
			}
		}
		if over != c.after || by != c.by {
			t.Errorf("%s: over after %d, %v; want %d, %v", name, over, by, c.after, c.by)
		}
	}
}

// fewer are tables of all positions in which a man has been taken, which Black wins.
type fewer struct{ asked int }

func (f *fewer) Outcome(board []byte) (games.Outcome, bool) {
	f.asked++
	p, err := chess.UnpackBoard(board)
	return games.SecondWins, err == nil && p.Occupied().Count() < 32
}

// TestTables: a game ends by the tables of endings after the first move that takes a man, and they
// are asked only after moves that cannot be undone.
func TestTables(t *testing.T) {
	f := &fewer{}
	p := Params{Games: 1, Seed: 1, Ends: Ends{MaxPlies: 1000}, Tables: f, Openings: Openings{RandomPlies: 2}}
	p.Players = []play.Player{{Text: "a", Depth: 1}, {Text: "b", Depth: 1}}
	o, err := newOpener(chessGame.Rules, p)
	if err != nil {
		t.Fatal(err)
	}
	table, err := newTable(chessGame, p, o)
	if err != nil {
		t.Fatal(err)
	}
	g := record{players: [2]int{0, 1}}
	if err := table.play(t.Context(), &g); err != nil {
		t.Fatal(err)
	}
	last := table.replay.Position()
	if g.Outcome != games.SecondWins || g.Rule != adjudication || g.Why != "tables" || last.Occupied().Count() != 31 || last.HalfmoveClock() != 0 {
		t.Errorf("%v by %s, %s, after %d plies with %d men", g.Outcome, g.Rule, g.Why, g.Plies, last.Occupied().Count())
	}
	if f.asked < 2 || f.asked >= g.Plies {
		t.Errorf("asked %d times in %d plies", f.asked, g.Plies)
	}
}

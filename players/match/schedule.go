package match

import (
	"errors"
	"fmt"
	"slices"

	"kifu/players/match/pentanomial"
	"kifu/players/play"
)

// schedule assigns players to game numbers: the meetings one after the other, each with all
// its games.
type schedule struct {
	meetings [][2]int // players, the one who moves first in the first game of a pair first
	games    int      // of a meeting
}

// schedule lets everyone meet everyone after them in the list, or the first player all
// others.
func (p *Params) schedule() schedule {
	s := schedule{games: p.Games}
	for a := range p.Players {
		if p.Gauntlet && a > 0 {
			break
		}
		for b := a + 1; b < len(p.Players); b++ {
			s.meetings = append(s.meetings, [2]int{a, b})
		}
	}
	return s
}

func (s *schedule) total() int { return len(s.meetings) * s.games }

// at returns the game of that number.
func (s *schedule) at(number int) record {
	m := number / s.games
	return record{Number: number, meeting: m, index: number % s.games, players: s.meetings[m]}
}

// validatePlayers returns an error for invalid pairings.
func (p *Params) validatePlayers() error {
	if len(p.Players) < 2 {
		return errors.New("a match takes at least two players")
	}
	several := len(p.Players) > 2
	if several && p.Games%2 != 0 {
		return fmt.Errorf("%d games per meeting: several players need whole pairs, an even number", p.Games)
	}
	if several && p.SPRT != nil {
		return errors.New("a sequential test (--sprt) needs two players")
	}
	for i, a := range p.Players {
		if several && slices.ContainsFunc(p.Players[:i], func(b play.Player) bool { return a.Text == b.Text }) {
			return fmt.Errorf("two players are called %q: give them different names with name=NAME", a.Text)
		}
		if a.MStar != nil && a.MStar.Every%2 != 0 {
			return fmt.Errorf("player %q learns after every %d games: want an even number, for whole pairs", a.Text, a.MStar.Every)
		}
	}
	return nil
}

// Tally counts the results of a meeting, all from the side of its first player. The order
// of additions does not matter.
type Tally struct {
	// Sides are the wins, draws and losses when moving first, and when moving second.
	Sides [2][3]int64 `json:"sides"`
	// Pairs are the numbers of pairs of finished games by their points: 0, ½, … 2.
	Pairs      pentanomial.Pairs `json:"pairs"`
	Unfinished int64             `json:"unfinished"`
	Ends       map[string]int64  `json:"ends"` // games by the rule that ended them
	Plies      int64             `json:"plies"`
	// Seen is of the whole match alone, not of its parts.
	Seen Seen `json:"seen,omitzero"`
}

func (t *Tally) count(g *record) {
	if t.Ends == nil {
		t.Ends = map[string]int64{}
	}
	rule := g.Rule
	if g.Rule == adjudication && g.Why == "draw" {
		rule += " (draw)"
	}
	t.Ends[rule]++
	t.Plies += int64(g.Plies)
	if n, ok := g.halves(); ok {
		t.Sides[g.firstMover()][2-n]++
	} else {
		t.Unfinished++
	}
}

// pair counts the two games of a pair.
func (t *Tally) pair(a, b *record) {
	m, ok := a.halves()
	n, too := b.halves()
	if ok && too {
		t.Pairs[m+n]++
	}
}

func (t *Tally) add(o Tally) {
	for i := range t.Sides {
		for j := range t.Sides[i] {
			t.Sides[i][j] += o.Sides[i][j]
		}
	}
	for i := range t.Pairs {
		t.Pairs[i] += o.Pairs[i]
	}
	t.Unfinished += o.Unfinished
	t.Plies += o.Plies
	if t.Ends == nil {
		t.Ends = map[string]int64{}
	}
	for rule, n := range o.Ends {
		t.Ends[rule] += n
	}
}

// all returns the wins, draws and losses on either side.
func (t *Tally) all() [3]int64 { return sum(t.Sides[0], t.Sides[1]) }

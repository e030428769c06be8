package match

import (
	"errors"
	"fmt"
	"slices"
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
	return record{number: number, meeting: m, index: number % s.games, players: s.meetings[m]}
}

// validatePlayers returns an error for invalid pairings.
func (p *Params) validatePlayers() error {
	if len(p.Players) < 2 {
		return errors.New("a match takes at least two players")
	}
	several := len(p.Players) > 2
	if several && p.Games%2 != 0 {
		return fmt.Errorf("%d games of each meeting: with several players want whole pairs, an even number", p.Games)
	}
	if several && p.SPRT != nil {
		return errors.New("a sequential test takes two players")
	}
	for i, a := range p.Players {
		if several && slices.ContainsFunc(p.Players[:i], func(b Player) bool { return a.Text == b.Text }) {
			return fmt.Errorf("two players are called %q: give them different names with name=NAME", a.Text)
		}
		if a.MStar != nil && a.MStar.Every%2 != 0 {
			return fmt.Errorf("player %q learns after every %d games: want whole pairs, an even number", a.Text, a.MStar.Every)
		}
	}
	return nil
}

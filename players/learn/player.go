package learn

import (
	"fmt"
	"regexp"
	"strings"

	"kifu/datasets/columns"
	"kifu/games"
	"kifu/internal/lists"
)

func quoted(names []string) string {
	texts := lists.Of(names, func(n string) string { return fmt.Sprintf("%q", n) })
	return strings.Join(texts, " or ")
}

// selector decides which games are the player's.
type selector struct {
	Params
	player *regexp.Regexp
}

// sides returns the sides that the player has in game i of b, if the game is selected.
func (s *selector) sides(b *columns.Batch, i int) (is [2]bool) {
	if !s.dated(b.Col("date"), i) {
		return is
	}
	for side, word := range []string{"first", "second"} {
		name, elo := b.Col(word+"_player"), b.Col(word+"_elo")
		is[side] = (s.Side == "" || s.Side == word) &&
			!name.IsNull(i) && s.player.Match(name.Value(i)) && s.rated(elo, i)
	}
	return is
}

func (s *selector) dated(date *columns.Vec, i int) bool {
	if s.From == "" && s.To == "" {
		return true
	}
	if date.IsNull(i) {
		return false
	}
	at := string(date.Value(i))
	// At the coarser of two precisions.
	from, to := s.From[:min(len(s.From), len(at))], s.To[:min(len(s.To), len(at))]
	return at[:len(from)] >= from && (s.To == "" || at[:len(to)] <= to)
}

func (s *selector) rated(elo *columns.Vec, i int) bool {
	if s.MinElo == 0 && s.MaxElo == 0 {
		return true
	}
	return !elo.IsNull(i) && int(elo.Int32[i]) >= s.MinElo && (s.MaxElo == 0 || int(elo.Int32[i]) <= s.MaxElo)
}

// mover returns the side to move as an index.
func mover[P games.Position[P]](p P) int { return int(p.ToMove() & 1) }

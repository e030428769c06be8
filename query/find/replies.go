package find

import (
	"cmp"
	"slices"
	"strings"

	"kifu/games"
)

// Reply is a move that was played in the positions that were found.
type Reply struct {
	Written             // empty where the game ended
	Games               int64
	First, Draw, Second int64 // of them won by the first player, drawn, lost
	points              int64 // of the side that moved, in half points
}

// Score returns the share of the points that the side that moved got, over the games with a
// result; ok is false without one.
func (r Reply) Score() (score float64, ok bool) {
	n := r.First + r.Draw + r.Second
	return float64(r.points) / 2 / float64(max(n, 1)), n > 0
}

// Replies counts hits by their move.
type Replies struct{ byMove map[string]*Reply }

// Add counts a hit.
func (r *Replies) Add(h Hit) {
	mover := games.First
	if !h.FirstToMove {
		mover = games.Second
	}
	r.add(h.Written, h.Result, mover)
}

func (r *Replies) add(move Written, result games.Outcome, mover games.Side) {
	one := Reply{Written: move, Games: 1}
	switch result {
	case games.FirstWins:
		one.First = 1
	case games.SecondWins:
		one.Second = 1
	case games.Drawn:
		one.Draw = 1
	}
	r.AddMove(one, mover)
}

// AddLine counts a hit by each beginning of its line: "BQ16", then "BQ16 WR14"; "" is an empty line. first is the name of
// the first player.
func (r *Replies) AddLine(h Hit, first string) {
	words := strings.Fields(h.Line)
	if len(words) == 0 {
		r.add(Written{}, h.LineResult(), games.First)
	}
	for i, word := range words {
		mover := games.Second
		if strings.HasPrefix(first, word[:1]) {
			mover = games.First
		}
		line := strings.Join(words[:i+1], " ")
		r.add(Written{line, line}, h.LineResult(), mover)
	}
}

// AddMove counts games with a move by mover.
func (r *Replies) AddMove(more Reply, mover games.Side) {
	if r.byMove == nil {
		r.byMove = map[string]*Reply{}
	}
	reply := r.byMove[more.Move]
	if reply == nil {
		reply = &Reply{Written: more.Written}
		r.byMove[more.Move] = reply
	}
	reply.Games += more.Games
	reply.First, reply.Draw, reply.Second = reply.First+more.First, reply.Draw+more.Draw, reply.Second+more.Second
	won := more.First
	if mover == games.Second {
		won = more.Second
	}
	reply.points += 2*won + more.Draw
}

// All returns the replies, the most frequent first.
func (r *Replies) All() []Reply {
	all := make([]Reply, 0, len(r.byMove))
	for _, reply := range r.byMove {
		all = append(all, *reply)
	}
	slices.SortFunc(all, func(a, b Reply) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Move, b.Move))
	})
	return all
}

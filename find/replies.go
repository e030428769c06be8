package find

import (
	"cmp"
	"slices"

	"kifu/games"
)

// Reply is a move that was played in the positions that were found.
type Reply struct {
	Move                string // as records write it; "" where the game ended
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
	if r.byMove == nil {
		r.byMove = map[string]*Reply{}
	}
	reply := r.byMove[h.Move]
	if reply == nil {
		reply = &Reply{Move: h.Move}
		r.byMove[h.Move] = reply
	}
	reply.Games++
	mover := games.First
	if !h.FirstToMove {
		mover = games.Second
	}
	switch h.Result {
	case games.FirstWins:
		reply.First++
	case games.SecondWins:
		reply.Second++
	case games.Drawn:
		reply.Draw++
		reply.points++
	}
	if h.Result == games.WinFor(mover) {
		reply.points += 2
	}
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

package find

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"kifu/games"
	"kifu/games/board"
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

// Replies counts hits by their move. If Same has several positions, which show the first of them turned and mirrored
// (board.Alike), hits are counted by the move on the first that theirs is an image of.
type Replies struct {
	Same   []board.Board
	byMove map[played]*Reply
}

// played is a move in one of several positions; hash is 0 if there is one.
type played struct {
	hash uint64
	move string
}

// Add counts a hit.
func (r *Replies) Add(h Hit) {
	mover := games.First
	if !h.FirstToMove {
		mover = games.Second
	}
	r.add(h.Hash, h.Written, h.Result, mover)
}

func (r *Replies) add(hash uint64, move Written, result games.Outcome, mover games.Side) {
	one := Reply{Written: move, Games: 1}
	switch result {
	case games.FirstWins:
		one.First = 1
	case games.SecondWins:
		one.Second = 1
	case games.Drawn:
		one.Draw = 1
	}
	r.AddMove(hash, one, mover)
}

// AddLine counts a hit by each beginning of its line: "BQ16", then "BQ16 WR14"; "" is an empty line. first is the name of
// the first player.
func (r *Replies) AddLine(h Hit, first string) {
	words := strings.Fields(h.Line)
	if len(words) == 0 {
		r.add(0, Written{}, h.LineResult(), games.First)
	}
	for i, word := range words {
		mover := games.Second
		if strings.HasPrefix(first, word[:1]) {
			mover = games.First
		}
		line := strings.Join(words[:i+1], " ")
		r.add(0, Written{line, line}, h.LineResult(), mover)
	}
}

// AddMove counts games with a move by mover in the position with a hash.
func (r *Replies) AddMove(hash uint64, more Reply, mover games.Side) {
	if r.byMove == nil {
		r.byMove = map[played]*Reply{}
	}
	if len(r.Same) < 2 {
		hash = 0
	}
	k := played{hash, more.Move}
	if r.byMove[k] == nil {
		r.byMove[k] = &Reply{Written: more.Written}
	}
	more.points = 2*more.First + more.Draw
	if mover == games.Second {
		more.points = 2*more.Second + more.Draw
	}
	r.byMove[k].join(more)
}

func (r *Reply) join(more Reply) {
	r.Games += more.Games
	r.First, r.Draw, r.Second = r.First+more.First, r.Draw+more.Draw, r.Second+more.Second
	r.points += more.points
}

// All returns the replies, the most frequent first.
func (r *Replies) All() []Reply {
	keys := slices.SortedFunc(maps.Keys(r.byMove), func(a, b played) int {
		return cmp.Or(cmp.Compare(r.byMove[b].Games, r.byMove[a].Games), cmp.Compare(a.move, b.move), cmp.Compare(a.hash, b.hash))
	})
	all := board.Merge(keys, r.onFirst, func(to *Reply, more Reply) { to.join(more) })
	slices.SortStableFunc(all, func(a, b Reply) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Move, b.Move))
	})
	return all
}

// onFirst writes the move of a reply as on the first of r.Same, and returns a text that equal moves have in common. here
// reports that it was played there.
func (r *Replies) onFirst(k played) (one Reply, same string, here bool) {
	one = *r.byMove[k]
	if len(r.Same) < 2 || k.move == "" {
		return one, "as played " + k.move, true
	}
	first := r.Same[0]
	for _, from := range r.Same {
		if from.Hash() != k.hash {
			continue
		}
		m, err := from.Find(k.move)
		if err != nil {
			break
		}
		same = board.MoveAs(m, from, first)
		if from.Hash() == first.Hash() {
			return one, same, true
		}
		if as, err := first.Find(same); err == nil {
			one.Written = Written{string(as.AppendShown(nil, true)), string(as.AppendShown(nil, false))}
			return one, same, false
		}
	}
	return one, "as played " + k.move, false
}

package search

import (
	"fmt"

	"kifu/games"
)

// MStar searches with a model of the opponent: M* of Carmel and Markovitch ("Learning Models of
// Opponent's Strategy in Game Playing", 1993, figure 1). Every position has a pair of values,
// the player's for the side to move at the root (MAX) and the model's for the other (MIN):
//
//	an end of the game   its outcome, for either
//	ply = player's depth the static values
//	MAX to move          the greatest player's value and the least model's value of the
//	                     moves: the model believes that MAX minimises its function
//	MIN to move          the pair of the move with the greatest model's value; among
//	                     equals the least player's value
//	ply = model's depth + 1, the model's horizon: the model's value is its static value
//
// Figure 1 tests the horizon on the successors, with the depth of their parent. So a model that
// looks two plies less than the player acts like one that looks one ply less. Here the node
// itself is tested. Lemma 1 (with the player's own function and a model depth one less, M* is
// minimax) holds for both.
//
// Modified lets the model decide MIN's replies to the moves at the root alone; deeper down MIN
// takes the least player's value (section 2.3, the form of the paper's experiments).
//
// It must not be shared by goroutines.
type MStar[P games.Position[P]] struct {
	player, model *Searcher[P] // for their static values
	depth         int
	horizon       int // ply at which the model's own search ends
	modified      bool
	me            games.Side
	nodes         int64
	stack         []games.Move
}

// MStarResult is the result of an M* search.
type MStarResult struct {
	Value int32        // value of the best moves by the player's function, first player's side
	Best  []games.Move // every move worth it, ascending; belongs to the caller
	Nodes int64        // positions visited, the root included
}

// NewMStar returns an M* search, of the modified form on request. The model may look ahead
// at most one ply less than the player: the player's tree does not reach further.
func NewMStar[P games.Position[P]](player, model Strategy[P], modified bool) (*MStar[P], error) {
	switch {
	case player.Depth < 2 || player.Depth > MaxDepth:
		return nil, fmt.Errorf("a player with a model looks ahead from 2 to %d plies, not %d", MaxDepth, player.Depth)
	case model.Depth < 1:
		return nil, fmt.Errorf("a model looks ahead one ply or more, not %d", model.Depth)
	case model.Depth > player.Depth-1:
		return nil, fmt.Errorf("a model of depth %d looks beyond the player's %d plies, because its search begins one ply later: at most %d", model.Depth, player.Depth, player.Depth-1)
	}
	return &MStar[P]{
		player: New(player.Static), model: New(model.Static),
		depth: player.Depth, horizon: model.Depth + 1, modified: modified,
	}, nil
}

// Search returns the best moves of p, which has a legal move, and visits every position:
// the definition. Pruned gives the same result faster.
func (s *MStar[P]) Search(p P) MStarResult {
	return s.root(p, func(next P, _ int32) int32 {
		v, _ := s.pair(next, 1)
		return v
	})
}

// root collects the moves of p with the greatest value by reply. reply is given the
// greatest value so far; below that it may return any value that is also below it.
func (s *MStar[P]) root(p P, reply func(next P, high int32) int32) MStarResult {
	s.me, s.nodes = p.ToMove(), 1
	s.stack = p.AppendMoves(s.stack[:0])
	var r MStarResult
	high := int32(-infinite)
	for _, m := range s.stack {
		v := reply(p.Play(m), high)
		if v > high {
			high, r.Best = v, nil
		}
		if v == high {
			r.Best = append(r.Best, m)
		}
	}
	r.Value, r.Nodes = high*s.me.Sign(), s.nodes
	return r
}

// pair returns the pair of values of p, ply plies from the root.
func (s *MStar[P]) pair(p P, ply int) (player, model int32) {
	s.nodes++
	if ply == s.depth {
		return s.leaf(p, ply, open, open)
	}
	first := len(s.stack)
	s.stack = p.AppendMoves(s.stack)
	moves := s.stack[first:]
	if len(moves) == 0 {
		return s.ended(p, ply)
	}
	if ply%2 == 0 {
		player, model = -infinite, infinite
	} else {
		player, model = infinite, -infinite
	}
	for _, m := range moves {
		a, b := s.pair(p.Play(m), ply+1)
		switch {
		case ply%2 == 0:
			player, model = max(player, a), min(model, b)
		case s.chooses(ply):
			player, model = choose(player, model, a, b)
		default:
			player, model = min(player, a), max(model, b)
		}
	}
	s.stack = s.stack[:first]
	if ply == s.horizon {
		model = s.modelled(p)
	}
	return player, model
}

// chooses reports whether MIN's move at ply is the model's choice.
func (s *MStar[P]) chooses(ply int) bool { return ply == 1 || ply%2 == 1 && !s.modified }

// choose returns the pair of the better move for the model; among equals the player's value
// is the least.
func choose(player, model, a, b int32) (int32, int32) {
	switch {
	case b > model:
		return a, b
	case b == model:
		return min(player, a), model
	}
	return player, model
}

// leaf returns the pair of a position at the player's depth; a value that is not needed is
// not computed.
func (s *MStar[P]) leaf(p P, ply int, player, model window) (a, b int32) {
	if p.Outcome() != games.Undecided {
		return s.ended(p, ply)
	}
	if !player.isShut() {
		a = s.played(p)
	}
	if !model.isShut() {
		b = s.modelled(p)
	}
	return a, b
}

// ended returns the pair of a position that has ended.
func (s *MStar[P]) ended(p P, ply int) (player, model int32) {
	v := s.player.decided(p, ply) * p.ToMove().Sign() * s.me.Sign()
	return v, -v
}

// played returns the player's static value of p, and modelled the model's, each for its
// side.
func (s *MStar[P]) played(p P) int32 {
	hash := p.Hash()
	return s.player.value(p, s.player.values.at(hash), hash) * s.me.Sign()
}

func (s *MStar[P]) modelled(p P) int32 {
	hash := p.Hash()
	return -s.model.value(p, s.model.values.at(hash), hash) * s.me.Sign()
}

package search

import "kifu/games"

// window is the range in which a value matters: exact inside, a bound on its own side
// outside. A shut window needs no value.
type window struct{ low, high int32 }

var (
	open = window{-infinite, infinite}
	shut = window{infinite, -infinite}
)

func (w window) isShut() bool { return w.low >= w.high }

// Pruned returns the value and the moves of Search and visits fewer positions. It carries a
// window for each function and leaves a node only when neither needs more:
//
//   - a move to a MAX node is done once the model's value of it is below another's
//     reply of MIN, or equal to it when the player's value is no less: MIN will not choose it;
//   - a node whose parent uses only the extremes (every node below the first reply of the
//     modified form) is done when both values are outside their windows, and a single value
//     outside its window is not searched further;
//   - below the model's horizon its value is not needed.
//
// Where the model chooses MIN's move, MIN's node is never cut from above: a later move may
// be better for the model and for the player. So the plain form prunes less than minimax
// does, whatever the functions.
func (s *MStar[P]) Pruned(p P) MStarResult {
	return s.root(p, func(next P, high int32) int32 {
		v, _ := s.prune(next, 1, window{high - 1, infinite}, open, infinite)
		return v
	})
}

// prune computes pair within the windows. When MIN chose the move to p among others, the
// model's value of the best of them is model.low+1, and the player's value of that one
// equal: infinite without one.
func (s *MStar[P]) prune(p P, ply int, player, model window, equal int32) (a, b int32) {
	s.nodes++
	if ply == s.depth {
		return s.leaf(p, ply, player, model)
	}
	first := len(s.stack)
	s.stack = p.AppendMoves(s.stack)
	moves := s.stack[first:]
	if len(moves) == 0 {
		return s.ended(p, ply)
	}
	switch {
	case ply%2 == 0:
		a, b = s.pruneMax(p, moves, ply, player, model, equal)
	case s.chooses(ply):
		a, b = s.pruneChoice(p, moves, ply, player, model)
	default:
		a, b = s.pruneMin(p, moves, ply, player, model)
	}
	s.stack = s.stack[:first]
	return a, b
}

// below returns the model's window for the children of a node at its horizon: the choices
// below are made independently of earlier values.
func (s *MStar[P]) below() window {
	if s.modified {
		return shut
	}
	return open
}

// pruneMax implements prune where MAX is to move.
func (s *MStar[P]) pruneMax(p P, moves []games.Move, ply int, player, model window, equal int32) (a, b int32) {
	chosen := s.chooses(ply - 1)
	atHorizon := ply == s.horizon
	a, b = -infinite, infinite
	if atHorizon {
		b = s.modelled(p)
	}
	for _, m := range moves {
		if chosen && (b <= model.low || b == model.low+1 && a >= equal) {
			break
		}
		doneA, doneB := a >= player.high, atHorizon || b <= model.low
		if doneA && doneB {
			break
		}
		askA, askB := window{max(player.low, a), player.high}, window{model.low, min(model.high, b)}
		if doneA {
			askA = shut
		}
		switch {
		case atHorizon:
			askB = s.below()
		case doneB:
			askB = shut
		}
		x, y := s.prune(p.Play(m), ply+1, askA, askB, infinite)
		a = max(a, x)
		if !atHorizon {
			b = min(b, y)
		}
	}
	return a, b
}

// pruneChoice implements prune where the model chooses MIN's move.
func (s *MStar[P]) pruneChoice(p P, moves []games.Move, ply int, player, model window) (a, b int32) {
	low, atHorizon := model.low, ply == s.horizon
	if atHorizon {
		if b := s.modelled(p); b <= low {
			return infinite, b
		}
		low = -infinite
	}
	a, b = infinite, -infinite
	for _, m := range moves {
		equal := int32(infinite)
		ask := window{low, infinite}
		if b-1 >= low {
			ask.low, equal = b-1, a
		}
		x, y := s.prune(p.Play(m), ply+1, window{player.low, infinite}, ask, equal)
		a, b = choose(a, b, x, y)
	}
	if atHorizon {
		b = s.modelled(p)
	}
	return a, b
}

// pruneMin implements prune where MIN minimises the player's value.
func (s *MStar[P]) pruneMin(p P, moves []games.Move, ply int, player, model window) (a, b int32) {
	atHorizon := ply == s.horizon
	a, b = infinite, -infinite
	if atHorizon && !model.isShut() {
		b = s.modelled(p)
	}
	for _, m := range moves {
		doneA, doneB := a <= player.low, atHorizon || b >= model.high
		if doneA && doneB {
			break
		}
		askA, askB := window{player.low, min(player.high, a)}, window{max(model.low, b), model.high}
		if doneA {
			askA = shut
		}
		if doneB {
			askB = shut
		}
		x, y := s.prune(p.Play(m), ply+1, askA, askB, infinite)
		a = min(a, x)
		if !atHorizon {
			b = max(b, y)
		}
	}
	return a, b
}

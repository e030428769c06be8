package label

import (
	"kifu/games"
	"kifu/search"
)

// wide is the number of moves from which on a start is too wide to be searched deep.
const wide = 100

// Signature is the number of nodes that quiescence and a search of depth 3 (1 where the
// start has more than a hundred moves) visit from sixty fixed positions of g with its
// default evaluator. It changes when the search,
// the evaluator or the moves change, and only then: a changed signature in a change
// that meant to touch neither is a fault.
func Signature[P games.Position[P]](g Game[P]) (nodes int64, err error) {
	e, err := g.NewEvaluator(g.Default())
	if err != nil {
		return 0, err
	}
	s := search.New(e)
	depth := 3
	err = g.sixty(func(p P, moves int) {
		if moves > wide {
			depth = 1
		}
		nodes += s.Quiescence(p).Nodes
		nodes += s.Depth(p, depth).Nodes
	})
	return nodes, err
}

// MStarSignature is the same of M* and modified M* with pruning, three plies deep, with
// a model that looks one ply ahead. It is 0 where the start has more than a hundred
// moves: M* cannot leave a node of the opponent's first reply early, so that the tree
// there has a million leaves.
func MStarSignature[P games.Position[P]](g Game[P]) (nodes int64, err error) {
	e, err := g.NewEvaluator(g.Default())
	if err != nil {
		return 0, err
	}
	var searches []*search.MStar[P]
	for _, modified := range []bool{false, true} {
		s, err := search.NewMStar(search.Strategy[P]{Static: e, Depth: 3}, search.Strategy[P]{Static: e, Depth: 1}, modified)
		if err != nil {
			return 0, err
		}
		searches = append(searches, s)
	}
	err = g.sixty(func(p P, moves int) {
		if moves > wide || len(p.AppendMoves(nil)) == 0 {
			return
		}
		for _, s := range searches {
			nodes += s.Pruned(p).Nodes
		}
	})
	return nodes, err
}

// sixty visits the positions of the signatures: every sixth of pseudo-random play, from
// the start again when a game is over. moves is the number of moves of the start.
func (g Game[P]) sixty(visit func(p P, moves int)) error {
	start, _, err := g.Rules.Start("", "")
	if err != nil {
		return err
	}
	p, x, width := start, uint64(1), len(start.AppendMoves(nil))
	for range 60 {
		for range 6 {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				p = start
				continue
			}
			x = x*6364136223846793005 + 1442695040888963407 // Knuth, MMIX
			p = p.Play(moves[x>>33%uint64(len(moves))])
		}
		visit(p, width)
	}
	return nil
}

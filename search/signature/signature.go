// Package signature counts the nodes of a fixed set of searches of any game. The number
// changes when the search, the evaluator or the moves change, and only then: a change of
// the signature by a commit meant to touch none of them is a bug.
package signature

import (
	"kifu/games"
	"kifu/search"
)

// wide is the number of moves above which a start is too wide for a deep search.
const wide = 100

// Nodes returns the number of nodes that quiescence and a search of depth 3 (1 where the
// start has more than a hundred moves) visit from sixty fixed positions of the game.
func Nodes[P games.Position[P]](rules games.Rules[P], e search.Static[P]) (nodes int64, err error) {
	s := search.New(e)
	depth := 3
	err = sixty(rules, func(p P, moves int) {
		if moves > wide {
			depth = 1
		}
		nodes += s.Quiescence(p).Nodes
		nodes += s.Depth(p, depth).Nodes
	})
	return nodes, err
}

// MStar returns the same for M* and modified M* with pruning, three plies deep, with a
// model that looks one ply ahead. It is 0 where the start has more than a hundred moves: M*
// cannot leave a node of the opponent's first reply early, so the tree there has a million
// leaves.
func MStar[P games.Position[P]](rules games.Rules[P], e search.Static[P]) (nodes int64, err error) {
	var searches []*search.MStar[P]
	for _, modified := range []bool{false, true} {
		s, err := search.NewMStar(search.Strategy[P]{Static: e, Depth: 3}, search.Strategy[P]{Static: e, Depth: 1}, modified)
		if err != nil {
			return 0, err
		}
		searches = append(searches, s)
	}
	err = sixty(rules, func(p P, moves int) {
		if moves > wide || len(p.AppendMoves(nil)) == 0 {
			return
		}
		for _, s := range searches {
			nodes += s.Pruned(p).Nodes
		}
	})
	return nodes, err
}

// sixty visits the positions of the signatures: every sixth position of pseudo-random play,
// restarting when a game is over. moves is the number of moves of the start.
func sixty[P games.Position[P]](rules games.Rules[P], visit func(p P, moves int)) error {
	start, _, err := rules.Start("", "")
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

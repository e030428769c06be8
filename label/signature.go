package label

import (
	"kifu/games"
	"kifu/search"
)

// Signature is the number of nodes that quiescence and a search of depth 3 (1 where the
// start has more than a hundred moves) visit from sixty fixed positions of g with its
// default evaluator. It changes when the search,
// the evaluator or the moves change, and only then: a changed signature in a change
// that meant to touch neither is a fault.
func Signature[P games.Position[P]](g Game[P]) (nodes int64, err error) {
	p, _, err := g.Rules.Start("", "")
	if err != nil {
		return 0, err
	}
	e, err := g.NewEvaluator(g.Default())
	if err != nil {
		return 0, err
	}
	s := search.New(e)
	// The positions are every sixth of pseudo-random play, from the start again when a
	// game is over.
	start, x := p, uint64(1)
	depth := 3
	if len(p.AppendMoves(nil)) > 100 {
		depth = 1
	}
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
		nodes += s.Quiescence(p).Nodes
		nodes += s.Depth(p, depth).Nodes
	}
	return nodes, nil
}

package othello

import (
	_ "embed"
	"sync"

	"kifu/games"
)

// openingList was compiled by hand (docs/evaluators/othello.md).
//
//go:embed openings.tsv
var openingList string

// openings are the names by the least hash of a position's mirror images and rotations, and the
// most discs of one that has a name. They are read when they are first asked for.
var openings = sync.OnceValue(func() (o struct {
	names map[uint64]string
	discs int
}) {
	o.names = map[uint64]string{}
	if err := games.EachOpening(openingList, Rules{}, Start(), func(p Position, name string) {
		o.names[leastHash(p)] = name
		o.discs = max(o.discs, (p.own | p.opp).Count())
	}); err != nil {
		panic(err)
	}
	return o
})

var _ games.ListedOpenings[Position] = Rules{}

// OpeningName returns the name that the list has for p, for a mirror image or for a rotation of
// it, however it was reached.
func (Rules) OpeningName(p Position) string {
	o := openings()
	if (p.own | p.opp).Count() > o.discs {
		return ""
	}
	return o.names[leastHash(p)]
}

// OpeningCode returns the name: these openings have no codes.
func (r Rules) OpeningCode(p Position) string { return r.OpeningName(p) }

// leastHash returns the least hash of the eight images of p.
func leastHash(p Position) uint64 {
	least := p.Hash()
	for turn := 1; turn < 8; turn++ {
		image := Position{own: turnBoard(p.own, turn), opp: turnBoard(p.opp, turn), side: p.side}
		least = min(least, image.Hash())
	}
	return least
}

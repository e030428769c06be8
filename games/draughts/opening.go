package draughts

import (
	_ "embed"
	"sync"

	"kifu/games"
)

// The lists of names, compiled by hand (docs/evaluators/draughts.md).
var (
	//go:embed openings_checkers.tsv
	checkersOpenings string
	//go:embed openings_draughts.tsv
	internationalOpenings string
)

// openingLists has the names by position, of the variants whose openings have any. They are
// read when they are first asked for.
var openingLists = map[Rules]func() map[uint64]string{
	Checkers:      sync.OnceValue(func() map[uint64]string { return readOpenings(Checkers, checkersOpenings) }),
	International: sync.OnceValue(func() map[uint64]string { return readOpenings(International, internationalOpenings) }),
}

func readOpenings(r Rules, list string) map[uint64]string {
	names := map[uint64]string{}
	if err := games.EachOpening(list, r, r.start(), func(p Position, name string) { names[p.Hash()] = name }); err != nil {
		panic(err)
	}
	return names
}

// Named is Rules of a variant whose openings have names: Checkers and International. Of other
// variants it names none.
type Named struct{ Rules }

var _ games.ListedOpenings[Position] = Named{}

// OpeningName returns the name that the variant's list has for p, however it was reached.
func (n Named) OpeningName(p Position) string {
	if list := openingLists[n.Rules]; list != nil {
		return list()[p.Hash()]
	}
	return ""
}

// OpeningCode returns the name: these openings have no codes.
func (n Named) OpeningCode(p Position) string { return n.OpeningName(p) }

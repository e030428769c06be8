package shogi

import (
	"math/rand/v2"
	"testing"

	"kifu/games"
	"kifu/kit/gametest"
)

// TestRelations compares the relations but the castles with the attacks of each piece by itself, in random games with random
// selections.
func TestRelations(t *testing.T) {
	r, seen := rand.New(rand.NewPCG(7, 8)), map[string]int{}
	for seed := range uint64(10) {
		gametest.Random(Start(), 200, seed, func(p Position, _ []games.Move) {
			hits := func(from, to Square, occ Bitboard) bool {
				k := p.KindAt(from)
				return k != NoKind && from != to && Attacks(k, p.SideAt(from), from, occ).Has(to)
			}
			for _, relation := range attacks {
				args := make([]games.Selection, len(relation.Params))
				for i := range args {
					args[i] = games.Selection{Pieces: r.Uint32() | 1, Cells: [6]uint64{r.Uint64() & r.Uint64(), r.Uint64()}}
				}
				in := func(i int, s Square) bool {
					piece := uint8(0)
					if k := p.KindAt(s); k != NoKind {
						piece = number(k, p.SideAt(s))
					}
					return args[i].Has(cellOf(s), piece)
				}
				want, occ := 0, p.Occupied()
				for s := range Square(81) {
					counts := false
					for o := range Square(81) {
						switch relation.Name {
						case "attackers":
							counts = counts || in(1, s) && in(0, o) && hits(s, o, occ)
						case "attacked":
							counts = counts || in(0, s) && in(1, o) && hits(o, s, occ)
						case "checkers":
							counts = counts || p.KindAt(o) == King && p.SideAt(o) == p.side && p.KindAt(s) != NoKind && p.SideAt(s) != p.side && hits(s, o, occ)
						case "pinned":
							king := p.King(p.SideAt(s))
							counts = counts || in(0, s) && p.KindAt(s) != NoKind && p.KindAt(o) != NoKind && p.SideAt(o) != p.SideAt(s) &&
								!hits(o, king, occ) && hits(o, king, occ.Without(s.Bit()))
						}
					}
					if counts {
						want++
					}
				}
				if got := relation.Count(p, args); got != want {
					t.Fatalf("%s in %s: %d, want %d", relation.Name, Rules{}.AppendPosition(nil, p), got, want)
				}
				seen[relation.Name] += want
			}
		})
	}
	for _, relation := range attacks {
		if seen[relation.Name] < 20 {
			t.Errorf("%s: only %d were counted", relation.Name, seen[relation.Name])
		}
	}
}

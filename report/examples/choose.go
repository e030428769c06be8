package examples

import (
	"cmp"
	"context"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/schemas"
)

// place is where an example is.
type place struct {
	ask       int
	wrong     bool
	key       float64 // of the order among them, then the game
	game, ply int64
}

// compare orders places: the first are chosen.
func (p place) compare(q place) int {
	if c := cmp.Compare(p.key, q.key); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(p.game, q.game), cmp.Compare(p.ply, q.ply))
}

// chosen has the first places of an ask, one of a game: those that are right, and those that are wrong.
type chosen [2][]place

// add takes p in, if it is before one of the others.
func (c *chosen) add(p place) {
	list, most := &c[0], Spare*Right
	if p.wrong {
		list, most = &c[1], Spare*Wrong
	}
	if n := len(*list); n == most && p.compare((*list)[n-1]) >= 0 {
		return
	}
	if i := slices.IndexFunc(*list, func(q place) bool { return q.game == p.game }); i >= 0 {
		if p.compare((*list)[i]) >= 0 {
			return
		}
		*list = slices.Delete(*list, i, i+1)
	}
	at, _ := slices.BinarySearchFunc(*list, p, place.compare)
	*list = slices.Insert(*list, at, p)
	*list = (*list)[:min(len(*list), most)]
}

// choose returns the places of positions of all asks, in their order. It reads what the choice depends on: boards are
// read of the places alone.
//
// The lower the value of a game that was won, the more wrong it is. What is right comes in an order that has nothing to do with the values.
func choose(ctx context.Context, db *query.DB, labels *datasets.Dir, value string, workers int, asks []Ask) (places []place, err error) {
	conditions := lists.Of(asks, func(a Ask) query.Named { return query.Named{Name: a.Name, SQL: a.Condition} })
	holds, err := db.Bits(ctx, labels, conditions)
	if err != nil {
		return nil, err
	}
	batches := datasets.Batches(labels.Table, workers, "game_id", "ply", "result", value)
	all := make([]chosen, len(asks))
	err = datasets.Each(ctx, labels, len(batches), "examples", "positions", func(w int, g datasets.Group, emit func([]chosen) error) error {
		bits, err := holds(ctx, g.Part)
		if err != nil {
			return err
		}
		b, found := batches[w], make([]chosen, len(asks))
		b.Reset()
		if err := g.Read(b); err != nil {
			return err
		}
		games, plies, results, values := b.Col("game_id").Int64, b.Col("ply"), b.Col("result"), b.Col(value)
		for i := range b.Rows {
			won, v := schemas.OutcomeOf(results.Value(i)), values.Number(i)
			if won != schemas.FirstWon && won != schemas.SecondWon || !(math.Abs(v) <= schemas.Decided) {
				continue
			}
			first := won == schemas.FirstWon
			for k := range asks {
				if !bits[k].Has(g.At + i) {
					continue
				}
				p := place{ask: k, game: games[i], ply: int64(plies.Int32[i])}
				if first == (v > 0) {
					p.key = float64(uint64(uint32(p.game)) * 2654435761 % (1 << 32))
					found[k].add(p)
				}
				if first == asks[k].More {
					p.wrong, p.key = true, v
					if !first {
						p.key = -v
					}
					found[k].add(p)
				}
			}
		}
		return emit(found)
	}, func(found []chosen) error {
		for k, of := range found {
			for _, list := range of {
				for _, p := range list {
					all[k].add(p)
				}
			}
		}
		return nil
	})
	for _, of := range all {
		places = append(append(places, of[1]...), of[0]...)
	}
	return places, err
}

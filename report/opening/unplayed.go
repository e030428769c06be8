package opening

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
)

// unplayed is the best move of a position that no game has.
type unplayed struct {
	move  uint32
	value float64
}

// choiceKey is a move that could be played, and who would have.
type choiceKey struct {
	moveKey
	first bool
}

// span is a row group of the positions and its games.
type span struct {
	part, group int
	from, to    uint64
}

// unplayed reads the choices along with their positions. Both are in the order of games and plies, so
// that a row group of choices needs a few of the positions, which a worker keeps.
func (s *stream) unplayed(ctx context.Context, moves []shownMove) (map[spot]unplayed, error) {
	if err := isValue(s.choices, s.value); err != nil {
		return nil, err
	}
	asked := map[spot]bool{} // shown positions, in their shown orientation
	for _, m := range moves {
		asked[m.spot] = true
	}
	spans, err := s.spans()
	if err != nil {
		return nil, err
	}
	columns := []string{"game_id", "ply", "move", s.value}
	batches := datasets.Batches(s.choices.Table, s.p.Workers, columns...)
	near := make([]*neighbours, len(batches))
	for i := range near {
		near[i] = &neighbours{s: s, spans: spans, at: -1, reader: &reader{s: s, forms: map[uint64]uint64{}, texts: map[string]uint32{}}}
		defer near[i].close()
	}
	best := map[choiceKey]float64{}
	err = datasets.Each(ctx, s.choices, s.p.Workers, "opening: choices", "choices", func(worker int, g datasets.Group, emit func(map[choiceKey]float64) error) error {
		if err := g.Read(batches[worker]); err != nil {
			return err
		}
		of, err := near[worker].choices(batches[worker], func(at spot) bool {
			if s.forms != nil {
				at, _ = s.forms.shownAs(s.tree, at)
			}
			return asked[at]
		})
		if err != nil {
			return err
		}
		return emit(of)
	}, func(of map[choiceKey]float64) error {
		for k, v := range of {
			if old, ok := best[k]; !ok || v > old {
				best[k] = v
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.best(best)
}

// best takes the best of the moves that no game has.
func (s *stream) best(of map[choiceKey]float64) (map[spot]unplayed, error) {
	t, f := s.tree, s.forms
	played := map[moveKey]bool{}
	for i := range t.shards {
		moves := &t.shards[i].moves
		for k, key := range moves.keys {
			if moves.sums[k].left == 0 {
				continue
			}
			if f != nil {
				at, shown := f.shownAs(t, key.spot)
				if !shown {
					continue
				}
				key = moveKey{at, f.class[key]}
			}
			played[key] = true
		}
	}
	values := map[choiceKey]float64{} // moves that are one by a symmetry are one
	for k, v := range of {
		if f != nil {
			as, _ := f.shownAs(t, k.spot)
			text, err := f.moveAs(s.texts.text[k.move], k.spot, as)
			if err != nil {
				return nil, err
			}
			k.moveKey = moveKey{as, s.texts.number(text)}
		}
		if old, ok := values[k]; !played[k.moveKey] && (!ok || v > old) {
			values[k] = v
		}
	}
	all := map[spot]unplayed{}
	signed := map[spot]float64{}
	for k, v := range values {
		x := v
		if !k.first {
			x = -v
		}
		old, ok := all[k.spot]
		if order := cmp.Compare(x, signed[k.spot]); !ok || order > 0 || order == 0 && s.texts.text[k.move] > s.texts.text[old.move] {
			all[k.spot], signed[k.spot] = unplayed{k.move, v}, x
		}
	}
	return all, nil
}

// spans lists the row groups of the positions.
func (s *stream) spans() (all []span, err error) {
	for i := range s.from.NumParts() {
		part, err := s.from.OpenPart(i)
		if err != nil {
			return nil, err
		}
		for k := range part.RowGroups() {
			from, to, ok := part.Bounds(k, "game_id")
			if !ok || len(all) > 0 && from < all[len(all)-1].to {
				part.Close()
				return nil, fmt.Errorf("%s: the bounds of games in the footer of part %d do not match the rows", s.path, i)
			}
			all = append(all, span{i, k, from, to})
		}
		if err := part.Close(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// neighbours has the rows of a row group of positions, one worker's.
type neighbours struct {
	s      *stream
	spans  []span
	reader *reader
	at     int // of spans; -1: none
	part   *datasets.Part
	open   int // number of the part
}

func (n *neighbours) close() {
	if n.part != nil {
		n.part.Close()
	}
}

// find returns the row of a ply of a game, nil if it is not there.
func (n *neighbours) find(game int64, ply int32) (*rowAt, error) {
	// A game may go on in the next row groups.
	i, _ := slices.BinarySearchFunc(n.spans, uint64(game), func(s span, id uint64) int { return cmp.Compare(s.to, id) })
	for ; i < len(n.spans) && n.spans[i].from <= uint64(game); i++ {
		if err := n.read(i); err != nil {
			return nil, err
		}
		k, found := slices.BinarySearchFunc(n.reader.rowsAt, rowAt{game: game, at: spot{ply: int64(ply)}}, func(a, b rowAt) int {
			return cmp.Or(cmp.Compare(a.game, b.game), cmp.Compare(a.at.ply, b.at.ply))
		})
		if found {
			return &n.reader.rowsAt[k], nil
		}
	}
	return nil, nil
}

// read reads a row group of the positions, unless it was the last one.
func (n *neighbours) read(i int) error {
	if i == n.at {
		return nil
	}
	at, s := n.spans[i], n.s
	if n.part == nil || n.open != at.part {
		n.close()
		var err error
		if n.part, err = s.from.OpenPart(at.part); err != nil {
			return err
		}
		n.open = at.part
	}
	if n.reader.batch == nil {
		n.reader.batch = columns.NewBatch(s.from.Table, rowsRead...)
	}
	if err := n.part.Read(at.group, n.reader.batch); err != nil {
		return err
	}
	n.at = i
	_, err := n.reader.rows(0)
	return err
}

// choices returns the greatest value of each move in the wanted positions.
func (n *neighbours) choices(b *columns.Batch, asked func(spot) bool) (map[choiceKey]float64, error) {
	s := n.s
	ids, plies, moves, values := b.Col("game_id").Int64, b.Col("ply").Int32, b.Col("move"), b.Col(s.value)
	of := map[choiceKey]float64{}
	var at *rowAt
	for i, id := range ids {
		if int(plies[i]) >= s.p.Depth {
			continue
		}
		if i == 0 || id != ids[i-1] || plies[i] != plies[i-1] {
			var err error
			if at, err = n.find(id, plies[i]); err != nil {
				return nil, err
			}
			if at != nil && !asked(at.at) {
				at = nil
			}
		}
		if at == nil {
			continue
		}
		if values.IsNull(i) {
			continue
		}
		key := choiceKey{moveKey{at.at, n.reader.text(moves.Value(i))}, at.first}
		if old, ok := of[key]; !ok || float64(values.Float32[i]) > old {
			of[key] = float64(values.Float32[i])
		}
	}
	return of, nil
}

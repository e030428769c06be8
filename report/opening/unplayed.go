package opening

import (
	"cmp"
	"context"
	_ "embed"

	"kifu/query"
	"kifu/report/sheet"
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

//go:embed unplayed.sql
var unplayedTemplate string

// unplayed returns the best unplayed move of each shown position.
func (s *stream) unplayed(ctx context.Context, db *query.DB, moves []shownMove) (map[spot]unplayed, error) {
	shown := map[spot]bool{} // in their shown orientation
	for _, m := range moves {
		shown[m.spot] = true
	}
	values, err := s.values(ctx, db, shown)
	if err != nil {
		return nil, err
	}
	played := s.playedMoves()
	all, signed := map[spot]unplayed{}, map[spot]float64{}
	for k, v := range values {
		if played[k.moveKey] {
			continue
		}
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

// values returns the greatest value of each move in shown positions; moves that are one by a symmetry are one.
func (s *stream) values(ctx context.Context, db *query.DB, shown map[spot]bool) (map[choiceKey]float64, error) {
	sql, err := sheet.Fill("unplayed.sql", unplayedTemplate, s.q)
	if err != nil {
		return nil, err
	}
	r, err := db.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	values := map[choiceKey]float64{}
	return values, r.Each(func(row []any) (err error) {
		f := sheet.Fields{Columns: r.Columns, Row: row}
		hash, _ := f.At("hash").(uint64)
		at, text := spot{f.Whole("ply"), hash}, f.Text("move")
		as := at
		if s.forms != nil {
			as, _ = s.forms.shownAs(s.tree, at)
		}
		if !shown[as] {
			return nil
		}
		if s.forms != nil {
			if text, err = s.forms.moveAs(text, at, as); err != nil {
				return err
			}
		}
		k, v := choiceKey{moveKey{as, s.texts.number(text)}, f.Truth("first_to_move")}, f.Number("value")
		if old, ok := values[k]; !ok || v > old {
			values[k] = v
		}
		return nil
	})
}

// playedMoves are the moves that games go on after, in shown positions as these are shown.
func (s *stream) playedMoves() map[moveKey]bool {
	played := map[moveKey]bool{}
	for i := range s.tree.shards {
		moves := &s.tree.shards[i].moves
		for k, key := range moves.keys {
			if moves.sums[k].left == 0 {
				continue
			}
			if s.forms != nil {
				at, shown := s.forms.shownAs(s.tree, key.spot)
				if !shown {
					continue
				}
				key = moveKey{at, s.forms.class[key]}
			}
			played[key] = true
		}
	}
	return played
}

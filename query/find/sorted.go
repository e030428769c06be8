package find

import (
	"cmp"
	"context"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
	"kifu/games/board"
	"kifu/schemas"
)

// Sorted calls take with the first position of each game that has one of some hashes, in the order of the games. in are
// positions or labels sorted by hash; bounds in the footers of the parts decide which row groups to read. If
// the rows have another order, ok is false and nothing is taken.
func Sorted(ctx context.Context, g board.Game, hashes []uint64, in *datasets.Dir, take func(Hit) error) (ok bool, err error) {
	s := &sorted{game: g, wanted: hashes, texts: map[played]Written{},
		hashes: columns.NewBatch(in.Table, "hash"), rows: columns.NewBatch(in.Table, "game_id", "ply", "first_to_move", "board", "move", "result")}
	for group, err := range in.Groups(nil) {
		if err != nil {
			return false, err
		}
		low, high, ok := group.Bounds("hash")
		if !ok {
			return false, nil
		}
		if !slices.ContainsFunc(hashes, func(h uint64) bool { return low <= h && h <= high }) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if err := s.group(group); err != nil {
			return false, err
		}
	}
	slices.SortFunc(s.hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(a.Game, b.Game), cmp.Compare(a.Ply, b.Ply)) })
	s.hits = slices.CompactFunc(s.hits, func(a, b Hit) bool { return a.Game == b.Game })
	for _, h := range s.hits {
		if err := take(h); err != nil {
			return true, err
		}
	}
	return true, nil
}

// sorted reads the rows of some positions.
type sorted struct {
	game         board.Game
	wanted       []uint64
	hashes, rows *columns.Batch
	texts        map[played]Written // of moves, by their coordinates
	hits         []Hit
}

func (s *sorted) group(g datasets.Group) error {
	if err := g.Read(s.hashes); err != nil {
		return err
	}
	hashes := s.hashes.Col("hash").Uint64
	wanted := func(h uint64) bool { return slices.Contains(s.wanted, h) }
	if !slices.ContainsFunc(hashes, wanted) {
		return nil
	}
	if err := g.Read(s.rows); err != nil {
		return err
	}
	for row, h := range hashes {
		if !wanted(h) {
			continue
		}
		if err := s.add(row, h); err != nil {
			return err
		}
	}
	return nil
}

// add appends a matching row.
func (s *sorted) add(row int, hash uint64) error {
	column := func(name string) *columns.Vec { return s.rows.Col(name) }
	text := func(name string) string {
		if v := column(name); !v.IsNull(row) {
			return string(v.Value(row))
		}
		return ""
	}
	h := Hit{Hash: hash, Game: column("game_id").Int64[row], Ply: column("ply").Int32[row], FirstToMove: column("first_to_move").Bool[row], Result: games.OutcomeNamed(text("result"))}
	// Rows of one hash are of one position, but for boards that differ where hashes do not, such as a komi, in which moves are
	// the same.
	k := played{hash, text("move")}
	if _, known := s.texts[k]; !known {
		if err := h.Read(s.game, column("board").Value(row), k.move); err != nil {
			return err
		}
		s.texts[k] = h.Written
	}
	h.Written = s.texts[k]
	s.hits = append(s.hits, h)
	return nil
}

// Read sets Written to a move in a packed board; coordinates is "" after the last.
func (h *Hit) Read(g board.Game, packed []byte, coordinates string) error {
	if coordinates == "" {
		return nil
	}
	b, err := g.Unpack(packed)
	if err != nil {
		return err
	}
	m, err := b.Find(coordinates)
	if err != nil {
		return err
	}
	h.Written = Written{string(m.AppendShown(nil, true)), string(m.AppendShown(nil, false))}
	return nil
}

// Follow sets Line to what was played from a packed board on: moves by their coordinates, which are names of cells where near is
// asked for, each with its side.
func (h *Hit) Follow(g board.Game, packed []byte, near *Near, moves []string, sides []games.Side) error {
	b, err := g.Unpack(packed)
	if err != nil {
		return err
	}
	var played []board.Played
	for i, m := range moves {
		if cell := slices.Index(b.Layout().Names, m); cell >= 0 { // no pass
			played = append(played, board.Played{Cell: cell, Side: sides[i]})
		}
	}
	h.Line, h.Exchanged = near.Pattern.Line(g, b.Layout(), b.AppendCells(nil), near.Every, played)
	return nil
}

// HasRows reports whether Sorted can read a table.
func HasRows(t schemas.Table) bool {
	for _, name := range []string{"hash", "game_id", "ply", "first_to_move", "board", "move", "result"} {
		if t.Index(name) < 0 {
			return false
		}
	}
	return true
}

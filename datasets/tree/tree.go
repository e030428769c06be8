// Package tree reads what was played in positions from an opening tree (schemas.Tree).
//
// Rows are sorted by the position's hash, so the bounds in the footers show which row groups have a position:
// one for each run of kifu tree, read in some milliseconds however large the tree is.
package tree

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
)

// Tree is an open tree. Its methods may be called from several goroutines.
type Tree struct {
	Depth    int `json:"depth"`     // plies of a game that it has
	MinGames int `json:"min_games"` // of a position that it has

	dir    *datasets.Dir
	groups []rowGroup
}

// rowGroup is the place of the hashes from low to high.
type rowGroup struct {
	part, group int
	low, high   uint64
}

// Open reads the bounds of the row groups of d.
func Open(d *datasets.Dir) (*Tree, error) {
	if err := d.Want("tree"); err != nil {
		return nil, err
	}
	t := &Tree{dir: d}
	if err := json.Unmarshal(d.Manifest.Params, t); err != nil {
		return nil, fmt.Errorf("%s: %w", d.Path, err)
	}
	for g, err := range d.Groups(nil) {
		if err != nil {
			return nil, err
		}
		low, high, ok := g.Bounds("hash")
		if !ok {
			return nil, fmt.Errorf("%s: a part is not sorted by hash: make the tree again (kifu tree)", d.Path)
		}
		t.groups = append(t.groups, rowGroup{g.Part, g.Index, low, high})
	}
	return t, nil
}

// Filter chooses groups of games; the zero value takes all. A group without the fact is taken by the zero value alone.
type Filter struct {
	MinRating, MaxRating int    // bounds of the mean rating, taken by bands: those that begin at MinRating or above, and at MaxRating or below
	Speed                string // in the column speed
	From, To             string // in the column month, or years: 1972 takes all of that year
}

// Band is the width of a group of ratings.
const Band = 200

// FilterOf returns the filter of games with mean ratings from least to most (0: any) and with dates in a
// range of years, months or days. It returns an error for bounds within a group.
func FilterOf(least, most int, from, to string) (Filter, error) {
	for _, date := range []string{from, to} {
		if len(date) > len("2006-01") {
			return Filter{}, fmt.Errorf("date %s: a tree has months: want %s or a year", date, date[:len("2006-01")])
		}
	}
	switch {
	case least%Band != 0:
		return Filter{}, fmt.Errorf("ratings from %d: a tree has bands of %d: want %d or %d", least, Band, least/Band*Band, (least/Band+1)*Band)
	case most > 0 && (most+1)%Band != 0:
		return Filter{}, fmt.Errorf("ratings to %d: a tree has bands of %d: want %d or %d", most, Band, (most+1)/Band*Band-1, ((most+1)/Band+1)*Band-1)
	}
	return Filter{MinRating: least, MaxRating: most, From: from, To: to}, nil
}

// Columns returns the groups that f asks for.
func (f Filter) Columns() (all []string) {
	if f.MinRating > 0 || f.MaxRating > 0 {
		all = append(all, "rating")
	}
	if f.Speed != "" {
		all = append(all, "speed")
	}
	if f.From != "" || f.To != "" {
		all = append(all, "month")
	}
	return all
}

// Check returns an error if the tree does not have the groups of f.
func (t *Tree) Check(f Filter) error {
	for _, name := range f.Columns() {
		if t.dir.Table.Index(name) < 0 {
			return fmt.Errorf("%s has no rows by %s: make it with kifu tree --by %s", t.dir.Path, name, name)
		}
	}
	return nil
}

// takes reports whether f takes row i.
func (f Filter) takes(b *columns.Batch, i int) bool {
	for _, name := range f.Columns() {
		v := b.Col(name)
		if v.IsNull(i) {
			return false
		}
		switch name {
		case "rating":
			r := int(v.Int32[i])
			if r < f.MinRating || f.MaxRating > 0 && r > f.MaxRating {
				return false
			}
		case "speed":
			if string(v.Value(i)) != f.Speed {
				return false
			}
		case "month":
			m := string(v.Value(i))
			if m < f.From || f.To != "" && m[:min(len(m), len(f.To))] > f.To {
				return false
			}
		}
	}
	return true
}

// Move sums up the games in which a move was played in a position.
type Move struct {
	Hash                        uint64 // of the position
	Move                        string // in coordinates; "" where the game ended
	Games, First, Draws, Second int64  // all; won by the first player; drawn; won by the second
	EloSum, EloGames            [2]int64
	FirstDate, LastDate         string  // "": none has one
	Latest                      int64   // game_id of a game of LastDate
	Examples                    []int64 // game_id of the latest and of the best rated game of each group and run
}

// Moves returns the moves that were played in positions by their hashes, the most frequent first. Groups and runs
// are summed up.
func (t *Tree) Moves(ctx context.Context, hashes []uint64, f Filter) ([]*Move, error) {
	if err := t.Check(f); err != nil {
		return nil, err
	}
	asked := slices.Clone(hashes)
	slices.Sort(asked)
	r := &reader{f: f, asked: slices.Compact(asked), moves: map[key]*Move{}, hashes: columns.NewBatch(t.dir.Table, "hash"), rows: columns.NewBatch(t.dir.Table)}
	for _, g := range t.groups {
		if i, _ := slices.BinarySearch(r.asked, g.low); i == len(r.asked) || r.asked[i] > g.high {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := r.group(t.dir, g); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(r.all, func(a, b *Move) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), strings.Compare(a.Move, b.Move), cmp.Compare(a.Hash, b.Hash))
	})
	return r.all, nil
}

type key struct {
	hash uint64
	move string
}

// reader sums up the rows of some positions.
type reader struct {
	f            Filter
	asked        []uint64
	hashes, rows *columns.Batch
	moves        map[key]*Move
	all          []*Move
}

// group reads a row group.
func (r *reader) group(d *datasets.Dir, g rowGroup) error {
	part, err := d.OpenPart(g.part)
	if err != nil {
		return err
	}
	defer part.Close()
	if err := part.Read(g.group, r.hashes); err != nil {
		return err
	}
	read := false
	hashes := r.hashes.Col("hash").Uint64
	for _, h := range r.asked {
		i, found := slices.BinarySearch(hashes, h)
		if found && !read {
			if err := part.Read(g.group, r.rows); err != nil {
				return err
			}
			read = true
		}
		for ; i < len(hashes) && hashes[i] == h; i++ {
			if r.f.takes(r.rows, i) {
				r.add(h, i)
			}
		}
	}
	return nil
}

// add adds row i.
func (r *reader) add(hash uint64, i int) {
	number := func(name string) int64 {
		if v := r.rows.Col(name); v.Int64 != nil {
			return v.Int64[i]
		} else {
			return int64(v.Int32[i])
		}
	}
	text := func(name string) string { return string(r.rows.Col(name).Value(i)) }
	k := key{hash, text("move")}
	m := r.moves[k]
	if m == nil {
		m = &Move{Hash: hash, Move: k.move, Latest: -1}
		r.moves[k] = m
		r.all = append(r.all, m)
	}
	first, draws, second := number("first_wins"), number("draws"), number("second_wins")
	m.Games += first + draws + second + number("without_result")
	m.First, m.Draws, m.Second = m.First+first, m.Draws+draws, m.Second+second
	for side, name := range [2]string{"first_elo", "second_elo"} {
		m.EloSum[side] += number(name + "_sum")
		m.EloGames[side] += number(name + "_games")
	}
	from, game := text("first_date"), number("latest_game")
	if m.FirstDate == "" || from != "" && from < m.FirstDate {
		m.FirstDate = from
	}
	if to := cmp.Or(text("last_date"), from); m.Latest < 0 || cmp.Or(strings.Compare(to, m.LastDate), cmp.Compare(game, m.Latest)) > 0 {
		m.LastDate, m.Latest = to, game
	}
	m.Examples = append(m.Examples, game)
	if best := r.rows.Col("best_game"); !best.IsNull(i) {
		m.Examples = append(m.Examples, best.Int64[i])
	}
}

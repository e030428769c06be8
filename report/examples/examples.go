// Package examples chooses positions of labels that illustrate a report, and draws them for its page:
// positions of a condition at which values are most wrong, and some at which they are right, each of
// another game.
package examples

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/eval"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/query"
)

// The numbers of positions that are shown, of what is wrong and of what is right; and how many
// times as many a query asks for, because games have copies.
const (
	Wrong = 8
	Right = 4
	Spare = 3
)

// Selection takes positions until there are enough, and none twice.
type Selection struct {
	taken map[string]bool
	wrong int
	right int
}

// Take reports whether a position is to be shown; positions with the same text are shown once.
func (s *Selection) Take(wrong bool, text string) bool {
	number, limit := &s.right, Right
	if wrong {
		number, limit = &s.wrong, Wrong
	}
	if *number == limit || s.taken[text] {
		return false
	}
	if s.taken == nil {
		s.taken = map[string]bool{}
	}
	s.taken[text] = true
	*number++
	return true
}

// Ask wants examples of a condition.
type Ask struct {
	Number, Name string
	Condition    string // in SQL
	// More: the first player wins more often where the condition holds than the values predict; else
	// less often.
	More bool
}

// Example is a position.
type Example struct {
	Ask                 int  // index of the Ask
	Wrong               bool // else the value is right
	Game, Ply           int64
	Result              string // first or second
	Value               float64
	First, Second, Date string   // of the game; empty where the games are not known
	Move, Line          string   // played here; the search's variation, in coordinates
	Terms               []Term   // groups of terms, the largest first
	Counts              []Count  // the terms themselves, the largest first; none where the weights are not known
	Next                []string // moves of the game from here on, in coordinates, as far as the labels have them
	Board               board.Board
}

// Term is the share of a group of terms in a value.
type Term struct {
	Name  string
	Score float64
}

// Count is a term of a value: its score is the count times the weight.
type Count struct {
	Name   string
	Count  int
	Weight float64 // at the leaf's phase
}

// Score is the term's share of the value.
func (c Count) Score() float64 { return float64(c.Count) * c.Weight }

// nextMoves is how many moves of the game are shown.
const nextMoves = 6

// Find returns the examples of all asks, in their order. games has the games of the labels, nil if
// unknown. It returns none without boards of the game in the context.
func Find(ctx context.Context, labels, games *datasets.Dir, value string, workers int, asks []Ask) ([]Example, error) {
	g := board.Named(ctx, labels.Manifest.Meta["game"])
	if g == nil || len(asks) == 0 || !shows(labels) {
		return nil, nil
	}
	db, err := attached(ctx, labels, workers)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	places, err := choose(ctx, db, labels, value, workers, asks)
	if len(places) == 0 || err != nil {
		return nil, err
	}
	all, err := read(ctx, g, labels, games, value, places)
	return distinct(all), err
}

// attached opens labels, by this name.
func attached(ctx context.Context, labels *datasets.Dir, workers int) (*query.DB, error) {
	db, err := query.Open(ctx, query.Options{Threads: workers})
	if err != nil {
		return nil, err
	}
	if err := db.Attach(ctx, "labels", labels); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// distinct leaves out positions that an Ask has from another game, a copy as a rule, and those
// beyond the numbers that are wanted.
func distinct(all []Example) (kept []Example) {
	selections := map[int]*Selection{}
	for _, e := range all {
		s := selections[e.Ask]
		if s == nil {
			s = &Selection{}
			selections[e.Ask] = s
		}
		if s.Take(e.Wrong, string(e.Board.AppendText(nil))) {
			kept = append(kept, e)
		}
	}
	return kept
}

// shows reports whether a dataset has boards, and rows that are of one game.
func shows(d *datasets.Dir) bool {
	for _, name := range []string{"game_id", "ply", "board", "move", "result"} {
		if d.Table.Index(name) < 0 {
			return false
		}
	}
	return d.Table.Index("occurrences") < 0
}

// reader reads the rows of places, from the pages that have them: a database would read all columns of whole labels.
type reader struct {
	game   board.Game
	model  *eval.Model // nil: labels have no terms
	groups []string    // columns
	value  string      // column
	line   string      // column; empty: labels have none
}

// read returns the examples at places, by Ask and the wrong ones first, with the moves that follow.
func read(ctx context.Context, g board.Game, labels, games *datasets.Dir, value string, places []place) (all []Example, err error) {
	r := reader{game: g, groups: groupsOf(labels), value: value}
	if r.model, err = modelOf(labels); err != nil {
		return nil, err
	}
	if line := strings.TrimSuffix(value, "_value") + "_pv"; labels.Table.Index(line) >= 0 {
		r.line = line
	}
	names := append([]string{"ply", "board", "move", "result", r.value, r.line}, r.groups...)
	if r.model != nil {
		names = append(names, "features", "leaf_phase")
	}
	slices.SortStableFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.ask, b.ask), cmp.Compare(rank(a), rank(b)))
	})
	of := map[int64][]int{} // places of a game
	for i, p := range places {
		of[p.game] = append(of[p.game], i)
	}
	found := make([]*Example, len(places))
	following := make([][nextMoves]string, len(places))
	ids := slices.Collect(maps.Keys(of))
	err = datasets.Lookup(ctx, labels, ids, names, func(b *columns.Batch) error {
		for row := range b.Rows {
			ply := int64(b.Col("ply").Number(row))
			for _, at := range of[b.Col("game_id").Int64[row]] {
				after := ply - places[at].ply
				if after < 0 || after >= nextMoves {
					continue
				}
				following[at][after] = textOf(b, "move", row)
				if after == 0 && found[at] == nil {
					if found[at], err = r.example(b, row, places[at]); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, e := range found {
		if e == nil {
			continue
		}
		for _, move := range following[i] {
			if move == "" { // a sample of positions lacks some
				break
			}
			e.Next = append(e.Next, move)
		}
		all = append(all, *e)
	}
	return all, nameGames(ctx, games, ids, all)
}

// rank is 0 for a place of a wrong value, 1 for others.
func rank(p place) int {
	if p.wrong {
		return 0
	}
	return 1
}

// textOf is the text of a column in a row; empty for null and without the column.
func textOf(b *columns.Batch, name string, row int) string {
	v := b.Col(name)
	if v == nil || v.IsNull(row) {
		return ""
	}
	return string(v.Value(row))
}

// example returns the example of a row.
func (r reader) example(b *columns.Batch, row int, p place) (*Example, error) {
	at, err := r.game.Unpack(b.Col("board").Value(row))
	if err != nil {
		return nil, err
	}
	e := &Example{Ask: p.ask, Wrong: p.wrong, Game: p.game, Ply: p.ply, Result: textOf(b, "result", row), Value: b.Col(r.value).Number(row),
		Move: textOf(b, "move", row), Line: textOf(b, r.line, row), Board: at}
	for _, name := range r.groups {
		if score := b.Col(name).Number(row); score != 0 {
			e.Terms = append(e.Terms, Term{name, score})
		}
	}
	if r.model != nil {
		if e.Counts, err = countsOf(r.model, b.Col("features").Value(row), int(b.Col("leaf_phase").Number(row))); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(e.Terms, func(a, b Term) int { return compareSize(b.Score, a.Score) })
	return e, nil
}

// nameGames adds players and dates, if the games are known.
func nameGames(ctx context.Context, games *datasets.Dir, ids []int64, all []Example) error {
	if games == nil {
		return nil
	}
	return datasets.Lookup(ctx, games, ids, []string{"first_player", "second_player", "date"}, func(b *columns.Batch) error {
		for row := range b.Rows {
			for i := range all {
				if e := &all[i]; e.Game == b.Col("game_id").Int64[row] {
					e.First, e.Second, e.Date = textOf(b, "first_player", row), textOf(b, "second_player", row), textOf(b, "date", row)
				}
			}
		}
		return nil
	})
}

// modelOf returns the weights of labels, nil where features are not stored.
func modelOf(labels *datasets.Dir) (*eval.Model, error) {
	if labels.Table.Index("features") < 0 || labels.Table.Index("leaf_phase") < 0 || !labels.HasFile("weights.toml") {
		return nil, nil
	}
	text, err := labels.ReadFile("weights.toml")
	if err != nil {
		return nil, err
	}
	return eval.ReadModel(bytes.NewReader(text))
}

// countsOf unpacks the terms of a leaf at a phase.
func countsOf(m *eval.Model, packed []byte, phase int) (all []Count, err error) {
	features, err := eval.AppendUnpacked(nil, packed)
	if err != nil {
		return nil, err
	}
	mix := m.Mix(phase, nil)
	for _, feature := range features {
		if int(feature.Term) < len(m.Terms) {
			t := &m.Terms[feature.Term]
			all = append(all, Count{t.Name, int(feature.Count), t.At(mix)})
		}
	}
	slices.SortStableFunc(all, func(a, b Count) int { return compareSize(b.Score(), a.Score()) })
	return all, nil
}

// groupsOf returns the columns of the scores by group of terms.
func groupsOf(labels *datasets.Dir) (all []string) {
	return lists.Where(strings.Split(labels.Manifest.Meta["groups"], ","), func(name string) bool { return labels.Table.Index(name) >= 0 })
}

// Package examples chooses positions of labels that illustrate a report, and draws them for its page:
// positions of a condition at which values are most wrong, and some at which they are right, each of
// another game.
package examples

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/eval"
	"kifu/games/board"
	"kifu/query"
	"kifu/report/sheet"
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
	db, err := attached(ctx, labels, games, workers)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	places, err := choose(ctx, db, labels, value, workers, asks)
	if len(places) == 0 || err != nil {
		return nil, err
	}
	all, err := read(ctx, db, g, labels, games != nil, value, places)
	return distinct(all), err
}

// attached opens labels, and games unless they are nil, by these names.
func attached(ctx context.Context, labels, games *datasets.Dir, workers int) (*query.DB, error) {
	db, err := query.Open(ctx, query.Options{Threads: workers})
	if err != nil {
		return nil, err
	}
	for name, d := range map[string]*datasets.Dir{"labels": labels, "games": games} {
		if d == nil {
			continue
		}
		if err := db.Attach(ctx, name, d); err != nil {
			db.Close()
			return nil, err
		}
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

//go:embed examples.sql
var rowsTemplate string

// rowsSQL are the parameters of examples.sql.
type rowsSQL struct {
	Value, Line   string   // columns, quoted; no Line where labels have none
	Groups        []string // columns, quoted
	Terms, Named  bool     // labels have the terms; the games are known
	Places, Games string   // lists of rows, and of game_id
	Next          int
}

// read reads the rows of the places and the moves that follow.
func read(ctx context.Context, db *query.DB, g board.Game, labels *datasets.Dir, named bool, value string, places []place) (all []Example, err error) {
	parts, err := partsOf(labels, places)
	if err != nil {
		return nil, err
	}
	if err := db.Narrow(ctx, "labels", parts); err != nil {
		return nil, err
	}
	model, err := modelOf(labels)
	if err != nil {
		return nil, err
	}
	q := rowsSQL{Value: query.QuoteName(value), Terms: model != nil, Named: named, Next: nextMoves}
	if line := strings.TrimSuffix(value, "_value") + "_pv"; labels.Table.Index(line) >= 0 {
		q.Line = query.QuoteName(line)
	}
	groups := groupsOf(labels)
	for _, name := range groups {
		q.Groups = append(q.Groups, query.QuoteName(name))
	}
	var values, ids []string
	for i, p := range places {
		ids = append(ids, strconv.FormatInt(p.game, 10))
		values = append(values, fmt.Sprintf("(%d, %d, %t, %d::BIGINT, %d)", p.ask, i, p.wrong, p.game, p.ply))
	}
	q.Places, q.Games = strings.Join(values, ", "), strings.Join(ids, ", ")
	text, err := sheet.Fill("examples.sql", rowsTemplate, q)
	if err != nil {
		return nil, err
	}
	result, err := db.Query(ctx, text)
	if err != nil {
		return nil, err
	}
	err = result.Each(func(row []any) error {
		f := sheet.Fields{Columns: result.Columns, Row: row}
		if after := int(f.Whole("ply") - f.Whole("at")); after > 0 {
			e := &all[len(all)-1]
			if move := f.Text("move"); move != "" && after == len(e.Next) { // a sample of positions lacks some
				e.Next = append(e.Next, move)
			}
			return nil
		}
		e, err := exampleOf(f, g, groups, model)
		all = append(all, e)
		return err
	})
	return all, err
}

// exampleOf returns the example of a row.
func exampleOf(f sheet.Fields, g board.Game, groups []string, model *eval.Model) (e Example, err error) {
	packed, _ := f.At("board").([]byte)
	b, err := g.Unpack(packed)
	if err != nil {
		return e, err
	}
	e = Example{Ask: int(f.Whole("ask")), Wrong: f.Truth("wrong"), Game: f.Whole("game_id"), Ply: f.Whole("ply"), Result: f.Text("result"),
		Value: f.Number("value"), First: f.Text("first_player"), Second: f.Text("second_player"), Date: f.Text("date"), Move: f.Text("move"), Line: f.Text("line"), Board: b}
	for i, name := range groups {
		if score := f.Number(fmt.Sprintf("g%d", i)); score != 0 {
			e.Terms = append(e.Terms, Term{name, score})
		}
	}
	if model != nil {
		if e.Counts, err = countsOf(model, f); err != nil {
			return e, err
		}
	}
	if e.Move != "" {
		e.Next = []string{e.Move}
	}
	slices.SortStableFunc(e.Terms, func(a, b Term) int { return compareSize(b.Score, a.Score) })
	return e, nil
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

// countsOf unpacks the terms of a row.
func countsOf(m *eval.Model, f sheet.Fields) (all []Count, err error) {
	packed, _ := f.At("features").([]byte)
	features, err := eval.AppendUnpacked(nil, packed)
	if err != nil {
		return nil, err
	}
	mix := m.Mix(int(f.Whole("leaf_phase")), nil)
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
	for _, name := range strings.Split(labels.Manifest.Meta["groups"], ",") {
		if labels.Table.Index(name) >= 0 {
			all = append(all, name)
		}
	}
	return all
}

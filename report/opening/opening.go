// Package opening makes the tree of the openings in positions or labels, with values backed up
// through it.
package opening

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"strings"

	"kifu/datasets"
	"kifu/datasets/tree"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/schemas"
)

// Params is everything that changes an opening report.
type Params struct {
	Sources  []string `json:"sources"`   // names of the datasets
	Depth    int      `json:"depth"`     // plies of the tree
	MinGames int      `json:"min_games"` // of a move that is shown
	Bonus    float64  `json:"bonus"`     // what the games add to a value or take from it at most, in the book
	Chosen
	Clusters sheet.Clusters `json:"clusters,omitzero"` // of the headline's interval
	Workers  int            `json:"-"`                 // threads; 0: one a processor; the output does not depend on it
}

// Chosen selects the games of the tree; the zero value is all of them.
type Chosen struct {
	Player string   `json:"player,omitempty"` // as typed
	Names  []string `json:"names,omitempty"`  // that it takes
	Side   string   `json:"side,omitempty"`   // of the player: first or second
	From   string   `json:"from,omitempty"`   // dates at any precision
	To     string   `json:"to,omitempty"`
	MinElo int      `json:"min_elo,omitempty"` // mean of the two ratings
	MaxElo int      `json:"max_elo,omitempty"`
}

// ofGames are the conditions on columns of games, ofRows those on columns of positions.
func (c Chosen) ofGames() (all []string) {
	if len(c.Names) > 0 {
		list := lists.Of(c.Names, query.QuoteText)
		of := " IN (" + strings.Join(list, ", ") + ")"
		if c.Side != "" {
			all = append(all, c.Side+"_player"+of)
		} else {
			all = append(all, "(first_player"+of+" OR second_player"+of+")")
		}
	}
	if c.From != "" {
		all = append(all, "date >= "+query.QuoteText(c.From))
	}
	if c.To != "" {
		all = append(all, fmt.Sprintf("date[1:%d] <= %s", len(c.To), query.QuoteText(c.To)))
	}
	return all
}

func (c Chosen) ofRows() (all []string) {
	if c.MinElo > 0 {
		all = append(all, fmt.Sprintf("(first_elo + second_elo) / 2.0 >= %d", c.MinElo))
	}
	if c.MaxElo > 0 {
		all = append(all, fmt.Sprintf("(first_elo + second_elo) / 2.0 <= %d", c.MaxElo))
	}
	return all
}

// String describes the chosen games; empty for all.
func (c Chosen) String() string {
	var parts []string
	if c.Player != "" {
		text := "of " + c.Player
		if c.Side != "" {
			text += " moving " + c.Side
		}
		parts = append(parts, text)
	}
	for _, bound := range []struct {
		word  string
		value any
	}{{"from", c.From}, {"to", c.To}, {"rated at least", c.MinElo}, {"rated at most", c.MaxElo}} {
		if bound.value != "" && bound.value != 0 {
			parts = append(parts, fmt.Sprintf("%s %v", bound.word, bound.value))
		}
	}
	return strings.Join(parts, ", ")
}

// enoughRated is the least number of rated games for a performance.
const enoughRated = 10

// Validate reports parameters that make no sense.
func (p Params) Validate() error {
	if p.Depth < 1 || p.MinGames < 1 {
		return fmt.Errorf("--depth %d, --min-games %d: want 1 or more of each", p.Depth, p.MinGames)
	}
	if !(p.Bonus >= 0) || math.IsInf(p.Bonus, 0) {
		return fmt.Errorf("bonus %v: want an amount of value, 0 or more", p.Bonus)
	}
	if p.MaxElo > 0 && p.MinElo > p.MaxElo {
		return fmt.Errorf("--min-elo %d is above --max-elo %d: no game is left", p.MinElo, p.MaxElo)
	}
	return nil
}

// querySQL is the data of opening.sql; names are quoted, or empty.
type querySQL struct {
	View, Value, Games, Choices string
	Named                       bool // positions have names of openings
	Boards                      bool // positions have boards, which the context knows
	Merged                      bool // mirror images and rotations are one
	Depth, MinGames             int
	Conditions, GameConditions  []string
}

// Rated is how many rated games a performance needs.
func (querySQL) Rated() int { return enoughRated }

// Chosen are the conditions on games and rows as what follows another condition.
func (q querySQL) Chosen() string {
	text := ""
	for _, c := range q.Conditions {
		text += " AND " + c
	}
	if len(q.GameConditions) > 0 {
		text += " AND game_id IN (SELECT game_id FROM " + q.Games + " WHERE " + strings.Join(q.GameConditions, " AND ") + ")"
	}
	return text
}

// spot is a position of the tree: lines that transpose at equal length meet in it.
type spot struct {
	ply  int64
	hash uint64
}

// node is a position with the moves played in it, most frequent first.
type node struct {
	spot
	First bool  // the first player is to move
	games int64 // that went on from the position, by any move
	// Backed is the best value reached by the moves, their replies and the best unplayed move; first player's side, NaN without one.
	Backed        float64
	Unplayed      string
	UnplayedText  string  // as records write it; empty where boards are not known
	UnplayedValue float64 // NaN: none known
	Edges         []*edge
	Position      string // its text; empty where boards are not known
	done          bool   // Backed is set
}

// edge is a move played. Numbers that are not known are NaN.
type edge struct {
	Move, Text                        string // in coordinates, as records write it
	First                             bool   // the first player has moved
	Rated                             int64  // games behind Performance
	From, To                          *node  // To is nil at the end of the tree
	Child                             spot
	Games, Wins, Draws, Losses        int64
	Share, Score, Rating, Performance float64
	MeanYear, Value, Parent           float64 // values of the position after the move and of that before
	LastDate                          string
	Opening                           string // that the position after the move shows; empty: none
}

type report struct {
	Params   Params
	Game     string
	Unit     string
	Column   string // of the values; empty: none
	Sources  sheet.Sources
	titled   string // the name of the games; empty: none are named
	Roots    []*node
	Headline *bestLine // the most frequent first move; nil: too few games with a result
	Errors   string    // how its interval was taken
	Best     []*bestLines
	ByPlayer bool // their intervals allow for players
	Nodes    map[spot]*node
	Tree     *tree.Tree // of kifu tree; nil: read from positions
	Rules    board.Game // nil: boards are not known
	q        querySQL
	SQL      string
	Edges    []*edge // in the order of the query
}

//go:embed opening.sql
var queryTemplate string

// Make makes the opening tree of positions or labels. in has one dataset for each name in p.Sources: the
// positions or labels, optionally choices of the same positions (for the best unplayed moves), and optionally
// the games (for dates).
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	o, err := sheet.Ask(ctx, p.Workers, func(db *query.DB) (*report, error) { return run(ctx, db, p, in) })
	if err != nil {
		return err
	}
	if err := o.writeBook(out); err != nil {
		return err
	}
	return o.Sheet().Write(out)
}

func run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*report, error) {
	if len(in) > 0 && in[0].Table.Name == "tree" {
		return ofTree(ctx, p, in)
	}
	o, s, err := prepare(ctx, db, p, in)
	if err != nil {
		return nil, err
	}
	moves, err := s.moves(ctx, db)
	if err != nil {
		return nil, err
	}
	if err := o.plant(ctx, db, s, moves); err != nil {
		return nil, err
	}
	if s.forms == nil {
		s.tree = nil // so that its memory is free for the players
	}
	return o, o.judge(ctx, s)
}

// prepare attaches the datasets, fills in the query and opens the stream that sums up the rows.
func prepare(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*report, *stream, error) {
	if err := errors.Join(p.Validate(), datasets.CheckTogether(in...)); err != nil {
		return nil, nil, err
	}
	o := &report{Params: p, Nodes: map[spot]*node{}, q: querySQL{Depth: p.Depth, MinGames: p.MinGames}}
	q := &o.q
	names, err := sheet.Attach(ctx, db, in, p.Sources, "")
	if err != nil {
		return nil, nil, err
	}
	var from, choices, games *datasets.Dir
	for i, dir := range in {
		view := query.View(names[i])
		var slot *string
		switch dir.Table.Name {
		case "positions", "labels":
			slot, from = &q.View, dir
			o.Game, o.Unit = dir.Manifest.Meta["game"], dir.Manifest.Meta["unit"]
			if o.Column = dir.Manifest.Meta["leaf"]; o.Column != "" {
				q.Value = query.QuoteName(o.Column)
			}
			q.Named = dir.Table.Index(schemas.OpeningName.Name) >= 0
			if dir.Table.Index("occurrences") >= 0 {
				return nil, nil, sheet.Errorf("%s has distinct positions: openings need every position of a game (kifu transform without --dedup)", dir.Path)
			}
		case "choices":
			slot, choices = &q.Choices, dir
		case "games":
			slot, games, o.titled = &q.Games, dir, names[i]
		default:
			return nil, nil, fmt.Errorf("%s holds %s: want positions or labels, and choices or games of them", dir.Path, dir.Table.Name)
		}
		if *slot != "" {
			return nil, nil, fmt.Errorf("%s: a second dataset of its kind: name one", dir.Path)
		}
		*slot = view
		o.Sources = append(o.Sources, sheet.Source{Name: names[i], Key: dir.Manifest.Key, Rows: dir.Rows()})
	}
	if err := Belong(from, choices, o.Column); err != nil {
		return nil, nil, err
	}
	if q.GameConditions, q.Conditions = p.ofGames(), p.ofRows(); len(q.GameConditions) > 0 && q.Games == "" {
		return nil, nil, fmt.Errorf("players and dates are in the games: name them after the positions")
	}
	if o.Rules = board.Named(ctx, o.Game); o.Rules != nil && from.Table.Index("board") >= 0 && from.Table.Columns[from.Table.Index("board")].Size == o.Rules.BoardSize() {
		q.Boards, q.Merged = true, o.Rules.Layout().Symmetric
	} else {
		o.Rules = nil
	}
	if o.SQL, err = sheet.Fill("opening.sql", queryTemplate, *q); err != nil {
		return nil, nil, err
	}
	s, err := o.newStream(ctx, db, from, games)
	return o, s, err
}

// Belong checks that values of choices are comparable with values of labels.
func Belong(from, choices *datasets.Dir, column string) error {
	switch {
	case from == nil:
		return fmt.Errorf("no positions: name a dataset of positions or labels")
	case choices == nil:
		return nil
	case column == "" || choices.Table.Index(column) < 0:
		return sheet.Errorf("%s: unplayed moves are compared with values: name labels by the search of these choices", choices.Path)
	case len(from.Manifest.Inputs) != 1 || len(choices.Manifest.Inputs) != 1 || from.Manifest.Inputs[0].Key != choices.Manifest.Inputs[0].Key:
		return sheet.Errorf("%s and %s are not of the same positions", from.Path, choices.Path)
	}
	return nil
}

// backUp sets what the values at the ends of the tree come to by best play within it: the
// moves shown and the best unplayed one (Buro 1999). The tree goes down by plies, so it
// has no cycles; what was backed up before is kept.
func (o *report) backUp(n *node) float64 {
	if n.done {
		return n.Backed
	}
	best := n.UnplayedValue
	for _, e := range n.Edges {
		v := e.Value
		if e.To = o.Nodes[e.Child]; e.To != nil {
			v = o.backUp(e.To)
		}
		if better := v > best; math.IsNaN(best) || better == n.First && v != best && !math.IsNaN(v) {
			best = v
		}
	}
	n.Backed, n.done = best, true
	return best
}

// Backed is the value that the move leads to, first player's side.
func (e *edge) Backed() float64 {
	if e.To != nil {
		return e.To.Backed
	}
	return e.Value
}

// Package pairs finds opponents that do not suit a player. It compares each pair's score with its
// expectation, and finds three players each of whom beats the next. Its command is kifu report
// players.
package pairs

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/internal/bradley"
	"kifu/internal/dyads"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
)

// The sources of a pair's expected score.
const (
	ExpectRatings = "ratings" // what the ratings of the records let expect
	ExpectModel   = "model"   // what strengths fitted to all games let expect
	ExpectAuto    = "auto"    // ratings if at least half of the games have them
)

// Params is everything that changes a report of players.
type Params struct {
	Sources     []string      `json:"sources"`           // names of the datasets of games
	MinGames    int64         `json:"min_games"`         // of a pair that is tested
	Expectation string        `json:"expectation"`       // ExpectRatings, ExpectModel or ExpectAuto
	FDR         float64       `json:"fdr"`               // false discovery rate
	Aliases     []dyads.Alias `json:"aliases,omitempty"` // names to replace
	Workers     int           `json:"-"`                 // threads; 0: one a processor; the output does not depend on it
}

// Validate reports the first parameter that makes no sense whatever the games.
func (p Params) Validate() error {
	switch {
	case p.MinGames < 2:
		return fmt.Errorf("pairs of %d games: want at least 2", p.MinGames)
	case !slices.Contains([]string{ExpectRatings, ExpectModel, ExpectAuto}, p.Expectation):
		return fmt.Errorf("expectation %q: want %s, %s or %s", p.Expectation, ExpectRatings, ExpectModel, ExpectAuto)
	case !(p.FDR > 0 && p.FDR < 1):
		return fmt.Errorf("false discovery rate %v: want a number between 0 and 1", p.FDR)
	}
	return nil
}

// meeting is a row of the query. Players are numbers in the order of their names.
type meeting struct {
	First, Second       int
	Rated               bool
	Difference          float64 // in rating points
	Wins, Draws, Losses int64   // of the first
}

func (t *meeting) games() int64 { return t.Wins + t.Draws + t.Losses }

// report holds the contents of the page and of the pictures.
type report struct {
	Params  Params
	Game    string
	Sources sheet.Sources
	Names   []string // of the players, in order
	Played  int64    // games with a result and two names
	Used    int64    // of these, those that an expectation is known of
	// Handicaps are the games played with a handicap.
	Handicaps int64
	Expected  expectation
	Pairs     []*pairing // tested, the surest first
	Cycles    cycles
	SQL       string
}

//go:embed pairs.sql
var queryTemplate string

// Make compares each pair's score with its expectation, and finds three players each of whom beats the next.
// in has one dataset of games a name in p.Sources.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	return sheet.Make(ctx, p.Workers, out, func(db *query.DB) (*report, error) { return run(ctx, db, p, in) })
}

func run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*report, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	q, sources, err := sheet.AttachGames(ctx, db, in, p.Sources, p.Aliases)
	if err != nil {
		return nil, err
	}
	r := &report{Params: p, Game: sources[0].Game, Sources: sources}
	sql, rows, _, err := sheet.Run(ctx, db, "players.sql", queryTemplate, q)
	if err != nil {
		return nil, err
	}
	r.SQL = sql
	return r, sheet.About(p.Sources, r.judge(r.fill(rows)))
}

// fill numbers the players of the query's rows.
func (r *report) fill(rows []sheet.Fields) []meeting {
	for _, f := range rows {
		r.Names = append(r.Names, f.Text("first_player"), f.Text("second_player"))
	}
	var number map[string]int
	r.Names, number = sheet.Numbered(r.Names)
	meetings := make([]meeting, len(rows))
	for i, f := range rows {
		t := &meetings[i]
		t.First, t.Second = number[f.Text("first_player")], number[f.Text("second_player")]
		t.Rated, t.Difference = f.At("difference") != nil, f.OrNaN("difference")
		t.Wins, t.Draws, t.Losses = f.Whole("wins"), f.Whole("draws"), f.Whole("losses")
		r.Played += t.games()
		r.Handicaps += f.Whole("handicaps")
	}
	return meetings
}

// judge makes the expectation, tests the pairs and looks for cycles.
func (r *report) judge(meetings []meeting) error {
	if r.Played == 0 {
		return sheet.Errorf("no game with a result and the names of both players")
	}
	var rated int64
	for i := range meetings {
		if meetings[i].Rated {
			rated += meetings[i].games()
		}
	}
	kind := r.Params.Expectation
	if kind == ExpectAuto {
		kind = ExpectModel
		if 2*rated >= r.Played {
			kind = ExpectRatings
		}
	}
	if r.Used = r.Played; kind == ExpectRatings {
		r.Used = rated
		meetings = slices.DeleteFunc(meetings, func(t meeting) bool { return !t.Rated })
	}
	if len(meetings) == 0 {
		return sheet.Errorf("no game has the ratings of both players: use --expectation model")
	}
	var err error
	if r.Expected, err = expect(kind, meetings, len(r.Names), r.Params.MinGames); err != nil {
		return err
	}
	r.Pairs = r.Expected.pairs(meetings, r.Params.MinGames)
	if len(r.Pairs) == 0 {
		return sheet.Errorf("no two players have %d games with each other: allow fewer with --min-games", r.Params.MinGames)
	}
	spread := scaleOf(r.Pairs)
	for _, p := range r.Pairs {
		p.temper(spread)
	}
	r.Cycles = threeCycles(r.Pairs, r.Params.FDR)
	rank(r.Pairs, r.Params.FDR, r.Names)
	for _, p := range r.Pairs {
		p.invert(spread)
	}
	return nil
}

// cellsOf are the meetings for the fit: games of a pair of players depend on each other.
func cellsOf(meetings []meeting, terms func(t *meeting) []bradley.Term) []bradley.Cell {
	number := map[[2]int]int{}
	cells := make([]bradley.Cell, len(meetings))
	for i := range meetings {
		t := &meetings[i]
		pair := [2]int{min(t.First, t.Second), max(t.First, t.Second)}
		if _, known := number[pair]; !known {
			number[pair] = len(number)
		}
		cells[i] = bradley.Cell{Terms: terms(t), Wins: t.Wins, Draws: t.Draws, Losses: t.Losses, Cluster: number[pair]}
	}
	return cells
}

// Found is a pair of players as the report has it.
type Found struct {
	A, B      string
	Raw, Z    float64 // by what is expected; Z is divided by the spread of all pairs
	StandsOut bool
}

// Find judges the pairs of players without a report.
func Find(ctx context.Context, p Params, in []*datasets.Dir) (all []Found, err error) {
	r, err := sheet.Ask(ctx, p.Workers, func(db *query.DB) (*report, error) { return run(ctx, db, p, in) })
	if err != nil {
		return nil, err
	}
	all = lists.Of(r.Pairs, func(k *pairing) Found { return Found{r.Names[k.A], r.Names[k.B], k.Raw, k.Z, k.StandsOut} })
	return all, nil
}

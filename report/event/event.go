// Package event reports what follows an event in games: how the score, the loss of value and the time of the next moves differ from
// moves of the same player in like positions without it. Its command is kifu report event.
//
// In: games with values or clocks in their records. Out: a page and tables. Whether the event is the cause is not for it to decide.
package event

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/games/board"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
)

// Params is everything that changes a report of an event.
type Params struct {
	Sources []string `json:"sources"`      // name of the games
	When    string   `json:"when"`         // condition on a move, SQL
	Match   []string `json:"match"`        // what moves that are compared have in common, by the names of Bands
	By      []string `json:"by,omitempty"` // bands that the effect is shown by
	Next    int      `json:"next"`         // moves of the player that follow
	Workers int      `json:"-"`            // threads; 0: one a processor
}

// Validate reports the first parameter that makes no sense whatever the games.
func (p Params) Validate() error {
	switch {
	case strings.TrimSpace(p.When) == "":
		return errors.New("--when is empty: give a condition on a move, such as loss >= 200")
	case len(p.Match) == 0:
		return errors.New("--match is empty: name value or other bands")
	case p.Next < 1 || p.Next > 1000:
		return fmt.Errorf("%d next moves: want 1 to 1000", p.Next)
	}
	for _, name := range slices.Concat(p.Match, p.By) {
		if !slices.Contains(Bands(), name) {
			return fmt.Errorf("%q: want %s", name, strings.Join(Bands(), ", "))
		}
	}
	return nil
}

// querySQL is the data of event.sql; everything is SQL.
type querySQL struct {
	Games, When string
	Lost        bool // the condition has lost_before
	Most        int
	SecondMark  string
}

// report holds the contents of the page.
type report struct {
	Params Params
	Source sheet.Source
	SQL    string
	rows   *rows
	All    [outcomes]Effect
	By     []group
}

// group is the effect in a band.
type group struct {
	By, Band string
	Effects  [outcomes]Effect
}

//go:embed event.sql
var queryTemplate string

// gamesName is the name of the games in the query.
const gamesName = "games"

// Make reports what follows an event in games.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	return sheet.Make(ctx, p.Workers, out, func(db *query.DB) (*report, error) { return run(ctx, db, p, in) })
}

func run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*report, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	games, sources, err := sheet.AttachGames(ctx, db, in, []string{gamesName}, nil)
	if err != nil {
		return nil, err
	}
	r := &report{Params: p, Source: sources[0], rows: newRows()}
	r.Source.Name = p.Sources[0]
	if err := r.read(ctx, in[0], games.Views[0]); err != nil {
		return nil, sheet.About(p.Sources, err)
	}
	return r, sheet.About(p.Sources, r.estimate())
}

// read reads the moves of the games, whose view has that name.
func (r *report) read(ctx context.Context, games *datasets.Dir, view string) (err error) {
	filter, err := query.NewFilter(ctx, "--when", r.Params.When, moveColumns())
	if err != nil {
		return err
	}
	defer filter.Close()
	read := newReading(ctx, games, filter)
	if r.SQL, err = sheet.Fill("event.sql", queryTemplate, querySQL{Games: view, When: r.Params.When, Lost: read.lost, Most: mostValue, SecondMark: board.SecondMark(read.rules)}); err != nil {
		return err
	}
	s := newSides(&r.Params, r.rows)
	return read.read(ctx, r.Params.Workers, s.add)
}

// Package database describes datasets of games: results, lengths, ratings, the advantage of
// moving first, duplicates, and with positions the branching factor.
package database

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"

	"kifu/datasets"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/schemas"
)

// Params is everything that changes a database report.
type Params struct {
	Sources        []string `json:"sources"`       // names of the datasets
	Bin            int      `json:"bin,omitempty"` // width in Elo of the bins of rating differences; 0: 50
	sheet.Clusters          // whose players are in the games themselves
	Workers        int      `json:"-"` // threads; 0: one a processor; the output does not depend on it
}

// lengthBin is the width in plies of the bins of game lengths.
const lengthBin = 10

// Validate reports parameters that make no sense.
func (p Params) Validate() error {
	if p.Bin < 0 {
		return fmt.Errorf("bins of %d Elo: want a positive width", p.Bin)
	}
	return nil
}

// querySQL is the data of sql/database.sql.
type querySQL struct {
	Bin, LengthBin int
	Players        sheet.Players
	Games          []sheet.View
	Positions      []positionsSQL
	Counts         []countSQL
	Literature     []literatureSQL
}

type positionsSQL struct {
	View, Quoted string
	Dedup, Phase bool
}

// countSQL is a count of a manifest; the texts are quoted.
type countSQL struct {
	Number, Place         int
	Source, Section, Item string
	Games                 int64
}

type literatureSQL struct {
	Number           int
	Source, Game     string
	Branching, Plies int
}

// literature has the branching factor and length in plies of a game by the name of
// its datasets (Mańdziuk 2010, section 1.1).
var literature = map[string][2]int{"chess": {35, 80}, "checkers": {3, 70}, "othello": {7, 60}, "go": {250, 150}}

//go:embed database.sql
var queryTemplate string

// report holds the contents of the page and of the pictures.
type report struct {
	Params   Params
	Game     string
	Sides    [2]string // names of the game's sides: "White"
	Sources  sheet.Sources
	Sections map[string][]fact // in the order of the query
	Branches bool              // there are positions with numbers of legal moves
	Errors   string            // how they were taken
	SQL      string
	Rows     *query.Result
}

// fact is a row of the query; NaN and 0 mean null.
type fact struct {
	Source, Item                           string
	Value, Score, Low, High                float64
	Expected, ExpectedFirst                float64
	Games, Wins, Draws, Losses, Unfinished int64
	Plies, Positions, Groups               int64
	Mean, Tenth, Median, Ninetieth         float64
	FirstDate, LastDate                    string
}

// Make reports the contents of datasets of games, and of datasets of positions or labels
// with the column legal_moves: in has one dataset a name in p.Sources.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	return sheet.Make(ctx, p.Workers, out, func(db *query.DB) (*report, error) { return run(ctx, db, p, in) })
}

func run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*report, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	p.Bin = cmp.Or(p.Bin, 50)
	d := &report{Params: p, Sections: map[string][]fact{}}
	q := querySQL{Bin: p.Bin, LengthBin: lengthBin}
	names, err := sheet.Attach(ctx, db, in, p.Sources, "")
	if err != nil {
		return nil, err
	}
	for i, dir := range in {
		if err := d.add(dir, names[i], &q); err != nil {
			return nil, err
		}
	}
	d.Sides = board.SidesOf(ctx, d.Game)
	if len(q.Games) == 0 {
		return nil, fmt.Errorf("%s holds %s: name a dataset of games too", in[0].Path, in[0].Table.Name)
	}
	views := lists.Of(q.Games, func(g sheet.View) string { return g.View })
	var rows []sheet.Fields
	if q.Players, err = p.Clusters.OfGames(views); err != nil {
		return nil, err
	}
	if d.Errors, err = q.Players.Note(ctx, db); err != nil {
		return nil, err
	}
	if d.SQL, rows, d.Rows, err = sheet.Run(ctx, db, "database.sql", queryTemplate, q); err != nil {
		return nil, err
	}
	return d, d.fill(rows)
}

// add takes in one more dataset, of games or of positions.
func (d *report) add(dir *datasets.Dir, name string, q *querySQL) error {
	of := dir.Manifest.Meta["game"]
	d.Game = cmp.Or(d.Game, of)
	if of != d.Game {
		return fmt.Errorf("%s is of %s, %s of %s: a report is about one game", d.Sources[0].Name, d.Game, name, of)
	}
	d.Sources = append(d.Sources, sheet.Source{Name: name, Key: dir.Manifest.Key, Game: of, Rows: dir.Rows()})
	switch dir.Table.Name {
	case schemas.Games.Name:
		number := len(q.Games)
		q.Games = append(q.Games, sheet.ViewOf(name))
		q.count(number, name, "rejected", dir.Manifest.Counts.Rejected)
		q.count(number, name, "noted", dir.Manifest.Counts.Noted)
		if book, known := literature[of]; known && number == 0 {
			q.Literature = append(q.Literature, literatureSQL{number, query.QuoteText("Mańdziuk 2010"), query.QuoteText(of), book[0], book[1]})
		}
	case "positions", "labels":
		if dir.Table.Index(schemas.LegalMoves.Name) < 0 {
			return fmt.Errorf("%s has no column %s: make the positions with kifu transform --legal-moves", dir.Path, schemas.LegalMoves.Name)
		}
		d.Branches = true
		q.Positions = append(q.Positions, positionsSQL{View: query.View(name), Quoted: query.QuoteText(name),
			Dedup: dir.Table.Index("occurrences") >= 0, Phase: dir.Table.Index("phase") >= 0})
	default:
		return fmt.Errorf("%s holds %s: want games, and positions or labels with the column %s", dir.Path, dir.Table.Name, schemas.LegalMoves.Name)
	}
	return nil
}

// count adds counts by reason, most frequent first.
func (q *querySQL) count(number int, name, section string, counts map[string]int64) {
	reasons := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			return int(counts[b] - counts[a])
		}
		return bytes.Compare([]byte(a), []byte(b))
	})
	for i, reason := range reasons {
		q.Counts = append(q.Counts, countSQL{number, i, query.QuoteText(name), query.QuoteText(section), query.QuoteText(reason), counts[reason]})
	}
}

// fill sorts the rows of the query into sections.
func (d *report) fill(rows []sheet.Fields) error {
	for _, f := range rows {
		section := f.Text("section")
		d.Sections[section] = append(d.Sections[section], fact{
			Source: f.Text("source"), Item: f.Text("item"), Value: f.OrNaN("value"), Score: f.OrNaN("score"), Low: f.OrNaN("low"), High: f.OrNaN("high"),
			Expected: f.OrNaN("expected"), ExpectedFirst: f.OrNaN("expected_first"),
			Games: f.Whole("games"), Wins: f.Whole("first_wins"), Draws: f.Whole("draws"), Losses: f.Whole("second_wins"), Unfinished: f.Whole("unfinished"),
			Plies: f.Whole("plies"), Positions: f.Whole("positions"), Groups: f.Whole("groups"),
			Mean: f.OrNaN("mean"), Tenth: f.OrNaN("decile_1"), Median: f.OrNaN("median"), Ninetieth: f.OrNaN("decile_9"),
			FirstDate: f.Text("first_date"), LastDate: f.Text("last_date"),
		})
	}
	if len(d.Sections["games"]) == 0 {
		return sheet.Errorf("%s: no games in it", d.Sources[0].Name)
	}
	return nil
}

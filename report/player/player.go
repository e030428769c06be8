// Package player reports the games of one player: scores by side, year and rating of the opponents, openings
// compared with the ratings, lengths, and time. It shows where value is lost compared with similar players,
// and games worth seeing. A model of kifu learn adds the depth of look-ahead.
//
// The caller names the player's spellings (internal/person).
package player

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/games/board"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/schemas"
)

// Params is everything that changes a report of a player.
type Params struct {
	Sources []string `json:"sources"` // names of the datasets
	Player  string   `json:"player"`  // as typed
	Names   []string `json:"names"`   // the player's, as records spell them
	// Against are the names of the opponents whose games count; nil: all opponents.
	Against []string `json:"against,omitempty"`
	Value   string   `json:"value"` // column of labels; empty: the leaf's
	Workers int      `json:"-"`     // threads; 0: one a processor; the output does not depend on it
}

// Validate reports parameters that make no sense.
func (p Params) Validate() error {
	if len(p.Names) == 0 {
		return fmt.Errorf("no name of a player")
	}
	return nil
}

// What numbers are based on.
const (
	like        = 100    // rating points within which others are of like rating
	enoughRated = 10     // rated games from which a score is compared with the ratings
	clusters    = 5      // opponents from which on errors are clustered by them
	mostOthers  = 20_000 // games of others for the comparison of losses
	capAt       = 0.95   // quantile of the sizes of values beyond which they count as that
)

// querySQL is the data of player.sql; names and texts are quoted.
type querySQL struct {
	Games, Labels, Value string
	Phase                bool // labels have it
	Pairs                bool // move numbers count pairs of moves
	SecondMark           string
	Names, Against       []string
	Motifs               string // view; empty: none
	MotifNames           []string
	Evals                bool   // games of the player have them, and there are no labels, which count instead
	Clocks               bool   // games of the player have them
	Base, Increment      int64  // of the time control that most of these games have
	ControlText          string // as records write it
	Others               int
}

// The constants, for the template.
func (querySQL) Like() int     { return like }
func (querySQL) Rated() int    { return enoughRated }
func (querySQL) Clusters() int { return clusters }
func (querySQL) Cap() float64  { return capAt }

// Lost is the section with the losses that are counted by opening, time left and motif.
func (q querySQL) Lost() string {
	if q.Labels != "" {
		return "loss"
	}
	return "recorded"
}

// Bands are bands of the time left.
func (querySQL) Bands() []sheet.ClockBand { return sheet.ClockBands }

// Report holds the results.
type Report struct {
	Player   string
	Names    []string
	Against  []string  // of Params
	Sides    [2]string // names of the sides
	Game     string
	Unit     string // of Column
	Column   string // of the values of labels; empty: none
	Model    *schemas.Learn
	SQL      string
	Result   *query.Result
	Spelling []string // names with their numbers of games
	Itself   int64    // games in which the player meets itself
	Unused   bool     // the records have values, which do not count because of labels
	sections map[string][]sheet.Fields
	sources  sheet.Sources
}

// Data are the attached datasets of a player's report.
type Data struct {
	Games, Labels string // names of views; Labels may be empty
	Game          string
	Unit, Column  string // of the labels
	Phase         bool   // the labels have it
	Motifs        string // view of the motifs of moves; may be empty
	MotifNames    []string
	// Others is how many games of others losses are compared with; 0: as many as in a report.
	Others  int
	Against []string // names of the opponents whose games count; nil: all
}

//go:embed player.sql
var queryTemplate string

// Make writes the report of a player. in has one dataset a name in p.Sources: games, and if
// wanted labels of their positions and a model of kifu learn.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	r, err := Read(ctx, p, in)
	if err != nil {
		return err
	}
	out.SetMeta("game", r.Game)
	return r.Sheet().Write(out)
}

// Read finds what Make writes.
func Read(ctx context.Context, p Params, in []*datasets.Dir) (*Report, error) {
	if err := errors.Join(p.Validate(), datasets.CheckTogether(in...)); err != nil {
		return nil, err
	}
	names, err := sheet.Named(in, p.Sources)
	if err != nil {
		return nil, err
	}
	db, err := query.Open(ctx, query.Options{Threads: p.Workers})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	var d Data
	var model *schemas.Learn
	var sources sheet.Sources
	for i, name := range names {
		if in[i].Manifest.Stage == "learn" {
			if model, err = sheet.ReadLearn(in[i]); err != nil {
				return nil, err
			}
			sources = append(sources, sheet.Source{Name: name, Key: in[i].Manifest.Key})
			continue
		}
		if err := d.add(in[i], name, p.Value); err != nil {
			return nil, err
		}
		if err := db.Attach(ctx, name, in[i]); err != nil {
			return nil, err
		}
		sources = append(sources, sheet.Source{Name: name, Key: in[i].Manifest.Key, Rows: in[i].Rows()})
	}
	if d.Games == "" {
		return nil, fmt.Errorf("name the games of the player")
	}
	d.Against = p.Against
	r, err := Ask(ctx, db, d, p.Names)
	if err != nil {
		return nil, sheet.About([]string{d.Games}, err)
	}
	r.Player, r.Model, r.sources = p.Player, model, sources
	if model != nil && model.Game != r.Game {
		return nil, fmt.Errorf("the model is of %s, the games of %s are of %s", model.Game, d.Games, r.Game)
	}
	return r, nil
}

// add takes in one more dataset.
func (d *Data) add(dir *datasets.Dir, name, value string) error {
	switch {
	case dir.Table.Name == schemas.Games.Name && d.Games == "":
		d.Games, d.Game = name, dir.Manifest.Meta["game"]
	case dir.Table.Name == "labels" && d.Labels == "":
		if dir.Table.Index("occurrences") >= 0 {
			return sheet.Errorf("%s has distinct positions: losses need every position of a game (kifu transform without --dedup)", dir.Path)
		}
		d.Of(dir, name, value)
		if d.Column == "" || dir.Table.Index(d.Column) < 0 {
			return sheet.Errorf("%s has no column %q", dir.Path, d.Column)
		}
	case dir.Table.Name == "motifs" && d.Motifs == "":
		d.Motifs, d.MotifNames = query.View(name), schemas.MotifNames(dir.Table)
	default:
		return fmt.Errorf("%s holds %s: want one dataset of games, and perhaps one of labels, of motifs, and a model of kifu learn", dir.Path, dir.Table.Name)
	}
	return nil
}

// Of sets the labels, attached by a name; value is the column, empty for the leaf's value.
func (d *Data) Of(labels *datasets.Dir, name, value string) {
	d.Labels, d.Column, d.Unit = name, value, labels.Manifest.Meta["unit"]
	d.Column = cmp.Or(d.Column, labels.Manifest.Meta["leaf"])
	d.Phase = labels.Table.Index("phase") >= 0
}

// ErrNoGame is the error of Ask when no game is the player's.
var ErrNoGame = errors.New("no game")

// Ask reads the report of a player's names from the attached datasets; the error is ErrNoGame without a game.
func Ask(ctx context.Context, db *query.DB, d Data, names []string) (*Report, error) {
	q := querySQL{Games: query.View(d.Games), Phase: d.Phase, Pairs: board.NumbersPairs(ctx, d.Game), SecondMark: board.SecondMarkOf(ctx, d.Game), Others: d.Others, Motifs: d.Motifs, MotifNames: d.MotifNames}
	q.Others = cmp.Or(q.Others, mostOthers)
	if d.Labels != "" {
		q.Labels, q.Value = query.View(d.Labels), query.QuoteName(d.Column)
	}
	for _, name := range names {
		q.Names = append(q.Names, query.QuoteText(name))
	}
	for _, name := range d.Against {
		q.Against = append(q.Against, query.QuoteText(name))
	}
	r := &Report{Names: names, Against: d.Against, Game: d.Game, Column: d.Column, Unit: d.Unit, sections: map[string][]sheet.Fields{}}
	if err := r.survey(ctx, db, &q); err != nil {
		return nil, err
	}
	var rows []sheet.Fields
	var err error
	if r.SQL, rows, r.Result, err = sheet.Run(ctx, db, "player.sql", queryTemplate, q); err != nil {
		return nil, err
	}
	for _, f := range rows {
		r.sections[f.Text("section")] = append(r.sections[f.Text("section")], f)
	}
	if len(r.sections["record"]) == 0 {
		return nil, sheet.Errorf("%w of %s%s", ErrNoGame, names[0], r.rival())
	}
	return r, nil
}

//go:embed survey.sql
var surveyTemplate string

// survey finds what the player's games have: spellings, names of the sides, values, and clocks by time control.
func (r *Report) survey(ctx context.Context, db *query.DB, q *querySQL) error {
	_, rows, _, err := sheet.Run(ctx, db, "survey.sql", surveyTemplate, q)
	for _, f := range rows {
		switch f.Text("what") {
		case "name":
			r.Spelling = append(r.Spelling, fmt.Sprintf("%s (%d)", f.Text("item"), f.Whole("games")))
		case "itself":
			r.Itself = f.Whole("games")
		case "evals":
			q.Evals, r.Unused = q.Labels == "" && f.Whole("games") > 0, q.Labels != "" && f.Whole("games") > 0
		case "clocks":
			q.Clocks, q.Base, q.Increment, q.ControlText = true, f.Whole("base_ms"), f.Whole("increment_ms"), query.QuoteText(f.Text("item"))
		}
	}
	r.Sides = board.SidesOf(ctx, r.Game)
	return err
}

// Title returns the player, and the opponent if only the games against one count.
func (r *Report) Title() string { return r.Player + r.rival() }

// rival returns " against NAME", "" where all opponents count.
func (r *Report) rival() string {
	if len(r.Against) == 0 {
		return ""
	}
	return " against " + r.Against[0]
}

// Games is the number of games that the record counts.
func (r *Report) Games() int64 { return r.sections["record"][0].Whole("games") }

// has reports whether there are rows of a section.
func (r *Report) has(section string) bool { return len(r.sections[section]) > 0 }

// atLimit reports whether the model's depth is the greatest that was searched.
func atLimit(m *schemas.Learn) bool {
	deepest := 0
	for _, d := range slices.Concat(m.Depths, m.Quiescent) {
		deepest = max(deepest, d.Depth)
	}
	return m.Model != nil && m.Model.Depth >= deepest
}

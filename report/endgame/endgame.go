// Package endgame reports the endings of games: what is left on the board, how often, how it ends, and how that differs from what
// is expected. Its command is kifu report endgame; explore has it as a page.
//
// In: positions or labels, and perhaps their games for who played. Out: a page and tables.
package endgame

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/games"
	"kifu/games/board"
	"kifu/internal/dyads"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/shape"
	"kifu/report/sheet"
	"kifu/schemas"
)

// Params is everything that changes a report of endings.
type Params struct {
	Source   string `json:"source"`          // name of the positions
	Value    string `json:"value,omitempty"` // column of values; empty: the labels' last search, of positions none
	Phase    int    `json:"phase"`           // an ending begins at this phase; 0: a third of the maximum
	Plies    int    `json:"plies"`           // positions that an ending lasts at least
	MinGames int    `json:"min_games"`       // games of an ending that is listed
	Workers  int    `json:"-"`               // threads; 0: one a processor
	sheet.Clusters
}

// Usual are the parameters of a report without flags.
var Usual = Params{Plies: 4, MinGames: 10}

// Validate reports the first parameter that makes no sense whatever the positions.
func (p Params) Validate() error {
	switch {
	case p.Phase < 0:
		return fmt.Errorf("phase %d: want 0 or more", p.Phase)
	case p.Plies < 1:
		return fmt.Errorf("%d plies: want at least one", p.Plies)
	case p.MinGames < 1:
		return fmt.Errorf("%d games: want at least one", p.MinGames)
	}
	return nil
}

// Data are the attached datasets of a report, as SQL.
type Data struct {
	Positions, Games string // Games is empty if they are not known
	Value            string // column; empty: none
	Where            string // condition on the positions; empty: all
	Game             string // whose rules
	Params
}

// Bands is the number of bands of the values that count as equal.
func (Data) Bands() int { return 40 }

// Quoted is the game as a text, which functions of boards take where datasets are of several games.
func (d Data) Quoted() string { return query.QuoteText(d.Game) }

// Report holds the endings.
type Report struct {
	Params
	Game    string
	Sides   [2]string
	Valued  bool  // expected by values, else by ratings
	All     int64 // games
	Games   int   // that have an ending
	Endings []Ending
	SQL     string
	source  sheet.Source
	errors  string
}

// Ending is a kind of ending, by the points of the side that is ahead.
type Ending struct {
	Name             string
	Games            int
	Won, Drawn, Lost int
	Positions        float64 // mean
	Score, Low, High float64 // with a 95 % interval; NaN without results
	// Expected is the mean expectation of the Expecting games that have one, Above their score less that, with a 95 % interval.
	Expecting                           int
	Expected, Above, AboveLow, AboveTop float64
	Example                             [2]int64 // game and ply
}

//go:embed endgame.sql
var queryTemplate string

// surveyTemplate asks where the endings begin, and how many games there are.
const surveyTemplate = "SELECT coalesce(max(phase) // 3, 0)::BIGINT AS phase, count(DISTINCT game_id) AS games FROM {{.Positions}}{{if .Where}} WHERE {{.Where}}{{end}}"

// Make reports the endings of in[0], and of in[1:] the games of p.Names.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	return sheet.Make(ctx, p.Workers, out, func(db *query.DB) (*Report, error) { return run(ctx, db, p, in) })
}

func run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*Report, error) {
	d, err := DataOf(in[0], p.Source)
	if err != nil {
		return nil, err
	}
	if rules := board.Named(ctx, d.Game); rules != nil && !Has(rules) {
		return nil, sheet.Errorf("%s is of %s, which has no endings: pieces are of one kind, or come back from the hand", in[0].Path, d.Game)
	}
	d.Params = p
	if err := db.Attach(ctx, p.Source, in[0]); err != nil {
		return nil, err
	}
	if p.Value != "" {
		if d.Value, err = sheet.Evaluation(ctx, db, in[0], p.Value); err != nil {
			return nil, err
		}
		d.Value = query.QuoteName(d.Value)
	}
	players, err := p.Clusters.Attach(ctx, db, in, []string{p.Source}, []sheet.Contender{{Source: p.Source, View: d.Positions}})
	if err != nil {
		return nil, err
	}
	if players.On() {
		d.Games = players.Sources[0].Games
	}
	r, err := Ask(ctx, db, d)
	if err != nil {
		return nil, sheet.About([]string{p.Source}, err)
	}
	r.source = sheet.Source{Name: p.Source, Key: in[0].Manifest.Key, Rows: in[0].Rows()}
	r.errors, err = players.Note(ctx, db)
	return r, err
}

// Has reports whether a game has endings: pieces of several kinds, which do not come back from a hand.
func Has(g board.Game) bool { return len(g.Pieces()) > 3 && len(g.Holdable(games.First)) == 0 }

// DataOf returns the data of a dataset that is attached under a name. It is an error where positions have no phase or are distinct ones.
func DataOf(in *datasets.Dir, name string) (Data, error) {
	d := Data{Positions: query.View(name), Game: in.Manifest.Meta["game"], Params: Usual}
	switch {
	case in.Table.Name == schemas.Games.Name:
		return d, sheet.Errorf("%s has games: make positions (kifu transform --out positions %[1]s), then the report of them", in.Path)
	case in.Table.Index("board") < 0 || in.Table.Index("phase") < 0 || in.Table.Index("ply") < 0:
		return d, sheet.Errorf("%s has %s: want positions or labels of a game with phases", in.Path, in.Table.Name)
	case in.Table.Index("occurrences") >= 0:
		return d, sheet.Errorf("%s has distinct positions: endings need every position of a game (kifu transform without --dedup)", in.Path)
	}
	if leaf := in.Manifest.Meta["leaf"]; leaf != "" {
		d.Value = query.QuoteName(leaf)
	}
	return d, nil
}

// Ask reads the endings from the attached datasets.
func Ask(ctx context.Context, db *query.DB, d Data) (*Report, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	_, rows, _, err := sheet.Run(ctx, db, "games", surveyTemplate, d)
	if err != nil {
		return nil, err
	}
	if d.Phase == 0 {
		d.Phase = int(rows[0].Whole("phase"))
	}
	r := &Report{Params: d.Params, Game: d.Game, Sides: board.SidesOf(ctx, d.Game), Valued: d.Value != "", All: rows[0].Whole("games")}
	if r.SQL, rows, _, err = sheet.Run(ctx, db, "endgame.sql", queryTemplate, d); err != nil {
		return nil, err
	}
	names, reached := dyads.NewNames(d.Aliases), map[int64]bool{}
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(f sheet.Fields) bool { return f.Text("ending") != rows[0].Text("ending") })
		if n < 0 {
			n = len(rows)
		}
		for _, f := range rows[:n] {
			reached[f.Whole("game_id")] = true
		}
		if n >= d.MinGames {
			e, err := endingOf(rows[:n], d, names)
			if err != nil {
				return nil, err
			}
			r.Endings = append(r.Endings, e)
		}
		rows = rows[n:]
	}
	r.Games = len(reached)
	slices.SortStableFunc(r.Endings, func(a, b Ending) int { return b.Games - a.Games })
	if len(r.Endings) == 0 {
		return nil, sheet.Errorf("no ending of phase %d or less in %s or more games that lasts %d positions: try a higher --phase, or --min-games 1", d.Phase, fmt.Sprint(d.MinGames), d.Plies)
	}
	return r, nil
}

// endingOf sums up the games of an ending.
func endingOf(rows []sheet.Fields, d Data, names *dyads.Names) (Ending, error) {
	e := Ending{Name: rows[0].Text("ending"), Games: len(rows), Example: [2]int64{rows[0].Whole("game_id"), rows[0].Whole("ply")}}
	var scored, compared sums
	for _, f := range rows {
		e.Positions += f.Number("positions") / float64(len(rows))
		points, expected := f.OrNaN("points"), f.OrNaN("expected")
		pair := dyads.Nobody
		if d.Games != "" {
			for i, side := range []string{"first_player", "second_player"} {
				number, err := names.Number(f.Text(side))
				if err != nil {
					return e, err
				}
				*[]*int32{&pair.A, &pair.B}[i] = number
			}
		}
		switch points {
		case 1:
			e.Won++
		case 0.5:
			e.Drawn++
		case 0:
			e.Lost++
		default:
			continue
		}
		scored.add(pair, points)
		if !math.IsNaN(expected) {
			e.Expected += expected
			compared.add(pair, points-expected)
		}
	}
	var spread dyads.Spread
	e.Score, spread = scored.mean(d.Way)
	e.Low, e.High = shape.Score(e.Score, spread, float64(len(scored.x)))
	if e.Expecting = len(compared.x); e.Expecting == 0 {
		e.Expected = math.NaN()
	}
	e.Expected /= float64(max(1, e.Expecting))
	e.Above, spread = compared.mean(d.Way)
	e.AboveLow, e.AboveTop = math.Max(-1, e.Above-spread.Reach()), math.Min(1, e.Above+spread.Reach()) // no game can be off by more than all points
	return e, nil
}

// sums are numbers of games with their players.
type sums struct {
	players []dyads.Pair
	x       []float64
}

func (s *sums) add(players dyads.Pair, x float64) {
	s.players, s.x = append(s.players, players), append(s.x, x)
}

// mean returns the mean and its spread, where games depend on each other by way; NaN for less than two games.
func (s *sums) mean(way string) (mean float64, spread dyads.Spread) {
	if len(s.x) < 2 {
		return math.NaN(), dyads.Spread{Variance: math.NaN(), Degrees: 1}
	}
	mean = lists.Sum(s.x, func(x float64) float64 { return x / float64(len(s.x)) })
	u, ones := make([]float64, len(s.x)), make([]float64, len(s.x))
	for i, x := range s.x {
		u[i], ones[i] = x-mean, 1
	}
	return mean, dyads.Of(s.players).Ratio(u, ones, dyads.Way(way))
}

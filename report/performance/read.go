package performance

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games/board"
	"kifu/internal/skill"
	"kifu/query"
	"kifu/report/sheet"
	"kifu/schemas"
)

// querySQL is the data of performance.sql and players.sql; everything is quoted.
type querySQL struct {
	Games, Choices, Positions, Value string
	SecondMark                       string
	First, Second                    string // colours in the tags of the records; empty: games without tags
}

//go:embed performance.sql
var queryTemplate string

//go:embed players.sql
var playersTemplate string

// names of the inputs in the queries.
const gamesName, valuesName = "games", "values"

// recorded is the name of the values in the records' comments, and comment their column in positions.
const recorded, comment = "comments", "comment_value"

// turn has what a player's moves in a game share, next to the turn of the moves.
type turn struct {
	event, year string
	provisional bool    // its rating is
	accuracy    float64 // as lichess has it; NaN without values of the whole game
	losses      float64 // summed, as lichess has them, over moves
	lossMoves   int
}

// side is one of the two players of a game.
type side struct {
	player      int
	rating      float64
	provisional bool
}

// game is who played a game.
type game struct {
	sides       [2]side
	event, year string
	usual       bool // the start
}

// read reads the games and the values.
func (r *report) read(ctx context.Context, db *query.DB, in []*datasets.Dir) error {
	q, of, err := r.attach(ctx, db, in)
	if err != nil {
		return err
	}
	all, err := r.players(ctx, db, q)
	if err != nil {
		return err
	}
	if r.SQL, err = sheet.Fill("performance.sql", queryTemplate, q); err != nil {
		return err
	}
	table := schemas.Table{Name: "values", Columns: []schemas.Column{{Name: "game_id", Type: schemas.Int64}, {Name: "ply", Type: schemas.Int32},
		{Name: "first_to_move", Type: schemas.Bool}, {Name: "played", Type: schemas.Bool}, {Name: "value", Type: schemas.Float32}}}
	rows, err := db.Table(ctx, r.SQL, table)
	if err != nil {
		return err
	}
	f := folder{report: r, games: all, choices: q.Choices != ""}
	if r.moves = skill.Losses(); f.choices {
		r.moves = skill.Choices()
	}
	err = datasets.Scan(ctx, rows, "performance", "values", nil, func(_ datasets.Group, b *columns.Batch) error {
		f.add(b)
		return nil
	})
	if err != nil {
		return err
	}
	f.end()
	if r.moves.Len() == 0 {
		return sheet.Errorf("no move with a value before and after it in %s: give games with values in comments, labels or choices", of)
	}
	return nil
}

// attach attaches the inputs, and returns the query with the name of the dataset of values.
func (r *report) attach(ctx context.Context, db *query.DB, in []*datasets.Dir) (q querySQL, of string, err error) {
	games := in[0]
	if err := errors.Join(games.Want(schemas.Games.Name), datasets.CheckTogether(in...)); err != nil {
		return q, "", err
	}
	r.Model.Game, r.Model.Value = games.Manifest.Meta["game"], recorded
	r.Model.Pawn, r.Model.Within, r.Model.SkipPlies = r.Params.Pawn, r.Params.Within, r.Params.SkipPlies
	q.Games, of = query.View(gamesName), games.Path
	q.SecondMark = board.SecondMarkOf(ctx, r.Model.Game)
	for i, d := range in {
		name := [...]string{gamesName, valuesName}[i]
		if err := db.Attach(ctx, name, d); err != nil {
			return q, "", err
		}
		if sides := board.SidesOf(ctx, r.Model.Game); i == 0 && d.Table.Index("tags") >= 0 && d.Table.Index("site") >= 0 && d.Table.Index("result") >= 0 {
			if q.First, q.Second = "White", "Black"; sides[0] == "Black" {
				q.First, q.Second = q.Second, q.First
			}
		}
		r.Inputs, r.Read = append(r.Inputs, fmt.Sprintf("%s, key %s", d.Table.Name, sheet.ShortKey(d.Manifest.Key))), r.Read+d.Rows()
	}
	if len(in) == 1 {
		return q, of, r.checkModel()
	}
	d := in[1]
	column := r.Params.Value
	switch of = d.Path; d.Table.Name {
	case "choices":
		if n := d.Manifest.Meta["alternatives"]; n != "" && n != "0" {
			return q, "", sheet.Errorf("%s has a sample of the moves: run kifu choices without --alternatives", of)
		}
		q.Choices = query.View(valuesName)
	case "labels", "positions":
		if d.Table.Index("occurrences") >= 0 {
			return q, "", sheet.Errorf("%s has distinct positions: losses need every position of a game (kifu transform without --dedup)", of)
		}
		q.Positions = query.View(valuesName)
	default:
		return q, "", sheet.Errorf("%s has %s: want choices, labels or positions of the games", of, d.Table.Name)
	}
	if column = cmp.Or(column, d.Manifest.Meta["leaf"]); column == "" && d.Table.Name == "positions" {
		column = comment
	}
	if d.Table.Index(column) < 0 {
		return q, "", sheet.Errorf("%s has no column %q of values: name one with --value", of, column)
	}
	if game := d.Manifest.Meta["game"]; game != r.Model.Game {
		return q, "", sheet.Errorf("%s is of %s, the games are of %s", of, game, r.Model.Game)
	}
	if q.Value = query.QuoteName(column); column != comment {
		r.Model.Value = column
	}
	return q, of, r.checkModel()
}

// checkModel sees that a model from elsewhere is of the same values.
func (r *report) checkModel() error {
	of, is := r.Params.Model, r.Model
	if of == nil {
		return nil
	}
	is.Model = of.Model
	if is.Game != of.Game || is.Value != of.Value || is.Pawn != of.Pawn || is.Within != of.Within || is.SkipPlies != of.SkipPlies {
		return sheet.Errorf("the model is of %s, values %s, a pawn of %v, positions within %v, %d plies skipped: use the same", of.Game, of.Value, of.Pawn, of.Within, of.SkipPlies)
	}
	r.Model = is
	return nil
}

// players reads who played the games; players are numbered in the order of their names.
func (r *report) players(ctx context.Context, db *query.DB, q querySQL) (map[int64]game, error) {
	_, rows, _, err := sheet.Run(ctx, db, "players.sql", playersTemplate, q)
	if err != nil {
		return nil, err
	}
	for _, f := range rows {
		r.names = append(r.names, f.Text("first_player"), f.Text("second_player"))
	}
	slices.Sort(r.names)
	r.names = slices.Compact(r.names)
	all := make(map[int64]game, len(rows))
	for _, f := range rows {
		g := game{event: f.Text("event"), year: f.Text("year"), usual: f.At("usual") == true}
		for i, of := range [2]string{"first", "second"} {
			n, _ := slices.BinarySearch(r.names, f.Text(of+"_player"))
			g.sides[i] = side{player: n, rating: f.OrNaN(of + "_elo")}
		}
		if q.First != "" {
			score, lichess := f.OrNaN("score"), f.At("lichess") == true
			a, b := &g.sides[0], &g.sides[1]
			a.provisional = provisional(a.rating, b.rating, score, f.OrNaN("first_change"), lichess)
			b.provisional = provisional(b.rating, a.rating, 1-score, f.OrNaN("second_change"), lichess)
		}
		all[f.Whole("game_id")] = g
	}
	return all, nil
}

// mostChange is by how much an established rating changes for a point beyond those expected. Elo's factor is at most 40 at FIDE. With a
// rating deviation of 110, from which on Lichess shows a rating as provisional, Glicko's is below 70, or 80 for the
// favourite against a new player.
const mostChange = 80

// lichessStart is the rating of a new account there.
const lichessStart = 1500

// provisional reports whether a rating does not say yet how strong a player is: the game changed it by more than an established
// one, or, where changes are not recorded, it is that of a new account.
func provisional(rating, other, score, change float64, lichess bool) bool {
	if math.IsNaN(change) {
		return lichess && rating == lichessStart
	}
	beyond := math.Abs(score - 1/(1+math.Pow(10, (other-rating)/400)))
	if math.IsNaN(beyond) {
		beyond = 1
	}
	return math.Abs(change) > 1+mostChange*beyond
}

// row is a row of the query.
type row struct {
	ply           int
	first, played bool
	value         float64
}

// folder makes moves of rows.
type folder struct {
	*report
	games   map[int64]game
	choices bool
	of      int64
	rows    []row // of the game so far
}

// add adds rows.
func (f *folder) add(b *columns.Batch) {
	game, ply, first, played, value := b.Col("game_id"), b.Col("ply"), b.Col("first_to_move"), b.Col("played"), b.Col("value")
	for i := range b.Rows {
		if game.Int64[i] != f.of {
			f.end()
			f.of = game.Int64[i]
		}
		f.rows = append(f.rows, row{int(ply.Int32[i]), first.Bool[i], played.Bool[i], float64(value.Float32[i])})
	}
}

// end ends a game: the moves of either side become a turn.
func (f *folder) end() {
	g, known := f.games[f.of]
	if known && len(f.rows) > 0 {
		for i, s := range g.sides {
			rating := s.rating
			if s.provisional {
				rating = math.NaN()
			}
			f.moves.Begin(s.player, f.of, rating)
			f.turns = append(f.turns, turn{event: g.event, year: g.year, provisional: s.provisional, accuracy: math.NaN()})
			if f.choices {
				f.choose(i == 0)
			} else {
				f.lose(i == 0)
			}
		}
		if !f.choices {
			f.accuracies(g.usual)
		}
	}
	f.rows = f.rows[:0]
}

// scaled returns a value from a side's view on the scale of losses.
func (r *report) scaled(v float64, first bool) float64 {
	if !first {
		v = -v
	}
	return skill.Scaled(max(-farPawns*r.Params.Pawn, min(farPawns*r.Params.Pawn, v)), r.Params.Pawn)
}

// farPawns is the value, in pawns, beyond which all values count alike.
const farPawns = 10

// counts reports whether a move is rated, from the value before it.
func (r *report) counts(ply int, before float64) bool {
	return ply >= r.Params.SkipPlies && math.Abs(before) <= skill.Scaled(r.Params.Within, r.Params.Pawn)+1e-9
}

// choose adds a side's decisions among all legal moves.
func (f *folder) choose(first bool) {
	var values []float64
	for i := 0; i < len(f.rows); {
		ply, played, best := f.rows[i].ply, -1, math.Inf(-1)
		values = values[:0]
		mine := f.rows[i].first == first
		for ; i < len(f.rows) && f.rows[i].ply == ply; i++ {
			if f.rows[i].played {
				played = len(values)
			}
			values = append(values, f.scaled(f.rows[i].value, first))
			best = max(best, values[len(values)-1])
		}
		if mine && played >= 0 && f.counts(ply, best) {
			f.moves.Choose(values, played)
		}
	}
}

// lose adds a side's moves with the values before and after them.
func (f *folder) lose(first bool) {
	for i := 0; i+1 < len(f.rows); i++ {
		a, b := f.rows[i], f.rows[i+1]
		before := f.scaled(a.value, first)
		if a.first == first && b.ply == a.ply+1 && f.counts(a.ply, before) {
			f.moves.Lose(before, f.scaled(b.value, first), a.ply)
		}
	}
}

package explore

import (
	"fmt"
	"slices"

	"kifu/query"
	"kifu/report/sheet"
)

// gamesPage is the data of games.html.
type gamesPage struct {
	Set            *Set
	Sets           []*Set
	Filter         gameFilter
	Columns        []string
	Orders         []string
	Order          string
	Down           bool
	Error          string
	Rows           []gameRow
	Sides          [2]string
	Total          int64
	First, Last    int
	Before, Behind string
}

// gameRow is a game of a table.
type gameRow struct {
	ID, Plies                                  int64
	White, Black, Result, Date, Event, Opening string
	WhiteElo, BlackElo                         any
	Starts                                     bool   // from a position of its own
	At                                         string // ply to be shown; "": the start
}

// gameOrders are the columns by which games are sorted.
var gameOrders = []string{"game_id", "date", "first_player", "second_player", "first_elo", "second_elo", "result", "ply_count", "opening", "event"}

// mostGames is the number of games of a page.
const mostGames = 50

// gamesView is a table of games: the filter, order, down, page.
func gamesView(c *call) (*page, error) {
	sets := c.site.ofKind("games")
	d := named(sets, c.here.Get("on"))
	if d == nil {
		return nil, c.noSet("games", sets)
	}
	data := &gamesPage{Set: d, Sets: sets, Filter: filterOf(c.here), Columns: columnNames(d), Orders: gameOrders, Order: c.here.Get("order"), Down: c.here.Get("down") != ""}
	p := &page{Title: titled("Games", d), Data: data}
	var err error
	if data.Sides, err = c.sidesOf(d); err != nil {
		return nil, err
	}
	data.Filter.Sides = data.Sides
	number := max(0, c.here.number("page", 0))
	err = data.read(c, number)
	if err != nil {
		if c.ctx.Err() != nil {
			return nil, err
		}
		data.Error = err.Error()
		return p, nil
	}
	p.SQL, err = data.sql(c)
	return p, err
}

// sql is the query of all games of the table.
func (data *gamesPage) sql(c *call) (string, error) {
	where, err := c.clause(data.Set, &data.Filter)
	if err != nil {
		return "", err
	}
	if !slices.Contains(gameOrders, data.Order) {
		data.Order = "game_id"
	}
	order := query.QuoteName(data.Order) + map[bool]string{true: " DESC"}[data.Down] + " NULLS LAST"
	if data.Order != "game_id" {
		order += ", game_id"
	}
	return "SELECT game_id, first_player, first_elo, second_player, second_elo, result, date, event, opening, ply_count, start_position IS NOT NULL AS from_position FROM " +
		data.Set.view() + where + " ORDER BY " + order, nil
}

func (data *gamesPage) read(c *call, number int) error {
	sql, err := data.sql(c)
	if err != nil {
		return err
	}
	where, err := c.clause(data.Set, &data.Filter)
	if err != nil {
		return err
	}
	if data.Total, err = c.count("SELECT count(*) FROM " + data.Set.view() + where); err != nil {
		return err
	}
	data.Rows, err = c.gameRows(fmt.Sprintf("%s LIMIT %d OFFSET %d", sql, mostGames, number*mostGames))
	data.First, data.Last = number*mostGames+1, number*mostGames+len(data.Rows)
	if number > 0 {
		data.Before = c.here.With("page", number-1)
	}
	if int64(data.Last) < data.Total {
		data.Behind = c.here.With("page", number+1)
	}
	return err
}

// count is the number that a query gives.
func (c *call) count(sql string) (int64, error) {
	r, err := c.query(sql, 1)
	if err != nil {
		return 0, err
	}
	rows, err := r.All()
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	n, _ := rows[0][0].(int64)
	return n, nil
}

// gameRows reads the games of a query with the columns of gamesPage.sql.
func (c *call) gameRows(sql string) (all []gameRow, err error) {
	r, err := c.query(sql, c.site.options.Rows)
	if err != nil {
		return nil, err
	}
	return all, r.Each(func(row []any) error {
		f := sheet.Fields{Columns: r.Columns, Row: row}
		text := func(name string) string { return plainText(f.Text(name)) }
		all = append(all, gameRow{ID: f.Whole("game_id"), Plies: f.Whole("ply_count"), White: text("first_player"), Black: text("second_player"),
			Result: f.Text("result"), Date: text("date"), Event: text("event"), Opening: text("opening"),
			WhiteElo: f.At("first_elo"), BlackElo: f.At("second_elo"), Starts: f.Truth("from_position")})
		return nil
	})
}

// Score is the result as players write it, the first player's points in front.
func (g gameRow) Score() string { return score(g.Result) }

func score(result string) string {
	switch result {
	case "first":
		return "1–0"
	case "second":
		return "0–1"
	case "draw":
		return "½–½"
	}
	return "*"
}

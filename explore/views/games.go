package views

import (
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/query"
)

// gamesPage is the data of games.html.
type gamesPage struct {
	Set            *site.Set
	Sets           []*site.Set
	Filter         gameFilter
	Columns        []string
	Orders         []string
	Order          string
	Down           bool
	Error          string
	Rows           []gameRow
	Filled         map[string]bool // columns of the table; one without a value in the whole dataset is not shown
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

// mostGames is the number of games of a page.
const mostGames = 50

// gamesView is a table of games: the filter, order, down, page.
func gamesView(c *call) (*page, error) {
	d := c.set
	data := &gamesPage{Set: d, Sets: c.sets, Filter: filterOf(c.here), Columns: columnNames(d), Order: c.here.Get("order"), Down: c.here.Get("down") != ""}
	p := &page{Title: titled("Games", d), Data: data}
	var err error
	data.Sides = c.sidesOf(d)
	data.Filter.Sides = data.Sides
	if data.Filled, err = c.filled(d); err != nil {
		return nil, err
	}
	data.Orders = lists.Where(gameOrders, func(name string) bool { return data.Filled[name] })
	number := max(0, c.here.Number("page", 0))
	err = data.read(c, number)
	if err != nil {
		return p, c.show(&data.Error, err)
	}
	p.SQL, err = data.sql(c, gameColumns)
	return p, err
}

// gameColumns are what a table of games shows.
const gameColumns = "game_id, first_player, first_elo, second_player, second_elo, result, date, event, opening, ply_count, start_position IS NOT NULL AS from_position"

// sql is the query of these columns of all games of the table.
func (data *gamesPage) sql(c *call, columns string) (string, error) {
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
	return "SELECT " + columns + " FROM " + data.Set.View() + where + " ORDER BY " + order, nil
}

func (data *gamesPage) read(c *call, number int) error {
	sql, err := data.sql(c, "game_id") // the other columns are read of the games that are shown
	if err != nil {
		return err
	}
	where, err := c.clause(data.Set, &data.Filter)
	if err != nil {
		return err
	}
	if data.Total, err = c.count("SELECT count(*) FROM " + data.Set.View() + where); err != nil {
		return err
	}
	r, err := c.query(fmt.Sprintf("%s LIMIT %d OFFSET %d", sql, mostGames, number*mostGames), mostGames)
	if err != nil {
		return err
	}
	var ids []int64
	if err := r.Each(func(row []any) error {
		ids = append(ids, row[0].(int64))
		return nil
	}); err != nil {
		return err
	}
	data.Rows, err = c.gamesNamed(data.Set, ids)
	slices.SortFunc(data.Rows, func(a, b gameRow) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	data.First, data.Last = number*mostGames+1, number*mostGames+len(data.Rows)
	if number > 0 {
		data.Before = c.here.With("page", number-1)
	}
	if int64(data.Last) < data.Total {
		data.Behind = c.here.With("page", number+1)
	}
	return err
}

// filled returns the columns of tables of games in which some game of d has a value. They are decided once for all pages: columns that
// came and went while one sorts or turns pages would be hard to follow.
func (c *call) filled(d *site.Set) (map[string]bool, error) { return c.site.filledIn(d) }

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

// sidesOf returns the names of the sides in a dataset.
func (c *call) sidesOf(d *site.Set) [2]string { return board.Sides(c.site.games[d.Game()].Boards) }

// gamesNamed reads games by their ids, in the order of the dataset: in milliseconds, however many games it has.
func (c *call) gamesNamed(d *site.Set, ids []int64) (all []gameRow, err error) {
	names := []string{"first_player", "first_elo", "second_player", "second_elo", "result", "date", "event", "opening", "ply_count", "start_position"}
	return all, datasets.Lookup(c.ctx, d.Dir, ids, names, func(b *columns.Batch) error {
		for i := range b.Rows {
			text := func(name string) string { return parts.Plain(string(b.Col(name).Value(i))) }
			elo := func(name string) any {
				if v := b.Col(name); !v.IsNull(i) {
					return v.Int32[i]
				}
				return nil
			}
			all = append(all, gameRow{ID: b.Col("game_id").Int64[i], Plies: int64(b.Col("ply_count").Int32[i]), White: text("first_player"), Black: text("second_player"),
				Result: text("result"), Date: text("date"), Event: text("event"), Opening: text("opening"),
				WhiteElo: elo("first_elo"), BlackElo: elo("second_elo"), Starts: !b.Col("start_position").IsNull(i)})
		}
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

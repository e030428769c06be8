package views

import (
	"fmt"

	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/report/endgame"
)

// endingsPage is the data of endings.html.
type endingsPage struct {
	Set     *site.Set
	Sets    []*site.Set
	Filter  gameFilter
	Columns []string
	Least   int // games of an ending that is listed
	Lead    string
	Notes   []string
	Rows    []endingRow
	Error   string
}

// endingRow is an ending of the table, with the address of its positions.
type endingRow struct {
	Cells     []string
	Positions string // address of its positions
	See       string // of one of them in its game
	parts.Tally
}

// endingsView is the table of what is left in the games of a dataset of positions: on, the filter of games where these are known, least.
func endingsView(c *call) (*page, error) {
	d := c.set
	of, err := endgame.DataOf(d.Dir, d.Name)
	if err != nil {
		return nil, err
	}
	of.MinGames = max(1, c.here.Number("least", of.MinGames))
	data := &endingsPage{Set: d, Sets: c.sets, Filter: filterOf(c.here), Least: of.MinGames}
	p := &page{Title: titled("Endings", d), Data: data}
	if d.Games != nil {
		data.Columns = columnNames(d.Games)
		of.Games = d.Games.View()
		data.Filter.Sides = c.sidesOf(d.Games)
		where, err := c.clause(d.Games, &data.Filter)
		if err != nil {
			return p, c.show(&data.Error, plain(err))
		}
		if where != "" {
			of.Where = "game_id IN (SELECT game_id FROM " + d.Games.View() + where + ")"
		}
	}
	r, err := endgame.Ask(c.ctx, c.db, of)
	if err != nil {
		return p, c.show(&data.Error, plain(err))
	}
	doc := r.Document()
	data.Lead, data.Notes = doc.Lead, doc.Notes
	for i, e := range r.Endings {
		data.Rows = append(data.Rows, endingRow{
			Cells: doc.Tables[0].Rows[i], See: parts.To("position", "on", d.Name, "game", e.Example[0], "ply", e.Example[1]),
			Positions: parts.To("positions", "on", d.Name, "where", fmt.Sprintf("phase <= %d AND ending(board, %s) = '%s'", r.Phase, of.Quoted(), e.Name)),
			Tally:     parts.Tally{All: int64(e.Games), First: int64(e.Won), Draws: int64(e.Drawn), Second: int64(e.Lost), Sides: [2]string{"side ahead", "other side"}},
		})
	}
	p.SQL, p.Rows = r.SQL, r.Result()
	return p, nil
}

package views

import (
	"fmt"
	"slices"
	"strings"

	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/games"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/mistakes"
	"kifu/report/sheet"
)

// mistakesPage is the data of mistakes.html.
type mistakesPage struct {
	Set     *site.Set
	Sets    []*site.Set
	Filter  gameFilter
	Columns []string
	Least   string // what a mistake costs
	Unit    string
	By      string // section of the table
	Caption string
	Ways    []wayLink
	Picked  []wayLink // what the mistakes have in common; its address is without it
	Lead    string
	Notes   []string
	Rows    []mistakesRow
	Worst   []mistake
	High    int   // of a picture 200 wide
	More    int64 // mistakes that are not shown
	Error   string
}

type wayLink struct{ Name, Caption, At string }

// mistakesRow counts the mistakes of what a table is by.
type mistakesRow struct {
	Item, Only, See             string // its name, addresses of its mistakes and of the dearest
	Moves, Mistakes, Rate, Cost string
}

// mistake is a move that lost value.
type mistake struct {
	See, Picture                       string // addresses; Picture is empty where the boards are not known
	Move, Cost, Better, Others, Repeat string
	Names, When                        string
}

// picks are the sections that the address may narrow the mistakes by, as SQL of a decision; players and openings are in the filter.
var picks = map[string]string{"moves": "moves = %s", "phase": "phase::VARCHAR = %s", "clock": "clock = %s"}

// mistakesOf returns the data of a report of mistakes: of a dataset of values with its games, positions and motifs.
func (c *call) mistakesOf(d *site.Set) (mistakes.Data, error) {
	of := mistakes.Data{Game: d.Game()}
	in := []*site.Set{d}
	if d.Kind() == "choices" {
		in = append(in, d.Boards)
	}
	if d.Kind() != "games" {
		in = append(in, d.GamesOf())
	}
	if m := c.site.motifsOf(d.GamesOf()); m != nil {
		in = append(in, m)
	}
	for _, one := range in {
		if err := of.Add(one.Dir, one.Name); err != nil {
			return of, err
		}
	}
	return of, nil
}

// mistakesView shows the moves that lost value: on, the filter of games, least, by (a section of the report), and one of picks.
func mistakesView(c *call) (*page, error) {
	d := c.set
	sets := c.sets
	if c.site.valued(sets[0]) {
		sets = lists.Where(sets, func(other *site.Set) bool { return other == d || c.site.valued(other) })
	}
	data := &mistakesPage{Set: d, Sets: sets, Filter: filterOf(c.here), Columns: columnNames(d.GamesOf()), By: c.here.Get("by")}
	p := &page{Title: titled("Mistakes", d), Data: data}
	r, err := data.ask(c, d)
	if err != nil {
		return p, c.show(&data.Error, plain(err))
	}
	data.Least, data.Unit = human.Number(r.Params.Least), r.Unit
	data.Lead, data.Notes = r.Lead(), r.Notes()
	p.SQL, p.Rows = r.SQL, r.Result
	data.tables(c, r)
	return p, data.worst(c, d, r)
}

// ask reads the mistakes of the players and games that the address names.
func (data *mistakesPage) ask(c *call, d *site.Set) (*mistakes.Report, error) {
	of, err := c.mistakesOf(d)
	if err != nil {
		return nil, err
	}
	of.Params.Player = data.Filter.Player
	of.Least, _ = c.here.Real("least")
	data.Filter.Sides = c.sidesOf(d.GamesOf())
	if of.Where, err = c.clause(d.GamesOf(), &data.Filter); err != nil {
		return nil, err
	}
	if data.Filter.Player != "" {
		if of.Mover, err = c.nameIs(d.GamesOf(), "player", data.Filter.Player); err != nil {
			return nil, err
		}
	}
	for _, by := range mistakes.By {
		picked := c.here.Get(by.Section)
		only := ""
		if is, ok := picks[by.Section]; ok {
			only = fmt.Sprintf(is, query.QuoteText(picked))
		} else if by.Section == "motif" {
			only = of.Has(picked)
		}
		if picked != "" && only != "" {
			of.Only = only
			data.Picked = append(data.Picked, wayLink{by.Section, parts.Plain(picked), c.here.With(by.Section, "")})
			break
		}
	}
	of.Most = mostListed
	return mistakes.Ask(c.ctx, c.db, of)
}

// tables fills in the counts by one way, and the links to the others.
func (data *mistakesPage) tables(c *call, r *mistakes.Report) {
	for _, by := range mistakes.By {
		if len(r.Of(by.Section)) == 0 {
			continue
		}
		caption := strings.TrimPrefix(by.Caption, "By ")
		if data.By == "" || data.By == by.Section {
			data.By, data.Caption = by.Section, caption
		}
		data.Ways = append(data.Ways, wayLink{by.Section, caption, c.here.With("by", by.Section)})
	}
	for _, f := range r.Of(data.By) {
		if len(data.Rows) == mostMistakesRows {
			break
		}
		row := mistakesRow{Item: parts.Plain(f.Item), Only: c.here.With(data.By, f.Item, "by", ""), Moves: human.Grouped(f.Moves), Mistakes: human.Grouped(f.Mistakes), Rate: human.Fixed(100*float64(f.Mistakes)/float64(f.Moves), 1)}
		if data.By == "motif" {
			row.Item = sheet.PlainName(row.Item)
		}
		if f.Mistakes > 0 {
			row.Cost, row.See = human.Worth(f.Cost/float64(f.Mistakes)), data.see(f)
		}
		data.Rows = append(data.Rows, row)
	}
}

const (
	mostMistakesRows = 200
	mostMistakes     = 24   // that are shown on boards
	mostListed       = 1000 // that are in the table to save
)

// see is the address of a decision on its board.
func (data *mistakesPage) see(f mistakes.Fact) string {
	if boards := data.boards(); boards != nil {
		return parts.To("position", "on", boards.Name, "game", f.Game, "ply", f.Ply)
	}
	return parts.To("game", "on", data.Set.Name, "id", f.Game, "ply", f.Ply)
}

// boards is the dataset of the positions; nil where games have the values.
func (data *mistakesPage) boards() *site.Set {
	switch data.Set.Kind() {
	case "games":
		return nil
	case "choices":
		return data.Set.Boards
	}
	return data.Set
}

// worst fills in the mistakes that lost most.
func (data *mistakesPage) worst(c *call, d *site.Set, r *mistakes.Report) error {
	all := r.Of("mistake")
	shown := all[:min(mostMistakes, len(all))]
	for _, f := range r.Of("phase") {
		data.More += f.Mistakes
	}
	for _, f := range shown {
		data.More -= f.Mistakes
	}
	l := &listing{Set: d, look: c.here.Look()}
	if boards := data.boards(); boards != nil && len(shown) > 0 {
		l.Set = boards
		l.Items = lists.Of(shown, func(f mistakes.Fact) item { return item{Game: f.Game, Ply: f.Ply} })
		if err := c.fill(l); err != nil {
			return err
		}
		data.High = l.High
		l.Items = lists.Where(l.Items, func(i item) bool { return i.Board != nil })
	} else {
		layout := c.site.games[d.Game()].Boards.Layout()
		for _, f := range shown {
			l.Items = append(l.Items, item{Game: f.Game, Ply: f.Ply, Move: "move " + layout.MoveNumber(int(f.Ply), games.Side(f.Ply%2))})
		}
		if err := c.nameGames(l); err != nil {
			return err
		}
	}
	for _, f := range shown {
		i := slices.IndexFunc(l.Items, func(i item) bool { return i.Game == f.Game && i.Ply == f.Ply })
		if i < 0 {
			continue
		}
		of := l.Items[i]
		f = f.Shown(c.site.games[d.Game()].Boards, c.here.Look().Western)
		m := mistake{See: data.see(f), Move: of.Move, Cost: human.Worth(f.Cost), Better: f.Better, Others: f.Others(), Names: of.Names, When: of.When}
		if of.Board != nil {
			m.Picture = l.Picture(of)
		}
		if f.Mistakes > 1 {
			m.Repeat = fmt.Sprintf("%d times in %d", f.Mistakes, f.Moves)
		}
		data.Worst = append(data.Worst, m)
	}
	return nil
}

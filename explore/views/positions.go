package views

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/games"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/sheet"
	"kifu/schemas"
)

// Orders of a list that are no expression.
const (
	orderStored = ""      // of the dataset
	orderMixed  = "mixed" // drawn once and for all
)

// listOf selects the rows of a dataset to list.
type listOf struct {
	Where, Order string
	Down         bool
	Page, Most   int
	Stretch      float64       // rows of a stretch of games in a search
	Time         time.Duration // after which a search shows what it has
}

// listing is a list of positions.
type listing struct {
	Set   *site.Set
	Items []item
	Total int64
	High  int // of a picture 200 wide
	From  int // number of the first one, from 1
	More  bool
	SQL   string // of all of them
	By    bool   // the order is an expression, whose values are shown
	Value string // column of the evaluation; "" without one
	look  parts.Look
	// Search is how far a search of many rows has come; nil where all were read.
	Search *searched
}

// item is one position of a list.
type item struct {
	Game, Ply   int64
	First       bool   // the first player is to move
	Move        string // with its number
	Result      string // in words
	Value       string
	By          any
	Board       []byte
	Names, When string // of its game
}

// list reads positions. The condition and the order are expressions over one row, which are
// checked here.
func (c *call) list(d *site.Set, o listOf) (*listing, error) {
	l := &listing{Set: d, Value: d.Value(), look: c.here.Look(), From: o.Page*o.Most + 1}
	where, err := c.where(d, o.Where)
	if err != nil {
		return nil, err
	}
	order, by := "", "NULL"
	switch o.Order {
	case orderStored:
	case orderMixed:
		order = " ORDER BY hash(game_id, ply), game_id, ply"
	default:
		if _, err := c.db.Expression(c.ctx, d.Dir, query.Named{Name: "order", SQL: o.Order}); err != nil {
			return nil, complaint{400, err}
		}
		by, l.By = "("+o.Order+"\n)", true
		order = " ORDER BY by_value" + map[bool]string{true: " DESC"}[o.Down] + " NULLS LAST, game_id, ply"
	}
	l.SQL = c.listed(l, by) + where + order
	counted, err := c.query("SELECT count(*) FROM "+d.View()+where, 1)
	if err != nil {
		return nil, err
	}
	all, err := counted.All()
	if err != nil {
		return nil, err
	}
	l.Total, _ = all[0][0].(int64)
	err = c.find(l, fmt.Sprintf("SELECT game_id, ply, %s AS by_value FROM %s%s%s LIMIT %d OFFSET %d", by, d.View(), where, order, o.Most, o.Page*o.Most), o.Most)
	if err != nil {
		return nil, err
	}
	l.More = int64(o.Page*o.Most+len(l.Items)) < l.Total
	return l, c.fill(l)
}

// listed begins the query of a list that is printed; by is the expression of the order.
func (c *call) listed(l *listing, by string) string {
	value := "NULL"
	if l.Value != "" {
		value = query.QuoteName(l.Value)
	}
	return fmt.Sprintf("SELECT game_id, ply, first_to_move, move, result, %s AS value, %s AS by_value, %s AS position FROM %s", value, by, c.text(l.Set), l.Set.View())
}

// find appends the positions that a query returns, of which it reads no more than it must to find them: game_id, ply, by_value.
func (c *call) find(l *listing, sql string, most int) error {
	r, err := c.query(sql, most)
	if err != nil {
		return err
	}
	rows, err := r.All()
	for _, row := range rows {
		f := sheet.Fields{Columns: r.Columns, Row: row}
		l.Items = append(l.Items, item{Game: f.Whole("game_id"), Ply: f.Whole("ply"), By: f.At("by_value")})
	}
	return err
}

// fill looks up what is shown of the positions that were found, and of their games.
func (c *call) fill(l *listing) error {
	of := map[[2]int64][]int{}
	for i, one := range l.Items {
		at := [2]int64{one.Game, one.Ply}
		of[at] = append(of[at], i)
	}
	games := c.site.games[l.Set.Game()].Boards
	l.High = board.PlainHeight(games, 200)
	ids := lists.Of(l.Items, func(i item) int64 { return i.Game })
	err := datasets.Lookup(c.ctx, l.Set.Dir, ids, []string{"ply", "board", "first_to_move", "move", "result", l.Value}, func(b *columns.Batch) error {
		for row, game := range b.Col("game_id").Int64 {
			for _, k := range of[[2]int64{game, int64(b.Col("ply").Number(row))}] {
				i := &l.Items[k]
				i.First, i.Move, i.Result = b.Col("first_to_move").Bool[row], string(b.Col("move").Value(row)), string(b.Col("result").Value(row))
				i.Board = bytes.Clone(b.Col("board").Value(row))
				at, err := games.Unpack(i.Board)
				if err != nil {
					continue
				}
				sides := at.Layout().Sides
				i.Move, i.Result = parts.MoveText(at, int(i.Ply), i.Move, l.look.Western), parts.ResultText(i.Result, sides)
				if v := b.Col(l.Value); v != nil && !v.IsNull(row) {
					i.Value = shortValue(v.Number(row), sides)
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.nameGames(l)
}

// text is the expression of a position's text (FEN).
func (c *call) text(d *site.Set) string {
	return "fen(board" + c.gameOf(d) + ")"
}

// nameGames adds players and dates, if the games are among the datasets.
func (c *call) nameGames(l *listing) error {
	g := l.Set.Games
	if g == nil || len(l.Items) == 0 {
		return nil
	}
	rows, err := c.gamesNamed(g, lists.Of(l.Items, func(i item) int64 { return i.Game }))
	if err != nil {
		return err
	}
	games := lists.By(rows, func(g gameRow) int64 { return g.ID })
	for i := range l.Items {
		g := games[l.Items[i].Game]
		l.Items[i].Names, l.Items[i].When = names(g.White, g.Black), g.Date
	}
	return nil
}

// names returns the names of the players of a game.
func names(first, second string) string {
	if first == "" && second == "" {
		return ""
	}
	or := func(name string) string {
		if name == "" {
			return "?"
		}
		return parts.Plain(name)
	}
	return or(first) + " – " + or(second)
}

// positionsPage is the data of positions.html.
type positionsPage struct {
	Set            *site.Set
	Sets           []*site.Set
	Columns        []string
	Where, Order   string
	Down           bool
	Like           string // pattern or text of a position
	Everywhere     bool   // of the pattern
	Setup          *parts.Setup
	Looks          parts.LookLinks
	Error          string
	Listing        *listing
	Page, Next     int
	Before, Behind string // addresses
}

// mostBoards is the number of positions of a page.
const mostBoards = 48

// layoutOf is the board of the first position of d: in some games boards differ in size.
func (c *call) layoutOf(d *site.Set, g board.Game) *games.Layout {
	r, err := c.query("SELECT board FROM "+d.View()+" LIMIT 1", 1)
	if err == nil {
		if rows, err := r.All(); err == nil && len(rows) == 1 {
			packed, _ := rows[0][0].([]byte)
			if b, err := g.Unpack(packed); err == nil {
				return b.Layout()
			}
		}
	}
	return g.Layout()
}

// positionsView shows many positions: on, where, order, down, page. like is a pattern of the board or a
// position; everywhere also finds it under the symmetries of the board.
func positionsView(c *call) (*page, error) {
	d := c.set
	data := &positionsPage{Set: d, Sets: c.sets, Columns: columnNames(d), Where: c.here.Get("where"), Order: c.here.Get("order"),
		Down: c.here.Get("down") != "", Page: max(0, c.here.Number("page", 0))}
	if !c.here.Has("order") {
		data.Order = orderMixed
	}
	p := &page{Title: titled("Positions", d), Data: data}
	data.Like, data.Everywhere = c.here.Get("like"), c.here.Get("everywhere") != ""
	if g, ok := c.site.games[d.Game()]; ok {
		data.Setup = parts.SetupOf(g.Boards, c.layoutOf(d, g.Boards), nil, c.here.Look().Western)
		data.Setup.Attacks(g.Boards, c.gameOf(d))
		data.Looks = c.here.Looks(g.Boards)
	}
	where, err := c.like(d, data.Like, data.Everywhere)
	if err != nil {
		data.Error = err.Error()
		return p, nil
	}
	if where != "" && strings.TrimSpace(data.Where) != "" {
		where += " AND "
	}
	if data.Where != "" {
		if _, err := c.where(d, data.Where); err != nil { // by itself, so that its error quotes the typed text
			data.Error = err.Error()
			return p, nil
		}
		where += "(" + data.Where + "\n)"
	}
	o := listOf{Where: where, Order: data.Order, Down: data.Down, Page: data.Page, Most: mostBoards, Stretch: stretchRows, Time: searchTime}
	if o.inStretches(d) {
		data.Listing, err = c.search(d, o, c.here.Get("after"))
	} else {
		data.Listing, err = c.list(d, o)
	}
	switch {
	case context.Cause(c.ctx) == ErrTime:
		data.Error = c.site.late() // the form keeps its fields
		return p, nil
	case err != nil:
		return p, c.show(&data.Error, err)
	}
	p.SQL = data.Listing.SQL
	if data.Page > 0 {
		data.Before = c.here.With("page", data.Page-1)
	}
	if s := data.Listing.Search; s != nil {
		data.Behind = s.Next
	} else if data.Listing.More {
		data.Behind = c.here.With("page", data.Page+1)
	}
	return p, nil
}

// shortValue is a value of a row, or a forced win in words.
func shortValue(v any, sides [2]string) string {
	switch n := v.(type) {
	case float64:
		return cmp.Or(forcedText(n, sides), parts.Short(v))
	case float32:
		return cmp.Or(forcedText(float64(n), sides), parts.Short(v))
	}
	return parts.Short(v)
}

// forcedText is a value that means a forced win, in words; "" for others.
func forcedText(v float64, sides [2]string) string {
	switch {
	case v > schemas.Decided:
		return fmt.Sprintf("%s wins in %v", sides[0], schemas.Win-v)
	case v < -schemas.Decided:
		return fmt.Sprintf("%s wins in %v", sides[1], schemas.Win+v)
	}
	return ""
}

package views

import (
	"fmt"
	"math"
	"strings"
	"time"

	"kifu/datasets"
	"kifu/explore/site"
	"kifu/internal/human"
)

const (
	// wholeRows is the number of rows up to which a search reads a dataset at once.
	wholeRows = 300_000
	// stretchRows is about the number of rows of a stretch of games, after which a search may show what it has.
	stretchRows = 100_000
	// searchTime is how long a search goes on before it shows what it has.
	searchTime = 2 * time.Second
)

// searched is how far a search of many rows has come.
type searched struct {
	Share   string // of the games
	Further string // address of the rest; "" if the page is full, or nothing is left
	Next    string // address of what follows a full page
}

// search lists the positions for which a condition holds in stretches of games, from the position after on
// ("GAME:PLY"), until the page is full or o.Time is over.
func (c *call) search(d *site.Set, o listOf, after string) (*listing, error) {
	where, err := c.where(d, o.Where)
	if err != nil {
		return nil, err
	}
	var game, ply int64 = 0, -1
	if after != "" {
		if _, err := fmt.Sscanf(after, "%d:%d", &game, &ply); err != nil || game < 0 {
			return nil, complain("after=%s: want GAME:PLY", after)
		}
	}
	high, err := highestGame(d.Dir)
	if err != nil {
		return nil, err
	}
	l := &listing{Set: d, Value: d.Value(), look: c.here.Look(), From: 1}
	l.SQL = c.listed(l, "NULL") + where + " ORDER BY game_id, ply"
	step := max(1, int64(float64(high+1)*o.Stretch/float64(d.Dir.Rows())))
	begun := time.Now()
	for once := true; game <= high && len(l.Items) < o.Most && (once || time.Since(begun) < o.Time); once = false {
		end := game + step
		from := fmt.Sprintf("%s AND game_id >= %d AND game_id < %d AND (game_id > %d OR ply > %d)", where, game, end, game, ply)
		if err := c.find(l, fmt.Sprintf("SELECT game_id, ply, NULL AS by_value FROM %s%s ORDER BY game_id, ply LIMIT %d", d.View(), from, o.Most-len(l.Items)), o.Most); err != nil {
			return nil, err
		}
		game, ply = end, -1
	}
	l.Search = &searched{Share: human.Percent(math.Min(1, float64(game)/float64(high+1)), 0)}
	switch {
	case len(l.Items) == o.Most:
		last := l.Items[o.Most-1]
		l.Search.Next = c.here.With("after", fmt.Sprintf("%d:%d", last.Game, last.Ply))
	case game <= high:
		l.Search.Further = c.here.With("after", fmt.Sprintf("%d:%d", game, ply))
	}
	return l, c.fill(l)
}

// inStretches reports whether a list is searched for in stretches of games: there are many rows, and they are
// wanted in no order of their own.
func (o listOf) inStretches(d *site.Set) bool {
	return strings.TrimSpace(o.Where) != "" && (o.Order == orderStored || o.Order == orderMixed) && d.Dir.Rows() > wholeRows
}

// highestGame returns the greatest game_id of a dataset, by the bounds of its row groups.
func highestGame(d *datasets.Dir) (high int64, err error) {
	for g, err := range d.Groups(nil) {
		if err != nil {
			return 0, err
		}
		if _, most, ok := g.Bounds("game_id"); ok {
			high = max(high, int64(most))
		}
	}
	return high, nil
}

package views

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/internal/person"
	"kifu/internal/table"
	"kifu/query"
	report "kifu/report/player"
	"kifu/schemas"
)

// playersPage is the data of players.html.
type playersPage struct {
	Set     *site.Set
	Sets    []*site.Set
	Names   []string // as typed, and one more for the next
	Players []player
	Meeting *player     // the games of the first two players against each other; nil: not two players
	Most    []gameCount // players with the most games, to begin with
}

// player sums up one player's games.
type player struct {
	Name     string
	names    []string // in the records; nil if the typed one is unclear
	Values   string   // dataset whose values the losses have: labels, or the games
	Games    int64
	Lead     string
	Tables   []table.Table
	Notes    []string
	Spelling []gameCount // the names that the typed one takes
	Unclear  string      // why it takes none
	Near     []gameCount // names that may be meant as well, or in its place
	Pattern  string      // takes all of these
}

// mostSpellings is how many names are listed.
const mostSpellings = 12

// gameCount is a name with its number of games.
type gameCount struct {
	Name  string
	Games int64
}

// mostPlayers is how many are shown side by side.
const mostPlayers = 4

// playersView shows players side by side: on, name (a list, each in full or in part; * is any text). With complete it returns the
// names that have that part.
func playersView(c *call) (*page, error) {
	if part := c.here.Get("complete"); part != "" {
		return c.completed(part)
	}
	sets := c.site.ofKind("games")
	d := site.Named(sets, c.here.Get("on"))
	if d == nil {
		return nil, c.noSet("games", sets)
	}
	data := &playersPage{Set: d, Sets: sets}
	p := &page{Title: titled("Players", d), Data: data}
	var queries []string
	for _, name := range c.here.Values["name"] {
		if name = strings.TrimSpace(name); name == "" || len(data.Players) == mostPlayers {
			continue
		}
		data.Names = append(data.Names, name)
		one, sql, err := c.player(d, name)
		if err != nil {
			return nil, err
		}
		data.Players = append(data.Players, *one)
		if sql != "" {
			queries = append(queries, sql)
		}
	}
	if len(data.Players) == 2 && data.Players[0].names != nil && data.Players[1].names != nil {
		one, sql, err := c.meeting(d, data.Players[0], data.Players[1])
		if err != nil {
			return nil, err
		}
		data.Meeting, queries = one, append(queries, sql...)
	}
	if len(data.Names) < mostPlayers {
		data.Names = append(data.Names, "")
	}
	p.SQL = strings.Join(queries, "\nUNION ALL\n")
	var err error
	if len(data.Players) == 0 {
		p.SQL = "SELECT player, count(*) AS games FROM (SELECT first_player AS player FROM " + d.View() + " UNION ALL SELECT second_player FROM " + d.View() + ") WHERE player IS NOT NULL GROUP BY player ORDER BY games DESC, player"
		data.Most, err = c.counts(p.SQL + " LIMIT 40")
	}
	return p, err
}

// counts reads names with numbers.
func (c *call) counts(sql string) (all []gameCount, err error) {
	r, err := c.query(sql, c.site.limits.Rows)
	if err != nil {
		return nil, err
	}
	return all, r.Each(func(row []any) error {
		name, _ := row[0].(string)
		n, _ := row[1].(int64)
		all = append(all, gameCount{parts.Plain(name), n})
		return nil
	})
}

// mostOthers is the number of others' games that a page compares losses with.
const mostOthers = 2000

// player reads what kifu player reports of one, and returns its query. A name that fits several
// players, or none, is no error of the page.
func (c *call) player(d *site.Set, name string) (*player, string, error) {
	one := &player{Name: parts.Plain(name)}
	choice, err := c.takes(d, name)
	if unclear, ok := errors.AsType[*person.Unclear](err); ok {
		one.Unclear = parts.Plain(unclear.Error())
		for _, near := range unclear.Near[:min(mostSpellings, len(unclear.Near))] {
			one.Near = append(one.Near, gameCount{parts.Plain(near.Name), near.Games})
		}
		one.Pattern = unclear.Pattern
		return one, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	for _, also := range choice.Also[:min(mostSpellings, len(choice.Also))] {
		one.Near = append(one.Near, gameCount{parts.Plain(also.Name), also.Games})
	}
	one.names = choice.Spellings()
	for _, n := range choice.Names[:min(mostSpellings, len(choice.Names))] {
		one.Spelling = append(one.Spelling, gameCount{parts.Plain(n.Name), n.Games})
	}
	sql, err := c.sumUp(one, d, c.playerData(d))
	return one, sql, err
}

// drop takes the columns with these heads out of t.
func drop(t *table.Table, heads ...string) {
	for i := len(t.Head) - 1; i >= 0; i-- {
		if slices.Contains(heads, t.Head[i].Text) {
			t.Head = slices.Delete(t.Head, i, i+1)
			for k := range t.Rows {
				t.Rows[k] = slices.Delete(t.Rows[k], i, i+1)
			}
		}
	}
}

// Link returns the address that a cell of a player's table leads to, "" for none: games, mistakes, a move on its board.
func (data *playersPage) Link(of player, t table.Table, row []string, i int) string {
	cell, games, values := row[i], data.Set.Name, of.Values
	switch name := t.Head[i].Text; {
	case t.Name == "see" && name == "game":
		return parts.To("game", "on", games, "id", cell)
	case strings.HasPrefix(name, "costliest") && cell != "":
		game, ply, _ := strings.Cut(cell, ", ")
		return parts.To("game", "on", games, "id", game, "ply", ply)
	case i > 0:
		return ""
	case strings.HasPrefix(t.Name, "openings-"):
		return parts.To("games", "on", games, "player", of.Name, "side", strings.TrimPrefix(t.Name, "openings-"), "opening", cell)
	case t.Name == "loss":
		return parts.To("mistakes", "on", values, "player", of.Name, "by", "phase")
	case t.Name == "lost motif":
		return parts.To("mistakes", "on", values, "player", of.Name, "motif", strings.ReplaceAll(cell, " ", "_"))
	case t.Name == "recorded" || t.Name == "lost moves":
		return parts.To("mistakes", "on", values, "player", of.Name, "moves", cell)
	case strings.HasPrefix(t.Name, "lost "):
		return parts.To("mistakes", "on", values, "player", of.Name, name, cell)
	}
	return ""
}

// playerData returns the datasets of a player's report on games d.
func (c *call) playerData(d *site.Set) report.Data {
	data := report.Data{Games: d.Name, Game: d.Game(), Others: mostOthers}
	for _, s := range c.site.sets {
		if s.Kind() == "labels" && s.Games == d && s.Value() != "" && !s.Has("occurrences") {
			data.Of(s.Dir, s.Name, "")
			break
		}
	}
	if m := c.site.motifsOf(d); m != nil {
		data.Motifs, data.MotifNames = m.View(), schemas.MotifNames(m.Dir.Table)
	}
	return data
}

// meeting sums up the games of a against b; their number is 0 if they have not met.
func (c *call) meeting(d *site.Set, a, b player) (*player, []string, error) {
	one := &player{Name: a.Name, names: a.names}
	data := c.playerData(d)
	data.Against = b.names
	sql, err := c.sumUp(one, d, data)
	if errors.Is(err, report.ErrNoGame) {
		return one, nil, nil
	}
	return one, []string{sql}, err
}

// sumUp fills in what kifu player reports of a player, and returns the query.
func (c *call) sumUp(one *player, d *site.Set, data report.Data) (string, error) {
	r, err := report.Ask(c.ctx, c.db, data, one.names)
	if err != nil {
		return "", err
	}
	filled, err := c.filled(d)
	if err != nil {
		return "", err
	}
	r.Player, one.Values = one.Name, cmp.Or(data.Labels, data.Games)
	doc := r.Document()
	one.Games, one.Lead, one.Notes = r.Games(), parts.Plain(doc.Lead), doc.Notes
	for _, t := range doc.Tables {
		for _, row := range t.Rows {
			for i := range row {
				row[i] = parts.Plain(row[i])
			}
		}
		if t.Name == "see" { // games, whose columns are those of every table of games
			if !filled["first_elo"] && !filled["second_elo"] {
				drop(&t, "own rating", "opponent's")
			}
			if !filled["date"] {
				drop(&t, "date")
			}
		}
		one.Tables = append(one.Tables, t)
	}
	return "SELECT " + strings.ReplaceAll(query.QuoteText(parts.Plain(r.Title())), "\n", " ") + " AS player, * FROM (" + r.SQL + ")", nil
}

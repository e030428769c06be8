package explore

import (
	"fmt"
	"strings"

	"kifu/query"
)

// playersPage is the data of players.html.
type playersPage struct {
	Set     *Set
	Sets    []*Set
	Names   []string // as typed, and one more for the next
	Players []player
	Most    []gameCount // players with the most games, to begin with
}

// player is what the games say of one.
type player struct {
	Name     string
	Games    int64
	Tables   []counted
	Spelling []gameCount // the names that the pattern takes
}

// counted is one table of a player.
type counted struct {
	Title, Key string
	Result     *result
}

// gameCount is a name with its number of games.
type gameCount struct {
	Name  string
	Games int64
}

// mostPlayers is how many stand side by side.
const mostPlayers = 4

// playersView shows players side by side: on, name (a list; * stands for anything).
func playersView(c *call) (*page, error) {
	sets := c.site.ofKind("games")
	d := named(sets, c.here.Get("on"))
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
		queries = append(queries, sql)
	}
	if len(data.Names) < mostPlayers {
		data.Names = append(data.Names, "")
	}
	p.SQL = strings.Join(queries, "\nUNION ALL\n")
	var err error
	if len(data.Players) == 0 {
		p.SQL = "SELECT player, count(*) AS games FROM (SELECT first_player AS player FROM " + d.view() + " UNION ALL SELECT second_player FROM " + d.view() + ") WHERE player IS NOT NULL GROUP BY player ORDER BY games DESC, player"
		data.Most, err = c.counts(p.SQL + " LIMIT 40")
	}
	return p, err
}

// counts reads names with numbers.
func (c *call) counts(sql string) (all []gameCount, err error) {
	r, err := c.query(sql, c.site.options.Rows)
	if err != nil {
		return nil, err
	}
	return all, r.Each(func(row []any) error {
		name, _ := row[0].(string)
		n, _ := row[1].(int64)
		all = append(all, gameCount{plainText(name), n})
		return nil
	})
}

// ofPlayer is the games of a player with either side, as a table of WITH: points, own and
// other rating. A draw is half a point; a game without a result has none.
func ofPlayer(d *Set, name string) string {
	half := func(side, other string) string {
		return fmt.Sprintf(`SELECT game_id, date, opening, ply_count, '%s' AS side, %s_player AS spelling, %s_elo AS own, %s_elo AS other,
		CASE result WHEN '%s' THEN 1 WHEN 'draw' THEN 0.5 WHEN '%s' THEN 0 END::DOUBLE AS points FROM %s WHERE %s`,
			side, side, side, other, side, other, d.view(), nameIs(side+"_player", name))
	}
	return "WITH played AS (" + half("first", "second") + "\n\tUNION ALL " + half("second", "first") + ")\n"
}

// tallies are the columns of every table. Draws are half wins; Wilson's interval takes a
// score as a share of wins, which is never too narrow when there are draws. expected is
// Elo's, over the rated games, and above is the score of these games over it.
const tallies = `count(*) AS games, count(*) FILTER (points = 1) AS won, count(*) FILTER (points = 0.5) AS drawn, count(*) FILTER (points = 0) AS lost,
	round(100 * avg(points), 1) AS score, round(100 * wilson_low(sum(points), count(points)), 1) AS low, round(100 * wilson_high(sum(points), count(points)), 1) AS high,
	count(*) FILTER (own IS NOT NULL AND other IS NOT NULL AND points IS NOT NULL) AS rated,
	CASE WHEN rated >= 10 THEN round(100 * avg(points - elo_expectation(own, other)) FILTER (own IS NOT NULL AND other IS NOT NULL), 1) END AS above,
	round(avg(ply_count)) AS plies`

// player reads the tables of one player and returns the query of the first one.
func (c *call) player(d *Set, name string) (*player, string, error) {
	with := ofPlayer(d, name)
	one := &player{Name: plainText(name)}
	var err error
	if one.Spelling, err = c.counts(with + "SELECT spelling, count(*) AS games FROM played GROUP BY spelling ORDER BY games DESC, spelling LIMIT 12"); err != nil {
		return nil, "", err
	}
	var first string
	for _, t := range []struct{ title, key, expression, having, order string }{
		{"By side", "side", "coalesce(side, 'both')", "", "grouping(side) DESC, side"},
		{"By year", "year", "left(date, 4)", "date IS NOT NULL", "year DESC"},
		{"By rating of the opponents", "opponents", "CASE WHEN other IS NULL THEN 'unrated' ELSE (other // 100 * 100)::INTEGER::VARCHAR || ' to ' || (other // 100 * 100 + 99)::INTEGER::VARCHAR END", "", "min(other) DESC NULLS LAST"},
		{"Openings, moving first", "opening", "opening", "side = 'first' AND opening IS NOT NULL", "games DESC, opening"},
		{"Openings, moving second", "opening", "opening", "side = 'second' AND opening IS NOT NULL", "games DESC, opening"},
	} {
		where, group, limit := "", "GROUP BY "+t.key, " LIMIT 15"
		if t.key == "year" {
			limit = " LIMIT 100"
		}
		if t.having != "" {
			where = " WHERE " + t.having
		}
		key := t.expression + " AS " + query.QuoteName(t.key)
		if t.key == "side" {
			key, group = "if(grouping(played.side) = 1, 'both', played.side) AS who", "GROUP BY ROLLUP (played.side)"
			t.order = "who"
		}
		sql := with + "SELECT " + key + ", " + tallies + "\nFROM played" + where + "\n" + group + " ORDER BY " + t.order + limit
		if first == "" {
			first = "SELECT " + strings.ReplaceAll(quoteSQL(one.Name), "\n", " ") + " AS player, * FROM (" + strings.TrimSuffix(sql, limit) + ")"
		}
		r, err := c.result(sql, mostRows)
		if err != nil {
			return nil, "", err
		}
		if len(one.Tables) == 0 && len(r.Rows) > 0 {
			one.Games, _ = r.Rows[0][1].(int64)
		}
		one.Tables = append(one.Tables, counted{t.title, t.key, r})
	}
	return one, first, nil
}

// quoteSQL writes a text of SQL.
func quoteSQL(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

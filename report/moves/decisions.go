package moves

import (
	"context"
	"fmt"
	"strings"

	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/sheet"
)

// together is how many moves are ordered at once: the database keeps all that it groups in memory. Tests order fewer.
var together int64 = 3_000_000

// find returns q with copies of games and decisions found, for the queries that are run.
func (q querySQL) find(ctx context.Context, db *query.DB) (found querySQL, err error) {
	found = q
	found.Boards = q.Games != ""
	if found.Heads, err = q.Heads.Find(ctx, db); err != nil {
		return found, err
	}
	parts, err := q.parts(ctx, db)
	if err != nil {
		return found, err
	}
	for i, part := range parts {
		found.Part = part
		text, err := sheet.Fill("decisions.sql", decisionsTemplate+`WITH {{if .Heads.On}}RECURSIVE {{template "heads" .Heads}}, {{end}}{{template "decisions" .}} SELECT * FROM decisions`, found)
		if err != nil {
			return found, err
		}
		name := fmt.Sprintf("decisions of choices %d", i)
		if err := db.Keep(ctx, name, text); err != nil {
			return found, err
		}
		found.Found = append(found.Found, query.View(name))
	}
	return found, nil
}

// parts returns conditions that divide the games. Patterns are counted in all games, so those stay together.
func (q querySQL) parts(ctx context.Context, db *query.DB) ([]string, error) {
	rows := int64(0)
	views := lists.Of(q.All(), func(o moveOrder) string {
		rows += o.Rows
		return "SELECT min(game_id) AS low, max(game_id) AS high FROM " + o.View
	})
	n := rows/together + 1
	if n == 1 || q.Counted {
		return []string{""}, nil
	}
	r, err := db.Query(ctx, fmt.Sprintf("SELECT min(low) AS low, max(high) AS high FROM (%s)", strings.Join(views, " UNION ALL ")))
	if err != nil {
		return nil, err
	}
	all, err := r.All()
	if err != nil {
		return nil, err
	}
	f := sheet.Fields{Columns: r.Columns, Row: all[0]}
	low, high := f.Whole("low"), f.Whole("high")
	return lists.N(int(n), func(i int) string {
		return fmt.Sprintf("game_id BETWEEN %d AND %d", low+(high-low+1)*int64(i)/n, low+(high-low+1)*int64(i+1)/n-1)
	}), nil
}

package examples

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/query"
	"kifu/report/sheet"
	"kifu/schemas"
)

// place is where an example is.
type place struct {
	ask       int
	wrong     bool
	key       float64 // of the order among them, then the game
	game, ply int64
}

// stretchRows is how many rows a query for places reads at once, and a part more: its memory grows
// with their games.
const stretchRows = 1 << 22

// choose returns the places of positions of all asks, in their order, from stretches of so many rows. It reads what the choice hangs
// on and nothing else: boards are read of the places alone. What a stretch of the parts has first is
// enough to find what all have first, also of a game that is in two of them.
func choose(ctx context.Context, db *query.DB, labels *datasets.Dir, value string, asks []Ask, stretch int64) (places []place, err error) {
	all := make([]map[place]place, len(asks)) // by ask, kind and game
	for i := range all {
		all[i] = map[place]place{}
	}
	for from := 0; from < labels.NumParts(); {
		var parts []int
		for rows := int64(0); from < labels.NumParts() && rows < stretch; from++ {
			info, err := labels.Info(from)
			if err != nil {
				return nil, err
			}
			rows += info.Rows
			parts = append(parts, from)
		}
		if err := db.Narrow(ctx, "labels", parts); err != nil {
			return nil, err
		}
		for i, a := range asks {
			err := chooseOf(ctx, db, value, a, func(p place) {
				p.ask = i
				of := place{ask: i, wrong: p.wrong, game: p.game}
				if old, ok := all[i][of]; !ok || cmp.Or(cmp.Compare(p.key, old.key), cmp.Compare(p.ply, old.ply)) < 0 {
					all[i][of] = p
				}
			})
			if err != nil {
				return nil, fmt.Errorf("examples of %s: %w", a.Name, err)
			}
		}
	}
	for _, of := range all {
		places = append(places, first(of, true, Spare*Wrong)...)
		places = append(places, first(of, false, Spare*Right)...)
	}
	return places, nil
}

// first returns the first n of those that are wrong, or right.
func first(all map[place]place, wrong bool, n int) (places []place) {
	for _, p := range all {
		if p.wrong == wrong {
			places = append(places, p)
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.game, b.game)) })
	return places[:min(n, len(places))]
}

// chooseOf calls take with the first places of an ask in what labels shows.
func chooseOf(ctx context.Context, db *query.DB, value string, a Ask, take func(place)) error {
	v := query.QuoteName(value)
	winner, sign := "second", "-"
	if a.More {
		winner, sign = "first", ""
	}
	// The lower the value of a game that was won, the more wrong it is; what is right comes in no
	// order that the values know of.
	result, err := db.Query(ctx, fmt.Sprintf(`WITH found AS MATERIALIZED (
		SELECT game_id, min(struct_pack(k := %s%s::DOUBLE, ply := ply)) FILTER (result = '%s') AS least, min(ply) FILTER (result = if(%[2]s > 0, 'first', 'second')) AS told
		FROM labels WHERE result IN ('first', 'second') AND abs(%[2]s) <= %[4]d AND (%[5]s
) GROUP BY game_id)
		(SELECT true AS wrong, game_id, least.ply AS ply, least.k AS key FROM found WHERE least IS NOT NULL ORDER BY key, game_id LIMIT %[6]d)
		UNION ALL (SELECT false, game_id, told, ((game_id %% 4294967296)::UBIGINT * 2654435761 %% 4294967296)::DOUBLE AS key FROM found WHERE told IS NOT NULL ORDER BY key, game_id LIMIT %[7]d)`,
		sign, v, winner, schemas.Decided, a.Condition, Spare*Wrong, Spare*Right))
	if err != nil {
		return err
	}
	return result.Each(func(row []any) error {
		f := sheet.Fields{Columns: result.Columns, Row: row}
		take(place{wrong: f.Truth("wrong"), key: f.Number("key"), game: f.Whole("game_id"), ply: f.Whole("ply")})
		return nil
	})
}

// partsOf returns the parts that may hold the games of places, by the bounds of their row groups.
func partsOf(labels *datasets.Dir, places []place) (parts []int, err error) {
	for i := range labels.NumParts() {
		part, err := labels.OpenPartUnchecked(i)
		if err != nil {
			return nil, err
		}
		may := false
		for g := range part.RowGroups() {
			least, greatest, ok := part.Bounds(g, "game_id")
			may = may || !ok || slices.ContainsFunc(places, func(p place) bool {
				return p.game >= int64(least) && p.game <= int64(greatest)
			})
		}
		if err := part.Close(); err != nil {
			return nil, err
		}
		if may {
			parts = append(parts, i)
		}
	}
	return parts, nil
}

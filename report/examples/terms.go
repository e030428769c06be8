package examples

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/eval"
	"kifu/games/board"
	"kifu/query"
	"kifu/report/sheet"
	"kifu/schemas"
)

// sampledRows is how many rows of labels positions of terms are looked for in.
const sampledRows = 200_000

// OfTerms returns positions in which terms count most, Wrong+Right for a term and each of another game,
// with an Ask for each term that has some. They are looked for in some sampledRows decided
// positions, taken evenly. games is as in Find. There are none where labels have no features.
func OfTerms(ctx context.Context, labels, games *datasets.Dir, workers int, terms []string) ([]Ask, []Example, error) {
	g := board.Named(ctx, labels.Manifest.Meta["game"])
	model, err := modelOf(labels)
	value := labels.Manifest.Meta["leaf"]
	if err != nil || g == nil || model == nil || !shows(labels) || labels.Table.Index(value) < 0 {
		return nil, nil, err
	}
	db, err := attached(ctx, labels, workers)
	if err != nil {
		return nil, nil, err
	}
	defer db.Close()
	number := make([]int, len(model.Terms)) // of the Ask, from 1
	var asks []Ask
	for _, name := range terms {
		if i := slices.IndexFunc(model.Terms, func(t eval.Term) bool { return t.Name == name }); i >= 0 && number[i] == 0 {
			asks = append(asks, Ask{Name: name, Condition: name})
			number[i] = len(asks)
		}
	}
	best, err := mostOf(ctx, db, value, max(1, labels.Rows()/sampledRows), number, len(asks))
	if err != nil {
		return nil, nil, err
	}
	var places []place
	for i, of := range best {
		for _, at := range of[:min(len(of), Spare*(Wrong+Right))] {
			places = append(places, place{ask: i, wrong: at.wrong, game: at.game, ply: at.ply})
		}
	}
	if len(places) == 0 {
		return nil, nil, nil
	}
	all, err := read(ctx, g, labels, games, value, places)
	return asks, distinct(all), err
}

// counted is a position in which a term counts.
type counted struct {
	size, game, ply int64
	wrong           bool
}

// mostOf returns for each Ask the positions where its term counts most, one a game.
func mostOf(ctx context.Context, db *query.DB, value string, step int64, number []int, asks int) ([][]counted, error) {
	result, err := db.Query(ctx, fmt.Sprintf(`SELECT game_id, ply, features, (result = 'first') <> (%s > 0) AS wrong FROM labels
		WHERE result IN ('first', 'second') AND abs(%s) <= %d AND (game_id %% 2147483648 * 2654435761 + ply * 40503) %% %d = 0 ORDER BY game_id, ply`, query.QuoteName(value), query.QuoteName(value), schemas.Decided, step))
	if err != nil {
		return nil, err
	}
	best := make([]map[int64]counted, asks) // by game
	for i := range best {
		best[i] = map[int64]counted{}
	}
	var features []eval.Feature
	err = result.Each(func(row []any) error {
		f := sheet.Fields{Columns: result.Columns, Row: row}
		packed, _ := f.At("features").([]byte)
		if features, err = eval.AppendUnpacked(features[:0], packed); err != nil {
			return err
		}
		at := counted{game: f.Whole("game_id"), ply: f.Whole("ply"), wrong: f.Truth("wrong")}
		for _, feature := range features {
			if int(feature.Term) >= len(number) || number[feature.Term] == 0 {
				continue
			}
			of := best[number[feature.Term]-1]
			if at.size = max(int64(feature.Count), -int64(feature.Count)); at.size > of[at.game].size {
				of[at.game] = at
			}
		}
		return nil
	})
	all := make([][]counted, asks)
	for i, of := range best {
		for _, at := range of {
			all[i] = append(all[i], at)
		}
		slices.SortFunc(all[i], func(a, b counted) int {
			return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(spread(a.game), spread(b.game)), cmp.Compare(a.game, b.game))
		})
	}
	return all, err
}

// spread is an order of games that nothing knows of.
func spread(game int64) uint32 { return uint32(uint64(game) * 2654435761) }

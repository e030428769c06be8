package opening

import (
	"context"
	_ "embed"

	"kifu/query"
	"kifu/report/sheet"
)

//go:embed headline.sql
var headlineQuery string

// headlineSQL is the data of headline.sql.
type headlineSQL struct {
	querySQL
	Hash    uint64
	Move    string // as SQL
	Players sheet.Players
	Summed  *spread // nil: the query reads the games
}

// headline is the score of the most frequent move, of games with a result, with its interval.
type headline struct {
	Score, Low, High float64
	Errors           string // how the interval was taken
}

// enoughGames is how many games with a result the score of a headline has.
const enoughGames = 30

// judge tells the score of the move that most games of the first start have, nil of fewer than
// enoughGames. Players are looked up in the games, where these were named.
func (o *report) judge(ctx context.Context, db *query.DB, q querySQL, who *whoPlayed) (*headline, error) {
	root := o.Roots[0]
	best := root.Edges[0]
	if best.results() < enoughGames {
		return nil, nil
	}
	h := headlineSQL{querySQL: q, Hash: root.hash, Move: sheet.QuoteText(best.Move)}
	var views []string
	if q.Games != "" {
		views = append(views, q.Games)
	}
	var err error
	if h.Players, err = o.Params.Clusters.OfGames(views); err != nil {
		return nil, err
	}
	for i := range h.Players.Sources {
		h.Players.Sources[i].View = "headline_games" // few of them, it may be
	}
	if who != nil && h.Players.On() {
		h.Summed = who.marks.headline(who.games, who.names, 0, root.First)
	}
	_, rows, _, err := sheet.Run(ctx, db, "headline.sql", headlineQuery, h)
	if err != nil {
		return nil, err
	}
	f := rows[0]
	var known []sheet.Known
	if h.Summed != nil {
		known = []sheet.Known{h.Summed.Known}
	} else if h.Players.On() && f.At("players") != nil {
		known = []sheet.Known{sheet.KnownIn(f)}
	}
	return &headline{f.Number("score"), f.Number("low"), f.Number("high"), "Headline. " + h.Players.NoteOf(known)}, nil
}

package tree

import (
	"kifu/datasets/columns"
	"kifu/schemas"
)

// output appends rows to a batch.
type output struct {
	*columns.Batch
	hash, move, rating, speed, month   *columns.Vec // the groups are nil where rows have none
	firstWins, draws, secondWins, open *columns.Vec
	elos, rated                        [2]*columns.Vec
	from, to, latest, best             *columns.Vec
	text                               []byte
}

func newOutput(b *columns.Batch) *output {
	return &output{Batch: b, hash: b.Col("hash"), move: b.Col("move"), rating: b.Col("rating"), speed: b.Col("speed"), month: b.Col("month"),
		firstWins: b.Col("first_wins"), draws: b.Col("draws"), secondWins: b.Col("second_wins"), open: b.Col("without_result"),
		elos:  [2]*columns.Vec{b.Col("first_elo_sum"), b.Col("second_elo_sum")},
		rated: [2]*columns.Vec{b.Col("first_elo_games"), b.Col("second_elo_games")},
		from:  b.Col("first_date"), to: b.Col("last_date"), latest: b.Col("latest_game"), best: b.Col("best_game")}
}

// append appends a row of a position, with the text of its move, "" for none.
func (o *output) append(hash uint64, move string, r *row) {
	o.hash.AppendUint64(hash)
	o.move.AppendText([]byte(move))
	o.group(&r.group)
	o.firstWins.AppendInt32(r.firstWins)
	o.draws.AppendInt32(r.draws)
	o.secondWins.AppendInt32(r.secondWins)
	o.open.AppendInt32(r.games - r.firstWins - r.draws - r.secondWins)
	for side := range r.elos {
		o.elos[side].AppendInt64(r.elos[side])
		o.rated[side].AppendInt32(r.rated[side])
	}
	o.date(o.from, r.from)
	if r.to == r.from {
		r.to = 0
	}
	o.date(o.to, r.to)
	o.latest.AppendInt64(r.latest)
	o.best.AppendInt64If(r.best, r.best >= 0 && r.best != r.latest)
	o.Rows++
}

// group appends the columns of a group.
func (o *output) group(g *group) {
	if o.rating != nil {
		o.rating.AppendInt32If(int32(g.rating)-1, g.rating > 0)
	}
	switch {
	case o.speed == nil:
	case g.speed == 0:
		o.speed.AppendNull()
	default:
		o.speed.AppendString(schemas.Speeds[g.speed-1])
	}
	if o.month != nil {
		o.date(o.month, g.month)
	}
}

// date appends a date, null for none.
func (o *output) date(v *columns.Vec, date uint32) {
	o.text = o.text[:0]
	if date != 0 {
		o.text = appendDate(o.text, date)
	}
	v.AppendText(o.text)
}

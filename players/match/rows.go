package match

import (
	"strconv"

	"kifu/datasets"
	"kifu/games"
	"kifu/schemas"
)

// rows holds the games of one part, column by column.
type rows struct {
	*datasets.Batch
	game string
	text []byte
}

func newRows(game string) *rows { return &rows{Batch: datasets.NewBatch(schemas.Games), game: game} }

// append adds a game; columns that a match cannot fill are null.
func (r *rows) append(p *Params, g *record) {
	for i := range r.Cols {
		r.column(&r.Cols[i], p, g)
	}
	r.Rows++
}

func (r *rows) column(v *datasets.Vec, p *Params, g *record) {
	switch v.Column.Name {
	case "game_id":
		v.AppendInt64(int64(g.number))
	case "game":
		v.AppendString(r.game)
	case "source_file":
		v.AppendString("match")
	case "source_offset":
		v.AppendInt64(0)
	case "first_player":
		v.AppendString(p.Players[g.player(games.First)].Text)
	case "second_player":
		v.AppendString(p.Players[g.player(games.Second)].Text)
	case "round":
		r.text = strconv.AppendInt(r.text[:0], int64(g.index/2+1), 10)
		r.text = append(r.text, '.', byte('1'+g.index%2))
		v.AppendBytes(r.text)
	case "opening":
		appendText(v, g.opening)
	case "variant":
		v.AppendString(g.variant)
	case "start_position":
		appendText(v, g.start)
	case "result":
		appendText(v, []byte(g.outcome.String()))
	case "termination":
		v.AppendString(g.rule)
	case "ply_count":
		v.AppendInt32(int32(g.plies))
	case "moves":
		v.AppendBytes(g.moves)
	case "evals":
		if !g.anyValue {
			v.AppendNull()
			break
		}
		for i, x := range g.values {
			v.AppendItem(x, g.valued[i])
		}
		v.EndList()
	case "tags":
		if g.booked > 0 {
			v.AppendPair([]byte("OpeningPlies"), strconv.AppendInt(r.text[:0], int64(g.booked), 10))
		}
		v.EndMap()
	default:
		v.AppendNull()
	}
}

func appendText(v *datasets.Vec, text []byte) {
	if len(text) == 0 {
		v.AppendNull()
	} else {
		v.AppendBytes(text)
	}
}

// write makes a row group of the games and empties r.
func (r *rows) write(w *datasets.PartWriter) error {
	g, err := w.Encode(r.Batch)
	if err != nil {
		return err
	}
	r.Reset()
	return w.Append(g)
}

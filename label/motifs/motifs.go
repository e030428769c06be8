// Package motifs makes a dataset of the tactical motifs of the moves in games.
//
// In: games. Out: schemas.Motifs, a row for each move that has a motif. What the motifs are is the game's
// own (games.Motifs). Games are replayed, and no position is searched.
package motifs

import (
	"context"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/internal/lists"
	"kifu/schemas"
)

// Table returns the table of the motifs of a game.
func Table[P any](rules games.Rules[P], finder games.Motifs[P]) schemas.Table {
	motifs := lists.Of(finder.Motifs(), func(c games.Column) schemas.GameColumn { return schemas.GameColumn{Name: c.Name, Doc: c.Doc} })
	return schemas.Motifs(rules.BoardSize(), motifs)
}

// Run writes the moves of the games in that have motifs to out, part by part; workers 0 means one per processor.
// Games whose moves do not decode are rejected by reason.
func Run[P games.Position[P]](ctx context.Context, rules games.Rules[P], finder games.Motifs[P], workers int, in *datasets.Dir, out *datasets.Builder) error {
	if err := in.Want("games"); err != nil {
		return err
	}
	out.SetTable(Table(rules, finder))
	out.SetMeta("game", rules.Name())
	o := datasets.MapOptions{Workers: workers, Title: "motifs", Unit: "games",
		Columns: []string{"game_id", "first_elo", "second_elo", "variant", "start_position", "result", "moves"}}
	return datasets.Map(ctx, in, out, o, func() datasets.MapFunc {
		return (&worker[P]{rules: rules, finder: finder, unroller: games.NewUnroller(rules)}).run
	})
}

// worker finds the motifs of the games of one batch after the other.
type worker[P games.Position[P]] struct {
	rules     games.Rules[P]
	finder    games.Motifs[P]
	unroller  *games.Unroller[P]
	positions []P
	moves     []games.Move
	text      []byte
}

func (w *worker[P]) run(in, out *columns.Batch) (counts manifest.Counts, err error) {
	counts.Read = int64(in.Rows)
	for i := range in.Rows {
		if err := w.replay(in, i); err != nil {
			counts.Reject(string(games.ReasonOf(err)), 1)
			continue
		}
		for ply := range w.moves {
			if found := w.finder.MotifsOf(w.positions, w.moves, ply); found != 0 {
				w.append(in, i, ply, found, out)
				counts.Written++
			}
		}
	}
	return counts, nil
}

// replay plays game i of the batch.
func (w *worker[P]) replay(in *columns.Batch, i int) error {
	w.positions, w.moves = w.positions[:0], w.moves[:0]
	start, err := w.unroller.Start(in.Col("variant").Value(i), in.Col("start_position").Value(i))
	if err != nil {
		return err
	}
	last, err := w.unroller.Play(start, in.Col("moves").Value(i), func(p P, m games.Move) {
		w.positions, w.moves = append(w.positions, p), append(w.moves, m)
	})
	w.positions = append(w.positions, last)
	return err
}

// append appends the row of a move with its motifs.
func (w *worker[P]) append(in *columns.Batch, i, ply int, found uint64, out *columns.Batch) {
	p := w.positions[ply]
	out.Col("game_id").AppendInt64(in.Col("game_id").Int64[i])
	out.Col("ply").AppendInt32(int32(ply))
	out.Col("first_to_move").AppendBool(p.ToMove() == games.First)
	w.text = w.rules.AppendCoordinates(w.text[:0], p, w.moves[ply])
	out.Col("move").AppendBytes(w.text)
	out.Col("hash").AppendUint64(p.Hash())
	w.text = w.rules.AppendBoard(w.text[:0], p)
	out.Col("board").AppendBytes(w.text)
	for _, name := range []string{"result", "first_elo", "second_elo"} {
		out.Col(name).AppendFrom(in.Col(name), i)
	}
	motifs := out.Cols[out.Table.Index("second_elo")+1:]
	for n := range motifs {
		motifs[n].AppendBool(found>>n&1 != 0)
	}
	out.Rows++
}

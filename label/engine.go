package label

import (
	"context"
	"fmt"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
	"kifu/internal/progress"
	"kifu/search/engine"
)

const (
	// engineRows is the largest number of positions in a part when an engine labels: the
	// most that an interruption can cost.
	engineRows = 1 << 13
	// unanswered is the number of consecutive positions that an engine may leave without a
	// value before the run is given up.
	unanswered = 5

	noValue = "no value from the engine"
)

// The columns of an engine.
const (
	engineValue  = "engine_value"
	engineStatic = "engine_static_value"
)

// engines is a pool of one program, one process a worker, with the rows they fill.
type engines[P games.Position[P]] struct {
	*plan[P]
	pool []*process
	bar  *progress.Bar

	group, piece, labels *columns.Batch // of the input, of the input of a part, of the output

	games  []span // of the rows
	value  []reply
	static []reply
	mates  []engine.FoundMate
}

// process is the program as run by one worker.
type process struct {
	*engine.Keeper
	failed int // positions in a row without a value
}

type span struct{ from, to int }

// reply is a value for the first player; ok is false without one.
type reply struct {
	value float32
	ok    bool
}

// runEngine implements Run with an engine. Parts have a fixed number of rows, in the order of the rows, and
// the engines share a part by games. They forget earlier searches between games, so the values depend neither
// on the number of workers nor on the rest of the dataset.
func runEngine[P games.Position[P]](ctx context.Context, pl *plan[P], workers int, in *datasets.Dir, out *datasets.Builder) error {
	e := &engines[P]{plan: pl, bar: progress.Start(ctx, "label", in.Rows(), "positions")}
	defer e.bar.Done()
	for range workers {
		e.pool = append(e.pool, &process{Keeper: engine.Keep(pl.engine.Start)})
	}
	defer func() {
		for _, k := range e.pool {
			k.Close()
		}
	}()
	err := e.probe(ctx)
	if err != nil {
		return err
	}
	w := newWorker(pl)
	e.group, e.piece, e.labels = columns.NewBatch(in.Table), columns.NewBatch(in.Table), columns.NewBatch(out.Table())
	next := 0 // part of the output
	for _, err := range in.Groups(e.group) {
		if err != nil {
			return err
		}
		ids := e.group.Col("game_id").Int64
		for from, to := 0, 0; from < e.group.Rows; from = to {
			to = cut(ids, from)
			next++
			if _, done := out.Done(next - 1); done {
				e.bar.Skip(int64(to - from))
				continue
			}
			copyRows(e.piece, e.group, from, to)
			e.labels.Reset()
			if err := e.part(ctx, w, e.piece, e.labels, out, next-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// probe asks for the static value of the usual start and for a mate there, if these are
// requested: not every program has them.
func (e *engines[P]) probe(ctx context.Context) error {
	p, _, err := e.game.Rules.Start("", "")
	if err != nil {
		return err
	}
	start := string(e.game.Rules.AppendPosition(nil, p))
	if e.engine.Static {
		_, ok, err := e.pool[0].Static(ctx, start)
		if err == nil && !ok {
			err = fmt.Errorf("engine %s reports no static value (eval): omit eval", e.engine.Name)
		}
		if err != nil {
			return err
		}
	}
	if e.engine.Mate > 0 {
		if _, err := e.pool[0].FindMate(ctx, start, e.engine.Mate); err != nil {
			return fmt.Errorf("%w: omit mate=", err)
		}
	}
	return nil
}

// cut returns the end of a part that begins at row from: between two games, unless the game
// there is larger than a part.
func cut(ids []int64, from int) int {
	to := from + engineRows
	if to >= len(ids) {
		return len(ids)
	}
	for i := to; i > from; i-- {
		if ids[i] != ids[i-1] {
			return i
		}
	}
	return to
}

func copyRows(dst, src *columns.Batch, from, to int) {
	dst.Reset()
	for c := range dst.Cols {
		for row := from; row < to; row++ {
			dst.Cols[c].AppendFrom(&src.Cols[c], row)
		}
	}
	dst.Rows = to - from
}

// part writes one part of the positions in.
func (e *engines[P]) part(ctx context.Context, w *worker[P], in, labels *columns.Batch, out *datasets.Builder, index int) error {
	positions, err := e.unpack(in)
	if err != nil {
		return err
	}
	if err := e.ask(ctx, positions); err != nil {
		return err
	}
	counts, err := w.label(in, labels)
	if err != nil {
		return err
	}
	appendReplies(labels.Col(engineValue), e.value)
	if e.engine.Static {
		appendReplies(labels.Col(engineStatic), e.static)
	}
	e.appendMates(labels)
	for _, r := range e.value {
		if !r.ok {
			counts.Note(noValue, 1)
		}
	}
	part, err := out.Part(index)
	if err != nil {
		return err
	}
	return part.End(part.Put(labels), counts, nil)
}

func appendReplies(col *columns.Vec, replies []reply) {
	for _, r := range replies {
		col.AppendFloat32If(r.value, r.ok)
	}
}

// appendMates writes the engine's mates, if they were requested.
func (e *engines[P]) appendMates(labels *columns.Batch) {
	if e.engine.Mate == 0 {
		return
	}
	found, plies, line := labels.Col("engine_mate"), labels.Col("engine_mate_plies"), labels.Col("engine_mate_line")
	for _, m := range e.mates {
		if m.Known {
			found.AppendBool(len(m.Line) > 0)
		} else {
			found.AppendNull()
		}
		plies.AppendInt32If(int32(len(m.Line)), len(m.Line) > 0)
		line.AppendText([]byte(strings.Join(m.Line, " ")))
	}
}

package label

import (
	"context"
	"errors"
	"fmt"
	"math"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/eval"
	"kifu/games"
	"kifu/schemas"
	"kifu/search"
)

// Backward requests values from the end of the game, for one stretch of phases. It is a step of
// backward learning (Kusiak, Walędzik and Mańdziuk, "Evolutionary Approach to the Game of Checkers",
// 2007; Mańdziuk 2010, 5.2.2). Positions of the last stretch have the value of the game's end.
// Earlier positions are searched to a later stretch and valued by the evaluator fitted there.
//
// Rows of earlier stretches are left out; rows of later ones keep their value in Known.
type Backward struct {
	// First and Last are the first and last phase of the stretch, as the evaluator counts. Falls: phases fall
	// as a game goes on.
	First int  `json:"first"`
	Last  int  `json:"last"`
	Falls bool `json:"falls,omitempty"`
	// End: this is the last stretch.
	End bool `json:"end,omitempty"`
	// Depth is the greatest search depth, 1 to search.MaxDepth. A position that reaches no later
	// stretch within it has no value (null). If End, without Solve, it is a draw. 0: nothing is
	// searched, and all values are Known's.
	Depth int `json:"depth,omitempty"`
	// Known holds the labels of the later stretches, an input of the step; nil if End.
	Known *datasets.Dir `json:"-"`
}

// What backward learning counts.
const (
	earlierPhase = "earlier phase"
	endFound     = "valued by the end of the game"
	noEnd        = "no end found: a draw"
	reached      = "valued by a later phase"
	notReached   = "no later phase reached"
	valuedBefore = "valued before"
)

// outOf reports whether phase is of an earlier stretch, within whether of this one.
func (b *Backward) outOf(phase int) (earlier, within bool) {
	if b.Falls {
		return phase > b.Last, phase >= b.First && phase <= b.Last
	}
	return phase < b.First, phase >= b.First && phase <= b.Last
}

func (p Params) validateBackward() error {
	switch b := p.Backward; {
	case b == nil:
		return nil
	case b.Depth < 0 || b.Depth > search.MaxDepth:
		return fmt.Errorf("backward depth %d: want a number from 1 to %d", b.Depth, search.MaxDepth)
	case p.Choices != nil || len(p.Adjudicate) > 0 || len(p.Zero) > 0 || p.Engine != nil:
		return errors.New("backward values need positions and all terms: omit choices, --adjudicate, --zero and --engine")
	}
	return nil
}

// StartPhase returns the phase of the usual start, by the evaluator.
func StartPhase[P games.Position[P]](g eval.Game[P]) (int, error) {
	p, _, err := g.Rules.Start("", "")
	if err != nil {
		return 0, err
	}
	e, err := g.NewEvaluator(g.Default())
	if err != nil {
		return 0, err
	}
	_, phase := e.Trace(p, nil)
	return phase, nil
}

// Points reports whether the values of Backward are points, as a Solver's and a Scorer's; if not, they
// are the evaluator's, and forced wins.
func Points[P any](rules games.Rules[P]) bool {
	_, solves := rules.(games.Solver[P])
	_, scores := rules.(games.Scorer[P])
	return solves && scores
}

// backward values positions from the end of the game.
type backward[P games.Position[P]] struct {
	Backward
	*worker[P]
	scorer games.Scorer[P] // nil: forced wins count
	known  map[uint64]float32
	found  map[uint64]valued // of positions of this stretch, which recur in openings
	terms  []eval.Feature
	column *columns.Vec
	kept   *columns.Batch
	counts manifest.Counts
}

// mostRemembered is the size at which values are forgotten.
const mostRemembered = 1 << 16

// newBackward returns a labeller for one worker; known is shared.
func newBackward[P games.Position[P]](w *worker[P], b Backward, known map[uint64]float32) *backward[P] {
	l := &backward[P]{Backward: b, worker: w, known: known, found: map[uint64]valued{}}
	if Points(w.game.Rules) {
		l.scorer = w.game.Rules.(games.Scorer[P])
	}
	return l
}

// knownValues returns the values of later stretches by the hash of their position; of rows
// without one there is NaN.
func knownValues[P games.Position[P]](ctx context.Context, rules games.Rules[P], in *datasets.Dir) (map[uint64]float32, error) {
	known := map[uint64]float32{}
	if in == nil {
		return known, nil
	}
	err := datasets.Scan(ctx, in, "later phases", "positions", []string{"board", schemas.BackwardValue}, func(g datasets.Group, b *columns.Batch) error {
		boards, values := b.Col("board"), b.Col(schemas.BackwardValue)
		for i := range b.Rows {
			p, err := rules.UnpackBoard(boards.Value(i))
			if err != nil {
				return fmt.Errorf("%s: row %d: %w", in.Path, g.First+int64(i), err)
			}
			v := float32(math.NaN())
			if !values.IsNull(i) {
				v = values.Float32[i]
			}
			known[p.Hash()] = v
		}
		return nil
	})
	return known, err
}

// label is a datasets.MapFunc: worker.label of what is not of an earlier stretch.
func (l *backward[P]) label(in, out *columns.Batch) (manifest.Counts, error) {
	boards := in.Col("board")
	if boards == nil {
		return manifest.Counts{}, errors.New("positions without a board column")
	}
	if l.kept == nil {
		l.kept = columns.NewBatch(in.Table)
	}
	l.kept.Reset()
	l.counts, l.column = manifest.Counts{}, out.Col(schemas.BackwardValue)
	for i := range in.Rows {
		if err := l.stopped(); err != nil {
			return manifest.Counts{}, err
		}
		p, err := l.game.Rules.UnpackBoard(boards.Value(i))
		if err != nil {
			return manifest.Counts{}, fmt.Errorf("row %d of a row group: %w", i, err)
		}
		if i%progressRows == progressRows-1 {
			in.Seen(progressRows)
		}
		if l.append(p) {
			l.counts.Reject(earlierPhase, 1)
			continue
		}
		for c := range l.kept.Cols {
			l.kept.Cols[c].AppendFrom(&in.Cols[c], i)
		}
		l.kept.Rows++
	}
	counts, err := l.worker.label(l.kept, out)
	counts.Read = 0
	counts.Add(l.counts)
	counts.Read = int64(in.Rows)
	return counts, err
}

// append writes the value of p, unless it is of an earlier stretch.
func (l *backward[P]) append(p P) (earlier bool) {
	hash := p.Hash()
	if v, ok := l.known[hash]; ok {
		l.counts.Note(valuedBefore, 1)
		l.write(reply{v, v == v})
		return false
	}
	earlier, within := l.outOf(l.phase(p))
	switch {
	case earlier:
		return true
	case l.Depth == 0 || !within:
		l.write(reply{})
		return false
	}
	r, ok := l.found[hash]
	if !ok {
		if len(l.found) >= mostRemembered {
			clear(l.found)
		}
		r = l.value(p)
		l.found[hash] = r
	}
	l.counts.Note(r.note, 1)
	l.write(r.reply)
	return false
}

func (l *backward[P]) phase(p P) (phase int) {
	l.terms, phase = l.evaluator.Trace(p, l.terms[:0])
	return phase
}

func (l *backward[P]) write(r reply) { l.column.AppendFloat32If(r.value, r.ok) }

// valued is a value with what is noted of it.
type valued struct {
	reply
	note string
}

// value values a position of the stretch.
func (l *backward[P]) value(p P) valued {
	switch v, ok := l.searched(p); {
	case ok && l.End:
		return valued{reply{v, true}, endFound}
	case ok:
		return valued{reply{v, true}, reached}
	case l.End && l.scorer == nil && l.solver == nil:
		return valued{reply{0, true}, noEnd}
	}
	return valued{note: notReached}
}

// searched solves p, or searches it until a later stretch or the end of the game is reached.
func (l *backward[P]) searched(p P) (value float32, ok bool) {
	if l.End && l.solver != nil {
		v, ok := l.solver.Solve(p, l.solve)
		switch {
		case l.scorer != nil || v == 0:
			return float32(v) / eval.Grain, ok
		case v > 0:
			return schemas.Win, ok
		}
		return -schemas.Win, ok
	}
	l.searcher.DeepenWhile(p, l.Depth, func(_ int, r search.Result[P]) bool {
		value, ok = float32(r.Value)/eval.Grain, r.Decided
		switch {
		case r.Decided && l.scorer != nil:
			var score int32
			score, ok = l.scorer.Score(r.Leaf)
			value = float32(score) / eval.Grain
		case !r.Decided && !l.End:
			earlier, within := l.outOf(l.phase(r.Leaf))
			ok = !earlier && !within
		}
		return !ok
	})
	return value, ok
}

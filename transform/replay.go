package transform

import (
	"slices"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
)

// sourceColumns are the columns of the games that transform reads.
var sourceColumns = []string{"game_id", "first_elo", "second_elo", "variant", "start_position", "result", "moves", "evals", "clocks_ms"}

// columns returns the columns of the games that p needs.
func (p Params) columns() []string {
	if len(p.ExcludeTermination) == 0 {
		return sourceColumns
	}
	return append(slices.Clone(sourceColumns), "termination")
}

// game is one replayed game. Its memory is reused by the next.
type game[P any] struct {
	id        int64
	row       int
	source    *source
	moves     []games.Move
	positions []P // one more than moves
	result    games.Outcome
}

// source is a batch of games, its columns found by name.
type source struct {
	batch                         *columns.Batch
	id, firstElo, secondElo       *columns.Vec
	variant, start, result, moves *columns.Vec
	evals, clocks                 *columns.Vec
	termination                   *columns.Vec // nil when not needed
}

func (s *source) bind(b *columns.Batch) {
	if s.batch == b {
		return
	}
	*s = source{batch: b,
		id: b.Col("game_id"), firstElo: b.Col("first_elo"), secondElo: b.Col("second_elo"),
		variant: b.Col("variant"), start: b.Col("start_position"), result: b.Col("result"), moves: b.Col("moves"),
		evals: b.Col("evals"), clocks: b.Col("clocks_ms"), termination: b.Col("termination"),
	}
}

// worker replays the games of one batch after the other.
type worker[P games.Position[P]] struct {
	filter  filter
	without leftOut
	source  source
	game    game[P]
	rows    rows[P]
	keep    []int // plies of the game that pass the filter

	unroller *games.Unroller[P]
}

func newWorker[P games.Position[P]](r games.Rules[P], p Params, without leftOut) *worker[P] {
	return &worker[P]{filter: newFilter(p), without: without, rows: rows[P]{rules: r}, unroller: games.NewUnroller(r)}
}

// run replays the games of in and calls visit with each that has a position to keep; the
// plies are in w.keep.
func (w *worker[P]) run(in *columns.Batch, visit func(g *game[P]) error) (manifest.Counts, error) {
	w.source.bind(in)
	c := manifest.Counts{Read: int64(in.Rows)}
	for i := range in.Rows {
		if !w.eloKept(i) {
			c.Reject(lowElo, 1)
			continue
		}
		if text := w.filter.terminations.excluded(&w.source, i); text != "" {
			c.Reject(ended+text, 1)
			continue
		}
		if w.without.has(w.source.id.Int64[i]) {
			c.Reject(duplicate, 1)
			continue
		}
		if err := w.replay(i); err != nil {
			c.Reject(string(games.ReasonOf(err)), 1)
			continue
		}
		w.keep = w.keep[:0]
		for ply := range w.game.positions {
			if w.filter.position(w.game.id, ply) {
				w.keep = append(w.keep, ply)
			}
		}
		if len(w.keep) > 0 {
			c.Written += int64(len(w.keep))
			if err := visit(&w.game); err != nil {
				return c, err
			}
		}
	}
	return c, nil
}

func (w *worker[P]) eloKept(i int) bool {
	lowest := int32(w.filter.MinElo)
	if lowest <= 0 {
		return true
	}
	a, b := w.source.firstElo, w.source.secondElo
	return !a.IsNull(i) && !b.IsNull(i) && a.Int32[i] >= lowest && b.Int32[i] >= lowest
}

// replay plays game i of the batch.
func (w *worker[P]) replay(i int) error {
	s, g := &w.source, &w.game
	g.id, g.row, g.source = s.id.Int64[i], i, s
	g.moves, g.positions = g.moves[:0], g.positions[:0]
	g.result = outcome(s.result.Value(i))
	start, err := w.unroller.Start(s.variant.Value(i), s.start.Value(i))
	if err != nil {
		return err
	}
	codes := s.moves.Value(i)
	if len(codes)/2 > maxPlies {
		return games.Reason("more than a million plies")
	}
	last, err := w.unroller.Play(start, codes, func(p P, m games.Move) {
		g.moves = append(g.moves, m)
		g.positions = append(g.positions, p)
	})
	g.positions = append(g.positions, last)
	return err
}

// outcome is the inverse of games.Outcome.String.
func outcome(text []byte) games.Outcome {
	switch string(text) {
	case "first":
		return games.FirstWins
	case "second":
		return games.SecondWins
	case "draw":
		return games.Drawn
	}
	return games.Undecided
}

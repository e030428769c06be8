package learn

import (
	"context"
	"fmt"
	"math"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/progress"
	"kifu/players/decide"
	"kifu/players/learn/simplex"
	"kifu/search"
)

// searched is the result of a strategy's search of a position: its moves with their values, for the
// side to move, and the counts of their dominant positions. A move whose dominant position is won
// or lost by the rules has no row, because no weights change its value. A drawn one has an empty
// row.
type searched struct {
	values  []int32
	rows    [][]simplex.Cell
	decided []bool
}

// pass holds the results of a strategy's searches of all decisions.
type pass struct {
	weights []float64
	of      []*searched // by decision; equal positions share theirs
}

// learner learns strategies from given decisions.
type learner[P games.Position[P]] struct {
	game      eval.Game[P]
	params    *Params
	workers   int
	decisions []decision[P]
	columns   *unknowns
	near      *unknowns // the unknowns of Shrunk
	first     []int     // by decision, the first one with its position
	distinct  []int     // decisions with a position of their own
	work      *work     // may be nil

	depth int              // of the passes that are kept
	quiet bool             // likewise
	kept  map[string]*pass // by the kind of columns and weights.toml
}

func newLearner[P games.Position[P]](g eval.Game[P], p *Params, workers int, decisions []decision[P]) (*learner[P], error) {
	l := &learner[P]{game: g, params: p, workers: workers, decisions: decisions}
	var err error
	if l.columns, err = newColumns(p.Eval, p, false); err != nil {
		return nil, err
	}
	if l.near, err = newColumns(p.Eval, p, true); err != nil {
		return nil, err
	}
	l.first, l.distinct = distinct(decisions)
	return l, nil
}

// unknownsOf returns the unknowns of a solver.
func (l *learner[P]) unknownsOf(solver string) *unknowns {
	if solver == Shrunk {
		return l.near
	}
	return l.columns
}

// distinct returns, for every decision, the first one with its position, and the list of
// these.
func distinct[P games.Position[P]](decisions []decision[P]) (first, distinct []int) {
	seen := map[uint64]int{}
	for i := range decisions {
		hash := decisions[i].position.Hash()
		if _, known := seen[hash]; !known {
			seen[hash] = i
			distinct = append(distinct, i)
		}
		first = append(first, seen[hash])
	}
	return first, distinct
}

// search values all decisions by the strategy (w, depth). Passes of one depth are kept, so
// that equal weights are searched once.
func (l *learner[P]) search(ctx context.Context, c *unknowns, w []float64, depth int, quiet bool, title string) (*pass, error) {
	model := c.evaluator(w)
	text, err := model.TOML()
	if err != nil {
		return nil, fmt.Errorf("weights at depth %d: %w", depth, err)
	}
	if depth != l.depth || quiet != l.quiet {
		l.depth, l.quiet, l.kept = depth, quiet, map[string]*pass{}
	}
	key := fmt.Sprint(c.near, string(text))
	if p := l.kept[key]; p != nil {
		return p, nil
	}
	seekers := make([]*seeker[P], l.workers)
	for i := range seekers {
		e, err := l.game.NewEvaluator(model)
		if err != nil {
			return nil, err
		}
		seekers[i] = &seeker[P]{e, search.New(e), c, nil}
	}
	var bar *progress.Bar
	if l.work == nil {
		bar = progress.Start(ctx, title, int64(len(l.distinct)), "positions")
	}
	defer bar.Done()
	p := &pass{weights: w, of: make([]*searched, len(l.decisions))}
	err = decide.Divide(ctx, seekers, len(l.distinct), func(s *seeker[P], k int) {
		i := l.distinct[k]
		p.of[i] = s.moves(l.decisions[i].position, depth, quiet)
		bar.Add(1)
	}, func(n int) { l.work.passed(depth, quiet, n) })
	for i, first := range l.first {
		p.of[i] = p.of[first]
	}
	l.kept[key] = p
	return p, err
}

// seeker finds dominant positions; it must not be shared by goroutines.
type seeker[P games.Position[P]] struct {
	evaluator eval.Evaluator[P]
	search    *search.Searcher[P]
	columns   *unknowns
	features  []eval.Feature
}

// moves searches every move of p by look-ahead to depth, with quiescence beyond it or without.
func (s *seeker[P]) moves(p P, depth int, quiet bool) *searched {
	moves, sign := p.AppendMoves(nil), p.ToMove().Sign()
	n := len(moves)
	f := &searched{make([]int32, n), make([][]simplex.Cell, n), make([]bool, n)}
	visit := func(i int, r search.Result[P]) {
		switch {
		case !r.Decided:
			var phase int
			s.features, phase = s.evaluator.Trace(r.Leaf, s.features[:0])
			f.rows[i] = s.columns.row(s.features, phase, sign)
		case r.Value != 0:
			f.decided[i] = true
		}
		f.values[i] = r.Value * sign
	}
	if quiet {
		for i, m := range moves {
			visit(i, s.search.Depth(p.Play(m), depth-1))
		}
		return f
	}
	s.search.Alternatives(p, depth, 2, func(d, i int, r search.Result[P]) {
		if d == depth {
			visit(i, r)
		}
	})
	return f
}

// ranked returns the decisions of a part with the values of the pass.
func (l *learner[P]) ranked(p *pass, of part) []ranked {
	return rank(l.decisions, of, func(i int) []int32 { return p.of[i].values })
}

// alternatives returns the decisions of a part. Moves that are decided by the rules are
// omitted, and so are decisions in which such a move was played or fewer than two moves are
// left.
func (l *learner[P]) alternatives(p *pass, of part) (all []alternatives) {
	for i := range l.decisions {
		d, s := &l.decisions[i], p.of[i]
		if d.part != of || s.decided[d.chosen] {
			continue
		}
		a := alternatives{game: d.game}
		for j, r := range s.rows {
			if j == d.chosen {
				a.chosen = len(a.rows)
			}
			if !s.decided[j] {
				a.rows = append(a.rows, r)
			}
		}
		if len(a.rows) > 1 {
			all = append(all, a)
		}
	}
	return all
}

// constraints returns the constraints of figure 9: each row is the difference between the counts of the move
// played and of another move. Rows without an entry are left out, because no weights satisfy them with a
// margin.
func constraints(decisions []alternatives) (rows [][]simplex.Cell) {
	for _, d := range decisions {
		for i, r := range d.rows {
			if i == d.chosen {
				continue
			}
			if x := simplex.Minus(d.rows[d.chosen], r); len(x) > 0 {
				rows = append(rows, x)
			}
		}
	}
	return rows
}

// spread returns the root mean square of w·x over rows.
func spread(rows [][]simplex.Cell, w []float64) float64 {
	sum := 0.0
	for _, r := range rows {
		v := simplex.Dot(r, w)
		sum += v * v
	}
	return math.Sqrt(sum / float64(max(len(rows), 1)))
}

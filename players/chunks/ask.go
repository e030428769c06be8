package chunks

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/games"
	"kifu/internal/progress"
	"kifu/players/decide"
	"kifu/search"
)

// question is a decision in a game that nothing was learned from, with what each kind of
// evidence predicts for its moves.
type question[P games.Position[P]] struct {
	position P
	game     int64
	ply      int
	part     decide.Part
	chosen   int
	moves    int
	played   []int32   // games of the tree that have the move
	visits   int32     // games of the tree that have the position
	largest  []int32   // pieces of the largest known chunk that the move completes; 0: none
	games    []int32   // in which that was completed
	rate     []float64 // of the chunks
	model    []float64 // ln P by the model
}

// ask takes the decisions of the other games.
func (m *modeler[P]) ask(ctx context.Context, in *datasets.Dir) error {
	w := newWatcher(m.drawer)
	err := m.eachSeat(ctx, in, "decisions", func(part decide.Part) bool { return part != decide.Train }, func(s decide.Seat, g *decide.Replayed[P]) {
		g.Decisions(s.Side, m.SkipPlies, m.MaxPly, func(ply int, p P, legal []games.Move, chosen int) {
			q := question[P]{position: p, game: g.ID, ply: ply, part: m.Split.Of(g.ID), chosen: chosen, moves: len(legal), visits: m.tree[p.Hash()]}
			f := w.begin(p)
			for _, move := range legal {
				q.played = append(q.played, m.tree[decide.Key(p, move)])
				m.judge(&q, w.completed(f, p, move))
			}
			m.questions = append(m.questions, q)
		})
	})
	m.counts.Written = int64(len(m.questions))
	if err == nil && len(m.questions) == 0 {
		return errors.New("no decision is left: all moves were forced or outside the plies")
	}
	return err
}

// judge appends the chunks' prediction for a move that completes these.
func (m *modeler[P]) judge(q *question[P], found []chunk) {
	var all []*known
	for _, c := range found {
		if k := m.chunks[c.key]; k != nil {
			all = append(all, k)
		}
	}
	// The same pieces may fill several windows: all that matters is then equal.
	slices.SortFunc(all, func(a, b *known) int {
		return cmp.Or(cmp.Compare(a.pieces, b.pieces), cmp.Compare(a.played, b.played), cmp.Compare(b.available, a.available))
	})
	rate := float64(m.decisions) / float64(m.legal)
	for _, k := range all {
		rate = (float64(k.played) + rate) / (float64(max(k.available, k.played)) + 1)
	}
	largest, of := int32(0), int32(0)
	if n := len(all); n > 0 {
		largest, of = all[n-1].pieces, all[n-1].played
	}
	q.largest, q.games, q.rate = append(q.largest, largest), append(q.games, of), append(q.rate, rate)
}

// value has the model choose in all decisions.
func (m *modeler[P]) value(ctx context.Context) error {
	values := decide.Values[P]
	if m.Quiescence {
		values = decide.QuietValues[P]
	}
	bar := progress.Start(ctx, "search", int64(len(m.questions)), "positions")
	defer bar.Done()
	return decide.Search(ctx, m.game, m.Eval, m.workers, len(m.questions), func(s *search.Searcher[P], i int) {
		q := &m.questions[i]
		by := values(s, q.position, m.Depth)[m.Depth-1]
		for move := range by {
			q.model = append(q.model, decide.LogChance(by, move, max(m.Temperature, decide.LeastTemperature), max(m.Lapse, decide.LeastLapse)))
		}
	}, func(n int) { bar.Add(int64(n)) })
}

// treeLog is ln Q(m | p) of the tree, Q = (n(p, m) + 1/L) / (n(p) + 1) for L legal moves.
func (q *question[P]) treeLog(move int) float64 {
	return math.Log((float64(q.played[move]) + 1/float64(q.moves)) / (float64(q.visits) + 1))
}

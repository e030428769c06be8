package patterns

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
	"kifu/internal/clogit"
	"kifu/internal/splitmix"
)

// learner holds what all workers share.
type learner[P games.Position[P]] struct {
	Params
	rules   games.Rules[P]
	shapes  games.Patterns[P]
	in      *datasets.Dir
	workers int

	sizes     int // number of sizes in use
	decisions int64
	legal     int64 // moves of all decisions
	weighed   int64 // decisions to fit the weights of features to
	weights   *clogit.Fit
	number    keyTable // numbers the patterns kept
	played    []uint32 // by number
	available []uint32
	sizeOf    []uint8
}

// reader iterates over the decisions of row groups.
type reader[P games.Position[P]] struct {
	*learner[P]
	*featurer[P]
	batch *columns.Batch
	moves []games.Move
	text  []byte
	past  [4]past[P]
	rates []float64
	sizes []int // of the patterns counted, by move
}

// readColumns are those that a reader reads.
var readColumns = []string{"game_id", "ply", "first_to_move", "move", "board", "result", "first_elo", "second_elo", "phase"}

func (l *learner[P]) reader() *reader[P] {
	return &reader[P]{learner: l, featurer: newFeaturer(l.rules), batch: columns.NewBatch(l.in.Table, readColumns...)}
}

// use is the purpose of the decisions of a game.
type use uint8

const (
	toCount use = iota // how often patterns are played
	toWeigh            // the weights of features
	toTest
)

// useOf returns the use of a game.
func (p *Params) useOf(game int64) use {
	switch {
	case splitmix.Share(p.Seed, game) < p.Holdout:
		return toTest
	case p.Features && splitmix.Share(p.Seed+1, game) < p.Weigh:
		return toWeigh
	}
	return toCount
}

// eachDecision calls f for the decisions of a row group in games of a use, with the index of
// the move played in moves.
func (r *reader[P]) eachDecision(b *columns.Batch, of use, f func(row int, p P, chosen int) error) (counts datasets.Counts, err error) {
	boards, played, game := b.Col("board"), b.Col("move"), b.Col("game_id")
	for i := range r.past {
		r.past[i].row = -1
	}
	for i := range b.Rows {
		if r.useOf(game.Int64[i]) != of {
			continue
		}
		counts.Read++
		if played.IsNull(i) {
			counts.Reject(lastPosition, 1)
			continue
		}
		p, err := r.rules.UnpackBoard(boards.Value(i))
		if err != nil {
			return counts, fmt.Errorf("row %d of a row group: %w", i, err)
		}
		r.moves = p.AppendMoves(r.moves[:0])
		chosen := r.find(p, played.Value(i))
		switch {
		case chosen < 0:
			counts.Reject(illegalMove, 1)
		case len(r.moves) < 2:
			counts.Reject(forcedMove, 1)
		default:
			if err := f(i, p, chosen); err != nil {
				return counts, err
			}
		}
	}
	return counts, nil
}

// find returns the index of the move with that text, -1 without one.
func (r *reader[P]) find(p P, text []byte) int {
	return slices.IndexFunc(r.moves, func(m games.Move) bool {
		r.text = r.rules.AppendCoordinates(r.text[:0], p, m)
		return bytes.Equal(r.text, text)
	})
}

// learns reports whether the decision of row i is used for learning.
func (r *reader[P]) learns(b *columns.Batch, i int) bool {
	if r.MinElo == 0 {
		return true
	}
	elo := b.Col("second_elo")
	if b.Col("first_to_move").Bool[i] {
		elo = b.Col("first_elo")
	}
	return !elo.IsNull(i) && elo.Int32[i] >= int32(r.MinElo)
}

// train calls f for the decisions to learn from, on all workers. The totals that f adds to
// must not depend on the order.
func (l *learner[P]) train(ctx context.Context, title string, of use, f func(worker int, r *reader[P], row int, p P, chosen int)) error {
	readers := make([]*reader[P], l.workers)
	for w := range readers {
		readers[w] = l.reader()
	}
	return datasets.Each(ctx, l.in, l.workers, title, "positions", func(worker int, g datasets.Group, _ func(int) error) error {
		r := readers[worker]
		r.batch.Reset()
		if err := g.Read(r.batch); err != nil {
			return err
		}
		_, err := r.eachDecision(r.batch, of, func(row int, p P, chosen int) error {
			if r.learns(r.batch, row) {
				f(worker, r, row, p, chosen)
			}
			return nil
		})
		return err
	}, nil)
}

// learnPlayed keeps the patterns that were played often enough.
func (l *learner[P]) learnPlayed(ctx context.Context) error {
	keys := make([]tally, l.workers*l.sizes) // by worker and size
	decisions, legal := make([]int64, l.workers), make([]int64, l.workers)
	err := l.train(ctx, "count played", toCount, func(worker int, r *reader[P], _ int, p P, chosen int) {
		decisions[worker]++
		legal[worker] += int64(len(r.moves))
		at, end := worker*l.sizes, (worker+1)*l.sizes
		r.shapes.EachPattern(p, r.moves[chosen:chosen+1], func(_ int, key uint64) bool {
			keys[at].add(key)
			at++
			return at < end
		})
	})
	if err != nil {
		return err
	}
	for w := range l.workers {
		l.decisions, l.legal = l.decisions+decisions[w], l.legal+legal[w]
	}
	for size := range l.sizes {
		var all tally
		for w := range l.workers {
			of := &keys[w*l.sizes+size]
			of.count()
			all.merge(of)
			*of = tally{}
		}
		for i, key := range all.keys {
			if n := all.counts[i]; int(n) >= l.MinPlayed {
				l.number.add(key)
				l.played, l.sizeOf = append(l.played, n), append(l.sizeOf, uint8(size))
			}
		}
	}
	return nil
}

// learnAvailable counts how often the patterns kept could be played.
func (l *learner[P]) learnAvailable(ctx context.Context) error {
	counts := make([][]uint32, l.workers)
	for w := range counts {
		counts[w] = make([]uint32, len(l.played))
	}
	err := l.train(ctx, "count available", toCount, func(worker int, r *reader[P], _ int, p P, _ int) {
		at, sizes := -1, 0
		r.shapes.EachPattern(p, r.moves, func(move int, key uint64) bool {
			if move != at {
				at, sizes = move, 0
			}
			n, kept := l.number.find(key)
			if kept {
				counts[worker][n]++
				sizes++
			}
			return kept && sizes < l.sizes // without it no larger one is kept
		})
	})
	l.available = counts[0]
	for _, c := range counts[1:] {
		for i, n := range c {
			l.available[i] += n
		}
	}
	return err
}

// sizesCSV returns a table with the patterns kept of each size and what the size means.
func (l *learner[P]) sizesCSV() []byte {
	type sum struct{ patterns, played, available int64 }
	sums := make([]sum, l.sizes)
	for i, size := range l.sizeOf {
		s := &sums[size]
		s.patterns, s.played, s.available = s.patterns+1, s.played+int64(l.played[i]), s.available+int64(l.available[i])
	}
	var out bytes.Buffer
	out.WriteString("size,shape,patterns,played,available,decisions\n")
	for size, s := range sums {
		fmt.Fprintf(&out, "%d,%s,%d,%d,%d,%d\n", size+1, l.shapes.PatternSizes()[size], s.patterns, s.played, s.available, l.decisions)
	}
	return out.Bytes()
}

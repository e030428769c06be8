package conjunctions

import (
	"container/heap"
	"context"
	"math"
	"sync"

	"kifu/internal/lists"
	"kifu/internal/progress"
)

// Choice is a conjunction that was selected.
type Choice struct {
	Set   int     // its number
	Score float64 // in nats: I(Y;X) of the first, of others the least over the ones before
}

// noInformation is the size to which rounding can lift 0 nats.
const noInformation = 1e-11

// cmim selects at most n of the sets. The first has most information on Y, whether the position is won. Each
// next one adds most information to the selected set that leaves it least to add (Fleuret 2004, equations 5
// and 6):
//
//	ν(1) = argmax_i I(Y; X_i),   ν(k+1) = argmax_i min_{l ≤ k} I(Y; X_i | X_ν(l))
//
// Among equals the first counts. It ends early if none adds anything. The minimum over a few l is at least
// the minimum over all, so most sets are rarely examined (Fleuret's section 4.2): they wait in a heap,
// ordered by the minimum so far.
func cmim(ctx context.Context, s *Sample, sets []Set, n, workers int) ([]Choice, error) {
	n = min(n, len(sets))
	workers = max(1, min(workers, len(sets)/256+1))
	bar := progress.Start(ctx, "select", int64(n), "conjunctions")
	defer bar.Done()
	c := &chooser{s: s, sets: sets, won: count(s.Won)}
	queues := lists.N(workers, func(int) *queue { return &queue{} })
	for i, set := range sets {
		q := queues[i%workers]
		q.list = append(q.list, bound{set: i, score: information(s.N, set.Support, c.won, set.Won)})
	}
	for _, q := range queues {
		heap.Init(q)
	}
	for len(c.chosen) < n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var wg sync.WaitGroup
		for _, q := range queues {
			wg.Go(func() { c.settle(q) })
		}
		wg.Wait()
		best := -1
		for w, q := range queues {
			if len(q.list) > 0 && (best < 0 || q.list[0].before(queues[best].list[0])) {
				best = w
			}
		}
		if best < 0 || queues[best].list[0].score < noInformation {
			break
		}
		top := heap.Pop(queues[best]).(bound)
		c.choose(top)
		bar.Add(1)
	}
	return c.chosen, nil
}

// chooser has what was chosen so far.
type chooser struct {
	s      *Sample
	sets   []Set
	won    int
	chosen []Choice
	bits   [][]uint64 // of those chosen
}

func (c *chooser) choose(b bound) {
	c.chosen = append(c.chosen, Choice{b.set, b.score})
	c.bits = append(c.bits, c.s.and(nil, c.sets[b.set].Atoms, 0, len(c.s.Won)))
}

// bound is a set with the least of I(Y;X) and I(Y;X|X_ν(l)) for l below known.
type bound struct {
	set, known int
	score      float64
}

func (b bound) before(o bound) bool { return b.score > o.score || b.score == o.score && b.set < o.set }

// settle works until the first of q knows all that were chosen.
func (c *chooser) settle(q *queue) {
	for len(q.list) > 0 && q.list[0].known < len(c.chosen) {
		top := &q.list[0]
		second := -1.0 // no other score in q is above it
		for _, i := range []int{1, 2} {
			if i < len(q.list) {
				second = max(second, q.list[i].score)
			}
		}
		q.words = c.s.and(q.words, c.sets[top.set].Atoms, 0, len(c.s.Won))
		for top.known < len(c.chosen) && top.score >= second {
			top.score = min(top.score, c.conditional(top.set, top.known, q.words))
			top.known++
		}
		heap.Fix(q, 0)
	}
}

// conditional returns I(Y; X_set | X_ν(l)), where words are the positions in which set is true.
func (c *chooser) conditional(set, l int, words []uint64) float64 {
	x, z := &c.sets[set], &c.sets[c.chosen[l].Set]
	both, bothWon := countThree(words, c.bits[l], c.s.Won)
	n := float64(c.s.N)
	inside := information(z.Support, both, z.Won, bothWon)
	outside := information(c.s.N-z.Support, x.Support-both, c.won-z.Won, x.Won-bothWon)
	return (float64(z.Support)*inside + float64(c.s.N-z.Support)*outside) / n
}

// information returns I(Y;X) in nats for n positions, in x of which X is true, in y Y, in both
// of them both.
func information(n, x, y, both int) float64 {
	sum := 0.0
	for _, cell := range [4][3]int{{both, x, y}, {x - both, x, n - y}, {y - both, n - x, y}, {n - x - y + both, n - x, n - y}} {
		if cell[0] > 0 {
			sum += float64(cell[0]) * math.Log(float64(cell[0])*float64(n)/(float64(cell[1])*float64(cell[2])))
		}
	}
	if n == 0 {
		return 0
	}
	return max(0, sum/float64(n))
}

// queue is a heap of bounds.
type queue struct {
	list  []bound
	words []uint64
}

func (q *queue) Len() int           { return len(q.list) }
func (q *queue) Less(i, j int) bool { return q.list[i].before(q.list[j]) }
func (q *queue) Swap(i, j int)      { q.list[i], q.list[j] = q.list[j], q.list[i] }
func (q *queue) Push(x any)         { q.list = append(q.list, x.(bound)) }
func (q *queue) Pop() any {
	n := len(q.list) - 1
	x := q.list[n]
	q.list = q.list[:n]
	return x
}

//go:build unix

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"kifu/eval"
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/study/cluster"
)

// chunks are rows of 31 features of so many, 12,800 rows in n chunks.
func chunks(n, weights int) *rows.Store {
	rng := rand.New(rand.NewPCG(7, 7))
	m := &eval.Model{Stages: []string{"all"}, Knots: []int{0}}
	var free []int
	for i := range weights {
		free = append(free, i)
		m.Terms = append(m.Terms, eval.Term{Weights: []float64{0}})
	}
	b := rows.NewBuilder(rows.NewDesign(m, free, nil, nil))
	for game := range int64(n) {
		for range 12800 / n {
			x := &rows.Row{Game: game, Value: 100 * rng.NormFloat64(), Y: float64(rng.IntN(2)), Weight: 1}
			for slot := rng.IntN(100); slot < weights; slot += 1 + rng.IntN(115) {
				x.Features = append(x.Features, rows.Count{Slot: uint32(slot), N: int16(rng.IntN(7) - 3)})
			}
			b.Add(x)
		}
		b.Cut()
	}
	return b.Finish()
}

// sums measures passes of a fit: 64 chunks of rows with 1,808 weights, summed by four workers, one of
// which stops after some passes. Their sums must equal one process's to the last bit. The time of
// distribution is a pass's time beyond the sums themselves.
func sums(ctx context.Context, dir string, dial func() (*cluster.Cluster, error)) error {
	const workers, passes, weights = 4, 30, 1808
	r := chunks(64, weights)
	theta, want, got := make([]float64, r.Design.Size()), make([]float64, r.Design.Size()), make([]float64, r.Design.Size())
	theta[r.Design.Scale()] = 0.004
	step := cluster.Step{Key: "sums", Name: "measured", Base: dir}
	var leave []context.CancelFunc
	for range workers {
		c, err := dial()
		if err != nil {
			return err
		}
		defer c.Close()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		w := &cluster.Worker{Slots: 1, Log: func(string, ...any) {}, Do: func(ctx context.Context, _ cluster.Step, session *cluster.Session) error {
			return session.Serve(ctx, func(text []byte) ([]byte, error) {
				q, err := rows.ReadQuestion(text)
				if err != nil {
					return nil, err
				}
				return r.Answer(q, 1) // all chunks are one section
			})
		}}
		leave = append(leave, func() { cancel(); c.Close() }) // as one that is killed
		go w.Run(ctx, c)
	}
	mine, err := dial()
	if err != nil {
		return err
	}
	defer mine.Close()
	pool, err := mine.Gather(ctx, step)
	if err != nil {
		return err
	}
	defer pool.Close()
	asking := *r
	var fault error
	asking.Ask = func(n int, section func(int) int, question func(int) []byte, take func(int, []byte) error) error {
		fault = pool.Ask(ctx, n, section, question, take)
		return fault
	}
	asking.Pass(losses.Logistic{}, theta, 1, got) // when all are there
	time.Sleep(3 * time.Second)
	var alone, asked []time.Duration
	var work time.Duration
	for pass := range passes {
		theta[pass] = 0.001 * float64(pass)
		begun := time.Now()
		f := r.Pass(losses.Logistic{}, theta, 1, want)
		alone = append(alone, time.Since(begun))
		if pass == passes/2 {
			leave[0]()
		}
		begun = time.Now()
		before := processor()
		g := asking.Pass(losses.Logistic{}, theta, 1, got)
		asked, work = append(asked, time.Since(begun)), work+processor()-before
		if f != g || fault != nil || !slices.Equal(want, got) {
			return fmt.Errorf("pass %d: other sums than alone: %v, %v, %v", pass+1, f, g, fault)
		}
	}
	slices.Sort(asked)
	slices.Sort(alone)
	each := work / passes
	fmt.Printf("a fit of %d chunks and %d weights, %d workers, one killed, %d passes: equal bytes; %v of processor a pass (at most 20ms), wall-clock %v in the middle and %v at most (the kill); alone %v: %s\n",
		len(r.Chunks), weights, workers, passes, each.Round(100*time.Microsecond), asked[passes/2].Round(100*time.Microsecond), asked[passes-1].Round(time.Millisecond), alone[passes/2].Round(100*time.Microsecond), verdict(len(r.Chunks) == 64 && each <= 20*time.Millisecond))
	return nil
}

package fit

import (
	"context"
	"testing"
	"time"
)

func TestSmoke(t *testing.T) {
	s := &simulation{terms: 40, perRow: 10, games: 2000, perGame: 20, luck: 0.5, scale: 0.01, tapered: true, seed: 1}
	s.models()
	free := upTo(40, 0, 1)
	for _, i := range free {
		clear(s.present.Terms[i].Weights)
	}
	r := s.rows(free, "x")
	for _, m := range []string{MLM, LS} {
		t0 := time.Now()
		e, err := solve(context.Background(), r, settings{method: m, workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(time.Since(t0), e.minimum.f, e.minimum.norm, e.minimum.iterations, e.minimum.passes, e.minimum.status, e.theta[r.d.scale()], e.start, r.bytes()/r.n)
		for j := range e.weights[:10] {
			p := r.d.params[j]
			t.Log(p, s.planted.Terms[p.index].Weights[p.at], e.weights[j], e.errors.model[j], e.errors.robust[j])
		}
	}
}

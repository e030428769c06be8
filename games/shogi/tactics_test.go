package shogi_test

import (
	"slices"
	"testing"

	"kifu/games"
	"kifu/games/shogi"
	"kifu/kit/gametest"
)

// TestRecaptures: outside check they are the tactics that go to the square of the last move.
func TestRecaptures(t *testing.T) {
	some, checks := 0, 0
	for seed := range uint64(60) {
		gametest.Random(shogi.Start(), 120, seed, func(p shogi.Position, _ []games.Move) {
			want, forced := p.AppendTactics(nil)
			if !forced {
				want = slices.DeleteFunc(want, func(m games.Move) bool { return shogi.To(m) != p.LastTo() })
				some += len(want)
			} else {
				checks++
			}
			if got, is := p.AppendRecaptures(nil); is != forced || !slices.Equal(got, want) {
				t.Fatalf("%s after a move to %d: %v (forced: %t), want %v", p.String(), p.LastTo(), got, is, want)
			}
		})
	}
	if some < 300 || checks < 100 {
		t.Errorf("%d recaptures and %d checks tell little", some, checks)
	}
}

package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"kifu/games"
	"kifu/games/othello"
)

// randomPositions returns positions of random games, won by who has more discs.
func randomPositions(n int) (all []position) {
	r := rand.New(rand.NewPCG(5, 6))
	for range n {
		p := othello.Start()
		for ply := 0; ply < 40 && p.Outcome() == games.Undecided; ply++ {
			moves := p.AppendMoves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
		}
		black, white := p.Discs(othello.Black), p.Discs(othello.White)
		all = append(all, position{black: black, white: white, blackWon: black.Count() > white.Count()})
	}
	return all
}

// TestGradient: that of the network is the one of central differences.
func TestGradient(t *testing.T) {
	all := randomPositions(40)
	n := newNetwork(4)
	g, _ := n.sums(all)
	for _, i := range []int{0, 5, 4*features - 7, 4*features + 2, 4*(features+1) + 3, len(n.weights) - 1} {
		const h = 1e-5
		was := n.weights[i]
		n.weights[i] = was + h
		_, up := n.sums(all)
		n.weights[i] = was - h
		_, down := n.sums(all)
		n.weights[i] = was
		if want := (up - down) / (2 * h); math.Abs(g[i]-want) > 1e-6 {
			t.Errorf("weight %d: %v, by differences %v", i, g[i], want)
		}
	}
}

// TestNetworkLearns: who has more discs is learned from positions, and found in others.
func TestNetworkLearns(t *testing.T) {
	all := randomPositions(2500)
	n := newNetwork(3)
	n.train(all[:2000])
	right := 0
	for i := range all[2000:] {
		if p := &all[2000+i]; n.value(p) > 0 == p.blackWon {
			right++
		}
	}
	if right < 425 {
		t.Errorf("%d of 500 winners named", right)
	}
}

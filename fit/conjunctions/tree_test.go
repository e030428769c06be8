package conjunctions

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTree: the leaves are those of the tree that was planted, with the positions that fulfil them.
func TestTree(t *testing.T) {
	planted := func(r *rand.Rand, c []int) bool {
		p := []int{1, 5, 9}[c[0]] // of ten
		if c[0] == 1 {
			p = []int{9, 1, 5}[c[2]]
		}
		return r.IntN(10) < p
	}
	s, a, all := toy(30_000, 5, planted)
	sets, err := tree(context.Background(), s, a, Limits{Support: 50}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range sets {
		names = append(names, a.Name(x.Atoms))
		if n, won := support(s, a, all, x.Atoms); n != x.Support || won != x.Won {
			t.Errorf("%s: %d positions, %d won, counted %d and %d", a.Name(x.Atoms), x.Support, x.Won, n, won)
		}
	}
	if want := []string{"a0", "a1 & c0", "a1 & c1", "a1 & c2", "a2"}; !slices.Equal(names, want) {
		t.Errorf("leaves %q, planted %q", names, want)
	}
	if shallow, err := tree(context.Background(), s, a, Limits{Support: 50, Size: 1}, nil, 1); err != nil || len(shallow) != 3 {
		t.Errorf("at depth 1: %d leaves, want 3 (%v)", len(shallow), err)
	}
}

// TestTreeOfNoise: few trees of winners by chance have a split, though the positions of a game have one winner.
func TestTreeOfNoise(t *testing.T) {
	splits := 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		game, won := -1, false
		s, a, _ := toy(3_000, 5, func(*rand.Rand, []int) bool { return false })
		for i := range s.N { // the positions of a game have one winner
			if g := int(s.Game[i]); g != game {
				game, won = g, r.IntN(2) == 1
			}
			if won {
				s.Won[i>>6] |= 1 << (i & 63)
			}
		}
		sets, err := tree(context.Background(), s, a, Limits{Support: 50}, nil, seed)
		if err != nil {
			t.Fatal(err)
		}
		if len(sets) > 0 {
			splits++
		}
	}
	if splits > 8 {
		t.Errorf("%d of 100 trees of noise have splits", splits)
	} else {
		t.Logf("%d of 100 trees of noise have splits", splits)
	}
}

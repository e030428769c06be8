package conjunctions

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPessimistic: the rates of Quinlan's book (1993, 4.2), which approximates the exact rate where there are errors.
func TestPessimistic(t *testing.T) {
	for _, x := range []struct {
		wrong, n int
		want     float64
	}{{0, 1, 0.75}, {0, 6, 0.206}, {0, 9, 0.143}, {1, 16, 0.157}, {3, 3, 1}} {
		if got := pessimistic(x.wrong, x.n); math.Abs(got-x.want) > 0.003 {
			t.Errorf("%d wrong of %d: %.4f, want %.3f", x.wrong, x.n, got, x.want)
		}
	}
}

// TestRules: two planted rules, which a tree has to repeat below each content of one of them, come out as two sentences.
func TestRules(t *testing.T) {
	planted := func(_ *rand.Rand, c []int) bool { return c[0] == 1 && c[2] == 2 || c[3] == 0 && c[1] == 2 }
	s, a, all := toy(30_000, 5, planted)
	leaves, err := tree(context.Background(), s, a, Limits{Support: 20}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	rules := Rules(s, a, leaves)
	var names []string
	left := slices.Repeat([]bool{true}, len(all))
	for _, x := range rules {
		names = append(names, a.Name(x.Atoms))
		n, won := 0, 0
		for i, contents := range all {
			if k, _ := support(s, a, [][]int{contents}, x.Atoms); left[i] && k == 1 {
				left[i] = false
				n++
				if planted(nil, contents) {
					won++
				}
			}
		}
		if n != x.Support || won != x.Won {
			t.Errorf("%s decides %d positions, %d won; counted %d and %d", a.Name(x.Atoms), x.Support, x.Won, n, won)
		}
	}
	slices.Sort(names)
	if want := []string{"", "a1 & c2", "b2 & d0"}; !slices.Equal(names, want) {
		t.Errorf("%d leaves, rules %q, planted %q", len(leaves), names, want)
	}
}

package conjunctions

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// entropies returns I(Y; X | Z) from the definition, Σ p(x,y,z) ln p(x,y|z)/(p(x|z) p(y|z)), of
// columns of 0 and 1.
func entropies(y, x, z []int) float64 {
	var p [2][2][2]float64
	for i := range y {
		p[x[i]][y[i]][z[i]] += 1 / float64(len(y))
	}
	sum := 0.0
	for a := range 2 {
		for b := range 2 {
			for c := range 2 {
				pz := p[0][0][c] + p[0][1][c] + p[1][0][c] + p[1][1][c]
				pxz, pyz := p[a][0][c]+p[a][1][c], p[0][b][c]+p[1][b][c]
				if p[a][b][c] > 0 {
					sum += p[a][b][c] * math.Log(p[a][b][c]*pz/(pxz*pyz))
				}
			}
		}
	}
	return sum
}

// columns returns sets and wins as columns of 0 and 1.
func columnsOf(s *Sample, sets []Set) (y []int, x [][]int) {
	bit := func(words []uint64, i int) int { return int(words[i>>6] >> (i & 63) & 1) }
	x = make([][]int, len(sets))
	for i := range s.N {
		y = append(y, bit(s.Won, i))
		for j, set := range sets {
			v := 1
			for _, a := range set.Atoms {
				v &= bit(s.Bits[a], i)
			}
			x[j] = append(x[j], v)
		}
	}
	return y, x
}

// TestCMIMDirect: the selection is that of the formula, computed for all at every step.
func TestCMIMDirect(t *testing.T) {
	won := func(r *rand.Rand, c []int) bool { return c[0] == 1 && c[2] == 2 || r.IntN(3) == 0 }
	s, a, _ := toy(500, 5, won)
	found, err := mine(context.Background(), s, a, Limits{Support: 5, Size: 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	sets := found.Sets()
	y, x := columnsOf(s, sets)
	same := make([]int, s.N)
	var want []Choice
	taken := map[int]bool{}
	for range 25 {
		best := Choice{-1, -1}
		for i := range sets {
			if taken[i] {
				continue
			}
			score := entropies(y, x[i], same)
			for _, c := range want {
				score = min(score, entropies(y, x[i], x[c.Set]))
			}
			if score > best.Score+1e-12 {
				best = Choice{i, score}
			}
		}
		taken[best.Set] = true
		want = append(want, best)
	}
	for _, workers := range []int{1, 3} {
		got, err := cmim(context.Background(), s, sets, 25, workers)
		if err != nil || len(got) != len(want) {
			t.Fatal(len(got), err)
		}
		for i := range want {
			if got[i].Set != want[i].Set || math.Abs(got[i].Score-want[i].Score) > 1e-12 {
				t.Errorf("%d workers: choice %d is %v, want %v", workers, i, got[i], want[i])
			}
		}
	}
	if name := a.Name(sets[want[0].Set].Atoms); name != "a1 & c2" {
		t.Errorf("the planted conjunction is not the first: %s", name)
	}
}

// TestCMIMWorkers: many sets, which several queues hold, are selected as by one.
func TestCMIMWorkers(t *testing.T) {
	s, a, _ := toy(700, 9, func(r *rand.Rand, c []int) bool { return r.IntN(4) <= c[0]&c[1]+c[5]&c[7] })
	found, err := mine(context.Background(), s, a, Limits{Support: 5, Size: 3}, 2)
	if err != nil {
		t.Fatal(err)
	}
	sets := found.Sets()
	if len(sets) < 3*256 {
		t.Fatalf("%d sets are one queue's", len(sets))
	}
	one, err := cmim(context.Background(), s, sets, 200, 1)
	if err != nil {
		t.Fatal(err)
	}
	three, err := cmim(context.Background(), s, sets, 200, 3)
	if err != nil || !reflect.DeepEqual(one, three) {
		t.Errorf("three workers select otherwise (%v)", err)
	}
}

// TestCMIMEnds: what tells nothing beside the others is not selected.
func TestCMIMEnds(t *testing.T) {
	s, a, _ := toy(400, 3, func(_ *rand.Rand, c []int) bool { return c[1] == 2 })
	found, err := mine(context.Background(), s, a, Limits{Support: 1, Size: 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	got, err := cmim(context.Background(), s, found.Sets(), 10, 1)
	if err != nil || len(got) != 1 || a.Name(found.Sets()[got[0].Set].Atoms) != "b2" {
		t.Errorf("%v (%v), want b2 alone", got, err)
	}
}

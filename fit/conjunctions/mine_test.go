package conjunctions

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// toy returns positions of so many groups of three atoms, of which some depend on each other,
// and their atoms. won says who wins.
func toy(n, groups int, won func(r *rand.Rand, contents []int) bool) (*Sample, *Atoms, [][]int) {
	r := rand.New(rand.NewPCG(3, 1))
	a := &Atoms{}
	for g := range groups {
		a.group(-1, 3, func(i int) (name, sql string) { return fmt.Sprintf("%c%d", 'a'+g, i), "" })
	}
	s := newSample(len(a.List))
	var all [][]int
	for i := range n {
		contents := make([]int, groups)
		for g := range contents {
			contents[g] = r.IntN(3)
			if g%2 == 1 && r.IntN(4) > 0 {
				contents[g] = contents[g-1]
			}
			if g == 4 { // what it has follows from its neighbours: nothing new in their conjunctions
				contents[g] = (contents[2] + contents[3]) % 3
			}
		}
		all = append(all, contents)
		var true_ []uint16
		for g, c := range contents {
			true_ = append(true_, uint16(a.first[g]+c))
		}
		w := won(r, contents)
		y := 0.0
		if w {
			y = 1
		}
		s.add(true_, int64(i/3), y, w)
	}
	return s, a, all
}

func coin(r *rand.Rand, contents []int) bool { return r.IntN(3) <= contents[0]&1 }

// support counts the positions in which atoms are true, position by position.
func support(s *Sample, a *Atoms, all [][]int, atoms []uint32) (n, won int) {
	for i, contents := range all {
		true_ := true
		for _, x := range atoms {
			g := a.List[x].Group
			true_ = true_ && a.first[g]+contents[g] == int(x)
		}
		if true_ {
			n++
			if s.Y[i] == 1 {
				won++
			}
		}
	}
	return n, won
}

// everyConjunction lists all conjunctions of up to size atoms, of different groups, short ones first.
func everyConjunction(a *Atoms, size int) (all [][]uint32) {
	var extend func(set []uint32, from int)
	extend = func(set []uint32, from int) {
		if len(set) > 0 {
			all = append(all, slices.Clone(set))
		}
		if len(set) == size {
			return
		}
		for x := from; x < len(a.List); x++ {
			if len(set) > 0 && a.List[set[len(set)-1]].Group == a.List[x].Group {
				continue
			}
			extend(append(set, uint32(x)), x+1)
		}
	}
	extend(nil, 0)
	slices.SortStableFunc(all, func(x, y []uint32) int { return len(x) - len(y) })
	return all
}

// TestMineBruteForce: what is found are those of all conjunctions that are true often enough,
// and more seldom than each of their parts.
func TestMineBruteForce(t *testing.T) {
	s, a, all := toy(1000, 6, coin)
	for _, l := range []Limits{{Support: 20, Size: 4}, {Support: 1, Size: 3}, {Support: 60}, {Support: 5, Size: 4, Merge: 0.9},
		{Support: 10, Size: 3, Pair: func(x, y uint32) bool { return a.List[y].Group-a.List[x].Group <= 2 }}} {
		share := l.Merge
		if share == 0 {
			share = 1
		}
		size := l.Size
		if size == 0 {
			size = a.Groups()
		}
		want := map[string][2]int{}
		free := map[string]bool{"": true}
		for _, atoms := range everyConjunction(a, size) {
			n, won := support(s, a, all, atoms)
			ok := n >= l.Support
			for skip := range atoms {
				part := slices.Concat(atoms[:skip], atoms[skip+1:])
				whole := len(all)
				if len(part) > 0 {
					whole, _ = support(s, a, all, part)
				}
				ok = ok && float64(n) < share*float64(whole) && free[a.Name(part)]
			}
			for i, x := range atoms {
				for _, y := range atoms[i+1:] {
					ok = ok && (l.Pair == nil || l.Pair(x, y))
				}
			}
			if ok {
				free[a.Name(atoms)] = true
				want[a.Name(atoms)] = [2]int{n, won}
			}
		}
		for _, workers := range []int{1, 3} {
			found, err := mine(context.Background(), s, a, l, workers)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string][2]int{}
			for _, set := range found.Sets() {
				got[a.Name(set.Atoms)] = [2]int{set.Support, set.Won}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, %d workers: %d conjunctions, want %d", l, workers, len(got), len(want))
				for name := range got {
					if got[name] != want[name] {
						t.Fatalf("%s: %v, want %v", name, got[name], want[name])
					}
				}
			}
			if len(want) < 50 {
				t.Errorf("%+v: only %d conjunctions", l, len(want))
			}
		}
	}
}

// TestMineMerged: an atom that follows from two others is merged into their conjunction.
func TestMineMerged(t *testing.T) {
	s, a, _ := toy(1000, 6, coin)
	found, err := mine(context.Background(), s, a, Limits{Support: 1, Size: 3}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range found.Sets() {
		if name := a.Name(set.Atoms); strings.HasPrefix(name, "c0 & d0 & e") {
			t.Errorf("%s is what c0 & d0 is", name)
		}
	}
	if found.Merged == 0 {
		t.Error("nothing was merged")
	}
}

func TestMineLimit(t *testing.T) {
	s, a, _ := toy(300, 6, coin)
	_, err := mine(context.Background(), s, a, Limits{Support: 1, Most: 100}, 2)
	if err == nil || !strings.Contains(err.Error(), "raise --min-support") {
		t.Errorf("%v", err)
	}
}

// TestMineFewer: conjunctions that are too many are left out with their counts, and those of fewer atoms are all there.
func TestMineFewer(t *testing.T) {
	s, a, _ := toy(400, 5, coin)
	pairs, err := mine(context.Background(), s, a, Limits{Support: 3, Size: 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	fewer, err := mine(context.Background(), s, a, Limits{Support: 3, Size: 3, Most: pairs.N + 1, Fewer: true}, 1)
	if err != nil || fewer.N != pairs.N || fewer.Rare != pairs.Rare || fewer.Merged != pairs.Merged || fewer.LeftOut != 3 || pairs.LeftOut != 0 || !reflect.DeepEqual(fewer.Sets(), pairs.Sets()) {
		t.Errorf("%v, %+v; want the pairs, %+v", err, fewer, pairs)
	}
}

func TestParseCut(t *testing.T) {
	c, err := ParseCut("abs(static_value = 1) = -1.5, 2")
	if err != nil || c.SQL != "abs(static_value = 1)" || !slices.Equal(c.Points, []float64{-1.5, 2}) {
		t.Fatal(c, err)
	}
	for x, want := range map[float64]string{-2: " < -1.5", -1.5: "-1.5 <= ", 1.9: "-1.5 <= ", 2: " >= 2"} {
		if name := c.name(c.part(x)); !strings.Contains(name, want) {
			t.Errorf("%v is in %s", x, name)
		}
	}
	c, err = ParseCut("a king's steps: x::int=1")
	if err != nil || c.Name != "a king's steps" || c.SQL != "x::int" || c.name(1) != "a king's steps >= 1" || c.sql(1) != "(x::int) >= 1" {
		t.Error(c, err)
	}
	if c, err = ParseCut("x::int=1"); err != nil || c.Name != "" || c.SQL != "x::int" {
		t.Error(c, err)
	}
	for _, bad := range []string{"phase", "phase=", "=1", "phase=1,x", "phase=2,2", "phase=NaN"} {
		if _, err := ParseCut(bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

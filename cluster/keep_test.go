package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// sitting is a pool of members without a server.
func sitting(ids ...string) *Pool {
	p := &Pool{members: map[string]*member{}}
	for _, id := range ids {
		p.members[id] = &member{asked: map[int]bool{}}
	}
	return p
}

// round has n questions about shelves chosen by members in turn, and returns how often a process got one about what it
// did not keep before.
func (p *Pool) round(t *testing.T, n, shelves int, join func(at int)) (fresh int) {
	t.Helper()
	a := &asking{Pool: p, n: n, shelf: func(i int) int { return i * shelves / n }, got: map[int][]byte{}}
	for i := range n {
		a.open = append(a.open, i)
	}
	a.begin()
	for at := 0; len(a.open) > 0; at++ {
		if at > 100*n {
			t.Fatalf("questions %v are nobody's: %v kept by %v", a.open, a.keepers, p.members)
		}
		if join != nil {
			join(at)
		}
		ids := slices.Sorted(func(yield func(string) bool) {
			for id := range p.members {
				if !yield(id) {
					return
				}
			}
		})
		id := ids[at%len(ids)]
		had := keepers{}
		for _, by := range a.keepers {
			had = append(had, map[string]bool{process(id): by[process(id)]})
		}
		place := a.choose(id, n)
		if place < 0 {
			continue
		}
		shelf := a.shelf(a.open[place])
		if !had[shelf][process(id)] {
			fresh++
		}
		a.open = slices.Delete(a.open, place, place+1)
	}
	return fresh
}

// TestKeepers: each process gets its share by slots, and keeps it; the share of one that is gone goes to the others, one
// that comes late gets some of theirs, and where there are fewer numbers than processes they share them.
func TestKeepers(t *testing.T) {
	p := sitting("a-1", "a-2", "b-1")
	if fresh := p.round(t, 48, 12, nil); fresh != 12 || fmt.Sprint(p.keepers.kept()) != "map[a:8 b:4]" {
		t.Errorf("at first %d, %v", fresh, p.keepers.kept())
	}
	if fresh := p.round(t, 24, 12, nil); fresh != 0 {
		t.Errorf("%d have moved", fresh)
	}
	p.members["c-1"] = &member{}
	if fresh := p.round(t, 48, 12, nil); fresh != 3 || fmt.Sprint(p.keepers.kept()) != "map[a:6 b:3 c:3]" {
		t.Errorf("with one more %d have moved: %v", fresh, p.keepers.kept())
	}
	delete(p.members, "a-1")
	delete(p.members, "a-2")
	if fresh := p.round(t, 48, 12, nil); fresh != 6 || fmt.Sprint(p.keepers.kept()) != "map[b:6 c:6]" {
		t.Errorf("with one less %d have moved: %v", fresh, p.keepers.kept())
	}
	p = sitting("a-1", "b-1", "c-1", "d-1")
	if p.round(t, 64, 2, nil); len(p.keepers.kept()) != 4 {
		t.Errorf("two numbers are kept by %v", p.keepers.kept())
	}
}

// TestKeepersComeAndGo: whoever comes and goes when, every question is somebody's, and nobody keeps more than its share
// and one.
func TestKeepersComeAndGo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := sitting("a-1")
	for range 300 {
		p.round(t, 40, 1+r.IntN(2)*9, func(int) {
			id := fmt.Sprintf("%c-%d", 'a'+rune(r.IntN(5)), r.IntN(2))
			switch {
			case p.members[id] == nil && r.IntN(20) == 0:
				p.members[id] = &member{}
			case p.members[id] != nil && len(p.members) > 1 && r.IntN(20) == 0:
				delete(p.members, id)
				p.settle(len(p.keepers))
			}
		})
		p.settle(len(p.keepers))
		for name, n := range p.keepers.kept() {
			if share := p.shares(len(p.keepers))[name]; n > share+1 {
				t.Fatalf("%s keeps %d, its share is %d", name, n, share)
			}
		}
	}
}

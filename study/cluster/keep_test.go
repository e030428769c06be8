package cluster

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// sitting is a pool of members without a server.
func sitting(ids ...string) *Pool {
	p := &Pool{members: members{}}
	for _, id := range ids {
		p.members[id] = member{seen: time.Now()}
	}
	return p
}

// kept says how many sections each process keeps.
func (p *Pool) kept() string {
	n := map[string]int{}
	for _, name := range p.by {
		n[name]++
	}
	return fmt.Sprint(n)
}

// round has n questions about sections chosen by members in turn, and returns how often a process got one about what it
// did not keep before.
func (p *Pool) round(t *testing.T, n, sections int, join func(at int)) (fresh int) {
	t.Helper()
	a := &asking{Pool: p, section: func(i int) int { return i * sections / n }, all: make([]asked, n)}
	a.begin()
	for at, open := 0, n; open > 0; at++ {
		if at > 100*n {
			t.Fatalf("%d questions are nobody's: %v kept by %v", open, a.by, p.members)
		}
		if join != nil {
			join(at)
		}
		ids := slices.Sorted(maps.Keys(p.members))
		id := ids[at%len(ids)]
		had := slices.Clone(a.by)
		i := a.choose(id, n)
		if i < 0 {
			continue
		}
		if had[a.section(i)*a.copies+i%a.copies] != process(id) {
			fresh++
		}
		a.all[i].answered = true
		open--
	}
	return fresh
}

// TestKeepers: each process gets its share by slots, and keeps it; the share of one that is gone goes to the others, one
// that comes late gets some of theirs, and where there are fewer sections than processes they share them.
func TestKeepers(t *testing.T) {
	p := sitting("a-1", "a-2", "b-1")
	if fresh := p.round(t, 48, 12, nil); fresh != 12 || p.kept() != "map[a:8 b:4]" {
		t.Errorf("at first %d, %v", fresh, p.kept())
	}
	if fresh := p.round(t, 24, 12, nil); fresh != 0 {
		t.Errorf("%d have moved", fresh)
	}
	p.members["c-1"] = member{seen: time.Now()}
	if fresh := p.round(t, 48, 12, nil); fresh != 3 || p.kept() != "map[a:6 b:3 c:3]" {
		t.Errorf("with one more %d have moved: %v", fresh, p.kept())
	}
	delete(p.members, "a-1")
	delete(p.members, "a-2")
	if fresh := p.round(t, 48, 12, nil); fresh != 6 || p.kept() != "map[b:6 c:6]" {
		t.Errorf("with one less %d have moved: %v", fresh, p.kept())
	}
	p = sitting("a-1", "b-1", "c-1", "d-1")
	if p.round(t, 64, 2, nil); p.kept() != "map[a:1 b:1 c:1 d:1]" {
		t.Errorf("two sections are kept by %v", p.kept())
	}
}

// TestKeepersComeAndGo: whoever comes and goes when, every question is somebody's, and nobody keeps more than its share.
func TestKeepersComeAndGo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := sitting("a-1")
	for range 300 {
		p.round(t, 40, 1+r.IntN(2)*9, func(int) {
			id := fmt.Sprintf("%c-%d", 'a'+rune(r.IntN(5)), r.IntN(2))
			switch {
			case p.members[id].seen.IsZero() && r.IntN(20) == 0:
				p.members[id] = member{seen: time.Now()}
			case !p.members[id].seen.IsZero() && len(p.members) > 1 && r.IntN(20) == 0:
				delete(p.members, id)
				p.settle(p.sections, p.members)
			}
		})
		p.settle(p.sections, p.members)
		for name, room := range p.room(p.members) {
			if name != "" && room < 0 {
				t.Fatalf("%s keeps %d more than its share: %v", name, -room, p.by)
			}
		}
	}
}

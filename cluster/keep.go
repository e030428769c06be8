package cluster

import (
	"math"
	"strings"
)

// keepers are those who keep what questions are about (see hands.Hands): by number, the processes whose slots have it
// together. Each is to have its share of the numbers by slots, so that what is too much for one is kept by
// many; who is gone has left its numbers to the others, and who comes late gets some of theirs.
type keepers []map[string]bool

// process returns the process of a member.
func process(id string) string {
	name, _, _ := strings.Cut(id, "-")
	return name
}

// shares returns how many of n numbers each process may keep, its share by slots, rounded up.
func (p *Pool) shares(n int) map[string]int {
	slots := map[string]int{}
	for id := range p.members {
		slots[process(id)]++
	}
	for name, s := range slots {
		slots[name] = (n*s + len(p.members) - 1) / len(p.members)
	}
	return slots
}

// kept returns how many numbers each process keeps.
func (k keepers) kept() map[string]int {
	n := map[string]int{}
	for _, by := range k {
		for name := range by {
			n[name]++
		}
	}
	return n
}

// settle begins a round about n numbers: who is gone keeps none, and who has more than its share gives up some, those
// first that others have, too.
func (p *Pool) settle(n int) {
	for len(p.keepers) < n {
		p.keepers = append(p.keepers, map[string]bool{})
	}
	share, kept := p.shares(n), p.keepers.kept()
	for _, others := range []int{1, 0} {
		for i := len(p.keepers) - 1; i >= 0; i-- {
			for name := range p.keepers[i] {
				if kept[name] > share[name] && (share[name] == 0 || len(p.keepers[i]) > others) {
					delete(p.keepers[i], name)
					kept[name]--
				}
			}
		}
	}
}

// choose returns the place in a.open of the question that a member is to get next, of those below ahead; -1: none. As
// long as its process has not its share, that is what nobody keeps, so that its slots begin with different numbers; then
// what it keeps itself; then what the fewest keep. What nobody has room for goes to whoever keeps least.
func (a *asking) choose(id string, ahead int) (at int) {
	if a.shelf == nil {
		return 0
	}
	name, kept, best := process(id), a.keepers.kept(), math.MaxInt
	room, least := kept[name] < a.shares(len(a.keepers))[name], true
	for other := range a.members {
		least = least && kept[name] <= kept[process(other)]
	}
	at = -1
	for place, i := range a.open {
		by := a.keepers[a.shelf(i)]
		rank := 1 + len(by)
		switch {
		case i >= ahead:
			continue
		case by[name]:
			rank = 1
		case len(by) == 0 && room:
			rank = 0
		case !room && !(len(by) == 0 && least):
			continue
		}
		if rank < best {
			at, best = place, rank
		}
	}
	if at >= 0 {
		a.keepers[a.shelf(a.open[at])][name] = true
	}
	return at
}

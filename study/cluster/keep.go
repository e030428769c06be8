package cluster

import "strings"

// keepers are the processes that keep what questions are about (see hands.Hands), each for all its slots. Each has its
// share of the sections by slots, so that what is too much for one is kept by many; who is gone has left its sections to
// the others, and who comes late gets some of theirs.
type keepers struct {
	sections, copies int      // a section is kept as often as there are processes for each
	by               []string // copy for copy; empty: none
}

// process returns the process of a member.
func process(id string) string {
	name, _, _ := strings.Cut(id, "-")
	return name
}

// keeper is the process that keeps the copy of a section that question i is sent to.
func (k *keepers) keeper(section, i int) *string { return &k.by[section*k.copies+i%k.copies] }

// room returns how many more each process may keep: its share by slots, rounded up, without what it keeps.
func (k *keepers) room(members members) map[string]int {
	room := map[string]int{}
	for id := range members {
		room[process(id)]++
	}
	for name, slots := range room {
		room[name] = (len(k.by)*slots + len(members) - 1) / len(members)
	}
	for _, name := range k.by {
		room[name]--
	}
	return room
}

// settle begins a round about so many sections: who is gone keeps none, and who has more than its share gives up some.
func (k *keepers) settle(sections int, members members) {
	processes := map[string]bool{}
	for id := range members {
		processes[process(id)] = true
	}
	copies := max(1, (len(processes)+sections-1)/sections)
	if sections != k.sections || copies != k.copies {
		*k = keepers{sections, copies, make([]string, sections*copies)}
	}
	room := k.room(members)
	for i := len(k.by) - 1; i >= 0; i-- {
		if name := k.by[i]; name != "" && room[name] < 0 {
			k.by[i] = ""
			room[name]++
		}
	}
}

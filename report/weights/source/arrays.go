package source

import (
	"strconv"

	"kifu/eval"
	"kifu/internal/lists"
	"kifu/internal/pattern"
)

// mostEntries is the length of the longest array.
const mostEntries = 1 << 12

// grouped is an array with the group of its terms.
type grouped struct {
	Array
	group string
}

var (
	numbered = pattern.Of(`^(.*?[^0-9_])_?([0-9]{1,4})$`)
	squared  = pattern.Of(`^(.*[^_])_([a-h])([1-8])$`)
)

// place returns the array that a name belongs into, and its index; ok is false for a name without.
func place(name string) (stem string, index int, square, ok bool) {
	if at := squared().FindStringSubmatch(name); at != nil {
		return at[1], int(at[3][0]-'1')*8 + int(at[2][0]-'a'), true, true
	}
	at := numbered().FindStringSubmatch(name)
	if at == nil {
		return name, 0, false, false
	}
	index, err := strconv.Atoi(at[2])
	return at[1], index, false, err == nil && index < mostEntries
}

// arrays returns the weights of m's terms, those that differ in an index alone together. Names
// with an index that no other shares, or whose array would have another's name, stay alone.
func arrays(m *eval.Model) (all []grouped) {
	type key struct {
		group, stem string
		square      bool
	}
	of := func(t eval.Term) (key, int, bool) {
		stem, index, square, ok := place(t.Name)
		return key{t.Group, stem, square}, index, ok
	}
	length, members, taken := map[key]int{}, map[key]int{}, map[string]int{}
	for _, t := range m.Terms {
		k, index, ok := of(t)
		if !ok {
			taken[t.Name]++
			continue
		}
		if members[k]++; members[k] == 1 {
			taken[k.stem]++
		}
		if length[k] = max(length[k], index+1); k.square {
			length[k] = 64
		}
	}
	at := map[key]int{}
	for _, t := range m.Terms {
		k, index, ok := of(t)
		entry := Entry{t.Name, lists.N(len(m.Stages), func(i int) float64 { return t.Weights[min(i, len(t.Weights)-1)] })}
		if !ok || members[k] < 2 || taken[k.stem] > 1 {
			all = append(all, grouped{Array{Name: t.Name, Entries: []Entry{entry}}, t.Group})
			continue
		}
		i, begun := at[k]
		if !begun {
			i = len(all)
			at[k] = i
			all = append(all, grouped{Array{Name: k.stem, Indexed: true, Entries: make([]Entry, length[k])}, t.Group})
			for j := range all[i].Entries {
				all[i].Entries[j].Weights = make([]float64, len(m.Stages))
			}
		}
		all[i].Entries[index] = entry
	}
	return all
}

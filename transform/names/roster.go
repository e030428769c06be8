package names

import (
	"bytes"
	"hash/maphash"
	"slices"

	"kifu/internal/lists"
)

// roster holds the players of a dataset by number, each in some fifty bytes and its name:
// there may be millions.
type roster struct {
	text        []byte   // of the names, one after the other
	ends        []uint64 // of the names in text
	games       []int64
	first, last []int32 // numbers of dates; 0: none is known
	low, high   []int32 // ratings; 0: none is known
	dates       dates

	seed  maphash.Seed
	slots []int32 // open addressing, a power of two: the number of a player plus 1; 0 is free
}

// dates numbers the dates that occur, from 1.
type dates struct {
	texts  []string
	number map[string]int32
}

func newRoster() *roster {
	return &roster{seed: maphash.MakeSeed(), slots: make([]int32, 1<<10), dates: dates{[]string{""}, map[string]int32{}}}
}

func (r *roster) len() int { return len(r.ends) }

// name returns the name of player i, valid until a player is added.
func (r *roster) name(i int32) []byte {
	from := uint64(0)
	if i > 0 {
		from = r.ends[i-1]
	}
	return r.text[from:r.ends[i]]
}

// at returns player i.
func (r *roster) at(i int32) Player {
	return Player{
		Name: string(r.name(i)), Games: r.games[i], First: r.dates.texts[r.first[i]], Last: r.dates.texts[r.last[i]],
		EloLow: r.low[i], EloHigh: r.high[i],
	}
}

// find returns the number of the player of a name, -1 without one.
func (r *roster) find(name []byte) int32 { return r.slots[r.slot(name)] - 1 }

// slot returns the place of a name in slots, or the free one where it belongs.
func (r *roster) slot(name []byte) int {
	mask := uint64(len(r.slots) - 1)
	at := maphash.Bytes(r.seed, name) & mask
	for r.slots[at] != 0 && !bytes.Equal(r.name(r.slots[at]-1), name) {
		at = (at + 1) & mask
	}
	return int(at)
}

// add returns the number of the player of a name, a new one for a name that is new.
func (r *roster) add(name []byte) int32 {
	at := r.slot(name)
	if i := r.slots[at] - 1; i >= 0 {
		return i
	}
	r.text = append(r.text, name...)
	r.ends = append(r.ends, uint64(len(r.text)))
	r.games = append(r.games, 0)
	r.first, r.last = append(r.first, 0), append(r.last, 0)
	r.low, r.high = append(r.low, 0), append(r.high, 0)
	i := int32(r.len() - 1)
	r.slots[at] = i + 1
	if 3*r.len() > 2*len(r.slots) {
		r.enter(2 * len(r.slots))
	}
	return i
}

// enter makes slots again, size of them.
func (r *roster) enter(size int) {
	r.slots = nil // before there are new ones
	r.slots = make([]int32, size)
	for i := range int32(r.len()) {
		r.slots[r.slot(r.name(i))] = i + 1
	}
}

// seen notes a date on which player i played.
func (r *roster) seen(i int32, date []byte) {
	n := r.dates.number[string(date)]
	if n == 0 {
		n = int32(len(r.dates.texts))
		r.dates.texts = append(r.dates.texts, string(date))
		r.dates.number[string(date)] = n
	}
	text := r.dates.texts
	if r.first[i] == 0 || text[n] < text[r.first[i]] {
		r.first[i] = n
	}
	if text[n] > text[r.last[i]] {
		r.last[i] = n
	}
}

// rated notes a rating of player i.
func (r *roster) rated(i, elo int32) {
	if r.low[i] == 0 || elo < r.low[i] {
		r.low[i] = elo
	}
	r.high[i] = max(r.high[i], elo)
}

// sort numbers the players in order of their names.
func (r *roster) sort() {
	order := lists.N(r.len(), func(i int) int32 { return int32(i) })
	slices.SortFunc(order, func(a, b int32) int { return bytes.Compare(r.name(a), r.name(b)) })
	text, ends := make([]byte, 0, len(r.text)), make([]uint64, 0, len(r.ends))
	for _, i := range order {
		text = append(text, r.name(i)...)
		ends = append(ends, uint64(len(text)))
	}
	r.text, r.ends = text, ends
	r.games = inOrder(r.games, order)
	for _, x := range []*[]int32{&r.first, &r.last, &r.low, &r.high} {
		*x = inOrder(*x, order)
	}
	r.enter(len(r.slots))
}

func inOrder[T any](x []T, order []int32) []T {
	return lists.Of(order, func(i int32) T { return x[i] })
}

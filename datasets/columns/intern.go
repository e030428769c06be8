package columns

import (
	"bytes"
	"math"
	"slices"

	"kifu/schemas"
)

// A dictionary larger than this in values or bytes is given up: the column is written
// without one.
const (
	maxDictionary      = 1 << 16
	maxDictionaryBytes = 1 << 20
)

// interner numbers the distinct values of a column in the order in which they come.
type interner struct {
	first []int32  // where each value came first, by number
	index []uint32 // the numbers of the present cells, one after the other
	bytes int      // of the distinct values
	pages []int32  // by number: the last page, counted from 1, that has the value

	direct []uint32 // Int16: number+1 by value
	slots  []slot   // others: open addressing, a power of two
	long   map[string]uint32
}

type slot struct {
	key    uint64
	number uint32 // plus 1; 0 is free
}

const (
	directValues = 1 << 16
	smallTable   = 1 << 13
)

func (t *interner) reset() {
	t.first, t.index, t.pages, t.bytes = t.first[:0], t.index[:0], t.pages[:0], 0
	clear(t.direct)
	clear(t.long)
	if len(t.slots) > smallTable {
		t.slots = nil // sooner made again than cleared for every column
	}
	clear(t.slots)
}

// add numbers the present cells from to to, which are one page, and returns the bounds
// of their values; false when the dictionary is too large.
func (t *interner) add(c cells, from, to, page int) (least, greatest int, ok bool) {
	switch v := c.v; v.Column.Type {
	case schemas.Int16:
		if len(t.direct) == 0 {
			t.direct = make([]uint32, directValues)
		}
		t.addDirect(v.Int32, c.present, from, to, int32(page))
	case schemas.Int32, schemas.Int32List:
		addKeys(t, c, from, to, page, func(i int) uint64 { return uint64(uint32(v.Int32[i])) })
	case schemas.Int64:
		addKeys(t, c, from, to, page, func(i int) uint64 { return uint64(v.Int64[i]) })
	case schemas.Uint64:
		addKeys(t, c, from, to, page, func(i int) uint64 { return v.Uint64[i] })
	case schemas.Float32:
		if !t.addFloats(v.Float32, c.present, from, to, page) {
			return -1, -1, false
		}
	case schemas.Float64:
		addKeys(t, c, from, to, page, func(i int) uint64 { return math.Float64bits(v.Float64[i]) })
	default:
		t.addTexts(c, from, to, page)
	}
	if len(t.first) > maxDictionary || t.bytes > maxDictionaryBytes {
		return -1, -1, false
	}
	least, greatest = -1, -1
	for number, p := range t.pages {
		if p == int32(page) {
			least, greatest = c.widen(least, greatest, int(t.first[number]))
		}
	}
	return least, greatest, true
}

// rank numbers the values by how often they are there, the most frequent first.
func (t *interner) rank() {
	times, order := make([]int, len(t.first)), make([]int, len(t.first))
	for _, n := range t.index {
		times[n]++
	}
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return times[b] - times[a] })
	first, to := make([]int32, len(order)), make([]uint32, len(order))
	for i, o := range order {
		first[i], to[o] = t.first[o], uint32(i)
	}
	t.first = first
	for i, n := range t.index {
		t.index[i] = to[n]
	}
}

func (t *interner) enter(cell, page, size int) uint32 {
	t.first = append(t.first, int32(cell))
	t.pages = append(t.pages, int32(page))
	t.bytes += size
	return uint32(len(t.first) - 1)
}

// addDirect is add for Int16. Neighbours are often equal.
func (t *interner) addDirect(x []int32, present []bool, from, to int, page int32) {
	t.index = slices.Grow(t.index, to-from)
	last, number := int32(math.MinInt32), uint32(0)
	for i := from; i < to; i++ {
		if present != nil && !present[i] {
			continue
		}
		if x[i] != last {
			last = x[i]
			entry := &t.direct[uint16(last)]
			if *entry == 0 {
				*entry = t.enter(i, int(page), 4) + 1
			}
			number = *entry - 1
			t.pages[number] = page
		}
		t.index = append(t.index, number)
	}
}

// addFloats is add for Float32. It gives up where more than a quarter of the values are distinct: a dictionary would take
// more room than it saves.
func (t *interner) addFloats(x []float32, present []bool, from, to, page int) bool {
	most := max(1024, (len(t.index)+to-from)/4)
	t.index = slices.Grow(t.index, to-from)
	for i := from; i < to; i++ {
		if present != nil && !present[i] {
			continue
		}
		key := uint64(math.Float32bits(x[i]))
		if len(t.slots) > 0 { // most values are at their first place
			if s := &t.slots[scramble(key)&uint64(len(t.slots)-1)]; s.key == key && s.number != 0 {
				t.pages[s.number-1] = int32(page)
				t.index = append(t.index, s.number-1)
				continue
			}
		}
		t.index = append(t.index, t.number(key, i, page, 4))
		if len(t.first) > most {
			return false
		}
	}
	return true
}

func addKeys(t *interner, c cells, from, to, page int, key func(int) uint64) {
	t.index = slices.Grow(t.index, to-from)
	last, number, begun := uint64(0), uint32(0), false
	for i := from; i < to; i++ {
		if c.present != nil && !c.present[i] {
			continue
		}
		if k := key(i); k != last || !begun {
			last, number, begun = k, t.number(k, i, page, 8), true
		}
		t.index = append(t.index, number)
	}
}

// addTexts is add for columns of bytes. Neighbours are often equal. Texts of up to seven bytes go by their bytes
// and length as a number.
func (t *interner) addTexts(c cells, from, to, page int) {
	if t.long == nil {
		t.long = map[string]uint32{}
	}
	t.index = slices.Grow(t.index, to-from)
	last := -1
	for i := from; i < to; i++ {
		if c.present != nil && !c.present[i] {
			continue
		}
		text := c.text(i)
		if last >= 0 && bytes.Equal(text, c.text(last)) {
			t.index = append(t.index, t.index[len(t.index)-1])
			continue
		}
		last = i
		if len(text) < 8 {
			key := uint64(len(text))
			for _, b := range text {
				key = key<<8 | uint64(b)
			}
			t.index = append(t.index, t.number(key, i, page, 4+len(text)))
			continue
		}
		number, seen := t.long[string(text)]
		if !seen {
			number = t.enter(i, page, 4+len(text))
			t.long[string(text)] = number
		}
		t.pages[number] = int32(page)
		t.index = append(t.index, number)
	}
}

// number returns the number of a key, which is at a cell.
func (t *interner) number(key uint64, cell, page, size int) uint32 {
	if 2*len(t.first) >= len(t.slots) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	at := scramble(key) & mask
	for t.slots[at].number != 0 && t.slots[at].key != key {
		at = (at + 1) & mask
	}
	s := &t.slots[at]
	if s.number == 0 {
		s.key, s.number = key, t.enter(cell, page, size)+1
	}
	t.pages[s.number-1] = int32(page)
	return s.number - 1
}

func (t *interner) grow() {
	old := t.slots
	t.slots = make([]slot, max(1024, 2*len(old)))
	mask := uint64(len(t.slots) - 1)
	for _, s := range old {
		if s.number == 0 {
			continue
		}
		at := scramble(s.key) & mask
		for t.slots[at].number != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = s
	}
}

// scramble spreads keys over the table.
func scramble(key uint64) uint64 {
	key *= 0x9e3779b97f4a7c15
	return key ^ key>>32
}

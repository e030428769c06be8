package shapes

// numbers numbers keys from 0 in the order in which they are added. Keys are hashes, so
// their low bits select the slot; a slot holds a number + 1, 0 when it is free.
type numbers struct {
	keys  []uint64 // by number
	slots []uint32
}

// add gives a new key the next number.
func (t *numbers) add(key uint64) {
	if 2*len(t.keys) >= len(t.slots) {
		t.slots = make([]uint32, max(1024, 2*len(t.slots)))
		for i := range t.keys {
			t.put(uint32(i))
		}
	}
	t.keys = append(t.keys, key)
	t.put(uint32(len(t.keys) - 1))
}

func (t *numbers) put(number uint32) {
	mask := uint64(len(t.slots) - 1)
	at := t.keys[number] & mask
	for t.slots[at] != 0 {
		at = (at + 1) & mask
	}
	t.slots[at] = number + 1
}

// find returns the number of a key.
func (t *numbers) find(key uint64) (number uint32, ok bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	mask := uint64(len(t.slots) - 1)
	for at := key & mask; t.slots[at] != 0; at = (at + 1) & mask {
		if n := t.slots[at] - 1; t.keys[n] == key {
			return n, true
		}
	}
	return 0, false
}

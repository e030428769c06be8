package names

import (
	"cmp"
	"hash/maphash"
	"slices"

	"kifu/internal/person"
)

// What heads asks of a name, so that millions need not be parsed again for it.
const (
	isSingle = 1 << iota
	isHanText
	hasGiven
)

func kindOf(f *person.Form) (kind uint8) {
	if f.Single {
		kind |= isSingle
	}
	if f.Han {
		kind |= isHanText
	}
	if len(f.Given) > 0 {
		kind |= hasGiven
	}
	return kind
}

// form returns the parsed name of player i. Names are parsed on demand: the
// forms of all would take many times the memory of the names.
func (m *matcher) form(i int32) *person.Form {
	if f := m.forms[i]; f != nil {
		return f
	}
	f, _ := person.Parse(string(m.players.name(i)), m.known)
	m.forms[i] = &f
	return &f
}

// keptForms is how many forms are kept for the block after theirs.
const keptForms = 1 << 16

// forget drops the forms, when there are many.
func (m *matcher) forget() {
	if len(m.forms) > keptForms {
		m.forms = map[int32]*person.Form{}
	}
}

// keyed is a player with the hash of a key.
type keyed struct {
	hash uint64
	i    int32
}

// blocks calls f with the names that share a key, in the order of their games: the
// first is the head. An empty key is none. The blocks come in the order of their first
// names. Keys are sorted by their hashes, not kept, and keys of equal hashes are compared.
func (m *matcher) blocks(of []int32, key func(i int32) string, f func(block []int32)) {
	full := func(i int32) string {
		k := key(i)
		if k != "" {
			k += "\x00" + m.form(i).Numbers
		}
		return k
	}
	seed := maphash.MakeSeed()
	keys := make([]keyed, 0, len(of))
	for _, i := range of {
		if k := full(i); k != "" {
			keys = append(keys, keyed{maphash.String(seed, k), i})
		}
		m.forget()
	}
	slices.SortFunc(keys, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.i, b.i)) })
	var blocks [][]int32
	for from, to := 0, 0; from < len(keys); from = to {
		for to = from + 1; to < len(keys) && keys[to].hash == keys[from].hash; to++ {
		}
		if to-from > 1 {
			blocks = append(blocks, m.alike(keys[from:to], full)...)
		}
		m.forget()
	}
	keys = nil
	slices.SortFunc(blocks, func(a, b []int32) int { return cmp.Compare(a[0], b[0]) })
	for _, block := range blocks {
		slices.SortFunc(block, m.byGames)
		f(block)
		m.forget()
	}
}

// alike returns the blocks of two names or more among keys of one hash, nearly always one.
func (m *matcher) alike(keys []keyed, key func(i int32) string) (blocks [][]int32) {
	first := key(keys[0].i)
	var block []int32
	var others []keyed
	for _, k := range keys {
		if key(k.i) == first {
			block = append(block, k.i)
		} else {
			others = append(others, k)
		}
	}
	if len(block) > 1 {
		blocks = append(blocks, block)
	}
	if len(others) > 1 {
		blocks = append(blocks, m.alike(others, key)...)
	}
	return blocks
}

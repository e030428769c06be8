package syzygy

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// constant is a table that says the same of all positions.
func constant(name string, orders []byte, value byte) []byte {
	flags := byte(1)
	data := append(slices.Clone(magic), flags)
	data = append(data, orders...)
	if len(data)%2 == 1 {
		data = append(data, 0)
	}
	return append(data, 0x80, value, 0x80, value)
}

// coded is a table of one code, of symbols that stand for values.
func coded(orders []byte) []byte {
	data := append(append(slices.Clone(magic), 1), orders...)
	if len(data)%2 == 1 {
		data = append(data, 0)
	}
	for range 2 {
		data = append(data, 0, 6, 8, 0, 1, 0, 0, 0, 2, 1) // flags, sizes, one block, lengths of codes
		data = append(data, 0, 0, 0, 0)                   // offsets
		data = append(data, 2, 0, 1, 0xf0, 0xff, 3, 0xf0, 0xff)
	}
	for range 2 * 200 {
		data = binary.LittleEndian.AppendUint32(data, 0)
	}
	return append(data, make([]byte, 4096)...)
}

// FuzzTable: whatever the bytes of a table, an error or a value of wins, draws and losses.
func FuzzTable(f *testing.F) {
	names := []string{"KRvK", "KPvK", "KvK", "KRvKP", "KPvKP", "KQRvKB", "KPPvKP"}
	f.Add(0, uint64(1), constant("KRvK", []byte{0, 0x66, 0x44, 0xee}, 4))
	f.Add(0, uint64(2), constant("KRvK", []byte{0, 0x44, 0x44, 0x44}, 4))
	f.Add(0, uint64(3), coded([]byte{0, 0x66, 0x44, 0xee}))
	f.Fuzz(func(t *testing.T, which int, seed uint64, data []byte) {
		name := names[uint(which)%uint(len(names))]
		tb, err := read(name, data)
		if err != nil {
			return
		}
		all := &Tables{paths: map[string]string{name: "x"}, open: map[string]*table{name: tb}}
		rng := rand.New(rand.NewPCG(seed, 0))
		for range 4 {
			p, ok := random(rng, name)
			if !ok {
				continue
			}
			if v, err := all.look(&p); err == nil && (v < Loss || v > Win) {
				t.Errorf("%s: %d", name, v)
			}
		}
	})
}

package eval

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

// The bytes are worked out by hand from the description of the format.
func TestPacked(t *testing.T) {
	for _, c := range []struct {
		features []Feature
		packed   []byte
	}{
		{nil, nil},
		{[]Feature{{0, -1}, {1, 1}, {2, -2}, {3, 2}, {4, -3}, {5, 3}, {6, -4}}, []byte{0, 1, 2, 3, 4, 5, 6}},
		{[]Feature{{0, 4}, {1, -5}, {2, 5}}, []byte{7, 0, 7, 1, 7, 2}},
		{[]Feature{{15, 1}, {32, 1}}, []byte{15<<3 | 1, 0x81, 0x01}},
		{[]Feature{{3, 1}, {4, 0}, {5, 1}}, []byte{3<<3 | 1, 1<<3 | 1}},
		{[]Feature{{0, math.MinInt16}}, []byte{7, 0xf7, 0xff, 0x03}},
		{[]Feature{{0, math.MaxInt16}, {math.MaxUint16, 1}}, []byte{7, 0xf6, 0xff, 0x03, 0xf1, 0xff, 0x1f}},
	} {
		packed := AppendPacked(nil, c.features)
		if !bytes.Equal(packed, c.packed) {
			t.Errorf("%v is packed as %#v, want %#v", c.features, packed, c.packed)
		}
		back, err := AppendUnpacked(nil, c.packed)
		want := slices.DeleteFunc(slices.Clone(c.features), func(f Feature) bool { return f.Count == 0 })
		if err != nil || !slices.Equal(back, want) {
			t.Errorf("%#v is %v, %v; want %v", c.packed, back, err, want)
		}
	}
}

func TestUnpackDamaged(t *testing.T) {
	for _, packed := range [][]byte{
		{0x80},                         // ends in the middle of a number
		{7},                            // the count is missing
		{7, 0xf8, 0xff, 0x03},          // a count beyond 16 bits
		{0x81, 0x80, 0x80, 0x40},       // a term beyond maxTerms
		bytes.Repeat([]byte{0xff}, 11), // no number
		{7, 255, 255, 255, 255, 255, 255, 255, 255}, // no count
	} {
		if f, err := AppendUnpacked(nil, packed); err == nil {
			t.Errorf("%#v is read as %v", packed, f)
		}
	}
}

// TestPackFar: terms beyond 16 bits come back.
func TestPackFar(t *testing.T) {
	want := []Feature{{Term: 3, Count: -1}, {Term: 70_000, Count: 300}, {Term: maxTerms - 1, Count: -32768}}
	got, err := AppendUnpacked(nil, AppendPacked(nil, want))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

// FuzzUnpack: what is read is written back as it is read, whatever the bytes.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte{0, 1, 7, 0, 0x81, 0x01})
	f.Fuzz(func(t *testing.T, packed []byte) {
		features, err := AppendUnpacked(nil, packed)
		if err != nil {
			return
		}
		again, err := AppendUnpacked(nil, AppendPacked(nil, features))
		if err != nil || !slices.Equal(again, features) {
			t.Errorf("%v became %v, %v", features, again, err)
		}
	})
}

package columns_test

import (
	"math/rand/v2"
	"testing"

	"kifu/datasets/columns"
	"kifu/kit/sound"
	"kifu/schemas"
)

// FuzzColumns: whatever the decoded columns of a row group hold, the first value outside its
// domain is named, and what passes is inside: numbers in bounds, lists as long as their count.
func FuzzColumns(f *testing.F) {
	table := schemas.Played(true)
	f.Add(uint64(1), uint64(0), []byte("first"))
	f.Add(uint64(7), uint64(1<<63), []byte("\xff\x00a"))
	b := columns.NewBatch(table)
	f.Fuzz(func(t *testing.T, seed, bits uint64, text []byte) {
		b.Reset()
		sound.Fill(b, 2)
		r := rand.New(rand.NewPCG(seed, bits))
		v := &b.Cols[r.IntN(len(b.Cols))]
		corrupt(v, r, bits, text)
		fault := b.Outside()
		low, high := v.Column.Bounds()
		for i, x := range v.Int32 {
			out := (float64(x) < low || float64(x) > high) && (len(v.ItemOK) == 0 || v.ItemOK[i])
			if out && fault == nil {
				t.Errorf("%s: %d passes", v.Column.Name, x)
			}
		}
		if fault != nil && (fault.Row < 0 || fault.Row >= 2 || fault.What == "") {
			t.Errorf("%s: %+v", v.Column.Name, fault)
		}
	})
}

// corrupt changes the values of v, not their number of rows.
func corrupt(v *columns.Vec, r *rand.Rand, bits uint64, text []byte) {
	for i := range v.Int32 {
		v.Int32[i] = int32(bits >> r.IntN(33))
	}
	for i := range v.Int64 {
		v.Int64[i] = int64(bits)
	}
	switch rows := len(v.ListEnds); {
	case v.Column.Type == schemas.Int32List:
		v.ListEnds[0] = int32(r.IntN(len(v.Int32) + 1))
	case rows > 0: // a map
		v.Bytes = append(v.Bytes[:0], text...)
		for i := range v.Ends {
			v.Ends[i] = int32(len(text) * (i + 1) / len(v.Ends))
		}
	case len(v.Ends) > 0:
		v.Bytes = append(v.Bytes[:0], text...)
		v.Ends[0], v.Ends[1] = int32(r.IntN(len(text)+1)), int32(len(text))
	}
}

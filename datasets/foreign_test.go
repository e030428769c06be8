package datasets

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/schemas"
)

// TestCheckParquet: a whole file passes; with a byte of its footer or its page headers changed
// it is an error that names it, or is read as another whole file, and never a panic.
func TestCheckParquet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	text, err := os.ReadFile(filepath.Join(small(t, 5), partName(0)))
	if err != nil {
		t.Fatal(err)
	}
	check := func(text []byte) error {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		return CheckParquet(path)
	}
	if err := check(text); err != nil {
		t.Fatal(err)
	}
	refused := 0
	for i := range text {
		damaged := slices.Clone(text)
		damaged[i] ^= 0xff
		if err := check(damaged); err != nil {
			refused++
			if !strings.Contains(err.Error(), path) {
				t.Errorf("byte %d: %v", i, err)
			}
		}
	}
	if err := check(text[:len(text)/2]); err == nil {
		t.Error("half a file passes")
	}
	if refused < len(text)/4 {
		t.Errorf("of %d damaged files %d are refused", len(text), refused)
	}
	t.Logf("of %d damaged files %d are refused", len(text), refused)
}

// FuzzColumns: whatever the decoded columns of a row group hold, the first value outside its
// domain is named, and what passes is inside: numbers in bounds, lists as long as their count.
func FuzzColumns(f *testing.F) {
	table := schemas.Played(true)
	f.Add(uint64(1), uint64(0), []byte("first"))
	f.Add(uint64(7), uint64(1<<63), []byte("\xff\x00a"))
	b := NewBatch(table)
	f.Fuzz(func(t *testing.T, seed, bits uint64, text []byte) {
		b.Reset()
		sound(b, 2)
		r := rand.New(rand.NewPCG(seed, bits))
		v := &b.Cols[r.IntN(len(b.Cols))]
		corrupt(v, r, bits, text)
		fault := v.outside(b)
		low, high := v.Column.Bounds()
		for i, x := range v.Int32 {
			out := (float64(x) < low || float64(x) > high) && (len(v.ItemOK) == 0 || v.ItemOK[i])
			if out && fault == nil {
				t.Errorf("%s: %d passes", v.Column.Name, x)
			}
		}
		if fault != nil && (fault.row < 0 || fault.row >= 2 || fault.what == "") {
			t.Errorf("%s: %+v", v.Column.Name, fault)
		}
	})
}

// corrupt changes the values of v, not their number of rows.
func corrupt(v *Vec, r *rand.Rand, bits uint64, text []byte) {
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

package datasets

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"

	"kifu/datasets/columns"
	"kifu/kit/sound"
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
		return CheckParquet(context.Background(), path)
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

// TestClaims: footers and page headers of a few bytes that claim gigabytes are errors, and no room is made
// for what they claim.
func TestClaims(t *testing.T) {
	footer := func(body ...byte) []byte {
		file := append([]byte(columns.Magic), body...)
		return append(binary.LittleEndian.AppendUint32(file, uint32(len(body))), columns.Magic...)
	}
	most := []byte{0xff, 0xff, 0xff, 0xff, 7}
	for what, text := range map[string][]byte{
		"columns":           footer(slices.Concat([]byte{0x15, 2, 0x19, 0xfc}, most, make([]byte, 20))...),
		"a name":            footer(slices.Concat([]byte{0x15, 2, 0x19, 0x1c, 0x48}, most, make([]byte, 20))...),
		"pairs":             footer(slices.Concat([]byte{0x1b}, most, []byte{0xcc}, make([]byte, 20))...),
		"depth":             footer(bytes.Repeat([]byte{0x1c}, 1<<20)...),
		"a footer":          append([]byte(columns.Magic+"\x00\x00\x00\x00\xff\xff\xff\x7f"), columns.Magic...),
		"a page":            claimedPage(t, math.MaxInt32),
		"a page of nothing": claimedPage(t, -1),
	} {
		path := filepath.Join(t.TempDir(), "x.parquet")
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := CheckParquet(context.Background(), path)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", what, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
			t.Errorf("%s: %d MB", what, took>>20)
		}
	}
}

// claimedPage is a file of one column whose page header claims so many bytes.
func claimedPage(t *testing.T, size int32) []byte {
	var file bytes.Buffer
	if err := parquet.Write(&file, []struct{ A int64 }{{1}, {2}}); err != nil {
		t.Fatal(err)
	}
	text := file.Bytes()
	pf, err := OpenParquet(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	meta := *pf.Metadata()
	m := &meta.RowGroups[0].Columns[0].MetaData
	from, end := begin(m), begin(m)+m.TotalCompressedSize
	h, n, err := pageHeader(bytes.NewReader(text), from, end)
	if err != nil {
		t.Fatal(err)
	}
	h.UncompressedPageSize = size
	header, err := thrift.Marshal(new(thrift.CompactProtocol), &h)
	if err != nil {
		t.Fatal(err)
	}
	m.TotalCompressedSize += int64(len(header) - n)
	body, err := thrift.Marshal(new(thrift.CompactProtocol), &meta)
	if err != nil {
		t.Fatal(err)
	}
	made := slices.Concat(text[:from], header, text[from+int64(n):end], body)
	return append(binary.LittleEndian.AppendUint32(made, uint32(len(body))), columns.Magic...)
}

// TestCheckedOnce: a file that was read is not read again until it is another.
func TestCheckedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	good := claimedPage(t, 16)
	if err := os.WriteFile(path, good, 0o666); err != nil {
		t.Fatal(err)
	}
	m := recall(WithMemory(context.Background(), t.TempDir()), path)
	m.settled = 0
	cost := func() uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := m.parquet(path); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if first, second := cost(), cost(); second > first/4 {
		t.Errorf("%d bytes the first time, %d the second", first, second)
	}
	if err := os.WriteFile(path, good[:len(good)-1], 0o666); err != nil {
		t.Fatal(err)
	}
	if err := m.parquet(path); err == nil {
		t.Error("a file that was cut passes")
	}
}

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

package part

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"

	"kifu/datasets/columns"
)

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
		err := Check(path)
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
	pf, err := Parquet(bytes.NewReader(text), int64(len(text)))
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

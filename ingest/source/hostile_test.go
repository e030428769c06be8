package source

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

// table7zOf returns a 7z archive of packed bytes and a table.
func table7zOf(packed []byte, table ...byte) []byte {
	start := binary.LittleEndian.AppendUint64(nil, uint64(len(packed)))
	start = binary.LittleEndian.AppendUint64(start, uint64(len(table)))
	start = binary.LittleEndian.AppendUint32(start, crc32.ChecksumIEEE(table))
	all := append(bytes.Clone(magic7z), 0, 4)
	all = binary.LittleEndian.AppendUint32(all, crc32.ChecksumIEEE(start))
	return append(append(append(all, start...), packed...), table...)
}

// number7z writes a number in nine bytes.
func number7z(n uint64) []byte { return binary.LittleEndian.AppendUint64([]byte{0xFF}, n) }

// member7z returns an archive of one member, coded by one method with properties.
func member7z(packed []byte, size int, method, properties []byte) []byte {
	table := []byte{1, 4, 6, 0, 1, 9}
	table = append(append(table, number7z(uint64(len(packed)))...), 0)
	table = append(table, 7, 11, 1, 0, 1, byte(len(method))|0x20)
	table = append(append(append(table, method...), byte(len(properties))), properties...)
	table = append(append(append(table, 12), number7z(uint64(size))...), 0, 0)
	table = append(table, 5, 1, 17, 13, 0)
	table = append(table, "a\x00.\x00p\x00g\x00n\x00\x00\x00"...)
	return table7zOf(packed, append(table, 0, 0)...)
}

// read7z returns the members' contents and the first error.
func read7z(data []byte) (all []string, err error) {
	a := open7z(bytes.NewReader(data), int64(len(data)))
	for {
		if _, err := a.next(); err != nil {
			return all, err
		}
		r, err := a.open()
		if err != nil {
			return all, err
		}
		text, err := io.ReadAll(io.LimitReader(r, 1<<20))
		r.Close()
		if err != nil {
			return all, err
		}
		all = append(all, string(text))
	}
}

// TestSevenZipClaims: an archive that claims members, tables or dictionaries which it cannot
// have, or that need more memory than there should be, is an error before room is made.
func TestSevenZipClaims(t *testing.T) {
	text := []byte("[Event \"x\"]\n\n1. e4 e5 1-0\n")
	var packed bytes.Buffer
	w, err := lzma.WriterConfig{DictCap: 1 << 16, Size: int64(len(text))}.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const header = 13 // of an LZMA file: properties, dictionary, size
	properties, coded := packed.Bytes()[:5], packed.Bytes()[header:]
	if all, err := read7z(member7z(coded, len(text), coderLZMA, properties)); err != io.EOF || len(all) != 1 || all[0] != string(text) {
		t.Fatalf("a good archive: %q, %v", all, err)
	}
	big := func(n uint32) []byte { return binary.LittleEndian.AppendUint32([]byte{properties[0]}, n) }
	files := func(n uint64) []byte { return table7zOf(nil, append(append([]byte{1, 5}, number7z(n)...), 0, 0)...) }
	wrongStart := files(1)
	wrongStart[8]++ // the library would look for another start
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"members":       {files(1 << 31), "damaged"},
		"many members":  {files(1 << 62), "damaged"},
		"no streams":    {table7zOf(nil, 1, 5, 1, 17, 5, 0, 'a', 0, 0, 0, 0, 0), ""},
		"start":         {append(wrongStart, files(1<<31)...), "damaged"},
		"LZMA":          {member7z(coded, len(text), coderLZMA, big(1<<31)), "too much memory"},
		"LZMA2":         {member7z(coded, len(text), coderLZMA2, []byte{40}), "too much memory"},
		"PPMd":          {member7z(coded, len(text), coderPPMd, big(1<<31)), "too much memory"},
		"table":         {table7zOf(coded, append(append([]byte{23, 6, 0, 1, 9, byte(len(coded)), 0, 7, 11, 1, 0, 1, 0x23, 3, 1, 1, 5}, properties...), append([]byte{12}, append(number7z(1<<40), 0, 0)...)...)...), "too much memory"},
		"lying size":    {member7z(coded, 1<<40, coderLZMA, properties), ""},
		"cut":           {member7z(coded, len(text), coderLZMA, properties)[:60], "damaged"},
		"table of text": {table7zOf(nil, text...), "damaged"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := read7z(c.data)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
			t.Errorf("%s: %d MB", name, took>>20)
		}
	}
}

// FuzzSevenZip: whatever the bytes, an error or members.
func FuzzSevenZip(f *testing.F) {
	for _, name := range []string{"records.7z", "hidden.7z", "encrypted.7z"} {
		data, err := os.ReadFile("../testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[32:], data[:0])
	}
	f.Fuzz(func(t *testing.T, packed, table []byte) {
		read7z(table7zOf(packed, table...))
	})
}

// dictionaryOf gives the first block of an xz file another size of dictionary.
func dictionaryOf(file []byte, property byte) []byte {
	const at = 12
	file = bytes.Clone(file)
	block := file[at : at+4*(int(file[at])+1)]
	block[2+bytes.Index(block[2:], []byte{0x21, 1})+2] = property
	binary.LittleEndian.PutUint32(block[len(block)-4:], crc32.ChecksumIEEE(block[:len(block)-4]))
	return file
}

func TestXzDictionaries(t *testing.T) {
	text := bytes.Repeat([]byte("[Event \"x\"]\n\n1. e4 e5 1-0\n\n"), 2999)
	blocks := func(size int64) []byte {
		var b bytes.Buffer
		w, err := xz.WriterConfig{BlockSize: size}.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	good := blocks(0)
	big := dictionaryOf(good, 40)
	padded := append(bytes.Clone(good), 0, 0, 0, 0, 0, 0, 0, 0)
	for name, c := range map[string]struct {
		data []byte
		want int // bytes before the error
		ok   bool
	}{
		"one stream":      {good, len(text), true},
		"blocks":          {blocks(10_000), len(text), true},
		"two streams":     {append(padded, good...), 2 * len(text), true},
		"refused":         {big, 0, false},
		"refused, second": {append(padded, big...), len(text), false},
	} {
		r, _, closer := decompress(bufio.NewReader(bytes.NewReader(c.data)))
		n, err := io.Copy(io.Discard, r)
		closer()
		if err == nil {
			if !c.ok || int(n) != c.want {
				t.Errorf("%s: %d bytes", name, n)
			}
		} else if reason, _ := Damage(name, err); c.ok || reason != "archive asks for too much memory" || int(n) != c.want {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
	}
	// Nor in a zip archive.
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	m, err := w.CreateRaw(&zip.FileHeader{Name: "a.pgn", Method: 95, CompressedSize64: uint64(len(big)), UncompressedSize64: uint64(len(text))})
	if err == nil {
		_, err = m.Write(big)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	a := openZip(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if _, err := a.next(); err != nil {
		t.Fatal(err)
	}
	r, err := a.open()
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	if reason, _ := Damage("", err); reason != "archive asks for too much memory" {
		t.Errorf("in a zip archive: %v", err)
	}
}

// FuzzXz: whatever the bytes, an error or the text.
func FuzzXz(f *testing.F) {
	var b bytes.Buffer
	w, err := xz.WriterConfig{BlockSize: 100}.NewWriter(&b)
	if err != nil {
		f.Fatal(err)
	}
	for range 50 {
		if _, err := w.Write([]byte("1. e4 e5 2. Nf3 Nc6\n")); err != nil {
			f.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(append(append(b.Bytes(), 0, 0, 0, 0), b.Bytes()...))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, _, closer := decompress(bufio.NewReader(bytes.NewReader(append([]byte(magicXz), data...))))
		io.Copy(io.Discard, io.LimitReader(r, 1<<20))
		closer()
	})
}

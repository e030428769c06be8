package source

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/ulikunitz/xz/lzma"
)

// The table of a 7z archive is at its end. The library that reads it allocates as many members
// as the table claims, and any dictionary that its coders request. So checkSevenZip reads the
// table first, by 7zFormat.txt of the LZMA SDK. It rejects sizes that the file cannot hold or
// that need more than maxWindow of memory. The library reports all other faults.

// Numbers that announce what follows (7zFormat.txt, "Property IDs").
const (
	id7zEnd, id7zHeader, id7zArchive, id7zMoreStreams, id7zStreams, id7zFiles          = 0, 1, 2, 3, 4, 5
	id7zPack, id7zUnpack, id7zSubStreams, id7zSize, id7zDigests, id7zFolder, id7zSizes = 6, 7, 8, 9, 10, 11, 12
	id7zCounts, id7zEncoded                                                            = 13, 23
)

// maxTable bounds the table of an archive: one of a million members has 60 MB.
const maxTable = 128 << 20

var errTable7z = errors.New("its table of members is damaged")

// checkSevenZip returns an error for an archive whose table cannot be trusted.
func checkSevenZip(r io.ReaderAt, size int64) error {
	var start [32]byte
	if _, err := r.ReadAt(start[:], 0); err != nil || crc32.ChecksumIEEE(start[12:]) != binary.LittleEndian.Uint32(start[8:]) {
		return errTable7z
	}
	offset, length := binary.LittleEndian.Uint64(start[12:]), binary.LittleEndian.Uint64(start[20:])
	if left := uint64(size) - uint64(len(start)); offset > left || length > left-offset {
		return errTable7z // cut short
	}
	if length > maxTable {
		return &Unread{"archive asks for too much memory", fmt.Sprintf("a table of %d MB", length>>20)}
	}
	table := make([]byte, length)
	if _, err := r.ReadAt(table, int64(len(start))+int64(offset)); err != nil {
		return err
	}
	t := &table7z{data: table}
	if t.peek() == id7zEncoded {
		t.byte()
		s := t.streams()
		if t.bad {
			return errTable7z
		}
		plain, err := s.decode(r)
		if err != nil {
			return err
		}
		t = &table7z{data: plain}
	}
	return t.header()
}

// header reads the list of members.
func (t *table7z) header() error {
	if t.byte() != id7zHeader {
		return errTable7z
	}
	members := 0
	if t.peek() == id7zStreams {
		t.byte()
		s := t.streams()
		for _, f := range s.folders {
			if err := f.memory(); err != nil {
				return err
			}
		}
		members = s.members
	}
	if t.peek() == id7zFiles {
		t.byte()
		const name = 2 // bytes, of an empty one
		if t.count(name) < members {
			return errTable7z
		}
	}
	if t.bad {
		return errTable7z
	}
	return nil
}

var (
	coderCopy  = []byte{0}
	coderLZMA  = []byte{3, 1, 1}
	coderLZMA2 = []byte{0x21}
	coderPPMd  = []byte{3, 4, 1}
	coderAES   = []byte{6, 0xF1, 7, 1}
)

// memory returns an error if the coders of f need more than maxWindow.
func (f folder7z) memory() error {
	for _, c := range f.coders {
		p, need := c.properties, int64(0)
		switch {
		case bytes.Equal(c.method, coderLZMA) && len(p) == 5, bytes.Equal(c.method, coderPPMd) && len(p) == 5:
			need = int64(binary.LittleEndian.Uint32(p[1:]))
		case bytes.Equal(c.method, coderLZMA2) && len(p) == 1:
			need = dictionary(p[0])
		}
		if need > maxWindow {
			return &Unread{"archive asks for too much memory", fmt.Sprintf("%d MB", need>>20)}
		}
	}
	return nil
}

// decode returns the table that s holds: programs write it plain or by LZMA.
func (s streams7z) decode(r io.ReaderAt) ([]byte, error) {
	if len(s.folders) != 1 || len(s.packed) < 1 {
		return nil, errTable7z
	}
	f := s.folders[0]
	for _, c := range f.coders {
		if bytes.Equal(c.method, coderAES) {
			return nil, errEncrypted
		}
	}
	if err := f.memory(); err != nil {
		return nil, err
	}
	c, size := f.coders[0], f.sizes[0]
	if size > maxTable {
		return nil, &Unread{"archive asks for too much memory", fmt.Sprintf("a table of %d MB", size>>20)}
	}
	const start = 32
	var in io.Reader = io.NewSectionReader(r, start+int64(s.position), int64(s.packed[0]))
	var err error
	switch {
	case len(f.coders) > 1:
		err = errTable7z
	case bytes.Equal(c.method, coderLZMA):
		in, err = lzma.NewReader(io.MultiReader(bytes.NewReader(binary.LittleEndian.AppendUint64(slices.Clone(c.properties), size)), in))
	case bytes.Equal(c.method, coderLZMA2) && len(c.properties) == 1:
		in, err = lzma.Reader2Config{DictCap: int(max(lzma.MinDictCap, dictionary(c.properties[0])))}.NewReader2(in)
	case !bytes.Equal(c.method, coderCopy):
		err = errTable7z
	}
	if err != nil {
		return nil, err
	}
	var plain bytes.Buffer // not at once: the size may be wrong
	_, err = io.CopyN(&plain, in, int64(size))
	return plain.Bytes(), err
}

// table7z reads a table. After something that is not as the format has it, it is bad, and
// all that is read of it is 0.
type table7z struct {
	data []byte
	bad  bool
}

func (t *table7z) next(n uint64) []byte {
	if n > uint64(len(t.data)) {
		t.bad, t.data = true, nil
		return nil
	}
	taken := t.data[:n]
	t.data = t.data[n:]
	return taken
}

func (t *table7z) peek() byte {
	if len(t.data) == 0 {
		t.bad = true
		return 0
	}
	return t.data[0]
}

func (t *table7z) byte() byte {
	b := t.peek()
	t.next(1)
	return b
}

// number reads a number of 1 to 9 bytes: the leading ones of the first byte count the bytes that follow.
func (t *table7z) number() uint64 {
	first := t.byte()
	var v uint64
	mask := byte(0x80)
	for i := range 8 {
		if first&mask == 0 {
			return v | uint64(first&(mask-1))<<(8*i)
		}
		v |= uint64(t.byte()) << (8 * i)
		mask >>= 1
	}
	return v
}

// count reads the number of things of which each takes a byte of the table or more.
func (t *table7z) count(per int) int {
	n := t.number()
	if n > uint64(len(t.data)/per)+1 {
		t.bad, t.data = true, nil
		return 0
	}
	return int(n)
}

// bits passes over n bits with the byte before them that reports whether all are set, and
// returns how many are.
func (t *table7z) bits(n int) int {
	if t.byte() != 0 {
		return n
	}
	set := 0
	for i, b := range t.next(uint64(n+7) / 8) {
		for k := range min(8, n-8*i) {
			set += int(b >> (7 - k) & 1)
		}
	}
	return set
}

func (t *table7z) digests(n int) { t.next(4 * uint64(t.bits(n))) }

// coder7z is one step from the packed bytes to a member's.
type coder7z struct {
	method, properties []byte
	in, out            int
}

type folder7z struct {
	coders []coder7z
	sizes  []uint64 // of what each coder puts out
}

// streams7z is the content of a StreamsInfo.
type streams7z struct {
	position uint64
	packed   []uint64
	folders  []folder7z
	members  int
}

func (t *table7z) streams() streams7z {
	var s streams7z
	if t.peek() == id7zPack {
		t.byte()
		s.position = t.number()
		n := t.count(1)
		if t.peek() == id7zSize {
			t.byte()
			for range n {
				s.packed = append(s.packed, t.number())
			}
		}
		if t.peek() == id7zDigests {
			t.byte()
			t.digests(n)
		}
		t.end()
	}
	if t.peek() == id7zUnpack {
		t.byte()
		s.folders = t.folders()
	}
	s.members = len(s.folders)
	if t.peek() == id7zSubStreams {
		t.byte()
		s.members = t.subStreams(s.folders)
	}
	t.end()
	return s
}

// end passes over the end of a list.
func (t *table7z) end() {
	if t.byte() != id7zEnd {
		t.bad, t.data = true, nil
	}
}

func (t *table7z) folders() []folder7z {
	if t.byte() != id7zFolder {
		t.bad, t.data = true, nil
	}
	folders := make([]folder7z, t.count(2))
	if t.byte() != 0 { // they are elsewhere: no program writes that
		t.bad, t.data = true, nil
	}
	for i := range folders {
		folders[i] = t.folder()
		if t.bad {
			return nil
		}
	}
	if t.byte() != id7zSizes {
		t.bad, t.data = true, nil
	}
	for i := range folders {
		f := &folders[i]
		for _, c := range f.coders {
			for range c.out {
				f.sizes = append(f.sizes, t.number())
			}
		}
	}
	if t.peek() == id7zDigests {
		t.byte()
		t.digests(len(folders))
	}
	t.end()
	return folders
}

func (t *table7z) folder() folder7z {
	const lengthOfID, complex, hasProperties = 0x0F, 0x10, 0x20
	var f folder7z
	in, out := 0, 0
	for range t.count(2) {
		flags := t.byte()
		c := coder7z{method: t.next(uint64(flags & lengthOfID)), in: 1, out: 1}
		if flags&complex != 0 {
			c.in, c.out = t.count(1), t.count(1)
		}
		if flags&hasProperties != 0 {
			c.properties = t.next(t.number())
		}
		in, out = in+c.in, out+c.out
		f.coders = append(f.coders, c)
	}
	for range out - 1 { // which coder puts into which
		t.number()
		t.number()
	}
	if packed := in - (out - 1); packed > 1 {
		for range min(packed, len(t.data)+1) {
			t.number()
		}
	}
	if in < 1 || out < 1 {
		t.bad, t.data = true, nil
	}
	return f
}

// subStreams returns how many members the folders have.
func (t *table7z) subStreams(folders []folder7z) (all int) {
	counts := make([]int, len(folders))
	for i := range counts {
		counts[i] = 1
	}
	if t.peek() == id7zCounts {
		t.byte()
		for i := range counts {
			counts[i] = t.count(1)
		}
	}
	sized := t.peek() == id7zSize
	if sized {
		t.byte()
	}
	for _, n := range counts {
		for range n - 1 { // the last has what is left
			if sized {
				t.number()
			}
		}
		if all += n; t.bad || all > maxTable {
			t.bad, t.data = true, nil
			return 0
		}
	}
	if t.peek() == id7zDigests {
		t.byte()
		t.digests(all)
	}
	t.end()
	return all
}

// dictionary returns the size of an LZMA2 dictionary from its property (the .xz file format 1.2.1, section
// 5.3.1).
func dictionary(property byte) int64 {
	bits := property & 0x3F
	return int64(2|bits&1) << (bits/2 + 11)
}

package syzygy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"

	"kifu/games"
	"kifu/games/chess"
)

// table is a file.
type table struct {
	unique int    // kinds of men of which a side has one
	pawns  [2]int // of the side that leads, and of the other
	split  bool   // the sides' men differ: a half for each side to move
	files  []file // of the leading pawn: four; one without pawns
}

type file [2]half

var (
	magic     = []byte{0x71, 0xe8, 0x23, 0x5d}
	errFormat = errors.New("not a table of wins, draws and losses (.rtbw)")
)

// read reads a table. Whatever is wrong with its bytes is one error.
func read(name string, data []byte) (tb *table, err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(error); !ok {
				panic(r)
			}
			err = errFormat // an index beyond the data
		}
	}()
	white, black, _ := strings.Cut(name, "v")
	if string(data[:4]) != string(magic) {
		return nil, errFormat
	}
	tb = &table{split: white != black, pawns: [2]int{strings.Count(white, "P"), strings.Count(black, "P")}}
	for _, k := range kinds {
		for _, side := range []string{white, black} {
			if strings.Count(side, string(k)) == 1 {
				tb.unique++
			}
		}
	}
	if p := &tb.pawns; p[1] > 0 && (p[0] == 0 || p[1] < p[0]) {
		p[0], p[1] = p[1], p[0]
	}
	if tb.split != (data[4]&1 != 0) || tb.pawns[0] > 0 != (data[4]&2 != 0) {
		return nil, errFormat
	}
	tb.layout(data, name)
	return tb, nil
}

// sides is the number of halves.
func (tb *table) sides() int {
	if tb.split {
		return 2
	}
	return 1
}

// layout reads the orders of the men, then the codes, the indexes, the lengths of blocks and the
// blocks of all halves.
func (tb *table) layout(data []byte, name string) {
	men := len(name) - 1
	tb.files = make([]file, 1)
	if tb.pawns[0] > 0 {
		tb.files = make([]file, 4)
	}
	at := 5
	sizes := make([][2]int, len(tb.files))
	for f := range tb.files {
		orders := 1
		if tb.pawns[1] > 0 {
			orders = 2
		}
		for side := range 2 {
			h, shift := &tb.files[f][side], 4*side
			order, order2 := int(data[at]>>shift&15), 15
			if orders == 2 {
				order2 = int(data[at+1] >> shift & 15)
			}
			for _, b := range data[at+orders : at+orders+men] {
				h.pieces = append(h.pieces, b>>shift&15)
			}
			if side < tb.sides() && !areMen(h.pieces, name) {
				panic(errFormat)
			}
			sizes[f][side] = tb.group(h, order, order2, f)
		}
		at += men + orders
	}
	at += at & 1
	halves := func(f func(h *half, size int)) {
		for i := range tb.files {
			for side := range tb.sides() {
				f(&tb.files[i][side], sizes[i][side])
			}
		}
	}
	halves(func(h *half, size int) { at = h.pairs.codes(data, at, size) })
	halves(func(h *half, _ int) { at = h.pairs.slice(&h.pairs.index, data, at, 6*h.pairs.indexes) })
	halves(func(h *half, _ int) { at = h.pairs.slice(&h.pairs.lengths, data, at, 2*h.pairs.allBlocks) })
	halves(func(h *half, _ int) {
		at = h.pairs.slice(&h.pairs.blocks, data, (at+63)&^63, h.pairs.realBlocks<<h.pairs.blockBits)
	})
}

// areMen reports whether pieces are the men of a table's name, equal kinds side by side.
func areMen(pieces []byte, name string) bool {
	white, black, _ := strings.Cut(name, "v")
	for i, p := range pieces {
		if i > 0 && p != pieces[i-1] && bytes.IndexByte(pieces[:i], p) >= 0 {
			return false
		}
	}
	for k, letter := range kinds {
		first := byte(chess.Pawn) + byte(k)
		if bytes.Count(pieces, []byte{first}) != strings.Count(white, string(letter)) || bytes.Count(pieces, []byte{first | 8}) != strings.Count(black, string(letter)) {
			return false
		}
	}
	return true
}

// probe returns the value of p for the side to move. swapped means that the table has Black's men
// as the first.
func (tb *table) probe(p *chess.Position, swapped bool) (v int, err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(error); !ok {
				panic(r)
			}
			err = errFormat
		}
	}()
	side := int(p.ToMove())
	if !tb.split {
		swapped, side = p.ToMove() == games.Second, 0
	} else if swapped {
		side ^= 1
	}
	turn := 0 // squares are seen from the side whose men come first
	if swapped && tb.pawns[0] > 0 {
		turn = 0x38
	}
	var buffer [maxMen]int
	squares := buffer[:0]
	put := func(piece byte) {
		owner := games.Side(piece >> 3)
		if swapped {
			owner ^= 1
		}
		for men := p.Kind(chess.Kind(piece&7)) & p.Side(owner); men != 0; men = men.Rest() {
			squares = append(squares, int(men.First())^turn)
		}
	}
	f := 0
	if tb.pawns[0] > 0 {
		put(tb.files[0][0].pieces[0])
		f = lead(squares)
	}
	h := &tb.files[f][side]
	for len(squares) < len(h.pieces) {
		put(h.pieces[len(squares)])
	}
	if v = h.pairs.value(tb.number(h, squares)) - 2; v < Loss || v > Win {
		return 0, errFormat
	}
	return v, nil
}

// pairs are values packed by recursive pairing: a symbol is a value or two symbols, and
// are written as canonical Huffman codes in blocks.
type pairs struct {
	constant   bool // one value, least, for all positions
	least      int  // length of the shortest code
	indexBits  int
	blockBits  int
	indexes    int
	realBlocks int
	allBlocks  int
	offsets    []byte   // of codes of each length: the first symbol
	bases      []uint64 // and the first code, at the high end
	symbols    []byte   // three bytes each: two symbols of twelve bits
	counts     []int    // values that a symbol unpacks to, less one

	index, lengths, blocks []byte
}

// codes reads the codes and returns where they end.
func (d *pairs) codes(data []byte, at, size int) int {
	flags, b := data[at], data[at:]
	if flags&0x80 != 0 {
		d.constant, d.least = true, int(b[1])
		return at + 2
	}
	d.blockBits, d.indexBits = int(b[1]), int(b[2])
	d.realBlocks = int(binary.LittleEndian.Uint32(b[4:]))
	d.allBlocks = d.realBlocks + int(b[3])
	most := int(b[8])
	d.least = int(b[9])
	d.indexes = (size + 1<<d.indexBits - 1) >> d.indexBits
	n := most - d.least + 1
	d.offsets = b[10 : 10+2*n]
	symbols := int(binary.LittleEndian.Uint16(b[10+2*n:]))
	d.symbols = b[12+2*n : 12+2*n+3*symbols]
	d.bases = make([]uint64, n)
	for i := n - 2; i >= 0; i-- {
		d.bases[i] = (d.bases[i+1] + d.offset(i) - d.offset(i+1)) / 2
	}
	for i := range d.bases {
		d.bases[i] <<= 64 - (d.least + i)
	}
	d.counts = make([]int, symbols)
	known := make([]bool, symbols)
	for s := range symbols {
		d.count(s, known, 0)
	}
	return at + 12 + 2*n + 3*symbols + symbols&1
}

func (d *pairs) offset(i int) uint64 { return uint64(binary.LittleEndian.Uint16(d.offsets[2*i:])) }

// pair returns the symbols that s unpacks to; the second is 0xfff if the first is a value.
func (d *pairs) pair(s int) (first, second int) {
	w := d.symbols[3*s:]
	return int(w[1]&15)<<8 | int(w[0]), int(w[2])<<4 | int(w[1]>>4)
}

// count counts the values of a symbol.
func (d *pairs) count(s int, known []bool, depth int) int {
	if known[s] {
		return d.counts[s]
	}
	if depth > len(d.counts) {
		panic(errFormat)
	}
	if a, b := d.pair(s); b != 0xfff {
		d.counts[s] = d.count(a, known, depth+1) + d.count(b, known, depth+1) + 1
	}
	known[s] = true
	return d.counts[s]
}

// slice makes a slice of the data and returns where it ends.
func (d *pairs) slice(dst *[]byte, data []byte, at, n int) int {
	if d.constant {
		return at
	}
	*dst = data[at : at+n]
	return at + n
}

// value returns the value of a position.
func (d *pairs) value(number int) int {
	if d.constant {
		return d.least
	}
	entry := d.index[6*(number>>d.indexBits):]
	block := int(binary.LittleEndian.Uint32(entry))
	left := number&(1<<d.indexBits-1) - 1<<(d.indexBits-1) + int(binary.LittleEndian.Uint16(entry[4:]))
	length := func() int { return int(binary.LittleEndian.Uint16(d.lengths[2*block:])) }
	for left < 0 {
		block--
		left += length() + 1
	}
	for left > length() {
		left -= length() + 1
		block++
	}
	return d.inBlock(d.blocks[block<<d.blockBits:], left)
}

// inBlock returns the value that left others precede in a block.
func (d *pairs) inBlock(data []byte, left int) int {
	code, at, used := binary.BigEndian.Uint64(data), 8, 0
	symbol := 0
	for {
		i := 0
		for code < d.bases[i] {
			i++
		}
		length := d.least + i
		symbol = int(d.offset(i) + (code-d.bases[i])>>(64-length))
		if left <= d.counts[symbol] {
			break
		}
		left -= d.counts[symbol] + 1
		code <<= length
		if used += length; used >= 32 {
			used -= 32
			if at+4 <= len(data) {
				code |= uint64(binary.BigEndian.Uint32(data[at:])) << used
			}
			at += 4
		}
	}
	for d.counts[symbol] > 0 {
		a, b := d.pair(symbol)
		if symbol = a; left > d.counts[a] {
			left -= d.counts[a] + 1
			symbol = b
		}
	}
	return int(d.symbols[3*symbol])
}

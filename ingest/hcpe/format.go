// Package hcpe reads the training data of Shogi engines into record.Games. hcpe is a packed position with
// value, move and result in 38 bytes, psv (PackedSfenValue) the same in 40 bytes. It knows syntax only: start
// positions are handed out as SFEN, moves in USI.
//
// Neither format marks the beginning of a game. A record belongs to the previous record's game if
// the previous move leads to its position and the result is the same. So games come back whole from
// files that hold them in order. In shuffled files, or files with gaps, each stretch is a game with
// its own start.
//
// There are no lines: record.Game.Line is the number of the game's first record, from 1.
package hcpe

import (
	"encoding/binary"

	"kifu/ingest/record"
	"kifu/internal/hcp"
)

// layout is one of the two formats. Both begin with position, value and move.
type layout struct {
	name string
	size int
	code *hcp.Code
	// result reads the result of a record, 0 a draw, 1 Black has won, 2 White.
	result func(rec []byte, white bool) (result uint8, ok bool)
}

var hcpeLayout = &layout{name: "hcpe", size: 38, code: hcp.Apery, result: func(rec []byte, _ bool) (uint8, bool) {
	return rec[36], rec[36] <= 2
}}

var psvLayout = &layout{name: "psv", size: 40, code: hcp.YaneuraOu, result: func(rec []byte, white bool) (uint8, bool) {
	switch r := int8(rec[38]); {
	case r == 0:
		return 0, true
	case r != 1 && r != -1:
		return 0, false
	case (r == 1) != white:
		return 1, true
	}
	return 2, true
}}

// Format returns the description of hcpe.
func Format() *record.Format { return hcpeLayout.format() }

// PSV returns the description of psv.
func PSV() *record.Format { return psvLayout.format() }

func (l *layout) format() *record.Format {
	return &record.Format{
		Name: l.name, Extensions: []string{"." + l.name},
		Recognize:   l.recognize,
		Holds:       record.Stretches,
		NewSplitter: l.cuts().Splitter,
		NewReader:   func(o record.Options) record.BlockReader { return &blockReader{layout: l, keep: o.Keep} },
		VariantTag:  record.TagVariant,
	}
}

// recognize reports whether head begins with two records: the code of a position, whose
// pieces make 256 bits exactly, is its own checksum.
func (l *layout) recognize(head []byte) bool {
	const enough = 2
	if len(head) < enough*l.size {
		return false
	}
	for i := range enough { // the cheapest check rejects most other files
		if _, ok := l.code.Move(binary.LittleEndian.Uint16(head[i*l.size+34:])); !ok {
			return false
		}
	}
	for i := range enough {
		if _, err := l.read(head[i*l.size:]); err != "" {
			return false
		}
	}
	return true
}

// item is a record.
type item struct {
	p      hcp.Position
	move   hcp.Move
	value  int16 // the mover's
	result uint8
}

// read reads a record; fault is the reason why it cannot be.
func (l *layout) read(rec []byte) (it item, fault string) {
	var err error
	if it.p, err = l.code.Decode(rec); err != nil {
		return it, err.Error()
	}
	it.value = int16(binary.LittleEndian.Uint16(rec[32:]))
	var ok bool
	if it.move, ok = l.code.Move(binary.LittleEndian.Uint16(rec[34:])); !ok {
		return it, "not a move"
	}
	if it.result, ok = l.result(rec, it.p.White); !ok {
		return it, "not a result"
	}
	return it, ""
}

// follows reports whether b goes on where a ends.
func follows(a, b *item) bool {
	after := a.p
	return a.result == b.result && after.Play(a.move) && after == b.p
}

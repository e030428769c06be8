package columns

import (
	"bytes"
	"encoding/gob"
	"fmt"

	"github.com/parquet-go/parquet-go/format"
)

// carried is a RowGroup on its way to another process.
type carried struct {
	Data   []byte
	Chunks []carriedChunk
	Rows   int64
}

type carriedChunk struct {
	Offset, Dictionary int
	Size, PlainSize    int64
	Values, Nulls      int64
	Encoding           format.Encoding
	Pages              []carriedPage
	Bounded            bool
	Least, Greatest    []byte
	Ascending, Falls   bool
	Sum                uint64
}

type carriedPage struct {
	Offset, Size, Row, Nulls int
	Empty                    bool
	Least, Greatest          []byte
}

// Carry returns g as bytes that Receive makes a row group of, in a process of the same build that
// writes the same table.
func (g *RowGroup) Carry() ([]byte, error) {
	c := carried{Data: g.data, Rows: g.rows}
	for i := range g.chunks {
		ch := &g.chunks[i]
		k := carriedChunk{ch.offset, ch.dictionary, ch.size, ch.plainSize, ch.values, ch.nulls, ch.encoding, nil, ch.bounded, ch.least, ch.greatest, ch.ascending, ch.falls, ch.sum}
		for _, p := range ch.pages {
			k.Pages = append(k.Pages, carriedPage{p.offset, p.size, p.row, p.nulls, p.empty, p.least, p.greatest})
		}
		c.Chunks = append(c.Chunks, k)
	}
	var out bytes.Buffer
	err := gob.NewEncoder(&out).Encode(c)
	return out.Bytes(), err
}

// Receive makes a row group of w of what Carry returned elsewhere.
func (w *Writer) Receive(text []byte) (*RowGroup, error) {
	var c carried
	if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&c); err != nil {
		return nil, fmt.Errorf("a row group of another process: %w", err)
	}
	if len(c.Chunks) != len(w.leaves) {
		return nil, fmt.Errorf("a row group of another process has %d columns: want %d", len(c.Chunks), len(w.leaves))
	}
	g := &RowGroup{data: c.Data, rows: c.Rows}
	for i, k := range c.Chunks {
		ch := chunk{&w.leaves[i], k.Offset, k.Dictionary, k.Size, k.PlainSize, k.Sum, k.Values, k.Nulls, k.Encoding, nil, k.Bounded, k.Least, k.Greatest, k.Ascending, k.Falls}
		for _, p := range k.Pages {
			ch.pages = append(ch.pages, pageInfo{p.Offset, p.Size, p.Row, p.Nulls, p.Empty, p.Least, p.Greatest})
		}
		g.chunks = append(g.chunks, ch)
	}
	return g, nil
}

// Recode puts other values of the first column of the table, which has one leaf, instead of
// those that g has.
func (w *Writer) Recode(g *RowGroup, v *Vec) error {
	if int64(v.Len()) != g.rows {
		return fmt.Errorf("column %s has %d of %d rows", v.Column.Name, v.Len(), g.rows)
	}
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.out = make([]byte, 0, len(g.data))
	first, err := e.column(&w.leaves[0], v, int(g.rows))
	if err != nil {
		return fmt.Errorf("column %s: %w", v.Column.Name, err)
	}
	old := int(g.chunks[0].size)
	moved := len(e.out) - old
	g.data, e.out = append(e.out, g.data[old:]...), nil
	g.chunks[0] = first
	for i := range g.chunks[1:] {
		ch := &g.chunks[i+1]
		ch.offset += moved
		for k := range ch.pages {
			ch.pages[k].offset += moved
		}
	}
	return nil
}

package columns

import (
	"bytes"
	"encoding/gob"
	"fmt"
)

// carried is a RowGroup on its way to another process.
type carried struct {
	Data   []byte
	Chunks []chunk
	Rows   int64
}

// Carry returns g as bytes from which Receive restores it, in a process of the same build that
// writes the same table.
func (g *RowGroup) Carry() ([]byte, error) {
	var out bytes.Buffer
	err := gob.NewEncoder(&out).Encode(carried{g.data, g.chunks, g.rows})
	return out.Bytes(), err
}

// Receive restores a row group for w from the bytes that Carry returned in another process.
func (w *Writer) Receive(text []byte) (*RowGroup, error) {
	var c carried
	if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&c); err != nil {
		return nil, fmt.Errorf("a row group of another process: %w", err)
	}
	if len(c.Chunks) != len(w.leaves) {
		return nil, fmt.Errorf("a row group of another process has %d columns: want %d", len(c.Chunks), len(w.leaves))
	}
	for i := range c.Chunks {
		c.Chunks[i].leaf = &w.leaves[i]
	}
	return &RowGroup{data: c.Data, chunks: c.Chunks, rows: c.Rows}, nil
}

// Recode replaces the values of the table's first column, which has one leaf, in g.
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
	old := int(g.chunks[0].Size)
	moved := len(e.out) - old
	g.data, e.out = append(e.out, g.data[old:]...), nil
	g.chunks[0] = first
	for i := range g.chunks[1:] {
		ch := &g.chunks[i+1]
		ch.Offset += moved
		for k := range ch.Pages {
			ch.Pages[k].Offset += moved
		}
	}
	return nil
}

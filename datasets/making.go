package datasets

import (
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
)

// Making has the parts of an output while a Walk makes each from a part of its input. Parts that are done are not made again.
type Making struct {
	out   *Builder
	parts []making
}

type making struct {
	to     *PartWriter
	counts manifest.Counts
}

// Make returns the parts of out that are made from those of in.
func Make(in *Dir, out *Builder) *Making { return &Making{out, make([]making, in.NumParts())} }

// Begin begins part i, as Walk.Begin.
func (m *Making) Begin(i int) (err error) {
	if _, done := m.out.Done(i); !done {
		m.parts[i].to, err = m.out.Part(i)
	}
	return err
}

// To returns the writer of part i; nil: it is done.
func (m *Making) To(i int) *PartWriter { return m.parts[i].to }

// Add adds counts and a row group, nil for none, to part i.
func (m *Making) Add(i int, c manifest.Counts, g *columns.RowGroup) error {
	m.parts[i].counts.Add(c)
	if g == nil {
		return nil
	}
	return m.parts[i].to.Append(g)
}

// End ends part i, as Walk.End.
func (m *Making) End(i int) error {
	p := m.parts[i]
	m.parts[i] = making{}
	if p.to == nil {
		return nil
	}
	return p.to.Close(p.counts, nil)
}

// Abort drops the parts that were begun and not ended.
func (m *Making) Abort() {
	for _, p := range m.parts {
		if p.to != nil {
			p.to.Abort()
		}
	}
}

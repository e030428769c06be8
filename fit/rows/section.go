package rows

import "math"

// Section is a stretch of a store's chunks that workers read and keep, to answer questions about them.
type Section struct {
	Chunks   Span    // of the store that asks
	From, To int64   // the rows of the dataset among which theirs are, and none of other chunks
	Rows     int     // theirs
	Phases   []int   // one of each stage mix, in the order of Design
	Each     float64 // what each game weighs; 0: what its rows do. See WeighGames
	Scale    float64 // of Blend
	Round    int     // of questions: each one is sent for every section
}

// sectionChunks returns the number of chunks of a section: whole spans and stretches, so that no
// question is about two. Rows of games that lay apart in the dataset are in one.
func (r *Store) sectionChunks() int {
	if r.starts == nil {
		return len(r.Chunks)
	}
	return max(spanChunks, stretch(len(r.Chunks)))
}

// sectionOf returns the number of the section that has a chunk.
func (r *Store) sectionOf(chunk int) int { return chunk / r.sectionChunks() }

// question returns the bytes of q about some chunks, which are of one section.
func (r *Store) question(q Question, chunks Span) []byte {
	n := r.sectionChunks()
	from := r.sectionOf(chunks.From) * n
	q.Section = Section{Chunks: Span{from, min(from+n, len(r.Chunks))}, To: math.MaxInt64, Each: r.each, Scale: r.blend, Phases: r.Design.phases(), Round: r.rounds}
	q.Chunks = Span{chunks.From - from, chunks.To - from}
	if from > 0 {
		q.Section.From = r.starts[from]
	}
	if to := q.Section.Chunks.To; to < len(r.Chunks) {
		q.Section.To = r.starts[to]
	}
	q.Section.Rows = r.Holding(q.Section.Chunks)
	return pack(q)
}

// Holding returns the number of rows of some chunks.
func (r *Store) Holding(chunks Span) (n int) {
	for _, chunk := range r.Chunks[chunks.From:chunks.To] {
		for _, b := range r.Blocks[chunk.From:chunk.To] {
			n += b.Rows()
		}
	}
	return n
}

// Keep makes the just read rows of r section s, with targets blended in by a share. It reports
// whether they are as many as who asks has.
func (r *Store) Keep(s Section, share float64) (same bool) {
	if s.Each > 0 {
		r.WeighGames(s.Each)
	}
	if share > 0 {
		r.Blend(share, s.Scale)
	}
	return r.N == s.Rows && len(r.Chunks) == s.Chunks.To-s.Chunks.From
}

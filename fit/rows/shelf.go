package rows

import "math"

// Shelf is a stretch of a store's chunks that workers read and keep, to answer questions about them.
type Shelf struct {
	Chunks   Span    // of the store that asks
	From, To int64   // the rows of the dataset among which theirs are, and none of other chunks
	Rows     int     // theirs
	Phases   []int   // one of each stage mix, in the order of Design
	Each     float64 // what each game weighs; 0: what its rows do. See WeighGames
	Scale    float64 // of Blend
	Round    int     // of questions: each one is sent for every shelf
}

// shelfChunks returns the number of chunks of a shelf: whole spans and stretches, so that no
// question is about two. Rows of games that lay apart in the dataset are in one.
func (r *Store) shelfChunks() int {
	if r.starts == nil {
		return len(r.Chunks)
	}
	return max(spanChunks, stretch(len(r.Chunks)))
}

// shelfOf returns the number of the shelf that has a chunk.
func (r *Store) shelfOf(chunk int) int { return chunk / r.shelfChunks() }

// question returns the bytes of q about some chunks, which are of one shelf.
func (r *Store) question(q Question, chunks Span) []byte {
	n := r.shelfChunks()
	from := r.shelfOf(chunks.From) * n
	q.Shelf = Shelf{Chunks: Span{from, min(from+n, len(r.Chunks))}, To: math.MaxInt64, Each: r.each, Scale: r.blend, Phases: r.Design.phases(), Round: r.rounds}
	q.Chunks = Span{chunks.From - from, chunks.To - from}
	if from > 0 {
		q.Shelf.From = r.starts[from]
	}
	if to := q.Shelf.Chunks.To; to < len(r.Chunks) {
		q.Shelf.To = r.starts[to]
	}
	q.Shelf.Rows = r.Holding(q.Shelf.Chunks)
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

// Keep makes the just read rows of r shelf s, with targets blended in by a share. It reports
// whether they are as many as who asks has.
func (r *Store) Keep(s Shelf, share float64) (same bool) {
	if s.Each > 0 {
		r.WeighGames(s.Each)
	}
	if share > 0 {
		r.Blend(share, s.Scale, 1)
	}
	return r.N == s.Rows && len(r.Chunks) == s.Chunks.To-s.Chunks.From
}

package event

import "iter"

// list is a list that grows without being copied.
type list[T any] struct {
	blocks [][]T
	n      int
}

// blockSize is the number of elements of a list that are together at least.
const blockSize = 1 << 12

// add appends elements and returns them, where they stay.
func (l *list[T]) add(some ...T) []T {
	last := len(l.blocks) - 1
	if last < 0 || cap(l.blocks[last])-len(l.blocks[last]) < len(some) {
		l.blocks = append(l.blocks, make([]T, 0, max(blockSize, len(some))))
		last++
	}
	b := append(l.blocks[last], some...)
	l.blocks[last], l.n = b, l.n+len(some)
	return b[len(b)-len(some) : len(b) : len(b)]
}

// all returns the elements in order.
func (l *list[T]) all() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for _, b := range l.blocks {
			for i := range b {
				if !yield(&b[i]) {
					return
				}
			}
		}
	}
}

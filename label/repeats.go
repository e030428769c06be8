package label

import (
	"bytes"
	"hash/maphash"

	"kifu/datasets/columns"
)

// repeats finds rows whose position occurred in an earlier row of the batch. What label computes depends on
// nothing but the board, so such a row has the columns of the earlier one. In a row group of games from a
// book one position in five recurs, of rapid games one in twelve.
type repeats struct {
	seed maphash.Seed
	rows []int32 // the last row seen, by hash of its board
}

const repeatBits = 17

func newRepeats() repeats {
	return repeats{maphash.MakeSeed(), make([]int32, 1<<repeatBits)}
}

// find returns an earlier row with the board of row i. Rows of earlier batches do no harm, as boards are compared.
func (r *repeats) find(boards *columns.Vec, i int) (row int, ok bool) {
	board := boards.Value(i)
	slot := &r.rows[maphash.Bytes(r.seed, board)>>(64-repeatBits)]
	row = int(*slot)
	*slot = int32(i)
	return row, row < i && bytes.Equal(board, boards.Value(row))
}

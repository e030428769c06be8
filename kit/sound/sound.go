// Package sound makes rows that a dataset may have: every value is within the domain of its column.
package sound

import (
	"math"
	"strings"

	"kifu/datasets/columns"
	"kifu/schemas"
)

// Fill appends n equal rows to b: ones, the greatest hash, the first of a column's words.
func Fill(b *columns.Batch, n int) {
	for range n {
		for i := range b.Cols {
			fill(&b.Cols[i])
		}
		b.Rows++
	}
}

func fill(v *columns.Vec) {
	switch v.Column.Type {
	case schemas.Bool:
		v.AppendBool(true)
	case schemas.Int16, schemas.Int32:
		v.AppendInt32(1)
	case schemas.Int64:
		v.AppendInt64(1)
	case schemas.Uint64:
		v.AppendUint64(math.MaxUint64)
	case schemas.Float32:
		v.AppendFloat32(1)
	case schemas.Float64:
		v.AppendFloat64(1)
	case schemas.Int32List:
		v.AppendItem(1, true)
		v.EndList()
	case schemas.StringMap:
		v.AppendPair([]byte("a"), []byte("b"))
		v.EndMap()
	case schemas.FixedBytes:
		v.AppendBytes(make([]byte, v.Column.Size))
	case schemas.Bytes:
		v.AppendBytes([]byte{1, 2})
	default:
		word, _, _ := strings.Cut(v.Column.Domain.Words, "|")
		v.AppendString(word)
	}
}

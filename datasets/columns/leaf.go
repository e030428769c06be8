package columns

import (
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/format"

	"kifu/schemas"
)

// leaf is a leaf column of the Parquet schema: one of a column of the table, two of a
// StringMap.
type leaf struct {
	column, part   int // of the batch; 1 for the values of a StringMap
	path           []string
	kind           format.Type
	maxRep, maxDef byte
	encoding       format.Encoding // when there is no dictionary
	repeats        bool            // try a dictionary
	bounded        bool            // the footer has the least and greatest value
	tooShort       int             // bodies below that length are not compressed
	codec          *zstd.Codec
}

// leavesOf lists the leaf columns of t, in the order of schema, which is t's.
func leavesOf(t schemas.Table, schema *parquet.Schema) []leaf {
	paths := schema.Columns()
	var all []leaf
	for i, c := range t.Columns {
		for part := range leaves(c.Type) {
			path := paths[len(all)]
			found, _ := schema.Lookup(path...)
			l := leaf{
				column: i, part: part, path: path, kind: format.Type(found.Node.Type().Kind()),
				maxRep: byte(found.MaxRepetitionLevel), maxDef: byte(found.MaxDefinitionLevel),
				repeats: c.Repeats || c.Type == schemas.Float32 || c.Type == schemas.StringMap && part == 0,
				bounded: leaves(c.Type) == 1, tooShort: 16, codec: codec,
			}
			switch c.Type {
			case schemas.Int16, schemas.Int32, schemas.Int64:
				l.encoding = format.DeltaBinaryPacked
			case schemas.Int32List:
				l.encoding, l.repeats, l.bounded = format.DeltaBinaryPacked, false, false
			case schemas.Uint64, schemas.FixedBytes, schemas.Bytes:
				// Hashes and packed bytes: they are not queried by range, but for rows in their order.
				l.bounded = c.Type == schemas.Uint64 && slices.Contains(t.Sorted, c.Name)
				if l.bounded {
					l.encoding = format.DeltaBinaryPacked // ascending hashes differ in their lower bytes
				}
			}
			switch c.Type {
			case schemas.Uint64, schemas.FixedBytes, schemas.Bytes, schemas.Float32:
				l.codec = fast
			}
			if t.Dense {
				l.codec = dense
			}
			if t.Plain {
				l.tooShort = math.MaxInt
			}
			all = append(all, l)
		}
	}
	return all
}

// pageEnd is where a page ends that begins at row.
func (l *leaf) pageEnd(v *Vec, row, rows int) int {
	limit := func(n int) int { return min(row+max(n, 1), rows) }
	if l.repeats && l.maxRep == 0 {
		return limit(pageRows)
	}
	switch v.Column.Type {
	case schemas.Uint64:
		return limit(hashBytes / 8)
	case schemas.FixedBytes:
		return limit(min(fixedRows, hashBytes/max(v.Column.Size, 1)))
	case schemas.Int32List:
		end, first := row+1, start(v.ListEnds, row)
		for end < rows && int(v.ListEnds[end]-first) <= pageBytes/4 && end-row < pageRows {
			end++
		}
		return end
	case schemas.String, schemas.Bytes, schemas.StringMap:
		// bytes is where row ends in v.Bytes.
		bytes := func(row int) int {
			if l.maxRep > 0 {
				row = int(v.ListEnds[row]) - 1
			}
			if row < 0 {
				return 0
			}
			return int(v.Ends[row])
		}
		first := 0
		if row > 0 {
			first = bytes(row - 1)
		}
		end := row + 1
		for end < rows && bytes(end)-first <= pageBytes && end-row < pageRows {
			end++
		}
		return end
	}
	return limit(pageRows)
}

package columns

import (
	"fmt"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding"

	"kifu/schemas"
)

// group is parquet.Group with its fields in the table's order instead of the
// alphabet's.
type group struct {
	parquet.Group
	order []string
}

func (g group) Fields() []parquet.Field {
	fields := g.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return slices.Index(g.order, a.Name()) - slices.Index(g.order, b.Name())
	})
	return fields
}

var codec = &zstd.Codec{Level: zstd.SpeedDefault}

// Schema returns the Parquet form of t. Column i, from 0, has the field id i+1, by which
// Iceberg and its readers know columns whatever they are called; what is within lists and maps
// has nestedID.
func Schema(t schemas.Table) *parquet.Schema {
	g := group{Group: parquet.Group{}}
	for i, c := range t.Columns {
		g.Group[c.Name] = parquet.FieldID(columnNode(c, i+1), i+1)
		g.order = append(g.order, c.Name)
	}
	return parquet.NewSchema(t.Name, g)
}

// nestedID returns the field id of the elements of a list (0), or of the keys (0) and values (1)
// of a map, that has the field id column: 1000 for each column leaves room for more columns.
func nestedID(column, part int) int { return 1000*column + part + 1 }

// columnNode returns the Parquet form of column c with that field id.
func columnNode(c schemas.Column, id int) parquet.Node {
	var node parquet.Node
	var enc encoding.Encoding = &parquet.Plain
	switch c.Type {
	case schemas.Bool:
		node = parquet.Leaf(parquet.BooleanType)
	case schemas.Int16:
		node, enc = parquet.Int(16), &parquet.DeltaBinaryPacked
	case schemas.Int32:
		node, enc = parquet.Int(32), &parquet.DeltaBinaryPacked
	case schemas.Int64:
		node, enc = parquet.Int(64), &parquet.DeltaBinaryPacked
	case schemas.Uint64:
		node = parquet.Uint(64)
	case schemas.Float32:
		node = parquet.Leaf(parquet.FloatType)
	case schemas.Float64:
		node = parquet.Leaf(parquet.DoubleType)
	case schemas.String:
		node = parquet.String()
	case schemas.Bytes:
		node = parquet.Leaf(parquet.ByteArrayType)
	case schemas.FixedBytes:
		node = parquet.Leaf(parquet.FixedLenByteArrayType(c.Size))
	case schemas.Int32List:
		node = parquet.List(parquet.FieldID(parquet.Optional(encoded(parquet.Int(32), &parquet.DeltaBinaryPacked)), nestedID(id, 0)))
	case schemas.StringMap:
		node = parquet.Map(parquet.FieldID(encoded(parquet.String(), &parquet.RLEDictionary), nestedID(id, 0)),
			parquet.FieldID(encoded(parquet.String(), &parquet.Plain), nestedID(id, 1)))
	default:
		panic(fmt.Sprintf("column %s: type %d", c.Name, c.Type))
	}
	if c.Type != schemas.Int32List && c.Type != schemas.StringMap {
		if c.Repeats {
			enc = &parquet.RLEDictionary
		}
		node = encoded(node, enc)
	}
	if c.Nullable {
		node = parquet.Optional(node)
	}
	return node
}

func encoded(node parquet.Node, enc encoding.Encoding) parquet.Node {
	return parquet.Compressed(parquet.Encoded(node, enc), codec)
}

// leaves returns the number of Parquet leaf columns that a column of that type takes.
func leaves(t schemas.Type) int {
	if t == schemas.StringMap {
		return 2
	}
	return 1
}

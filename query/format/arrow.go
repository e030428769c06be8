package format

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"kifu/query"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

const arrowRows = 1 << 16 // in a record batch

// writeArrow writes an Arrow IPC stream, as pandas and Polars read it. Decimals become
// doubles; HUGEINT, the type of a sum of integers, becomes a 64-bit integer; types
// without an Arrow twin become text.
func writeArrow(w io.Writer, r *query.Result) error {
	fields := make([]arrow.Field, len(r.Columns))
	for i, c := range r.Columns {
		fields[i] = arrow.Field{Name: c.Name, Type: arrowType(c.Type), Nullable: true}
	}
	schema := arrow.NewSchema(fields, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	out := ipc.NewWriter(w, ipc.WithSchema(schema))
	rows := 0
	flush := func() error {
		record := b.NewRecord()
		defer record.Release()
		rows = 0
		return out.Write(record)
	}
	err := r.Each(func(row []any) error {
		for i, v := range row {
			if err := appendArrow(b.Field(i), v, r.Columns[i].Type); err != nil {
				return fmt.Errorf("column %s: %w", r.Columns[i].Name, err)
			}
		}
		if rows++; rows == arrowRows {
			return flush()
		}
		return nil
	})
	if err == nil && rows > 0 {
		err = flush()
	}
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	return err
}

// arrowTypes are the types of DuckDB that have a twin, but for decimals and lists.
var arrowTypes = map[string]arrow.DataType{
	"BOOLEAN": arrow.FixedWidthTypes.Boolean, "BLOB": arrow.BinaryTypes.Binary, "DATE": arrow.FixedWidthTypes.Date32, "TIMESTAMP": &arrow.TimestampType{Unit: arrow.Microsecond},
	"TINYINT": arrow.PrimitiveTypes.Int8, "SMALLINT": arrow.PrimitiveTypes.Int16, "INTEGER": arrow.PrimitiveTypes.Int32, "BIGINT": arrow.PrimitiveTypes.Int64, "HUGEINT": arrow.PrimitiveTypes.Int64,
	"UTINYINT": arrow.PrimitiveTypes.Uint8, "USMALLINT": arrow.PrimitiveTypes.Uint16, "UINTEGER": arrow.PrimitiveTypes.Uint32, "UBIGINT": arrow.PrimitiveTypes.Uint64, "UHUGEINT": arrow.PrimitiveTypes.Uint64,
	"FLOAT": arrow.PrimitiveTypes.Float32, "DOUBLE": arrow.PrimitiveTypes.Float64,
}

func arrowType(typ string) arrow.DataType {
	if twin := arrowTypes[typ]; twin != nil {
		return twin
	}
	if inner, ok := strings.CutSuffix(typ, "[]"); ok {
		return arrow.ListOf(arrowType(inner))
	}
	if strings.HasPrefix(typ, "DECIMAL") {
		return arrow.PrimitiveTypes.Float64
	}
	return arrow.BinaryTypes.String
}

func appendArrow(b array.Builder, v any, typ string) error {
	if v == nil {
		b.AppendNull()
		return nil
	}
	switch b := b.(type) {
	case *array.BooleanBuilder:
		b.Append(v.(bool))
	case *array.Int8Builder:
		b.Append(int8(v.(int64)))
	case *array.Int16Builder:
		b.Append(int16(v.(int64)))
	case *array.Int32Builder:
		b.Append(int32(v.(int64)))
	case *array.Int64Builder:
		x, ok := v.(int64)
		if !ok {
			return fmt.Errorf("%v does not fit into 64 bits: cast it to DOUBLE", v)
		}
		b.Append(x)
	case *array.Uint8Builder:
		b.Append(uint8(v.(uint64)))
	case *array.Uint16Builder:
		b.Append(uint16(v.(uint64)))
	case *array.Uint32Builder:
		b.Append(uint32(v.(uint64)))
	case *array.Uint64Builder:
		switch x := v.(type) {
		case uint64:
			b.Append(x)
		case int64: // a UHUGEINT
			b.Append(uint64(x))
		default:
			return fmt.Errorf("%v does not fit into 64 bits: cast it to DOUBLE", v)
		}
	case *array.Float32Builder:
		b.Append(v.(float32))
	case *array.Float64Builder:
		if n, ok := v.(json.Number); ok {
			x, err := n.Float64()
			if err != nil {
				return err
			}
			b.Append(x)
			return nil
		}
		b.Append(v.(float64))
	case *array.BinaryBuilder:
		b.Append(v.([]byte))
	case *array.Date32Builder:
		b.Append(arrow.Date32FromTime(v.(time.Time)))
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(v.(time.Time).UnixMicro()))
	case *array.ListBuilder:
		b.Append(true)
		for _, item := range v.([]any) {
			if err := appendArrow(b.ValueBuilder(), item, strings.TrimSuffix(typ, "[]")); err != nil {
				return err
			}
		}
	case *array.StringBuilder:
		b.Append(exact(v, typ, ""))
	default:
		return fmt.Errorf("no Arrow form of %s", typ)
	}
	return nil
}

package reporttest

import (
	"cmp"
	"encoding/hex"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/schemas"
)

// WriteTable makes a dataset of one part of the rows of a CSV file: by the names of its
// columns, null where there is no text. Columns that the file lacks are null, empty or 0.
func WriteTable(t *testing.T, table schemas.Table, rows []map[string]string, counts manifest.Counts) *datasets.Dir {
	t.Helper()
	return WriteTableGroups(t, table, rows, counts, len(rows))
}

// WriteTableGroups is WriteTable with so many rows to a row group.
func WriteTableGroups(t *testing.T, table schemas.Table, rows []map[string]string, counts manifest.Counts, size int) *datasets.Dir {
	t.Helper()
	meta := map[string]string{"game": "chess"}
	return writePart(t, t.TempDir(), onePart{stage: "test", table: table, params: len(rows), meta: meta, counts: counts, size: size}, rows,
		func(b *columns.Batch, row map[string]string) {
			for i := range b.Cols {
				v := &b.Cols[i]
				text := row[v.Column.Name]
				if v.Column.Type == schemas.Bytes && v.Column.Domain.Count != "" {
					n, _ := strconv.Atoi(row[v.Column.Domain.Count])
					text = (text + strings.Repeat("0000", n))[:4*n] // moves, as many as there shall be
				}
				appendText(t, v, text)
			}
		})
}

func appendText(t *testing.T, v *columns.Vec, text string) {
	t.Helper()
	if text == "" && v.Column.Nullable {
		v.AppendNull()
		return
	}
	if text == "" && v.Column.Type == schemas.Int32List {
		v.EndList()
		return
	}
	text = cmp.Or(text, "0")
	var err error
	var n int64
	var f float64
	switch v.Column.Type {
	case schemas.String:
		v.AppendString(text)
	case schemas.Bytes:
		var b []byte
		if text != "0" {
			b, err = hex.DecodeString(text)
		}
		v.AppendBytes(b)
	case schemas.FixedBytes:
		b := make([]byte, v.Column.Size)
		if text != "0" {
			b, err = hex.DecodeString(text)
		}
		v.AppendBytes(b)
	case schemas.StringMap: // key=value with commas between them
		for pair := range strings.SplitSeq(text, ",") {
			if key, value, found := strings.Cut(pair, "="); found {
				v.AppendPair([]byte(key), []byte(value))
			}
		}
		v.EndMap()
	case schemas.Bool:
		v.AppendBool(text == "true")
	case schemas.Uint64:
		var u uint64
		u, err = strconv.ParseUint(text, 10, 64)
		v.AppendUint64(u)
	case schemas.Int64:
		n, err = strconv.ParseInt(text, 10, 64)
		v.AppendInt64(n)
	case schemas.Float32:
		f, err = strconv.ParseFloat(text, 32)
		v.AppendFloat32(float32(f))
	case schemas.Int32List: // numbers with commas between them, null for nothing
		for item := range strings.SplitSeq(text, ",") {
			if item == "" {
				v.AppendItem(0, false)
				continue
			}
			if n, err = strconv.ParseInt(item, 10, 32); err != nil {
				break
			}
			v.AppendItem(int32(n), true)
		}
		v.EndList()
	default:
		n, err = strconv.ParseInt(text, 10, 32)
		v.AppendInt32(int32(n))
	}
	if err != nil {
		t.Fatalf("column %s: %v", v.Column.Name, err)
	}
}

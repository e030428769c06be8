package reporttest

import (
	"context"
	"encoding/hex"
	"strconv"
	"testing"

	"kifu/datasets"
	"kifu/schemas"
)

// WriteTable makes a dataset of one part of the rows of a CSV file: by the names of its
// columns, null where there is no text. Columns that the file lacks are null, empty or 0.
func WriteTable(t *testing.T, table schemas.Table, rows []map[string]string, counts datasets.Counts) *datasets.Dir {
	t.Helper()
	dir := t.TempDir()
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "test", Output: table.ID(), Params: len(rows),
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			b.SetTable(table)
			b.SetMeta("game", "chess")
			w, err := b.Part(0)
			if err != nil {
				return err
			}
			batch := datasets.NewBatch(table)
			for _, row := range rows {
				batch.Rows++
				for i := range batch.Cols {
					appendText(t, &batch.Cols[i], row[batch.Cols[i].Column.Name])
				}
			}
			g, err := w.Encode(batch)
			if err != nil {
				return err
			}
			if err := w.Append(g); err != nil {
				return err
			}
			return w.Close(counts, nil)
		}}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func appendText(t *testing.T, v *datasets.Vec, text string) {
	t.Helper()
	if text == "" && v.Column.Nullable {
		v.AppendNull()
		return
	}
	if text == "" {
		text = "0"
	}
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
	case schemas.StringMap:
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
	default:
		n, err = strconv.ParseInt(text, 10, 32)
		v.AppendInt32(int32(n))
	}
	if err != nil {
		t.Fatalf("column %s: %v", v.Column.Name, err)
	}
}

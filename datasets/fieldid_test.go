package datasets

import (
	"testing"

	"github.com/parquet-go/parquet-go/format"

	"kifu/datasets/columns"
	"kifu/schemas"
)

// TestFieldIDs: Iceberg and its readers know columns by these numbers, which must stay what
// they are for ever.
func TestFieldIDs(t *testing.T) {
	table := schemas.Table{Name: "t", Version: 1, Columns: []schemas.Column{
		{Name: "z", Type: schemas.Int64},
		{Name: "a", Type: schemas.String, Nullable: true, Repeats: true},
		{Name: "list", Type: schemas.Int32List, Nullable: true},
		{Name: "map", Type: schemas.StringMap},
		{Name: "board", Type: schemas.FixedBytes, Size: 3},
	}}
	b := columns.NewBatch(table)
	b.Rows = 1
	b.Cols[0].AppendInt64(1)
	b.Cols[1].AppendNull()
	b.Cols[2].AppendNull()
	b.Cols[3].EndMap()
	b.Cols[4].AppendString("abc")
	want := map[string]int32{"z": 1, "a": 2, "list": 3, "element": 3001, "map": 4, "key": 4001, "value": 4002, "board": 5,
		"t": 0, "list's middle": 0, "key_value": 0}
	seen := map[string]bool{}
	for i, e := range openOne(t, writeOne(t, table, b)).Metadata().Schema {
		name := e.Name
		if name == "list" && seen[name] && e.RepetitionType.Valid && e.RepetitionType.V == format.Repeated {
			name = "list's middle" // LIST has a group of that name within
		}
		if id, ok := want[name]; !ok || id != e.FieldID {
			t.Errorf("element %d, %s, has the id %d, want %d", i, name, e.FieldID, id)
		}
		seen[name] = true
	}
	if len(seen) != len(want) {
		t.Errorf("the file has %v", seen)
	}
}

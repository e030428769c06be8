// Package schemas holds the row types through which the stages meet: one file per dataset,
// each with its format page under docs/datasets and a golden schema.
//
// A Table is a list of columns. Games and weights always have the same columns. Positions and labels add
// columns of the game and evaluator, so functions make their tables.
package schemas

import (
	"fmt"
	"slices"
)

// Type is the type of a column, with its physical form in Parquet.
type Type uint8

const (
	Bool       Type = iota // BOOLEAN
	Int16                  // INT32 annotated INT(16, signed)
	Int32                  // INT32
	Int64                  // INT64
	Uint64                 // INT64 annotated INT(64, unsigned)
	Float32                // FLOAT
	Float64                // DOUBLE
	String                 // BYTE_ARRAY annotated STRING
	Bytes                  // BYTE_ARRAY
	FixedBytes             // FIXED_LEN_BYTE_ARRAY of Column.Size
	Int32List              // LIST of nullable INT32
	StringMap              // MAP of STRING to STRING
)

var typeNames = [...]string{"bool", "int16", "int32", "int64", "uint64", "float32", "float64", "string", "bytes", "fixed", "list<int32>", "map<string,string>"}

// String returns the name of the type on format pages and in manifests: "int16".
func (t Type) String() string { return typeNames[t] }

// Column is one column of a table, in JSON as manifests have it.
type Column struct {
	Name     string `json:"name"`
	Type     Type   `json:"type"`
	Nullable bool   `json:"nullable,omitempty"`
	Repeats  bool   `json:"repeats,omitempty"` // few distinct values in a row group: written with a dictionary
	Size     int    `json:"size,omitempty"`    // of FixedBytes
	Domain   Domain `json:"-"`                 // its values, beyond the type
	Doc      string `json:"doc"`               // one line: meaning, unit
}

// Item returns the line of a Markdown list that explains c.
func (c Column) Item() string {
	null := ""
	if c.Nullable {
		null = ", null"
	}
	return fmt.Sprintf("- `%s` (%s%s): %s.\n", c.Name, c.Type, null, c.Doc)
}

// Table is the schema of a dataset.
type Table struct {
	Name    string // "games"
	Version int    // raised when readers of the previous version would misread the data
	Doc     string // a paragraph for the format page
	Columns []Column
	Sorted  []string // columns by which the rows ascend, nulls last; recorded in the footer of each part
	Dense   bool     // compressed more slowly and better: few rows are written, of many that are read
	Plain   bool     // not compressed: the rows are read once, by this process
}

// ID returns the name with the version: "games/v1".
func (t Table) ID() string { return fmt.Sprintf("%s/v%d", t.Name, t.Version) }

// Index returns the index of the named column, -1 without one.
func (t Table) Index(name string) int {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

// MarshalText implements encoding.TextMarshaler.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Type) UnmarshalText(name []byte) error {
	i := slices.Index(typeNames[:], string(name))
	*t = Type(max(i, 0))
	if i < 0 {
		return fmt.Errorf("no column type %q", name)
	}
	return nil
}

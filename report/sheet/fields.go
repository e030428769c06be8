package sheet

import (
	"math"
	"slices"

	"kifu/query"
)

// Fields reads a row by column names. The queries are this package's own: a name that
// is not there is a mistake in the code.
type Fields struct {
	Columns []query.Column
	Row     []any
}

// At returns the value of a column; nil is NULL. It panics at a column that is not there.
func (f Fields) At(name string) any {
	for i, c := range f.Columns {
		if c.Name == name {
			return f.Row[i]
		}
	}
	panic("report: the query has no column " + name)
}

// Text returns a text, empty for NULL.
func (f Fields) Text(name string) string { s, _ := f.At(name).(string); return s }

// Truth returns a truth, false for NULL.
func (f Fields) Truth(name string) bool { b, _ := f.At(name).(bool); return b }

// Whole returns a whole number, 0 for NULL.
func (f Fields) Whole(name string) int64 { n, _ := f.At(name).(int64); return n }

// Number returns a number, 0 for NULL.
func (f Fields) Number(name string) float64 {
	switch v := f.At(name).(type) {
	case float64:
		return v
	case float32:
		return float64(v)
	case int64:
		return float64(v)
	}
	return 0
}

// IfThere is OrNaN of a column that not every query has.
func (f Fields) IfThere(name string) float64 {
	if !slices.ContainsFunc(f.Columns, func(c query.Column) bool { return c.Name == name }) {
		return math.NaN()
	}
	return f.OrNaN(name)
}

// OrNaN returns a number, NaN for NULL.
func (f Fields) OrNaN(name string) float64 {
	if f.At(name) == nil {
		return math.NaN()
	}
	return f.Number(name)
}

package sheet

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/internal/lists"
	"kifu/query"
)

// Contender is a column of values of a dataset: one evaluator, by one search.
type Contender struct {
	Index        int
	Source, Name string // the dataset; what the report calls it
	Column       string
	View, Value  string // as SQL
	Phase        string // column of the phase, as SQL
	Key          string
	From         string // key of what the dataset was made from
	Hashed       bool   // it has the hash of every position
	Rows         int64
}

// Quoted is the name as an SQL text.
func (c Contender) Quoted() string { return query.QuoteText(c.Name) }

// Contenders attaches the datasets and takes the columns named, or the one that each
// dataset names as its last search.
func Contenders(ctx context.Context, db *query.DB, in []*datasets.Dir, sources, columns []string, table string) ([]Contender, error) {
	names, err := Attach(ctx, db, in, sources, table)
	if err != nil {
		return nil, err
	}
	var all []Contender
	for i, d := range in {
		if d.Table.Index("occurrences") >= 0 {
			return nil, Errorf("%s holds distinct positions (transform --dedup), of many games each: this report needs single games", d.Path)
		}
		of := columns
		if len(of) == 0 {
			of = []string{""}
		}
		for _, column := range of {
			column, err := Evaluation(ctx, db, d, column)
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(all, func(c Contender) bool { return c.Source == names[i] && c.Column == column }) {
				return nil, Errorf("column %s is named twice: leave out one", column)
			}
			name := strings.ReplaceAll(column, "_", " ")
			switch {
			case len(in) > 1 && len(of) > 1:
				name = names[i] + ", " + name
			case len(in) > 1 || len(of) == 1:
				name = names[i]
			}
			all = append(all, Contender{
				Index: len(all), Source: names[i], Name: name, Column: column, View: query.View(names[i]), Value: query.QuoteName(column),
				Phase: phaseOf(d), Key: d.Manifest.Key, From: d.Manifest.FirstInput(), Hashed: d.Table.Index("hash") >= 0, Rows: d.Rows(),
			})
		}
	}
	return all, nil
}

// phaseOf is the column of the position's phase, or where the game has none of the
// leaf's.
func phaseOf(d *datasets.Dir) string {
	if d.Table.Index("phase") >= 0 {
		return "phase"
	}
	return "leaf_phase"
}

// Bands cuts whole numbers into bands of equal width.
type Bands struct{ First, Width int64 }

// PhaseBands are at most six bands of the phases that there are.
func PhaseBands(ctx context.Context, db *query.DB, all []Contender) (Bands, error) {
	var selects []string
	for _, c := range all {
		selects = append(selects, fmt.Sprintf("SELECT min(%s)::BIGINT AS low, max(%s)::BIGINT AS high FROM %s", c.Phase, c.Phase, c.View))
	}
	r, err := db.Query(ctx, "SELECT coalesce(min(low), 0) AS low, coalesce(max(high), 0) AS high FROM ("+strings.Join(selects, " UNION ALL ")+")")
	if err != nil {
		return Bands{}, err
	}
	rows, err := r.All()
	if err != nil {
		return Bands{}, err
	}
	f := Fields{r.Columns, rows[0]}
	low, high := f.Whole("low"), f.Whole("high")
	return Bands{low, (high-low)/6 + 1}, nil
}

// ShortKey is a dataset's key as pages print it.
func ShortKey(key string) string { return key[:min(16, len(key))] }

// Itself returns the contender that something is made of.
func (c Contender) Itself() Contender { return c }

// ContendersOf returns the contenders that some things are made of.
func ContendersOf[T interface{ Itself() Contender }](all []T) []Contender {
	return lists.Of(all, T.Itself)
}

// QuotedSource returns the name of the source as an SQL text.
func (c Contender) QuotedSource() string { return query.QuoteText(c.Source) }

// QuotedColumn returns the name of the column as an SQL text.
func (c Contender) QuotedColumn() string { return query.QuoteText(c.Column) }

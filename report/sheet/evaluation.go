package sheet

import (
	"cmp"
	"context"

	"kifu/datasets"
	"kifu/query"
	"kifu/schemas"
)

// Evaluation returns the column of d with the values: the named one, or the one of the labels' last
// search (meta leaf). It is an Error if the column is missing or has no numbers.
func Evaluation(ctx context.Context, db *query.DB, d *datasets.Dir, named string) (column string, err error) {
	column = cmp.Or(named, d.Manifest.Meta["leaf"])
	if column == "" {
		return "", Errorf("%s has no evaluation column in its manifest: name one with --value", d.Path)
	}
	typ, err := db.Expression(ctx, d, query.Named{Name: "value", SQL: query.QuoteName(column)})
	if err != nil {
		return "", err
	}
	if !query.IsNumber(typ) {
		return "", Errorf("%s: column %s is %s, not an evaluation: name a column of numbers with --value", d.Path, column, typ)
	}
	return column, nil
}

// UnitOf returns the unit of a column of values of labels: the evaluator's, or percent for the outcomes
// of random games.
func UnitOf(d *datasets.Dir, column string) string {
	if column == schemas.RolloutValue {
		return "percent"
	}
	return d.Manifest.Meta["unit"]
}

// SourceOf describes a dataset and its column of values.
func SourceOf(d *datasets.Dir, name, column string) Source {
	return Source{
		Name: name, Column: column, Key: d.Manifest.Key, Game: d.Manifest.Meta["game"], Zeroed: d.Manifest.Meta["zeroed"],
		Rows: d.Rows(), Dedup: d.Table.Index("occurrences") >= 0,
	}
}

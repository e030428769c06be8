package sheet

import (
	"context"
	"fmt"
	"strings"

	"kifu/datasets"
	"kifu/query"
)

// Attach makes each dataset a view. It returns the names: those that were asked for,
// with a number appended to one that came before.
func Attach(ctx context.Context, db *query.DB, in []*datasets.Dir, names []string, table string) ([]string, error) {
	views := UniqueNames(names)
	for i, d := range in {
		if err := d.Want(table); err != nil {
			return nil, err
		}
		if err := db.Attach(ctx, views[i], d); err != nil {
			return nil, err
		}
	}
	return views, nil
}

// UniqueNames appends a number to a name that came before.
func UniqueNames(names []string) []string {
	taken := map[string]bool{}
	var unique []string
	for _, asked := range names {
		name := asked
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s %d", asked, n)
		}
		taken[strings.ToLower(name)] = true
		unique = append(unique, name)
	}
	return unique
}

// Source is a dataset as a report speaks of it; what does not concern a report is empty.
type Source struct {
	Name, Column      string // Column is the evaluation
	Key, Game, Zeroed string
	Rows              int64
	Dedup             bool
}

// QuoteText writes s as a text of SQL.
func QuoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// View is a dataset in the data of a query's template: its name as a table and as a text.
type View struct{ View, Quoted string }

// ViewOf is the dataset attached by the name.
func ViewOf(name string) View { return View{query.View(name), QuoteText(name)} }

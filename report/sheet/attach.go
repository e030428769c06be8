package sheet

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/internal/dyads"
	"kifu/query"
	"kifu/schemas"
)

// Attach makes each dataset a view, and returns their names as Named does. They hold the table; empty: any.
func Attach(ctx context.Context, db *query.DB, in []*datasets.Dir, names []string, table string) ([]string, error) {
	views, err := Named(in, names)
	if err != nil {
		return nil, err
	}
	for i, d := range in {
		if table != "" {
			if err := d.Want(table); err != nil {
				return nil, err
			}
		}
		if err := db.Attach(ctx, views[i], d); err != nil {
			return nil, err
		}
	}
	return views, nil
}

// Named returns the names of datasets, each another one: with a number appended to one that came before.
func Named(in []*datasets.Dir, names []string) ([]string, error) {
	if len(in) == 0 || len(in) != len(names) {
		return nil, fmt.Errorf("%d datasets for %d names", len(in), len(names))
	}
	return UniqueNames(names), nil
}

// Games is the data of a query over games; everything is quoted.
type Games struct {
	Views   []string
	Aliases []dyads.Alias
}

// AttachGames makes views of datasets of games, all of one game, in which aliases stand for other names.
func AttachGames(ctx context.Context, db *query.DB, in []*datasets.Dir, names []string, aliases []dyads.Alias) (q Games, sources Sources, err error) {
	views, err := Attach(ctx, db, in, names, schemas.Games.Name)
	if err != nil {
		return q, nil, err
	}
	for i, d := range in {
		sources = append(sources, Source{Name: views[i], Key: d.Manifest.Key, Game: d.Manifest.Meta["game"], Rows: d.Rows()})
		if one := sources[0].Game; sources[i].Game != one {
			return q, nil, fmt.Errorf("%s is of %s, %s of %s: a report is about one game", views[0], one, views[i], sources[i].Game)
		}
		q.Views = append(q.Views, query.View(views[i]))
	}
	q.Aliases, err = quoted(aliases)
	return q, sources, err
}

// Numbered returns names in their order, each once, and their numbers.
func Numbered(names []string) (all []string, number map[string]int) {
	all = slices.Compact(slices.Sorted(slices.Values(names)))
	number = make(map[string]int, len(all))
	for i, name := range all {
		number[name] = i
	}
	return all, number
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

// View is a dataset in the data of a query's template: its name as a table and as a text.
type View struct{ View, Quoted string }

// ViewOf is the dataset attached by the name.
func ViewOf(name string) View { return View{query.View(name), query.QuoteText(name)} }

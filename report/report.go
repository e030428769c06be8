// Package report turns games, labels and fits into pages, pictures and tables.
//
// A report is one SQL file under sql/ and a renderer. Everything that a report writes
// comes from the one result of its query: index.html (a page that opens offline), a
// picture as SVG and PNG, the numbers as CSV, and tables as Markdown and LaTeX. The
// query lies beside them as SQL that kifu query runs. What SQL cannot compute (a
// fitted sigmoid, the gap between two curves) is computed here from its rows.
//
// Split searches labels for the conditions on which their curve leaves the total; that
// is a pass over the rows, not SQL, and only its curves are a query's.
//
// Curve draws evaluation curves of labels, Weights sets the weights of fits side by
// side, Database tells what is in games, Opening makes their tree, Players finds
// opponents that do not suit a player, All makes what the data allow. They write through
// a datasets.Builder, so a report is a directory with a manifest like any dataset, is
// there whole or not at all, and is not made twice. Bytes are equal from run to run.
//
// The package reads manifests, columns and fit.json; it knows no game and no other
// stage.
package report

import (
	"context"
	"fmt"
	"strings"

	"kifu/datasets"
	"kifu/query"
)

// dataError says that the data do not allow a report. All leaves such a report out; any
// other error is a failure.
type dataError struct{ error }

func dataErrorf(format string, args ...any) error { return dataError{fmt.Errorf(format, args...)} }

// attach makes each dataset a view. It returns the names: those that were asked for,
// with a number behind one that came before.
func attach(ctx context.Context, db *query.DB, in []*datasets.Dir, names []string, table string) ([]string, error) {
	views := uniqueNames(names)
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

// uniqueNames puts a number behind a name that came before.
func uniqueNames(names []string) []string {
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

// mostNames is how many datasets a title names.
const mostNames = 4

// titleOf is a report's title: "Evaluation curves of chess: labels, blind". Of many
// names it says how many.
func titleOf(what, game string, names []string) string {
	if game != "" {
		what += " of " + game
	}
	if len(names) > mostNames {
		names = append(append([]string{}, names[:mostNames-1]...), fmt.Sprintf("and %d more", len(names)-mostNames+1))
	}
	return what + ": " + strings.Join(names, ", ")
}

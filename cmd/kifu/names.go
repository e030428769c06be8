package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/query"
	"kifu/transform/names"
)

// namesFlags are the flags of kifu names.
type namesFlags struct {
	format, out string
	params      names.Params
}

func (a *app) namesCommand() *cobra.Command {
	f := namesFlags{format: "table", params: names.Params{MinConfidence: 0.7}}
	cmd := &cobra.Command{
		Use:   "names GAMES",
		Short: "Report names that are probably one player's",
		Args:  exactly(1, "a dataset of games"),
		RunE:  func(cmd *cobra.Command, args []string) error { return a.names(cmd.Context(), f, args[0]) },
	}
	flags := cmd.Flags()
	flags.Int64Var(&f.params.MinGames, "min-games", 0, "only groups whose names have `N` games together")
	flags.Float64Var(&f.params.MinConfidence, "min-confidence", f.params.MinConfidence, "only matches of at least confidence `P`")
	flags.StringVar(&f.format, "format", f.format, "print as table, csv, json, markdown, latex or arrow")
	flags.StringVar(&f.out, "out", "", "write to `FILE` instead of the standard output")
	return cmd
}

// names writes the table of the names of a dataset of games, and says how many there are.
func (a *app) names(ctx context.Context, f namesFlags, dataset string) error {
	write, err := query.Writer(f.format)
	if err != nil {
		return usageError{err}
	}
	if p := f.params; p.MinGames < 0 || p.MinConfidence < 0 || p.MinConfidence > 1 {
		return usagef("--min-games is not negative, --min-confidence from 0 to 1")
	}
	if _, err := os.Stat(a.path(f.out)); f.out != "" && err == nil && !a.force {
		return fmt.Errorf("%s is there already; --force overwrites it", f.out)
	}
	in, err := a.open(dataset, "games")
	if err != nil {
		return err
	}
	found, total, err := names.Find(ctx, f.params, a.workers, in)
	if err != nil {
		return err
	}
	result := namesResult(found)
	switch {
	case f.out == "" && a.answer != nil && f.format == "markdown":
		err = a.printTable(result)
	case f.out == "":
		err = write(a.stdout, result)
	default:
		err = datasets.WriteStream(a.path(f.out), func(w io.Writer) error { return write(w, result) })
	}
	if err != nil {
		return err
	}
	groups := 0
	if n := len(found); n > 0 {
		groups = found[n-1].Group
	}
	fmt.Fprintf(a.stderr, "%s: %s names, %s of them in %s groups%s\n", dataset, number(int64(total)), number(int64(len(found))), number(int64(groups)), doubtful(found))
	return nil
}

// doubtful says how many matches are uncertain, nothing if none is.
func doubtful(found []names.Alias) string {
	n := int64(0)
	for _, f := range found {
		if f.Of != "" && f.Confidence < names.Doubtful {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %s below confidence %g: doubtful, look at them before they are used", number(n), names.Doubtful)
}

// namesResult is the report as a table.
func namesResult(found []names.Alias) *query.Result {
	columns := []query.Column{
		{Name: "group", Type: "BIGINT"}, {Name: "name", Type: "VARCHAR"}, {Name: "games", Type: "BIGINT"},
		{Name: "first_date", Type: "VARCHAR"}, {Name: "last_date", Type: "VARCHAR"}, {Name: "elo_low", Type: "BIGINT"}, {Name: "elo_high", Type: "BIGINT"},
		{Name: "same_as", Type: "VARCHAR"}, {Name: "reason", Type: "VARCHAR"}, {Name: "confidence", Type: "DOUBLE"},
	}
	text := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	rating := func(n int32) any {
		if n == 0 {
			return nil
		}
		return int64(n)
	}
	var rows [][]any
	for _, f := range found {
		row := []any{int64(f.Group), f.Player.Name, f.Player.Games, text(f.Player.First), text(f.Player.Last), rating(f.Player.EloLow), rating(f.Player.EloHigh), nil, nil, nil}
		if f.Of != "" {
			row[7], row[8], row[9] = f.Of, f.Reason, f.Confidence
		}
		rows = append(rows, row)
	}
	return query.NewResult(columns, rows)
}

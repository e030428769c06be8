package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/query"
	"kifu/transform/names"
)

func (a *app) namesCommand() *cobra.Command {
	format, out := "table", ""
	p := names.Params{MinConfidence: 0.7}
	cmd := &cobra.Command{
		Use:   "names GAMES",
		Short: "Report names that are probably one player's",
		Args:  exactly(1, "a dataset of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, err := query.Writer(format)
			if err != nil {
				return usageError{err}
			}
			if p.MinGames < 0 || p.MinConfidence < 0 || p.MinConfidence > 1 {
				return usagef("--min-games is not negative, --min-confidence from 0 to 1")
			}
			if _, err := os.Stat(a.path(out)); out != "" && err == nil && !a.force {
				return fmt.Errorf("%s is there already; --force overwrites it", out)
			}
			in, err := a.open(args[0], "games")
			if err != nil {
				return err
			}
			found, total, err := names.Find(cmd.Context(), p, a.workers, in)
			if err != nil {
				return err
			}
			result := namesResult(found)
			switch {
			case out == "" && a.answer != nil && format == "markdown":
				err = a.printTable(result)
			case out == "":
				err = write(a.stdout, result)
			default:
				err = datasets.WriteStream(a.path(out), func(w io.Writer) error { return write(w, result) })
			}
			groups := 0
			if n := len(found); n > 0 {
				groups = found[n-1].Group
			}
			if err == nil {
				fmt.Fprintf(a.stderr, "%s: %s names, %s of them in %s groups%s\n", args[0], number(int64(total)), number(int64(len(found))), number(int64(groups)), doubtful(found))
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.Int64Var(&p.MinGames, "min-games", 0, "only groups whose names have `N` games together")
	flags.Float64Var(&p.MinConfidence, "min-confidence", p.MinConfidence, "only matches of at least confidence `P`")
	flags.StringVar(&format, "format", format, "print as table, csv, json, markdown, latex or arrow")
	flags.StringVar(&out, "out", "", "write to `FILE` instead of the standard output")
	return cmd
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

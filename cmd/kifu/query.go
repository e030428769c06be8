package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/query"
)

func (a *app) queryCommand() *cobra.Command {
	format := "table"
	var explain, trust bool
	cmd := &cobra.Command{
		Use:   "query 'SQL' NAME=DIR...",
		Short: "Ask datasets in SQL",
		Long: `Run one SQL query (DuckDB's dialect) over datasets, each a view by the name given.
Parts are checked against their checksums first, which reads all of them; --trust leaves
that out. The result goes to the standard output.

Games that 'kifu sort --by player' made, named g, come with an index: the view g_players
has a row a game and player, and g_of('NAME') are the games of one player with either
side. --explain tells how many row groups the bounds of columns leave to be read.`,
		Example: "  kifu query 'select result, count(*) from g group by 1 order by 2 desc' g=games\n  kifu query --format csv 'select ply, avg(quiescence_value) from l group by 1 order by 1' l=labels\n  kifu query --explain --trust \"select count(*) from g where date >= '1972' and date < '1973'\" g=by-date",
		Args:    atLeast(2, "'SQL' and NAME=DIR for each dataset in it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, err := query.Writer(format)
			if err != nil {
				return usageError{err}
			}
			ctx := cmd.Context()
			db, err := query.Open(ctx, query.Options{Threads: a.workers, Trust: trust})
			if err != nil {
				return err
			}
			defer db.Close()
			for _, arg := range args[1:] {
				name, path, found := strings.Cut(arg, "=")
				if !found {
					return usagef("%q: want NAME=DIR", arg)
				}
				d, err := datasets.Open(path)
				if err != nil {
					return err
				}
				if err := db.Attach(ctx, name, d); err != nil {
					return err
				}
			}
			if explain {
				if err := a.explain(cmd.Context(), db, args[0]); err != nil {
					return err
				}
			}
			result, err := db.Query(ctx, args[0])
			if err != nil {
				return err
			}
			return write(a.stdout, result)
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "print as table, csv, json, markdown, latex or arrow")
	cmd.Flags().BoolVar(&explain, "explain", false, "tell on the standard error how many row groups the query needs")
	cmd.Flags().BoolVar(&trust, "trust", false, "do not compare the parts with their checksums first")
	return cmd
}

// explain tells what the bounds of row groups leave to be read.
func (a *app) explain(ctx context.Context, db *query.DB, text string) error {
	all, err := db.Prune(ctx, text)
	for _, p := range all {
		by := "no condition compares a column with a constant"
		if len(p.By) > 0 {
			by = "by the bounds of " + strings.Join(p.By, ", ")
		}
		fmt.Fprintf(a.stderr, "%s: %s of %s row groups, %s of %s: %s\n", p.Name, number(p.RowGroups), number(p.Groups), size(p.Bytes), size(p.All), by)
	}
	return err
}

package main

import (
	"strings"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/query"
)

func (a *app) queryCommand() *cobra.Command {
	format := "table"
	cmd := &cobra.Command{
		Use:   "query 'SQL' NAME=DIR...",
		Short: "Ask datasets in SQL",
		Long: `Run one SQL query (DuckDB's dialect) over datasets, each a view by the name given.
Parts are checked against their checksums first. The result goes to the standard
output.`,
		Example: "  kifu query 'select result, count(*) from g group by 1 order by 2 desc' g=games\n  kifu query --format csv 'select ply, avg(quiescence_value) from l group by 1 order by 1' l=labels",
		Args:    atLeast(2, "'SQL' and NAME=DIR for each dataset in it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, err := query.Writer(format)
			if err != nil {
				return usageError{err}
			}
			ctx := cmd.Context()
			db, err := query.Open(ctx, query.Options{Threads: a.workers})
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
			result, err := db.Query(ctx, args[0])
			if err != nil {
				return err
			}
			return write(a.stdout, result)
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "print as table, csv, json, markdown, latex or arrow")
	return cmd
}

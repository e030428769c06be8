package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kifu/datasets"
	"kifu/query"
)

func (a *app) queryCommand() *cobra.Command {
	var format, out, memory string
	var explain, trust bool
	cmd := &cobra.Command{
		Use:   "query 'SQL' NAME=DIR...",
		Short: "Ask datasets in SQL",
		Args:  atLeast(2, "'SQL' and NAME=DIR for each dataset in it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format == "" {
				format = formatOf(out)
			}
			if err := query.CheckFormat(format); err != nil {
				return usageError{err}
			}
			if format == query.Parquet && out == "" && isTerminal(a.stdout) {
				return usagef("--format parquet is not for a terminal: add --out FILE")
			}
			ctx := cmd.Context()
			db, err := query.Open(ctx, query.Options{Threads: a.workers, Trust: trust, MemoryLimit: memory})
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
			write := func(w io.Writer) error { return db.Write(ctx, args[0], format, w) }
			if out == "" {
				return write(a.stdout)
			}
			return datasets.WriteStream(out, write)
		},
	}
	cmd.Flags().StringVar(&format, "format", "", "write as `FORMAT`: table, csv, json, markdown, latex, arrow or parquet (default: by --out's name, else table)")
	cmd.Flags().StringVar(&out, "out", "", "write to `FILE` (default: the standard output)")
	cmd.Flags().StringVar(&memory, "memory", "", "use at most `SIZE` of memory, as in 2GB, and spill the rest (default: four fifths of the machine's)")
	cmd.Flags().BoolVar(&explain, "explain", false, "tell on the standard error how many row groups the query needs")
	cmd.Flags().BoolVar(&trust, "trust", false, "do not compare the parts with their checksums first")
	return cmd
}

// formatOf is the format that a file's name asks for.
func formatOf(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return "csv"
	case ".json":
		return "json"
	case ".md":
		return "markdown"
	case ".tex":
		return "latex"
	case ".arrow", ".arrows":
		return "arrow"
	case ".parquet":
		return query.Parquet
	}
	return "table"
}

func isTerminal(w io.Writer) bool {
	f, isFile := w.(*os.File)
	return isFile && term.IsTerminal(int(f.Fd()))
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

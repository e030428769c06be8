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
		Long: `Run one SQL query (DuckDB's dialect) over datasets, each a view by the name given.
Parts are checked against their checksums first, which reads all of them; --trust leaves
that out. The result goes to the standard output, or with --out to a file, whose name
tells the format: .csv, .json, .md, .tex, .arrow, .parquet, else a table. arrow is an
uncompressed IPC stream, for pyarrow.ipc.open_stream (and its read_pandas) and for
polars.read_ipc_stream.

The query reads only these datasets, and changes nothing. What does not fit into --memory
goes to files in the temporary directory (TMPDIR) until it ends. An interrupt ends it.

Beside DuckDB's functions there are win_probability(wins, draws, losses, draw_score := …),
wilson_low(wins, n), wilson_high(wins, n), eval_bin(x, width) and elo_expectation(rating,
opponent).

Games that 'kifu sort --by player' made, named g, come with an index: the view g_players
has a row a game and player, and g_of('NAME') are the games of one player with either
side. --explain tells how many row groups the bounds of columns leave to be read. Each
TABLE.csv and TABLE.json of a dataset named d is the view d_TABLE: all there is of a report
or a model, and of a fit f_fit, with w_0.value, held_out.fitted.log_loss and the rest.`,
		Example: "  kifu query 'select result, count(*) from g group by 1 order by 2 desc' g=games\n  kifu query --format csv 'select ply, avg(quiescence_value) from l group by 1 order by 1' l=labels\n  kifu query --explain --trust \"select count(*) from g where date >= '1972' and date < '1973'\" g=by-date\n  kifu query --out openings.parquet 'select opening, count(*) as games from g group by 1' g=games\n  kifu query 'select method, w_0.value, w_0.ci_low, held_out.fitted.log_loss from f_fit' f=fit",
		Args:    atLeast(2, "'SQL' and NAME=DIR for each dataset in it"),
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

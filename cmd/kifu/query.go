package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/pattern"
	tables "kifu/internal/table"
	"kifu/query"
	"kifu/query/format"
)

// queryFlags are the flags of kifu query.
type queryFlags struct {
	format, out, memory string
	explain, trust      bool
}

func queryCommand(mk *command.Maker) *cobra.Command {
	var f queryFlags
	cmd := &cobra.Command{
		Use:   "query 'SQL' NAME=DIR|FILE...",
		Short: "Query datasets in SQL",
		Args:  command.AtLeast(2, "'SQL' and NAME=DIR for each dataset in it, NAME=FILE for each CSV or Parquet file"),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.query(cmd.Context(), mk, args[0], args[1:]) },
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *queryFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.format, "format", "", "write as `FORMAT`: table, csv, json, markdown, latex, arrow, parquet (default: by --out's name)")
	flags.StringVar(&f.out, "out", "", "write to `FILE` (default: the standard output)")
	flags.StringVar(&f.memory, "memory", "", "spill to disk above `SIZE` of memory, such as 2GB (default: 80 %)")
	flags.BoolVar(&f.explain, "explain", false, "print how many row groups the query reads")
	flags.BoolVar(&f.trust, "trust", false, "do not verify checksums")
}

// query writes the result of one query over datasets that are given as NAME=DIR.
func (f queryFlags) query(ctx context.Context, mk *command.Maker, sql string, views []string) error {
	f.format = cmp.Or(f.format, formatOf(f.out))
	if err := format.Check(f.format); err != nil {
		return command.Misused(err)
	}
	if f.format == format.Parquet && f.out == "" && command.IsTerminal(mk.Stdout) {
		return command.Usagef("--format parquet is not for a terminal: add --out FILE")
	}
	if f.out != "" {
		if err := mk.MayReplace(f.out); err != nil {
			return err
		}
	}
	db, err := query.Open(ctx, query.Options{Threads: mk.Workers, Trust: f.trust, MemoryLimit: f.memory})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := attachViews(ctx, mk, db, views); err != nil {
		return err
	}
	if err := datasets.CheckTogether(db.Datasets()...); err != nil {
		fmt.Fprintf(mk.Stderr, "kifu: note: %v\n", err)
	}
	if f.explain {
		if err := explain(ctx, mk.Console, db, sql); err != nil {
			return err
		}
	}
	write := func(w io.Writer) error { return format.Write(ctx, db, sql, f.format, w) }
	if mk.Answer != nil && f.out == "" && f.format == "markdown" {
		result, err := db.Query(ctx, sql)
		if err != nil {
			return err
		}
		return printTable(mk.Console, result)
	}
	if f.out == "" {
		return write(mk.Data())
	}
	return mk.WriteFile(f.out, write)
}

// attachViews attaches datasets and files that are given as NAME=PATH. A name that is given several
// times has the rows of all of them.
func attachViews(ctx context.Context, mk *command.Maker, db *query.DB, views []string) error {
	paths, names := map[string][]string{}, []string{}
	for _, view := range views {
		name, path, found := strings.Cut(view, "=")
		if !found {
			if name, path = filepath.Base(mk.Path(view)), view; !isName().MatchString(name) || !holds(mk, view) {
				return command.Usagef("%q: want NAME=DIR or NAME=FILE, such as g=games", view)
			}
		}
		if paths[name] == nil {
			names = append(names, name)
		}
		paths[name] = append(paths[name], path)
	}
	for _, name := range names {
		if len(paths[name]) == 1 {
			if err := command.Attach(ctx, mk.Files, db, name, paths[name][0]); err != nil {
				return err
			}
			continue
		}
		dirs, err := lists.Try(paths[name], mk.OpenAny)
		if err != nil {
			return err
		}
		if err := db.AttachAll(ctx, name, dirs); err != nil {
			return err
		}
	}
	return nil
}

// isName is a name that SQL takes without quotes.
var isName = pattern.Of(`^[A-Za-z_][A-Za-z0-9_]*$`)

func holds(mk *command.Maker, path string) bool {
	_, err := mk.OpenAny(path)
	return err == nil
}

// printTable prints a result as Markdown and hands it to the study.
func printTable(con *command.Console, result *query.Result) error {
	t, err := format.Table(result)
	if err != nil {
		return err
	}
	con.Answer.Tables = append(con.Answer.Tables, t)
	return tables.WriteMarkdown(con.Stdout, t.Head, t.Each)
}

// formatOf is the format that a file's name asks for.
func formatOf(path string) string {
	return cmp.Or(formats[strings.ToLower(filepath.Ext(path))], "table")
}

var formats = map[string]string{
	".csv": "csv", ".json": "json", ".md": "markdown", ".tex": "latex", ".arrow": "arrow", ".arrows": "arrow", ".parquet": format.Parquet,
}

// explain reports how much the bounds of row groups leave to be read.
func explain(ctx context.Context, con *command.Console, db *query.DB, text string) error {
	all, err := db.Prune(ctx, text)
	for _, p := range all {
		by := "no condition compares a column with a constant"
		if len(p.By) > 0 {
			by = "by the bounds of " + strings.Join(p.By, ", ")
		}
		fmt.Fprintf(con.Stderr, "%s: %s of %s row groups, %s of %s: %s\n", p.Name, human.Grouped(p.RowGroups), human.Grouped(p.Groups), command.Size(p.Bytes), command.Size(p.All), by)
	}
	return err
}

package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/export"
	"kifu/query"
)

// exportFlags are the flags of kifu export.
type exportFlags struct {
	out, format, ids, where, by, value, player string
	top                                        int
	opcodes, unique                            bool
}

func (a *app) exportCommand() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export --out FILE|- DATASET [GAMES]",
		Short: "Write games back as records, positions as text",
		Args:  exportArgs,
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			top := cmd.Flags().Changed("top")
			switch {
			case f.out == "":
				return usagef("--out FILE is missing")
			case top && f.by == "":
				return usagef("--top %d: --by COLUMN says of what the highest", f.top)
			case top && f.top < 1:
				return usagef("--top %d: want a number from 1 on", f.top)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.exportDataset(cmd.Context(), f, args, cmd.Flags().Changed("ids"))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "write to `FILE`, or to the standard output for - (required)")
	flags.StringVar(&f.format, "format", "", "write in this `FORMAT` of the game (default: its records for games, its lines for positions)")
	flags.StringVar(&f.ids, "ids", "", "only the games whose game_id the query `SQL` returns; the dataset is the view g")
	flags.StringVar(&f.where, "where", "", "only the rows that fulfil the SQL `CONDITION` over the dataset's columns and boards")
	flags.StringVar(&f.player, "player", "", "only games of `NAME`, in full or in part (* is any text), or positions of them if GAMES are named")
	flags.IntVar(&f.top, "top", 0, "only the first `N` rows in the order of --by")
	flags.StringVar(&f.by, "by", "", "order by the `COLUMN` or SQL expression, the highest first (-COLUMN: the lowest)")
	flags.BoolVar(&f.opcodes, "opcodes", false, "after positions, id \"GAME:PLY\"; of labels also ce, the value for the side to move, and pv")
	flags.BoolVar(&f.unique, "unique", false, "of positions and labels, only the first row of each position among those chosen, whatever its game")
	flags.StringVar(&f.value, "value", "", "take ce from this value `COLUMN`, and pv from its search (default: that of the leaf; implies --opcodes)")
	return cmd
}

// exportArgs wants a dataset, and the games of it to write games from its positions on.
func exportArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 2 {
		return nil
	}
	return exactly(1, "a dataset of games, positions or labels")(cmd, args)
}

// exportDataset writes a dataset, or what --ids, --where and --top leave of it.
func (a *app) exportDataset(ctx context.Context, f exportFlags, args []string, some bool) error {
	in, err := a.openAny(args[0])
	if err != nil {
		return err
	}
	g, err := gameOf(in)
	if err != nil {
		return err
	}
	p := export.Params{Format: f.format, Opcodes: f.opcodes || f.value != "" || in.Table.Name == "labels", Value: f.value}
	names := g.formats.Names()
	if p.Format == "" {
		if p.Format = names[0]; in.Table.Name != "games" && len(args) == 1 {
			p.Format = names[1]
		}
	}
	if !slices.Contains(names, p.Format) {
		return usagef("--format %s: %s is written as %s", f.format, g.name, strings.Join(names, " or "))
	}
	if f.value != "" && in.Table.Name == "games" {
		return usagef("%s holds games: --value is a column of positions or labels", in.Path)
	}
	if err := a.mayWrite(f.out); err != nil {
		return err
	}
	if some {
		if p.Games, err = a.gameIDs(ctx, in, f.ids); err != nil {
			return err
		}
	}
	if f.player != "" {
		if p.Games, err = a.exportPlayer(ctx, f, p.Games, in, args); err != nil {
			return err
		}
	}
	if p.Rows, err = a.exportRows(ctx, f, in); err != nil {
		return err
	}
	if f.unique {
		if in.Table.Index("hash") < 0 {
			return usagef("--unique: %s has no column hash: it is for positions and labels", in.Path)
		}
		if p.Rows, err = export.Unique(ctx, in, p.Rows, a.workers); err != nil {
			return err
		}
	}
	if len(args) == 2 {
		if in, err = a.fromPositions(ctx, g, &p, in, args[1]); err != nil {
			return err
		}
	}
	return a.export(ctx, g, p, in, f.out)
}

// fromPositions makes p write the games of a dataset from the chosen positions on. It returns
// the games.
func (a *app) fromPositions(ctx context.Context, g game, p *export.Params, in *datasets.Dir, path string) (*datasets.Dir, error) {
	of, err := a.open(path, "games")
	if err != nil {
		return nil, err
	}
	switch {
	case in.Table.Name == "games":
		return nil, usagef("%s holds games: name positions or labels before %s", in.Path, path)
	case of.Manifest.Meta["game"] != g.name:
		return nil, fmt.Errorf("%s holds games of %s, %s positions of %s", of.Path, of.Manifest.Meta["game"], in.Path, g.name)
	case !g.formats.HasRecord(p.Format):
		return nil, usagef("--format %s: a record that begins at a position is written as %s", p.Format, g.formats.Record.Name())
	}
	p.From, err = export.StartsOf(ctx, in, p.Rows, p.Games, a.workers)
	p.Rows, p.Games = nil, nil
	return of, err
}

// exportPlayer returns the games of --player, of those of --ids if these are given.
func (a *app) exportPlayer(ctx context.Context, f exportFlags, ids *export.IDs, in *datasets.Dir, args []string) (*export.IDs, error) {
	of, err := in, error(nil)
	if len(args) == 2 {
		of, err = a.open(args[1], "games")
	}
	switch {
	case err != nil:
		return nil, err
	case of.Table.Name != "games":
		return nil, usagef("--player: %s does not tell who played: name its games after it", of.Path)
	}
	found, err := a.gamesOfPlayer(ctx, of, f.player)
	if err != nil || ids == nil {
		return found, err
	}
	return ids.And(found), nil
}

// gameIDs runs the query of --ids.
func (a *app) gameIDs(ctx context.Context, in *datasets.Dir, sql string) (*export.IDs, error) {
	db, err := query.Open(ctx, query.Options{Threads: a.workers})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if err := db.Attach(ctx, "g", in); err != nil {
		return nil, err
	}
	result, err := db.Query(ctx, sql)
	if err != nil {
		return nil, fmt.Errorf("--ids: %w", err)
	}
	if len(result.Columns) != 1 {
		result.Close()
		return nil, usagef("--ids: the query returns %d columns; want game_id alone", len(result.Columns))
	}
	set := &export.IDs{}
	err = result.Each(func(row []any) error { return set.Add(row[0]) })
	if err != nil {
		return nil, fmt.Errorf("--ids: %w", err)
	}
	return set, nil
}

// export writes to out and says what was written, unless the text itself goes to the
// standard output.
func (a *app) export(ctx context.Context, g game, p export.Params, in *datasets.Dir, out string) error {
	watch := startWatch()
	if drops := g.formats.Drops(p.Format); drops != "" && in.Table.Name == "games" {
		fmt.Fprintf(a.stderr, "kifu: note: %s has no place for %s\n", p.Format, drops)
	}
	var counts datasets.Counts
	var bytes int64
	write := func(w io.Writer) (err error) {
		c := &counter{w: w}
		counts, err = g.export(ctx, p, a.workers, in, c)
		bytes = c.n
		return err
	}
	if out == "-" {
		if err := write(a.stdout); err != nil {
			return err
		}
		if r := reasons(counts.Rejected); r != "" {
			fmt.Fprintf(a.stderr, "kifu: left out %s\n", r)
		}
		return nil
	}
	if err := export.ToFile(a.path(out), write); err != nil {
		return err
	}
	what := "positions"
	if in.Table.Name == "games" && g.formats.HasRecord(p.Format) {
		what = "games"
	}
	elapsed := time.Since(watch.begun)
	said := fmt.Sprintf("wrote %s %s (%s of %s)", number(counts.Written), what, size(bytes), strings.ToUpper(p.Format))
	if r := reasons(counts.Rejected); r != "" {
		said += "; left out " + r
	}
	said += fmt.Sprintf("; %s, %s/s", elapsed.Round(10*time.Millisecond), number(int64(float64(counts.Written)/elapsed.Seconds())))
	a.say(out, said)
	return nil
}

// counter counts what goes through it.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

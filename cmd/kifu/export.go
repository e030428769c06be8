package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/export"
	"kifu/schemas"
)

// exportFlags are the flags of kifu export.
type exportFlags struct {
	out, format, value string
	annotations        string
	choice             choiceFlags
	opcodes, unique    bool
}

func exportCommand(mk *command.Maker) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export --out FILE|- DATASET... [GAMES]",
		Short: "Write games back as records, positions as text",
		Args:  command.AtLeast(1, "a dataset of games, positions or labels"),
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			top := cmd.Flags().Changed("top")
			switch {
			case f.out == "":
				return command.Usagef("--out FILE is missing")
			case top && f.choice.by == "":
				return command.Usagef("--top %d needs --by COLUMN to rank by", f.choice.top)
			case top && f.choice.top < 1:
				return command.Usagef("--top %d: want 1 or more", f.choice.top)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.exportDataset(cmd.Context(), mk, args, cmd.Flags().Changed)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "write to `FILE`, or to the standard output for - (required)")
	flags.StringVar(&f.format, "format", "", "write in `FORMAT` (default: by the file's name, else the game's)")
	f.choice.declare(flags)
	flags.BoolVar(&f.opcodes, "opcodes", false, "add id \"GAME:PLY\" to positions, and ce (mover's value) and pv to labels")
	flags.BoolVar(&f.unique, "unique", false, "write each position once, from its first selected row")
	flags.StringVar(&f.value, "value", "", "take ce and pv from the search of `COLUMN` (default: the last; implies --opcodes)")
	addAnnotations(flags, &f.annotations)
	return cmd
}

// addAnnotations declares the flag of what becomes of annotations.
func addAnnotations(flags *pflag.FlagSet, to *string) {
	flags.StringVar(to, "annotations", "keep", "`keep|drop` comments, glyphs and variations")
}

// dropsAnnotations reads the flag.
func dropsAnnotations(value string) (drop bool, err error) {
	if value != "keep" && value != "drop" {
		return false, command.Usagef("--annotations %s: want keep or drop", value)
	}
	return value == "drop", nil
}

// exportDataset writes datasets, or what --ids, --where, --top and the others leave of them.
func (f exportFlags) exportDataset(ctx context.Context, mk *command.Maker, args []string, given func(flag string) bool) error {
	sources, games, err := exportSources(mk.Files, args)
	if err != nil {
		return err
	}
	in := sources[0].In
	g, err := command.GameOf(in)
	if err != nil {
		return err
	}
	p := export.Params{Format: f.format, Opcodes: f.opcodes || f.value != "" || in.Table.Name == "labels", Value: f.value}
	if p.Bare, err = dropsAnnotations(f.annotations); err != nil {
		return err
	}
	names := g.Formats.Names()
	if p.Format == "" {
		if p.Format, err = formatFor(f.out, names, in.Table.Name != "games" && games == nil); err != nil {
			return err
		}
	}
	if !slices.Contains(names, p.Format) {
		return command.Usagef("--format %s: %s games are written as %s", f.format, g.Name, strings.Join(names, " or "))
	}
	switch record := g.Formats.HasRecord(p.Format); {
	case record && f.opcodes:
		return command.Usagef("--opcodes is for lines of positions, not for %s", p.Format)
	case !record && given("annotations"):
		return command.Usagef("--annotations is for games: %s has none", p.Format)
	}
	if f.value != "" && in.Table.Name == "games" {
		return command.Usagef("%s holds games: --value needs positions or labels", in.Path)
	}
	if err := mk.MayWrite(f.out); err != nil {
		return err
	}
	for i := range sources {
		sources[i].Params = p
	}
	if err := f.choice.set(ctx, mk, sources, games, given("ids")); err != nil {
		return err
	}
	if f.unique {
		if in.Table.Index("hash") < 0 {
			return command.Usagef("--unique: %s has no column hash: want positions or labels", in.Path)
		}
		if len(sources) > 1 {
			return command.Usagef("--unique: want one dataset, not %d", len(sources))
		}
		if sources[0].Rows, err = export.Unique(ctx, in, sources[0].Rows, mk.Workers); err != nil {
			return err
		}
	}
	if games != nil {
		if sources[0], err = fromPositions(ctx, mk, g, sources[0], games); err != nil {
			return err
		}
	}
	return writeRecords(ctx, mk, g, sources, f.out)
}

// formatFor returns the format by the name of a file; for a name without ending and .txt the first for
// records or for lines of positions.
func formatFor(path string, names []string, lines bool) (string, error) {
	bare := strings.TrimSuffix(strings.TrimSuffix(path, ".zst"), ".gz")
	ending := strings.TrimPrefix(filepath.Ext(bare), ".")
	if ending == "parquet" && !lines {
		ending = "aix"
	}
	switch {
	case slices.Contains(names, ending):
		return ending, nil
	case ending == "csv" || ending == "json" || ending == "parquet":
		return "", command.Usagef("--out %s: kifu query writes tables, kifu export %s", path, strings.Join(names, ", "))
	case ending != "" && ending != "txt":
		return "", command.Usagef("--out %s: no format is named .%s; choose one with --format: %s", path, ending, strings.Join(names, ", "))
	case lines:
		return names[1], nil
	}
	return names[0], nil
}

// exportSources opens the datasets that are named: several of one kind and game, or positions or
// labels with the games that they are of.
func exportSources(disk *command.Files, args []string) (sources []export.Source, games *datasets.Dir, err error) {
	for i, path := range args {
		if slices.Contains(args[:i], path) {
			return nil, nil, command.Usagef("%s is named twice", path)
		}
		in, err := disk.OpenAny(path)
		if err != nil {
			return nil, nil, err
		}
		if len(sources) > 0 {
			first := sources[0].In
			if was, is := first.Manifest.Meta["game"], in.Manifest.Meta["game"]; was != is {
				return nil, nil, fmt.Errorf("%s holds %s of %s, %s %s of %s: export one game at a time", in.Path, in.Table.Name, is, first.Path, first.Table.Name, was)
			}
			if in.Table.Name == "games" && first.Table.Name != "games" && len(args) == 2 {
				return sources, in, datasets.CheckTogether(first, in)
			}
			if in.Table.Name != first.Table.Name {
				return nil, nil, command.Usagef("%s holds %s, %s %s: name datasets of one kind, or positions or labels and then their games", first.Path, first.Table.Name, in.Path, in.Table.Name)
			}
		}
		sources = append(sources, export.Source{In: in})
	}
	return sources, nil, nil
}

// fromPositions makes the games be written from the chosen positions on.
func fromPositions(ctx context.Context, mk *command.Maker, g command.Game, s export.Source, of *datasets.Dir) (export.Source, error) {
	if !g.Formats.HasRecord(s.Format) {
		return s, command.Usagef("--format %s: a record that begins at a position is written as %s", s.Format, g.Formats.Record.Name())
	}
	var err error
	s.From, err = export.StartsOf(ctx, s.In, s.Rows, s.Games, mk.Workers)
	s.In, s.Rows, s.Games = of, nil, nil
	return s, err
}

// writeRecords writes to out and reports the result, unless the text itself goes to the standard output.
func writeRecords(ctx context.Context, mk *command.Maker, g command.Game, sources []export.Source, out string) error {
	watch := command.StartWatch()
	p, in := sources[0].Params, sources[0].In
	if drops := g.Formats.Drops(p.Format); drops != "" && in.Table.Name == "games" {
		fmt.Fprintf(mk.Stderr, "kifu: note: %s has no place for %s\n", p.Format, drops)
	}
	var dropped, counts manifest.Counts
	for _, s := range sources {
		dropped.Add(s.In.Manifest.Counts.Dropped())
	}
	if r := command.Reasons(dropped.Noted); r != "" && in.Table.Name == "games" && g.Formats.HasRecord(p.Format) {
		fmt.Fprintf(mk.Stderr, "kifu: note: the records had more than these games keep: %s\n", strings.ReplaceAll(r, schemas.Dropped, ""))
	}
	var bytes int64
	write := func(w io.Writer) (err error) {
		c := &counter{w: w}
		counts, err = g.Export(ctx, mk.Workers, sources, c)
		bytes = c.n
		return err
	}
	if out == "-" {
		if err := write(mk.Data()); err != nil {
			return err
		}
		if r := command.Reasons(counts.Rejected); r != "" {
			fmt.Fprintf(mk.Stderr, "kifu: left out %s\n", r)
		}
		notePlaceless(mk.Console, p.Format, counts)
		return nil
	}
	if err := mk.WriteFile(out, func(w io.Writer) error { return export.Compressed(out, w, write) }); err != nil {
		return err
	}
	what := "positions"
	if in.Table.Name == "games" && g.Formats.HasRecord(p.Format) {
		what = "games"
	}
	said := fmt.Sprintf("wrote %s (%s of %s)", command.Units(counts.Written, what), command.Size(bytes), strings.ToUpper(p.Format))
	if r := command.Reasons(counts.Rejected); r != "" {
		said += "; left out " + r
	}
	said += "; " + watch.Rate(counts.Written)
	mk.Announce(out, said)
	notePlaceless(mk.Console, p.Format, counts)
	return nil
}

// notePlaceless prints what the format has no place for.
func notePlaceless(con *command.Console, format string, counts manifest.Counts) {
	if r := command.Reasons(counts.Noted); r != "" {
		fmt.Fprintf(con.Stderr, "kifu: note: %s has no place for %s\n", format, r)
	}
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

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/cli"
	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/cmd/kifu/machines"
	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/ingest"
	"kifu/ingest/source"
	"kifu/internal/human"
	"kifu/query"
	"kifu/schemas"
)

// ingestFlags are the flags of kifu ingest.
type ingestFlags struct {
	out, game, forced      string
	annotations            string
	verbose, append, count bool
	named                  bool // out is the file's name
	params                 ingest.Params
	cluster                machines.Queue
}

func ingestCommand(e *command.Env) *cobra.Command {
	var f ingestFlags
	cmd := &cobra.Command{
		Use:   "ingest [--out DIR] FILE|DIR|-...",
		Short: "Read record files into a dataset of games",
		Args:  command.AtLeast(1, "record files, directories of them, or - for the standard input"),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.ingest(cmd.Context(), e, args) },
	}
	cli.MarkBuilds(cmd)
	f.add(cmd.Flags())
	return cmd
}

func (f *ingestFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.out, "out", "", "write the dataset to `DIR` (default: the file's name without endings)")
	flags.StringVar(&f.game, "game", "", "read records of `GAME` (default: by format and tags)")
	flags.StringVar(&f.forced, "force-game", "", "read all files as records of `GAME`")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show each rejected game with file, line and reason")
	flags.BoolVar(&f.append, "append", false, "add the files to the existing dataset")
	flags.StringVar(&f.params.Where, "where", "", "select games by an SQL `CONDITION` over tags")
	flags.StringVar(&f.params.Encoding, "encoding", "", "read texts other than UTF-8 in `ENCODING`: "+strings.Join(ingest.Encodings(), ", ")+" (default: guessed for each file)")
	flags.BoolVar(&f.params.KeepPrefix, "keep-prefix", false, "keep games up to an illegal move, marked in the column cut")
	addAnnotations(flags, &f.annotations)
	flags.IntVar(&f.params.PartGames, "part-games", 0, "write parts of `N` games or more (default 16384); smaller parts suit more machines")
	flags.BoolVar(&f.params.Positions, "positions", false, "read positions instead of games, from hcpe, psv, directories and archives")
	flags.BoolVar(&f.params.Mover, "mover", false, "results and values are from the side to move's view")
	flags.BoolVar(&f.params.Soft, "soft", false, "read results such as [0.6] into the column expected_result")
	flags.BoolVar(&f.count, "count", false, "only count games and moves")
	f.cluster.Declare(flags)
}

// namedAfter returns what the dataset of one file of records is called, without a folder: my for
// /data/my.pgn.zst; "" for a pipe, a folder, several files, or a file whose name has no ending.
func namedAfter(disk *command.Files, files []string) string {
	if len(files) != 1 || files[0] == "-" {
		return ""
	}
	if info, err := os.Stat(disk.Path(files[0])); err == nil && info.IsDir() {
		return ""
	}
	name := source.Bare(files[0])
	name = strings.TrimSuffix(name, filepath.Ext(name))
	if name == filepath.Base(files[0]) {
		return ""
	}
	return name
}

// ingest makes a dataset of each game that the files hold, or counts.
func (f ingestFlags) ingest(ctx context.Context, e *command.Env, files []string) error {
	if e.Desk != nil {
		return ingest.Serve(ctx, e.Desk, ingest.Options{Games: gametable.Ingest(), NewFilter: filterBySQL})
	}
	if f.out == "" && !f.count {
		if f.out = namedAfter(e.Files, files); f.out == "" {
			return command.Usagef("--out DIR is missing: only the dataset of a single file gets that file's name (or use --count)")
		}
		f.named = true
	}
	var err error
	if f.params.DropAnnotations, err = dropsAnnotations(f.annotations); err != nil {
		return err
	}
	if f.append && e.Force {
		return command.Usagef("--append extends the dataset and --force replaces it: choose one")
	}
	if f.params.PartGames < 0 {
		return command.Usagef("--part-games %d: want 1 or more", f.params.PartGames)
	}
	if f.game != "" && f.forced != "" {
		return command.Usagef("--game and --force-game both name the game: choose one")
	}
	leave, err := f.cluster.Join(ctx, e)
	if err != nil {
		return err
	}
	defer leave()
	records, err := fetchRecords(ctx, e.Paths(files))
	if err != nil {
		return err
	}
	return records.under(f.ingestFiles(ctx, e, records))
}

// ingestFiles is ingest once the records are on this machine.
func (f ingestFlags) ingestFiles(ctx context.Context, e *command.Env, records fetched) error {
	files := records.local
	stdin := bufio.NewReaderSize(e.Stdin, detectBytes)
	held := &ingest.Held{}
	names, head, err := f.names(files, stdin, held)
	if err != nil {
		return err
	}
	o := ingest.Options{Inputs: files, Games: gametable.Ingest(), Stdin: stdin, Workers: e.Workers, Force: f.forced != "", Warn: records.writer(e.Stderr), NewFilter: filterBySQL, Held: held}
	if f.verbose {
		o.Log = records.writer(e.Stderr)
	}
	if names == nil && f.count && !f.params.Positions {
		watch := command.StartWatch()
		if counts, sums, ok := ingest.CountSame(ctx, f.params, o); ok {
			return printCounts(e.Console, watch, counts, sums)
		}
	}
	if names == nil {
		if names, err = f.detect(files, head, held); err != nil {
			return err
		}
	}
	if f.named {
		fmt.Fprintf(e.Stderr, "writing the dataset %s, named after the file (--out DIR chooses another name)\n", f.out)
	}
	var nothing []error
	for _, name := range names {
		g, err := command.FindGame(name)
		if err != nil {
			return err
		}
		p, out := f.params, f.out
		p.Game = name
		if len(names) > 1 {
			p.Sort, out = true, command.Below(out, name)
		}
		if f.count {
			err = countGames(ctx, e.Console, g, p, o)
		} else {
			err = ingestGame(ctx, e, g, p, o, out, f.append)
		}
		if empty, ok := errors.AsType[*ingest.Empty](err); ok {
			err = nothingRead(out, name, empty, files, f.verbose)
			nothing = append(nothing, err)
			continue
		}
		if err != nil {
			return err
		}
	}
	if len(nothing) == len(names) {
		return errors.Join(nothing...)
	}
	for _, err := range nothing {
		fmt.Fprintln(e.Stderr, err)
	}
	return nil
}

// nothingRead returns the error for records without a game.
func nothingRead(out, game string, e *ingest.Empty, files []string, verbose bool) error {
	c := e.Counts
	text := fmt.Sprintf("%s: no dataset is made, as no game of %s could be read", out, game)
	switch {
	case e.LeftOut() > 0:
		text = fmt.Sprintf("%s: no dataset is made, as no game of %s is left of %s read", out, game, human.Grouped(c.Read))
	case c.Read == 0 && len(c.Noted) == 0:
		text = fmt.Sprintf("%s: no dataset is made, as no game of %s is in %s", out, game, someFiles(files))
	}
	if r := command.Reasons(c.Rejected); r != "" {
		text += "; rejected " + r
		if !verbose {
			text += ", which --verbose shows"
		}
	}
	if r := command.Reasons(c.Noted); r != "" {
		text += "; noted " + r
	}
	return errors.New(text)
}

// someFiles names the first files of a list.
func someFiles(files []string) string {
	const most = 5
	if len(files) <= most {
		return strings.Join(files, ", ")
	}
	return fmt.Sprintf("%s and %s more", strings.Join(files[:most], ", "), human.Grouped(int64(len(files)-most)))
}

// detectBytes is how much of the standard input is looked at: several blocks of what
// compresses it.
const detectBytes = 1 << 20

// names returns the games whose records are read if flags name them; nil if the files decide, whose
// standard input begins with head. It settles whether they are read as positions.
func (f *ingestFlags) names(files []string, stdin *bufio.Reader, held *ingest.Held) (names []string, head []byte, err error) {
	if f.forced != "" {
		return []string{f.forced}, nil, f.checkPositions()
	}
	if slices.Contains(files, "-") {
		head, _ = stdin.Peek(detectBytes) // a fault comes again
	}
	known := gametable.Ingest()
	if f.game != "" {
		g, err := command.FindGame(f.game)
		if err != nil {
			return nil, nil, err
		}
		known = gametable.IngestOf(g)
	}
	if f.params.Positions, err = ingest.HoldPositions(known, files, head, f.params.Positions, held); err != nil {
		return nil, nil, err
	}
	if err := f.checkPositions(); err != nil {
		return nil, nil, err
	}
	if f.game != "" {
		return []string{f.game}, nil, ingest.Recognise(known, files, f.params.Positions, held)
	}
	return nil, head, nil
}

// detect returns the games whose records the files hold.
func (f *ingestFlags) detect(files []string, head []byte, held *ingest.Held) ([]string, error) {
	names, err := ingest.Detect(gametable.Ingest(), files, head, f.params.Positions, held)
	switch {
	case err != nil:
	case slices.Contains(files, "-") && len(names) > 1:
		err = command.Usagef("the input holds %s, and the standard input can be read once: choose with --game", strings.Join(names, " and "))
	case len(names) == 0:
		err = fmt.Errorf("no known game in %s (name a file and its game with --game GAME; in directories kifu reads records, and .txt, .csv, .json and .parquet files that hold them)", strings.Join(files, ", "))
	}
	return names, err
}

// checkPositions refuses flags that are for games alone, or for positions.
func (f *ingestFlags) checkPositions() error {
	switch {
	case !f.params.Positions && f.params.Mover:
		return command.Usagef("--mover is for lists of positions: these are records of games")
	case !f.params.Positions && f.params.Soft:
		return command.Usagef("--soft is for lists of positions: these are records of games")
	case f.params.Positions && f.params.Where != "":
		return command.Usagef("--where reads the tags of games: these are positions; filter them later (kifu query, export --where, fit --where)")
	case f.params.Positions && f.params.KeepPrefix:
		return command.Usagef("--keep-prefix is for games: these are positions")
	}
	return nil
}

// boundHeap has garbage collected before the heap has so many megabytes, where it would be at
// twice what lives in it; undo takes it back. GOMEMLIMIT in the environment goes before.
func boundHeap(megabytes int64) (undo func()) {
	old := debug.SetMemoryLimit(-1)
	if old == math.MaxInt64 {
		debug.SetMemoryLimit(megabytes << 20)
	}
	return func() { debug.SetMemoryLimit(old) }
}

// ingestGame makes the dataset of one game.
func ingestGame(ctx context.Context, e *command.Env, g command.Game, p ingest.Params, o ingest.Options, out string, add bool) error {
	asks := e.Cluster != nil && e.Plan == nil && !add
	if !asks {
		defer boundHeap(int64(112 + 24*max(e.Workers, 2)))() // about 100 live in it with two workers, and a run stays below 256
	}
	o.Seen = &ingest.Seen{}
	keys, err := ingest.InputKeys(ctx, g.Ingest, p, o)
	if err != nil {
		return err
	}
	output, what := schemas.Games.ID(), "games of "+g.Name
	if p.Positions {
		output, what = schemas.Positions(0, nil, false).ID(), "positions of "+g.Name
	}
	s := datasets.Step{
		Stage: "ingest", Output: output, Params: p, InputKeys: keys,
		Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			return ingest.Run(ctx, g.Ingest, p, o, b)
		},
	}
	if asks {
		s.Run = machines.Asking(e, out, s)
	}
	return e.BuildOr(ctx, out, s, datasets.Options{Force: e.Force, Append: add}, what)
}

// filterBySQL makes the filter of --where.
func filterBySQL(ctx context.Context, condition string, t schemas.Table) (ingest.Filter, error) {
	return query.NewFilter(ctx, "--where", condition, t)
}

// countGames prints what each file holds.
func countGames(ctx context.Context, con *command.Console, g command.Game, p ingest.Params, o ingest.Options) error {
	watch := command.StartWatch()
	files, sums, err := ingest.Count(ctx, g.Ingest, p, o)
	if err != nil {
		return err
	}
	return printCounts(con, watch, files, sums)
}

// printCounts prints what was counted since then.
func printCounts(con *command.Console, since command.Watch, files []ingest.FileCount, sums manifest.Counts) error {
	var total ingest.FileCount
	for _, f := range files {
		total.Games += f.Games
		total.Plies += f.Plies
		total.Damaged += f.Damaged
		total.LeftOut += f.LeftOut
	}
	out := tabwriter.NewWriter(con.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(f ingest.FileCount, file string) {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t  %s\n", human.Grouped(f.Games), human.Grouped(f.Plies), human.Grouped(f.Damaged), human.Grouped(f.LeftOut), file)
	}
	fmt.Fprintln(out, "games\tmoves\tdamaged\tleft out\t  file")
	for _, f := range files {
		line(f, f.File)
	}
	if len(files) > 1 {
		line(total, fmt.Sprintf("in %d files", len(files)))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if r := command.Reasons(sums.Rejected); r != "" {
		fmt.Fprintf(con.Stdout, "damaged: %s\n", r)
	}
	if r := command.Reasons(sums.Noted); r != "" {
		fmt.Fprintf(con.Stdout, "noted: %s\n", r)
	}
	fmt.Fprintln(con.Stderr, since.Rate(sums.Read))
	return nil
}

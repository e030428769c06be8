package main

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/datasets"
	"kifu/datasets/remote"
	"kifu/explore"
	"kifu/explore/site"
	"kifu/ingest"
	"kifu/internal/human"
	"kifu/report/sheet"
)

// exploreFlags are the flags of kifu explore.
type exploreFlags struct {
	listen  string
	options explore.Options
}

func exploreCommand(e *command.Env) *cobra.Command {
	var f exploreFlags
	cmd := &cobra.Command{
		Use:   "explore DATASET|RECORDS...",
		Short: "Look at datasets or records in a browser",
		Args:  command.AtLeast(1, "datasets, folders with datasets in them, or records"),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.explore(cmd.Context(), e, args) },
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *exploreFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.listen, "listen", "127.0.0.1:0", "listen at `HOST:PORT`; port 0 is any free port")
	flags.StringVar(&f.options.Token, "token", "", "use the secret `TEXT` in the address (default: random)")
	flags.StringVar(&f.options.Memory, "memory", "2GB", "use at most `SIZE` of memory per page; three run at once")
	flags.DurationVar(&f.options.Time, "time", 30*time.Second, "stop pages that take longer than `T`")
	flags.IntVar(&f.options.Rows, "rows", 1_000_000, "write at most `N` rows to a CSV file")
	flags.BoolVar(&f.options.Trust, "trust", false, "do not verify checksums")
}

// explore serves the datasets until it is interrupted.
func (f exploreFlags) explore(ctx context.Context, e *command.Env, args []string) error {
	switch {
	case f.options.Time <= 0:
		return command.Usagef("--time %v: want a time above 0", f.options.Time)
	case f.options.Rows < 1:
		return command.Usagef("--rows %d: want 1 or more", f.options.Rows)
	}
	sets, err := exploreSets(ctx, e, args)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w", f.listen, err)
	}
	defer l.Close()
	f.options.Threads = e.Workers
	f.options.Start = func() *exec.Cmd { return startPages(e) }
	f.options.Tree = func(ctx context.Context, games *datasets.Dir) (string, error) { return cachedTree(ctx, e.Maker, games) }
	site, err := explore.New(ctx, sets, exploreGames(), f.options)
	if err != nil {
		return err
	}
	defer site.Close()
	fmt.Fprintf(e.Stdout, "%s\n", site.Address(l))
	fmt.Fprintf(e.Stderr, "Open this address in a browser; Ctrl-C ends it. Whoever has it can read %s.\n", human.Plural(int64(len(sets)), "dataset", "datasets"))
	e.Silent() // it waits from here on
	return site.Serve(ctx, l)
}

// pagesName is the command that makes pages for kifu explore.
const pagesName = "__pages"

func pagesCommand(mk *command.Maker) *cobra.Command {
	return &cobra.Command{Use: pagesName, Hidden: true, Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, args []string) error {
		return explore.Work(cmd.Context(), mk.Stdin, mk.Data(), mk.OpenAny, exploreGames())
	}}
}

// startPages returns this program as it makes pages.
func startPages(e *command.Env) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return &exec.Cmd{Path: self, Args: []string{"kifu", pagesName, fmt.Sprintf("--verify=%v", e.Verify)}, Stderr: e.Stderr}
}

// exploreSets opens datasets: DIR, NAME=DIR, or a folder with datasets in it. Records mean the datasets
// made of them: all records without a NAME= together.
func exploreSets(ctx context.Context, e *command.Env, args []string) ([]*site.Set, error) {
	var names []string
	var sets []*site.Set
	add := func(name, path string) error {
		folders, _, err := datasetsIn(e.Files, path)
		for _, folder := range folders {
			at, as := command.Below(path, strings.TrimPrefix(folder, ".")), name
			if name == "" {
				as = viewName(filepath.Base(filepath.Clean(path)))
			}
			if folder != "." {
				as = strings.TrimPrefix(viewName(name+"_"+folder), "_")
			}
			d, err := e.OpenAny(at)
			if err != nil {
				return err
			}
			names = append(names, as)
			sets = append(sets, &site.Set{Path: at, Dir: d})
		}
		return err
	}
	addRead := func(name string, records []string) error {
		path, err := cached(ctx, e, records)
		if err != nil {
			return err
		}
		return add(name, path)
	}
	var loose []string
	for _, arg := range args {
		name, path, named := strings.Cut(arg, "=")
		if _, err := os.Stat(e.Path(arg)); err == nil || !named || remote.Is(arg) {
			name, path = "", arg
		}
		_, records, err := datasetsIn(e.Files, path)
		switch {
		case err != nil:
		case records && name == "":
			loose = append(loose, path)
		case records:
			err = addRead(name, []string{path})
		default:
			err = add(name, path)
		}
		if err != nil {
			return nil, err
		}
	}
	if loose != nil {
		if err := addRead("", loose); err != nil {
			return nil, err
		}
	}
	for i, name := range sheet.UniqueNames(names) {
		sets[i].Name = viewName(name)
	}
	return sets, nil
}

// datasetsIn returns the datasets in a folder, from it: "." for one itself. It reports whether a path holds records
// instead: it is a file, or a folder without datasets in which a file is a record by its name.
func datasetsIn(disk *command.Files, path string) (all []string, records bool, err error) {
	if remote.Is(path) {
		return []string{"."}, false, nil
	}
	root := disk.Path(path)
	isDataset := func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "manifest.json"))
		return err == nil
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return []string{"."}, err == nil, nil // opening it reports the fault
	}
	err = filepath.WalkDir(root, func(at string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !e.IsDir():
			records = records || ingest.Takes(gametable.Ingest(), at)
			return nil
		case !isDataset(at):
			return nil
		}
		from, err := filepath.Rel(root, at)
		all = append(all, from)
		if err != nil {
			return err
		}
		return fs.SkipDir
	})
	if err == nil && len(all) == 0 && !records {
		_, err = datasets.Open(root) // reports that it is none
	}
	return all, records && len(all) == 0, err
}

// exploreGames are the games as the explorer asks for them.
func exploreGames() map[string]site.Game {
	all := map[string]site.Game{}
	for _, g := range gametable.All {
		all[g.Name] = g.Explore
	}
	return all
}

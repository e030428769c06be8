package main

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/datasets"
	"kifu/explore"
	"kifu/report/sheet"
)

// exploreFlags are the flags of kifu explore.
type exploreFlags struct {
	listen  string
	options explore.Options
}

func (a *app) exploreCommand() *cobra.Command {
	var f exploreFlags
	cmd := &cobra.Command{
		Use:   "explore DATASET...",
		Short: "Look at datasets in a browser",
		Args:  atLeast(1, "datasets, or folders with datasets in them"),
		RunE:  func(cmd *cobra.Command, args []string) error { return a.explore(cmd.Context(), f, args) },
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *exploreFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.listen, "listen", "127.0.0.1:0", "answer at `HOST:PORT`; port 0 takes a free one; other machines reach it at a HOST of this machine's network")
	flags.StringVar(&f.options.Token, "token", "", "begin addresses with `TEXT`, so that they hold at the next start (default: a random one)")
	flags.StringVar(&f.options.Memory, "memory", "2GB", "use at most `SIZE` of memory for a page, and 256 MB; three are made at a time")
	flags.DurationVar(&f.options.Time, "time", 30*time.Second, "end what takes longer than `T`")
	flags.IntVar(&f.options.Rows, "rows", 1_000_000, "give a CSV at most `N` rows")
	flags.BoolVar(&f.options.Trust, "trust", false, "do not compare what is read with its checksums")
}

// explore serves the datasets until it is interrupted.
func (a *app) explore(ctx context.Context, f exploreFlags, args []string) error {
	switch {
	case f.options.Time <= 0:
		return usagef("--time %v: want a time above 0", f.options.Time)
	case f.options.Rows < 1:
		return usagef("--rows %d: at least one", f.options.Rows)
	}
	sets, err := a.exploreSets(args)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w", f.listen, err)
	}
	defer l.Close()
	f.options.Threads = a.workers
	f.options.Start = a.startPages
	site, err := explore.New(ctx, sets, exploreGames(), f.options)
	if err != nil {
		return err
	}
	defer site.Close()
	fmt.Fprintf(a.stdout, "%s\n", site.Address(l))
	fmt.Fprintf(a.stderr, "Open this address in a browser; Ctrl-C ends it. Whoever has it can read the %d datasets.\n", len(sets))
	return site.Serve(ctx, l)
}

// pagesName is the command that makes pages for kifu explore.
const pagesName = "__pages"

func (a *app) pagesCommand() *cobra.Command {
	return &cobra.Command{Use: pagesName, Hidden: true, Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, args []string) error {
		return explore.Work(cmd.Context(), a.stdin, a.data(), a.openAny, exploreGames())
	}}
}

// startPages returns this program as it makes pages.
func (a *app) startPages() *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return &exec.Cmd{Path: self, Args: []string{"kifu", pagesName, fmt.Sprintf("--verify=%v", a.verify)}, Stderr: a.stderr}
}

// exploreSets opens datasets: DIR, NAME=DIR, or a folder with datasets in it.
func (a *app) exploreSets(args []string) ([]*explore.Set, error) {
	var names []string
	var sets []*explore.Set
	add := func(name, path string) error {
		d, err := a.openAny(path)
		if err != nil {
			return err
		}
		names = append(names, name)
		sets = append(sets, &explore.Set{Path: path, Dir: d})
		return nil
	}
	for _, arg := range args {
		name, path, named := strings.Cut(arg, "=")
		if _, err := os.Stat(a.path(arg)); err == nil || !named || datasets.Remote(arg) {
			name, path = "", arg
		}
		folders, err := a.datasetsIn(path)
		if err != nil {
			return nil, err
		}
		for _, folder := range folders {
			as := name
			if name == "" {
				as = viewName(filepath.Base(filepath.Clean(path)))
			}
			if folder != "." {
				as = strings.TrimPrefix(viewName(name+"_"+folder), "_")
			}
			if folder == "." {
				folder = ""
			}
			if err := add(as, below(path, folder)); err != nil {
				return nil, err
			}
		}
	}
	for i, name := range sheet.UniqueNames(names) {
		sets[i].Name = viewName(name)
	}
	return sets, nil
}

// datasetsIn returns the datasets in a folder, from it: "." for one itself.
func (a *app) datasetsIn(path string) (all []string, err error) {
	if datasets.Remote(path) {
		return []string{"."}, nil
	}
	root := a.path(path)
	isDataset := func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "manifest.json"))
		return err == nil
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() || isDataset(root) {
		return []string{"."}, nil // opening it says what is wrong
	}
	err = filepath.WalkDir(root, func(at string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() || !isDataset(at) {
			return err
		}
		from, err := filepath.Rel(root, at)
		all = append(all, from)
		if err != nil {
			return err
		}
		return fs.SkipDir
	})
	if err == nil && len(all) == 0 {
		_, err = datasets.Open(root) // says that it is none
	}
	return all, err
}

var noName = regexp.MustCompile(`[^\p{L}\p{N}]+`)

// viewName is a name that SQL takes without quotes.
func viewName(name string) string {
	name = strings.Trim(noName.ReplaceAllString(name, "_"), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "d" + name
	}
	return name
}

// exploreGames are the games as the explorer asks for them.
func exploreGames() map[string]explore.Game {
	all := map[string]explore.Game{}
	for _, g := range table {
		all[g.name] = g.explore
	}
	return all
}

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"kifu/datasets"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program and of what it is built with",
		Args:  exactly(0, "none"),
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintln(a.stdout, versionLine())
			info, found := debug.ReadBuildInfo()
			if !found {
				return nil
			}
			for _, s := range info.Settings {
				if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
					fmt.Fprintf(a.stdout, "%s %s\n", s.Key, s.Value)
				}
			}
			for _, d := range info.Deps {
				switch d.Path {
				case "github.com/parquet-go/parquet-go", "github.com/marcboeker/go-duckdb", "github.com/apache/arrow/go/v15", "gonum.org/v1/gonum":
					fmt.Fprintf(a.stdout, "%s %s\n", d.Path, d.Version)
				}
			}
			return nil
		},
	}
}

// commit is set by the Makefile: Go itself does not see a repository in a worktree of git.
var commit string

// versionLine names the version, the commit if the build knows it, and the platform.
func versionLine() string {
	of := commit
	if info, found := debug.ReadBuildInfo(); found {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				of = s.Value
			}
		}
	}
	if of != "" {
		of = fmt.Sprintf(" %.10s", of)
	}
	return fmt.Sprintf("kifu %s%s (%s, %s/%s)", datasets.Version, of, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets/manifest"
)

// buildInfo is the output of kifu version --json.
type buildInfo struct {
	Version  string            `json:"version"`
	Commit   string            `json:"commit,omitempty"`
	Platform string            `json:"platform"`
	Go       string            `json:"go"`
	Modules  map[string]string `json:"modules"` // versions of all modules in the program, by path
}

// shownModules are those that kifu version names.
var shownModules = []string{"github.com/parquet-go/parquet-go", "github.com/marcboeker/go-duckdb", "github.com/apache/arrow/go/v15", "gonum.org/v1/gonum"}

func versionCommand(mk *command.Maker) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program and its modules",
		Args:  command.Exactly(0, "none"),
		RunE: func(*cobra.Command, []string) error {
			of := thisBuild()
			if asJSON {
				e := json.NewEncoder(mk.Stdout)
				e.SetIndent("", "  ")
				return e.Encode(of)
			}
			fmt.Fprintln(mk.Stdout, versionLine())
			for _, path := range shownModules {
				if version, in := of.Modules[path]; in {
					fmt.Fprintf(mk.Stdout, "%s %s\n", path, version)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print version, commit, platform and all modules as JSON")
	return cmd
}

// commit is set by the Makefile: Go itself does not see a repository in a worktree of git.
var commit string

func thisBuild() buildInfo {
	of := buildInfo{manifest.Version, commit, runtime.GOOS + "/" + runtime.GOARCH, runtime.Version(), map[string]string{}}
	info, found := debug.ReadBuildInfo()
	if !found {
		return of
	}
	if i := slices.IndexFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs.revision" }); i >= 0 {
		of.Commit = info.Settings[i].Value
	}
	for _, d := range info.Deps {
		of.Modules[d.Path] = d.Version
	}
	return of
}

// versionLine names the version, the commit if the build knows it, and the platform.
func versionLine() string {
	of := thisBuild()
	if of.Commit != "" {
		of.Commit = fmt.Sprintf(" %.10s", of.Commit)
	}
	return fmt.Sprintf("kifu %s%s (%s, %s)", of.Version, of.Commit, of.Go, of.Platform)
}

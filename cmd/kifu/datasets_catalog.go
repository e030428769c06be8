package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets/catalog"
	"kifu/datasets/remote"
)

// catalogOverride names a file with another catalog: for mirrors, and for tests.
const catalogOverride = "KIFU_CATALOG"

func loadCatalog() ([]catalog.Database, error) {
	path := os.Getenv(catalogOverride)
	if path == "" {
		return catalog.All()
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", catalogOverride, err)
	}
	all, err := catalog.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

func catalogCommand(mk *command.Maker) *cobra.Command {
	return &cobra.Command{
		Use:   "list [NAME]",
		Short: "List public databases of game records",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			all, err := loadCatalog()
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(mk.Stdout, 0, 0, 2, ' ', 0)
			if len(args) == 0 {
				fmt.Fprintln(w, "NAME\tGAME\tFORMAT\tSIZE\tLICENCE\tWHAT")
				for _, d := range all {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", d.Name, d.Game, d.Format, d.Size, d.Licence, d.What)
				}
				return w.Flush()
			}
			d, err := catalog.Find(all, args[0])
			if err != nil && d.Name == "" {
				return err
			}
			for _, line := range [][2]string{{"name", d.Name}, {"game", d.Game}, {"format", d.Format}, {"what", d.What},
				{"address", cmp.Or(d.Address, "none that stays")}, {"home", d.Home}, {"licence", d.Licence}, {"size", d.Size},
				{"checksum", cmp.Or(d.SHA256, d.Checksums, "none published")}, {"first file", cmp.Or(d.First, "-")}, {"checked", d.Checked}} {
				fmt.Fprintf(w, "%s\t%s\n", line[0], line[1])
			}
			return w.Flush()
		},
	}
}

func getCommand(mk *command.Maker) *cobra.Command {
	out := "."
	cmd := &cobra.Command{
		Use:   "get NAME... [--out DIR]",
		Short: "Fetch public databases",
		Args:  command.AtLeast(1, "names from 'kifu datasets list'"),
		RunE:  func(cmd *cobra.Command, args []string) error { return get(cmd.Context(), mk, args, out) },
	}
	cmd.Flags().StringVar(&out, "out", out, "keep the files in directory `DIR`")
	return cmd
}

// get fetches the databases of these names into a directory.
func get(ctx context.Context, mk *command.Maker, names []string, out string) error {
	if err := remote.Refuse(out); err != nil {
		return err
	}
	files, err := catalogFiles(names)
	if err != nil {
		return err
	}
	if mk.Ground != nil {
		if err := mk.Ground.Within(filepath.Join(mk.Path(out), "x")); err != nil {
			return err
		}
	}
	client := &catalog.Client{Log: func(text string) { fmt.Fprintf(mk.Stderr, "kifu: %s\n", text) }}
	for _, f := range files {
		r, err := client.Get(ctx, f, mk.Path(out), mk.Force)
		if err != nil {
			return err
		}
		what := []string{command.Size(r.Bytes), "sha256 " + r.SHA256}
		switch {
		case !r.Fresh:
			what = append(what, "already there and verified; nothing done")
		case r.Verified:
			what = append(what, "verified")
		default:
			what = append(what, "no published checksum to compare it with")
		}
		mk.Announce(r.Path, strings.Join(what, ", "))
	}
	return nil
}

// catalogFiles returns the files of databases by their names in the catalog.
func catalogFiles(names []string) ([]catalog.File, error) {
	all, err := loadCatalog()
	if err != nil {
		return nil, err
	}
	var files []catalog.File
	for _, name := range names {
		d, err := catalog.Find(all, name)
		if err != nil {
			return nil, err
		}
		f, err := d.File()
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

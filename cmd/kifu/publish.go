package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets/card"
	"kifu/datasets/remote"
	"kifu/internal/fresh"
	"kifu/internal/pattern"
)

func publishCommand(mk *command.Maker) *cobra.Command {
	var as, location string
	var f card.Facts
	cmd := &cobra.Command{
		Use:   "publish --as iceberg|hf DIR...",
		Short: "Publish datasets as Iceberg tables, or for the Hugging Face Hub",
		Args:  command.AtLeast(1, "dataset directories"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case as == "iceberg" && f.Repo == "" && f.Licence == "":
				return publishTables(cmd.Context(), mk, args, location)
			case as == "iceberg":
				return command.Usagef("--repo and --licence are for --as hf")
			case as != "hf":
				return command.Usagef("--as %q: want iceberg or hf", as)
			case location != "":
				return command.Usagef("--location is for --as iceberg")
			case len(args) > 1:
				return command.Usagef("a repository has one dataset: publish each with a --repo of its own")
			}
			return publishCard(cmd.Context(), mk, args[0], f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&as, "as", "", "write metadata as `FORM`: iceberg, hf (required)")
	flags.StringVar(&location, "location", "", "with --as iceberg: tables will be below `URL` (default: stay)")
	flags.StringVar(&f.Repo, "repo", "", "with --as hf: the repository, `USER/NAME` (required)")
	flags.StringVar(&f.Licence, "licence", "", "with --as hf: the data's `LICENCE`: cc0-1.0 (default: the records')")
	return cmd
}

// publishCard writes a card and Croissant's metadata next to the parts.
func publishCard(ctx context.Context, mk *command.Maker, dir string, f card.Facts) error {
	if remote.Is(dir) {
		return fmt.Errorf("%s: datasets are published from directories", dir)
	}
	d, err := mk.OpenAny(dir)
	if err != nil {
		return err
	}
	if d.NumParts() == 0 {
		return fmt.Errorf("%s holds no table: it has no Parquet part", dir)
	}
	line, err := lineage(mk, []string{dir}, "copy it there, and its records are listed")
	if err != nil {
		return err
	}
	if f.Sources, err = sourcesOf(line); err != nil {
		return err
	}
	f.Licence = cmp.Or(f.Licence, commonLicence(f.Sources))
	if err := f.Validate(); err != nil {
		return command.Misused(err)
	}
	entries, err := citations(line)
	if err != nil {
		return err
	}
	for _, e := range entries {
		f.Citation += e.String()
	}
	made, err := os.Stat(filepath.Join(mk.Path(dir), "manifest.json"))
	if err != nil {
		return err
	}
	f.Date = made.ModTime().UTC().Format(time.DateOnly)
	if err := d.Verify(ctx); err != nil {
		return err
	}
	croissant, err := f.Croissant(d)
	if err != nil {
		return err
	}
	files := []struct {
		out  string
		text []byte
	}{{filepath.Join(dir, card.Card), f.README(d)}, {filepath.Join(dir, card.Croissant), croissant}}
	for _, file := range files {
		if err := mk.MayWrite(file.out); err != nil {
			return err
		}
	}
	for _, file := range files {
		if err := mk.WriteFile(file.out, fresh.Of(file.text)); err != nil {
			return err
		}
	}
	fmt.Fprintf(mk.Stdout, "%s: wrote %s and %s. Upload it by: hf upload --repo-type dataset %s %s\n", dir, card.Card, card.Croissant, f.Repo, dir)
	return nil
}

// commonLicence returns the licence of all sources, "" if it is not known of each or not the same.
func commonLicence(all []card.Source) string {
	for _, s := range all {
		if s.Licence != all[0].Licence || strings.HasPrefix(s.Licence, "not stated") {
			return ""
		}
	}
	if len(all) == 0 {
		return ""
	}
	return all[0].Licence
}

// isLocation is what a reader of tables can open from anywhere: a URL, or a path from the root.
var isLocation = pattern.Of(`^([a-z][a-z0-9+.-]*://[^/]|file:///|/)`)

// publishTables starts the program that writes the metadata: its dependencies are more than half as large as
// kifu, and it is a module of its own.
func publishTables(ctx context.Context, mk *command.Maker, dirs []string, location string) error {
	const program = "kifu-iceberg"
	if location != "" && !isLocation().MatchString(location) {
		return command.Usagef("--location %s: want a URL, as s3://BUCKET/PREFIX, or an absolute path", location)
	}
	names := map[string]string{}
	for _, dir := range dirs {
		if _, err := mk.OpenAny(dir); err != nil {
			return err
		}
		name := filepath.Base(mk.Path(dir))
		switch other := names[name]; {
		case location == "":
		case remote.Is(dir):
			return command.Usagef("%s: a dataset in object storage is published where it is: leave out --location", dir)
		case other != "":
			return command.Usagef("%s and %s would be the same table below %s: publish each with a --location of its own", other, dir, location)
		}
		names[name] = dir
	}
	if err := mk.MayStart(program); err != nil {
		return err
	}
	path, err := exec.LookPath(program)
	if self, fault := os.Executable(); fault == nil {
		own := filepath.Join(filepath.Dir(self), program)
		if _, fault := os.Stat(own); err != nil && fault == nil {
			path, err = own, nil
		}
	}
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%s is not installed: 'make bin/%s' in kifu's sources builds it; put it next to kifu or on the PATH", program, program)
	}
	if err != nil {
		return err
	}
	run := exec.CommandContext(ctx, path, append([]string{"--location", location}, mk.Paths(dirs)...)...)
	run.Stdout, run.Stderr = mk.Stdout, mk.Stderr
	if err := run.Run(); err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	if remote.Is(location) {
		for _, dir := range dirs {
			fmt.Fprintf(mk.Stdout, "Upload it by: aws s3 sync %s %s/%s\n", dir, strings.TrimRight(location, "/"), filepath.Base(mk.Path(dir)))
		}
	}
	return nil
}

package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/internal/pattern"
	"kifu/schemas"
)

// cachedFor is how long unused datasets of records are kept.
const cachedFor = 30 * 24 * time.Hour

// readName is the file next to cached datasets that lists the files they were made of. It is written when
// all are read, and its time is their last use.
const readName = "records.txt"

// cached returns the folder, in the user's cache, of the datasets of records. They are made if they are not there,
// or if path, size or time of a file are others than then.
func cached(ctx context.Context, e *command.Env, records []string) (string, error) {
	paths, list, err := listRecords(e.Files, records)
	if err != nil {
		return "", err
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("cannot store a dataset of %s: %w: make one with kifu ingest --out DIR", someFiles(records), err)
	}
	name := namedAfter(e.Files, records)
	switch {
	case name == "" && len(records) == 1:
		name = filepath.Base(paths[0])
	case name == "":
		name = "games"
	}
	all := filepath.Join(user, "kifu", "games")
	these := fmt.Sprintf("%s-%.4x-", viewName(name), sha256.Sum256([]byte(strings.Join(paths, "\n"))))
	dir := filepath.Join(all, fmt.Sprintf("%s%.4x", these, sha256.Sum256(list)), viewName(name))
	mark := filepath.Join(filepath.Dir(dir), readName)
	if was, err := os.ReadFile(mark); err == nil && slices.Equal(was, list) && !e.Force {
		fmt.Fprintf(e.Stderr, "%s is unchanged: using %s\n", someFiles(records), dir)
		return dir, os.Chtimes(mark, time.Time{}, time.Now())
	}
	fmt.Fprintf(e.Stderr, "reading %s into %s; the next start uses it again\n", someFiles(records), dir)
	reader := *e
	reader.Maker = &command.Maker{Files: e.Files, Console: &command.Console{Stdin: e.Stdin, Stdout: e.Stderr, Stderr: e.Stderr, Quiet: e.Quiet}, Workers: e.Workers}
	err = atOnce(ctx, func() error {
		return (ingestFlags{out: dir}).ingestFiles(ctx, &reader, fetched{paths, strings.NewReplacer()})
	})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(mark, list, 0o666); err != nil {
		return "", err
	}
	return dir, forget(all, these, filepath.Dir(dir))
}

// atOnce makes a dataset of the cache. Where another explorer is making it, it waits, and finds it made.
func atOnce(ctx context.Context, make func() error) error {
	for {
		err := make()
		if !errors.Is(err, datasets.ErrWriting) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// listRecords returns the absolute paths of records, and a list of their files: path, size and time of
// change, below the version that reads them.
func listRecords(disk *command.Files, records []string) (paths []string, list []byte, err error) {
	list = fmt.Appendf(nil, "kifu %s, schema %s\n", manifest.Version, schemas.Games.ID())
	for _, r := range records {
		path, err := filepath.Abs(disk.Path(r))
		if err != nil {
			return nil, nil, err
		}
		paths = append(paths, path)
		err = filepath.WalkDir(path, func(at string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			info, err := os.Stat(at)
			if err != nil {
				return nil // ingest names it
			}
			list = fmt.Appendf(list, "%s\t%d\t%s\n", at, info.Size(), info.ModTime().UTC().Format(time.RFC3339Nano))
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return paths, list, nil
}

// forget removes from the cache datasets of the same files before they changed, and long unused ones.
func forget(all, these, but string) error {
	entries, err := os.ReadDir(all)
	if err != nil {
		return err
	}
	for _, e := range entries {
		dir := filepath.Join(all, e.Name())
		info, err := os.Stat(filepath.Join(dir, readName))
		old := err == nil && time.Since(info.ModTime()) > cachedFor
		if dir != but && (old || strings.HasPrefix(e.Name(), these)) {
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// viewName is a name that SQL takes without quotes.
func viewName(name string) string {
	name = strings.Trim(noName().ReplaceAllString(name, "_"), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "d" + name
	}
	return name
}

var noName = pattern.Of(`[^\p{L}\p{N}]+`)

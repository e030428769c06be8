package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"kifu/cmd/kifu/gametable"
	"kifu/datasets/remote"
	"kifu/ingest"
	"kifu/internal/progress"
)

// fetched are records in object storage and their copies on this machine.
type fetched struct {
	local []string          // the files of the command line, copies in their places
	names *strings.Replacer // from names of copies to names of objects
}

// fetchRecords copies records that are in object storage to this machine: s3://bucket/a.pgn.zst is
// one object, s3://bucket/records all below it that are records by their names. Copies are gone
// when the program ends.
func fetchRecords(ctx context.Context, files []string) (f fetched, err error) {
	var names []string
	for _, file := range files {
		if !remote.Is(file) {
			f.local = append(f.local, file)
			continue
		}
		if strings.HasPrefix(file, "https://") || strings.HasPrefix(file, "http://") {
			return f, fmt.Errorf("%s: kifu reads files and s3://BUCKET/PREFIX: download it first, as with curl -LO (kifu datasets get fetches listed databases)", file)
		}
		copied, err := fetchPlace(ctx, file)
		if err != nil {
			return f, err
		}
		f.local = append(f.local, copied)
		names = append(names, copied, strings.TrimRight(file, "/"))
	}
	f.names = strings.NewReplacer(names...)
	return f, nil
}

// fetchPlace returns the copy of one object, or a directory of those below a prefix.
func fetchPlace(ctx context.Context, url string) (string, error) {
	place, err := remote.At(ctx, url)
	if err != nil {
		return "", err
	}
	dir, err := place.Scratch()
	if err != nil {
		return "", err
	}
	above, _ := place.Relative("..")
	name := path.Base(url)
	one, err := above.Stat(name)
	if err == nil && !strings.HasSuffix(url, "/") {
		bar := progress.Start(ctx, "fetch "+name, one.Bytes, "bytes")
		defer bar.Done()
		to := filepath.Join(dir, name)
		return to, above.Copy(name, to, func(n int) { bar.Add(int64(n)) })
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return dir, fetchBelow(ctx, place, url, dir)
}

// fetchBelow copies all records of a place into dir, under their names. Other objects are empty files
// there, so that what is passed over is counted as in a directory.
func fetchBelow(ctx context.Context, place remote.Objects, url, dir string) error {
	all, err := place.List("", 0)
	if err != nil {
		return err
	}
	records := map[string]bool{}
	var bytes int64
	for _, o := range all {
		if !filepath.IsLocal(filepath.FromSlash(o.Name)) {
			return fmt.Errorf("%s/%s: not a valid file name", url, o.Name)
		}
		if ingest.Takes(gametable.Ingest(), o.Name) {
			records[o.Name], bytes = true, bytes+o.Bytes
		}
	}
	switch {
	case len(all) == 0:
		return fmt.Errorf("%s: no object has this name or prefix", url)
	case len(records) == 0:
		return fmt.Errorf("%s: none of its %d objects has the name of a record file", url, len(all))
	}
	bar := progress.Start(ctx, "fetch "+url, bytes, "bytes")
	defer bar.Done()
	for _, o := range all {
		to := filepath.Join(dir, filepath.FromSlash(o.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if !records[o.Name] {
			if err := os.WriteFile(to, nil, 0o666); err != nil {
				return err
			}
			continue
		}
		if err := place.Copy(o.Name, to, func(n int) { bar.Add(int64(n)) }); err != nil {
			return err
		}
	}
	return nil
}

// under names copies in an error by their objects.
func (f fetched) under(err error) error {
	if err == nil || f.names.Replace(err.Error()) == err.Error() {
		return err
	}
	return namedError{err, f.names.Replace(err.Error())}
}

type namedError struct {
	error
	text string
}

func (e namedError) Error() string { return e.text }
func (e namedError) Unwrap() error { return e.error }

// writer names copies in lines of text by their objects.
func (f fetched) writer(w io.Writer) io.Writer { return namedWriter{f.names, w} }

type namedWriter struct {
	names *strings.Replacer
	w     io.Writer
}

func (n namedWriter) Write(p []byte) (int, error) {
	_, err := n.names.WriteString(n.w, string(p))
	return len(p), err
}

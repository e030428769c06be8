package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/datasets/checked"
	"kifu/datasets/remote"
	"kifu/internal/checksum"
)

// publish writes the metadata of the dataset at dir, and returns where readers find them: below dir, or in the folder
// of its name below another location, to which the files are copied afterwards.
func publish(ctx context.Context, dir, below string) (location string, err error) {
	var d *datasets.Dir
	if remote.Is(dir) {
		d, err = datasets.OpenAt(ctx, dir)
	} else {
		d, err = datasets.Open(dir)
	}
	if err != nil {
		return "", err
	}
	if d.NumParts() == 0 {
		return "", fmt.Errorf("%s holds no table: it has no Parquet part", dir)
	}
	if err := d.Verify(ctx); err != nil {
		return "", err
	}
	if remote.Is(dir) {
		return publishObjects(ctx, d)
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	s := &site{location: root, dir: root}
	if below != "" {
		s.location = strings.TrimRight(below, "/") + "/" + filepath.Base(root)
	}
	there, err := fs.Glob(os.DirFS(filepath.Join(root, "metadata")), "v*.metadata.json")
	if err != nil {
		return "", err
	}
	s.version = after(there)
	var parts []string
	for i := range d.NumParts() {
		info, err := d.Info(i)
		if err != nil {
			return "", err
		}
		parts = append(parts, s.location+"/"+info.Name)
	}
	return s.writeTable(ctx, d, parts)
}

// publishObjects writes metadata into the bucket that has the dataset. Its parts were fetched to be verified.
func publishObjects(ctx context.Context, d *datasets.Dir) (location string, err error) {
	objects, err := remote.At(ctx, d.Path)
	if err != nil {
		return "", err
	}
	there, err := objects.List("metadata/v", 0)
	if err != nil {
		return "", err
	}
	var names []string
	for _, o := range there {
		names = append(names, o.Name)
	}
	s := &site{location: strings.TrimRight(d.Path, "/"), parts: map[string]string{}, version: after(names)}
	if s.dir, err = objects.Scratch(); err != nil {
		return "", err
	}
	urls, err := d.PartURLs()
	if err != nil {
		return "", err
	}
	for i, copied := range d.PartPaths() {
		s.parts[urls[i]] = copied
	}
	if location, err = s.writeTable(ctx, d, urls); err != nil {
		return "", err
	}
	return location, s.upload(objects)
}

// upload copies what is in dir/metadata: first the files that the next one names, and last the number of the version.
func (s *site) upload(objects remote.Objects) error {
	made, err := os.ReadDir(filepath.Join(s.dir, "metadata"))
	if err != nil {
		return err
	}
	slices.SortFunc(made, func(a, b fs.DirEntry) int { return strings.Compare(path.Ext(a.Name()), path.Ext(b.Name())) }) // .avro, .json, .text
	for _, file := range made {
		local, name := filepath.Join(s.dir, "metadata", file.Name()), "metadata/"+file.Name()
		data, err := os.ReadFile(local)
		if err != nil {
			return err
		}
		if file.Name() != hint {
			if err := objects.Create(checked.File{Name: name, Bytes: int64(len(data)), SHA256: checksum.Bytes(data)}, local); err != nil {
				return err
			}
			continue
		}
		_, tag, err := objects.Get(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := objects.Swap(name, tag, data); err != nil {
			return err
		}
	}
	return nil
}

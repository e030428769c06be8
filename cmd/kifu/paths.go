package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kifu/datasets"
	"kifu/internal/bounded"
	"kifu/internal/lists"
)

// path resolves a file that the command line names: the paths in a study count from its folder, all others
// from the working directory. Standard streams and places in object storage keep their name. In a list of
// datasets each is resolved by itself.
func (disk *files) path(name string) string {
	if disk.dir == "" || name == "" || name == "-" || datasets.Remote(name) {
		return name
	}
	all := filepath.SplitList(name)
	if _, err := os.Lstat(filepath.Join(disk.dir, name)); err == nil { // whatever its name
		all = []string{name}
	}
	for i, one := range all {
		if !filepath.IsAbs(one) {
			all[i] = filepath.Join(disk.dir, one)
		}
	}
	return strings.Join(all, string(filepath.ListSeparator))
}

// below returns the path of what is in a directory, which may be in object storage: of the
// directory itself for an empty name.
func below(dir, name string) string {
	if datasets.Remote(dir) {
		return strings.TrimRight(dir+"/"+name, "/")
	}
	return filepath.Join(dir, name)
}

// paths returns the paths of several names.
func (disk *files) paths(names []string) []string {
	if names == nil {
		return nil
	}
	return lists.Of(names, disk.path)
}

// mayWrite returns an error if out is a file that is there already, and --force is not given;
// - is the standard output. A step of a study writes over its own files, too.
func (disk *files) mayWrite(out string) error {
	if err := disk.mayReplace(out); err != nil || disk.force || disk.ground != nil || out == "-" {
		return err
	}
	if _, err := os.Stat(disk.path(out)); err == nil {
		return fmt.Errorf("%s exists: overwrite it with --force", out)
	}
	return nil
}

// mayReplace returns an error if out cannot be written. A step of a study writes over its own
// files alone.
func (disk *files) mayReplace(out string) error {
	if err := disk.inDirectory(out); err != nil || disk.ground == nil || out == "-" {
		return err
	}
	return disk.ground.MayWrite(disk.path(out))
}

// writeFile writes a file that the command line names, when mayWrite or mayReplace has let it
// pass; it has its final name only when it is whole. - is the standard output.
func (mk *maker) writeFile(out string, write func(io.Writer) error) error {
	if out == "-" {
		return write(mk.data())
	}
	path := mk.path(out)
	if mk.ground == nil {
		return datasets.WriteStream(path, write)
	}
	if err := mk.ground.MayWrite(path); err != nil {
		return err
	}
	return datasets.WriteStream(path, func(w io.Writer) error {
		sum := sha256.New()
		if err := write(io.MultiWriter(w, sum)); err != nil {
			return err
		}
		return mk.ground.Wrote(path, hex.EncodeToString(sum.Sum(nil)))
	})
}

// text returns a function that writes text.
func text(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}

// inDirectory returns an error if a file that is to be written is in no directory: a name that
// is mistyped makes none.
func (disk *files) inDirectory(out string) error {
	if err := datasets.NotRemote(out); err != nil {
		return err
	}
	dir := filepath.Dir(out)
	switch info, err := os.Stat(disk.path(dir)); {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s: %s is a file, not a directory", out, dir)
	case err != nil && !disk.nested:
		return fmt.Errorf("%s: no directory %s: create it first", out, dir)
	}
	return nil
}

// mayStart returns an error if the command that starts a program came with a file that the
// person at the keyboard need not have read.
func (disk *files) mayStart(command string) error {
	if disk.barred == "" {
		return nil
	}
	return fmt.Errorf("%s is a program, and %s", command, disk.barred)
}

// openAny opens a dataset of any kind.
func (disk *files) openAny(name string) (*datasets.Dir, error) {
	return datasets.OpenAt(disk.ctx, disk.path(name))
}

// readFile reads a file, of at most most bytes, that the command line names, which may be in a dataset in
// object storage: s3://bucket/fit/weights.toml.
func (disk *files) readFile(name string, most int64) ([]byte, error) {
	if !datasets.Remote(name) {
		return bounded.ReadFile(disk.path(name), most)
	}
	at := strings.LastIndexByte(name, '/')
	d, err := disk.openAny(name[:at])
	if err != nil {
		return nil, err
	}
	return d.ReadFile(name[at+1:])
}

// open opens a dataset and refuses one of another kind.
func (disk *files) open(name, want string) (*datasets.Dir, error) {
	d, err := disk.openAny(name)
	if err != nil {
		return nil, err
	}
	return d, d.Want(want)
}

// openGame opens a dataset that holds want ("": anything), and finds its game.
func (disk *files) openGame(name, want string) (*datasets.Dir, game, error) {
	d, err := disk.openAny(name)
	if err == nil && want != "" {
		err = d.Want(want)
	}
	if err != nil {
		return nil, game{}, err
	}
	g, err := gameOf(d)
	return d, g, err
}

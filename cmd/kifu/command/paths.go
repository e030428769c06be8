package command

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kifu/datasets"
	"kifu/datasets/remote"
	"kifu/internal/bounded"
	"kifu/internal/lists"
)

// Path resolves a file that the command line names: the paths in a study count from its folder, all others
// from the working directory. Standard streams and places in object storage keep their name. In a list of
// datasets each is resolved by itself.
func (disk *Files) Path(name string) string {
	if disk.Dir == "" || name == "" || name == "-" || remote.Is(name) {
		return name
	}
	all := filepath.SplitList(name)
	if _, err := os.Lstat(filepath.Join(disk.Dir, name)); err == nil { // whatever its name
		all = []string{name}
	}
	for i, one := range all {
		if !filepath.IsAbs(one) {
			all[i] = filepath.Join(disk.Dir, one)
		}
	}
	return strings.Join(all, string(filepath.ListSeparator))
}

// Below returns the path of what is in a directory, which may be in object storage: of the
// directory itself for an empty name.
func Below(dir, name string) string {
	if remote.Is(dir) {
		return strings.TrimRight(dir+"/"+name, "/")
	}
	return filepath.Join(dir, name)
}

// Paths returns the paths of several names.
func (disk *Files) Paths(names []string) []string {
	if names == nil {
		return nil
	}
	return lists.Of(names, disk.Path)
}

// MayWrite returns an error if out is a file that is there already, and --force is not given;
// - is the standard output. A step of a study writes over its own files, too.
func (disk *Files) MayWrite(out string) error {
	if err := disk.MayReplace(out); err != nil || disk.Force || disk.Ground != nil || out == "-" {
		return err
	}
	if _, err := os.Stat(disk.Path(out)); err == nil {
		return fmt.Errorf("%s exists: overwrite it with --force", out)
	}
	return nil
}

// MayReplace returns an error if out cannot be written. A step of a study writes over its own
// files alone.
func (disk *Files) MayReplace(out string) error {
	if err := disk.fileName(out); err != nil || disk.Ground == nil || out == "-" {
		return err
	}
	return disk.Ground.MayWrite(disk.Path(out))
}

// WriteFile writes a file that the command line names, when MayWrite or MayReplace has let it
// pass; it has its final name only when it is whole. - is the standard output.
func (mk *Maker) WriteFile(out string, write func(io.Writer) error) error {
	if out == "-" {
		return write(mk.Data())
	}
	path := mk.Path(out)
	if mk.Ground == nil {
		return datasets.WriteStream(path, write)
	}
	if err := mk.Ground.MayWrite(path); err != nil {
		return err
	}
	return datasets.WriteStream(path, func(w io.Writer) error {
		sum := sha256.New()
		if err := write(io.MultiWriter(w, sum)); err != nil {
			return err
		}
		return mk.Ground.Wrote(path, hex.EncodeToString(sum.Sum(nil)))
	})
}

// fileName returns an error if out is no name of a file that can be written: a directory, or in no directory, since a
// mistyped name makes none.
func (disk *Files) fileName(out string) error {
	if err := remote.Refuse(out); err != nil {
		return err
	}
	dir := filepath.Dir(out)
	switch info, err := os.Stat(disk.Path(dir)); {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s: %s is a file, not a directory", out, dir)
	case err != nil && !disk.Nested:
		return fmt.Errorf("%s: no directory %s: create it first", out, dir)
	}
	if info, err := os.Stat(disk.Path(out)); err == nil && info.IsDir() && out != "-" {
		return fmt.Errorf("%s is a directory: name a file", out)
	}
	return nil
}

// MayStart returns an error if the command that starts a program came with a file that the
// person at the keyboard need not have read.
func (disk *Files) MayStart(command string) error {
	if disk.Barred == "" {
		return nil
	}
	return fmt.Errorf("%s is a program, and %s", command, disk.Barred)
}

// OpenAny opens a dataset of any kind.
func (disk *Files) OpenAny(name string) (*datasets.Dir, error) {
	return datasets.OpenAt(disk.Ctx, disk.Path(name))
}

// ReadFile reads a file, of at most most bytes, that the command line names, which may be in a dataset in
// object storage: s3://bucket/fit/weights.toml.
func (disk *Files) ReadFile(name string, most int64) ([]byte, error) {
	if !remote.Is(name) {
		return bounded.ReadFile(disk.Path(name), most)
	}
	at := strings.LastIndexByte(name, '/')
	d, err := disk.OpenAny(name[:at])
	if err != nil {
		return nil, err
	}
	return d.ReadFile(name[at+1:])
}

// Open opens a dataset and refuses one of another kind.
func (disk *Files) Open(name, want string) (*datasets.Dir, error) {
	d, err := disk.OpenAny(name)
	if err != nil {
		return nil, err
	}
	return d, d.Want(want)
}

// OpenGame opens a dataset that holds want ("": anything), and finds its game.
func (disk *Files) OpenGame(name, want string) (*datasets.Dir, Game, error) {
	d, err := disk.OpenAny(name)
	if err == nil && want != "" {
		err = d.Want(want)
	}
	if err != nil {
		return nil, Game{}, err
	}
	g, err := GameOf(d)
	return d, g, err
}

// PrintFile prints a file of the dataset at dir.
func (mk *Maker) PrintFile(dir, name string) error {
	d, err := mk.OpenAny(dir)
	if err != nil {
		return err
	}
	text, err := d.ReadFile(name)
	if err != nil {
		return err
	}
	_, err = mk.Stdout.Write(text)
	return err
}

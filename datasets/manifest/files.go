package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"kifu/datasets/checked"
	"kifu/internal/bounded"
	"kifu/internal/checksum"
	"kifu/internal/fresh"
	"kifu/internal/lists"
)

// Names next to the parts which no file of a dataset has.
const (
	Name     = "manifest.json"
	TmpName  = ".tmp" // a directory, which holds what is unfinished
	LockName = ".lock"
	KeyName  = "key" // in TmpName: the key of the run that made its parts
)

// PartName returns the name of part i.
func PartName(i int) string { return fmt.Sprintf("part-%05d.parquet", i) }

// Read reads the manifest of the dataset in a directory. Without a dataset, the error describes what is at dir.
func Read(dir string) (*Manifest, error) {
	m, err := read(dir)
	if err == nil {
		return m, nil
	}
	info, serr := os.Stat(dir)
	switch {
	case serr == nil && !info.IsDir(): // in which systems find no manifest for different reasons
		return nil, fmt.Errorf("%s is a file, not a dataset: a dataset is a directory that kifu ingest, transform, label or fit made", dir)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case serr != nil:
		return nil, fmt.Errorf("no dataset at %s: it does not exist", dir)
	}
	if _, err := os.Stat(filepath.Join(dir, TmpName)); err == nil {
		return nil, fmt.Errorf("the dataset at %s is unfinished: run the command that makes it again, it resumes where it stopped", dir)
	}
	return nil, fmt.Errorf("%s is not a dataset: it has no %s", dir, Name)
}

func read(dir string) (*Manifest, error) {
	path := filepath.Join(dir, Name)
	text, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, text)
}

// Sidecar returns the name of the file next to an unfinished dataset's part that has the part's facts.
func Sidecar(part string) string { return strings.TrimSuffix(part, ".json") + ".json" }

// ReadSidecar reads the facts of a part from its sidecar name, and the part's number; ok is
// false if it is no sidecar or damaged.
func ReadSidecar(dir, name string) (i int, info Part, ok bool) {
	i, ok = SidecarNumber(name)
	if !ok {
		return 0, info, false
	}
	text, err := ReadFile(filepath.Join(dir, name))
	return i, info, err == nil && json.Unmarshal(text, &info) == nil && info.Name == PartName(i)
}

// SidecarNumber returns the number of the part whose sidecar has that name.
func SidecarNumber(name string) (i int, ok bool) {
	number, found := strings.CutPrefix(name, "part-")
	number, ends := strings.CutSuffix(number, ".parquet.json")
	i, err := strconv.Atoi(number)
	return i, found && ends && err == nil && name == Sidecar(PartName(i))
}

// mostRead is the most that is read at once of a file of a dataset that is no part.
const mostRead = 256 << 20

// ReadFile reads a plain file: on a pipe it would wait for the end.
func ReadFile(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a plain file", path)
	}
	return bounded.ReadFile(path, mostRead)
}

// WriteJSON writes v as indented JSON.
func WriteJSON(path string, v any) error {
	text, err := FormatJSON(v)
	if err != nil {
		return err
	}
	_, err = WriteFile(path, text)
	return err
}

// FormatJSON returns v as indented JSON.
func FormatJSON(v any) ([]byte, error) {
	text, err := json.MarshalIndent(v, "", "  ")
	return append(text, '\n'), err
}

// WriteFile writes a whole file under its final name or not at all.
func WriteFile(path string, data []byte) (checked.File, error) {
	err := fresh.Replace(fresh.Temp(path), path, fresh.Of(data))
	return checked.File{Name: filepath.Base(path), Bytes: int64(len(data)), SHA256: checksum.Bytes(data)}, err
}

// Install moves the finished dataset in tmp to dir, its manifest last. It can be repeated after
// an interruption at any point.
func Install(dir, tmp string) error {
	m, err := read(tmp)
	if err != nil {
		return err
	}
	names, err := m.FileNames(tmp, dir)
	if err != nil {
		return err
	}
	stays := lists.Set(names)
	if old, err := read(dir); err == nil {
		stale, _ := old.FileNames(dir) // names of a damaged list stay, and do no harm
		if err := os.Remove(filepath.Join(dir, Name)); err != nil {
			return err
		}
		for _, name := range stale {
			if !stays[name] {
				os.Remove(filepath.Join(dir, name))
			}
		}
	}
	for _, name := range names {
		err := os.Rename(filepath.Join(tmp, name), filepath.Join(dir, name))
		if _, there := os.Stat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) && there == nil {
			continue // moved before the interruption
		}
		if err != nil {
			return err
		}
	}
	if err := os.Rename(filepath.Join(tmp, Name), filepath.Join(dir, Name)); err != nil {
		return err
	}
	return os.RemoveAll(tmp)
}

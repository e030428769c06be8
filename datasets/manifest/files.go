package manifest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"kifu/datasets/checked"
	"kifu/internal/bounded"
	"kifu/internal/checksum"
	"kifu/internal/fresh"
)

// Names next to the parts which no file of a dataset has.
const (
	Name     = "manifest.json"
	TmpName  = ".tmp" // a directory, which holds what is unfinished
	LockName = ".lock"
)

// PartName returns the name of part i.
func PartName(i int) string { return fmt.Sprintf("part-%05d.parquet", i) }

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

// Package journal keeps records of work that is under way, for who goes on after an interruption.
//
// In go records, one after the other. Out come, when the file is opened again, those that are whole. Does not know
// what they mean, nor when the work is done.
package journal

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"kifu/datasets/manifest"
)

// File is a journal. A killed process loses at most the record that it was writing. The zero File keeps nothing.
type File struct {
	mu   sync.Mutex
	file *os.File // nil: nothing is kept
	old  [][]byte
}

// Open opens the journal at path, with the records that it has.
func Open(path string) (*File, error) {
	text, err := manifest.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	old, whole := records(text)
	j := &File{old: old}
	if j.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, err
	}
	if err = j.file.Truncate(int64(whole)); err == nil {
		_, err = j.file.Seek(0, io.SeekEnd)
	}
	if err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	return j, nil
}

// records returns the records of text that are whole, and their length in it.
func records(text []byte) (all [][]byte, whole int) {
	for {
		record, rest, ok := cutRecord(text[whole:])
		if !ok {
			return all, whole
		}
		all, whole = append(all, record), len(text)-len(rest)
	}
}

// cutRecord returns the first record of text and what follows; ok is false if it is not whole.
func cutRecord(text []byte) (record, rest []byte, ok bool) {
	const head = 8 // length and checksum
	if len(text) < head {
		return nil, nil, false
	}
	n := int(binary.LittleEndian.Uint32(text))
	if n < 0 || n > len(text)-head {
		return nil, nil, false
	}
	record = text[head : head+n]
	return record, text[head+n:], crc32.ChecksumIEEE(record) == binary.LittleEndian.Uint32(text[4:])
}

// Records returns the records of the interrupted run.
func (j *File) Records() [][]byte { return j.old }

// Add stores a record. Several goroutines may call it.
func (j *File) Add(record []byte) error {
	if j.file == nil {
		return nil
	}
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(record)))
	head = binary.LittleEndian.AppendUint32(head, crc32.ChecksumIEEE(record))
	j.mu.Lock()
	defer j.mu.Unlock()
	_, err := j.file.Write(append(head, record...))
	return err
}

// Close closes the journal and keeps it; Drop removes it when its work is complete.
func (j *File) Close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}

// Drop closes the journal and removes it.
func (j *File) Drop() error {
	if j.file == nil {
		return nil
	}
	return errors.Join(j.file.Close(), os.Remove(j.file.Name()))
}

// Prefix begins the names of journals, which are Prefix, UNIT and a number: journal-games-3.
const Prefix = "journal-"

// Kept returns how many records the journals in dir have, and of what unit.
func Kept(dir string) (n int, unit string) {
	names, _ := fs.Glob(os.DirFS(dir), Prefix+"*")
	for _, name := range names {
		text, _ := manifest.ReadFile(filepath.Join(dir, name)) // what cannot be read has none
		all, _ := records(text)
		n += len(all)
		unit, _, _ = strings.Cut(strings.TrimPrefix(name, Prefix), "-")
	}
	return n, unit
}

package datasets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"kifu/datasets/manifest"
	"kifu/internal/human"
)

// journalPrefix begins the names of journals in manifest.TmpName.
const journalPrefix = "journal-"

// Journal records what a step has done of an incomplete part, for the next run of the same
// step. A killed process loses at most the record that it was writing.
type Journal struct {
	mu   sync.Mutex
	file *os.File // nil: nothing is kept
	old  [][]byte
}

// Journal opens a journal, named UNIT-PART after its records and the part that they are of, with the records of an interrupted run. A shard, a lease and
// a dataset in object storage keep none: their directory is not this run's alone.
func (b *Builder) Journal(name string) (*Journal, error) {
	j := &Journal{}
	if b.shard.Count > 0 || Remote(b.dir) {
		return j, nil
	}
	path := filepath.Join(b.tmp, journalPrefix+name)
	text, err := manifest.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	whole := 0
	for {
		record, rest, ok := cutRecord(text[whole:])
		if !ok {
			break
		}
		j.old, whole = append(j.old, record), len(text)-len(rest)
	}
	if j.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, err
	}
	if err := j.file.Truncate(int64(whole)); err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	if _, err := j.file.Seek(0, io.SeekEnd); err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	return j, nil
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
func (j *Journal) Records() [][]byte { return j.old }

// Add stores a record. Several goroutines may call it.
func (j *Journal) Add(record []byte) error {
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

// Close closes the journal and keeps it; Drop removes it when its part is complete.
func (j *Journal) Close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}

// Drop closes the journal and removes it.
func (j *Journal) Drop() error {
	if j.file == nil {
		return nil
	}
	return errors.Join(j.file.Close(), os.Remove(j.file.Name()))
}

// journals returns how many records the journals in tmp have, and of what: the beginning of their
// names.
func (b *Builder) journals() (records int, unit string) {
	names, err := filepath.Glob(filepath.Join(escaped(b.tmp), journalPrefix+"*"))
	if err != nil {
		return 0, ""
	}
	for _, name := range names {
		text, err := manifest.ReadFile(name)
		for ok := err == nil; ok; {
			_, text, ok = cutRecord(text)
			if ok {
				records++
			}
		}
		unit, _, _ = strings.Cut(strings.TrimPrefix(filepath.Base(name), journalPrefix), "-")
	}
	return records, unit
}

// Interrupted is the error of an interrupted step, with the work that is kept.
type Interrupted struct {
	Dir     string
	Parts   int    // that are whole
	Records int    // of journals
	Unit    string // of records: "games"
	cause   error
}

// interrupted returns the error of a step that ended with cause.
func (b *Builder) interrupted(cause error) error {
	e := &Interrupted{Dir: b.dir, Parts: len(b.parts), cause: cause}
	if b.taken != nil {
		e.Parts -= b.taken.old.NumParts()
	}
	e.Records, e.Unit = b.journals()
	return e
}

// Error names the point from which the next run continues.
func (e *Interrupted) Error() string {
	var kept []string
	if e.Parts > 0 {
		kept = append(kept, human.Plural(int64(e.Parts), "part", "parts"))
	}
	if e.Records > 0 {
		kept = append(kept, human.Plural(int64(e.Records), strings.TrimSuffix(e.Unit, "s"), e.Unit)+" of the next part")
	}
	if kept == nil {
		return e.Dir + ": nothing is kept, because no part was complete; the same command starts again"
	}
	return fmt.Sprintf("%s: %s kept; the same command continues from there", e.Dir, strings.Join(kept, " and "))
}

// Unwrap returns the error of the step.
func (e *Interrupted) Unwrap() error { return e.cause }

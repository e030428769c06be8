package datasets

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/schemas"
)

// place is where a dataset is built: a directory, or what is below a prefix in object storage.
type place interface {
	// enter readies the place for b, which reads in, and keeps other runs out unless b shares it. leave ends that.
	enter(b *Builder, in []*Dir) (leave func(), err error)
	// there returns the existing dataset, if any; whole reports whether it has all its files.
	there() (*manifest.Manifest, error)
	whole() bool
	// begin takes over the parts of b's run that are there, and of the dataset that is there those that stay.
	begin(b *Builder, s Step, in []*Dir, o Options) error
	// Find looks for part i, which another process may have made.
	Find(i int) (info manifest.Part, done bool, err error)
	// put brings a file that is written, part index or below 0 a table next to the parts, from its temporary name to its own.
	put(b *Builder, index int, info manifest.Part, from string) error
	// install writes the manifest, and makes what b made the dataset that readers see.
	install(b *Builder, force bool) error
	// fail clears away what the next run cannot go on from, where the step ended with err, and returns the error to report.
	fail(ctx context.Context, b *Builder, err error, useless bool) error
	// clear removes what is left of earlier runs where nothing is to be done, but what others may be at.
	clear(b *Builder) error
	// Parts returns the numbers of the parts of the unfinished run with that key.
	Parts(key string) (map[int]bool, error)
}

// Builder receives the output of a running step.
type Builder struct {
	place    place
	dir, tmp string
	table    schemas.Table
	old      *manifest.Manifest // of the existing dataset, if any
	taken    *taken             // nil unless the step appends
	unread   bool               // an input's key is not known before it is read

	shard     Shard
	lease     Lease
	finishing bool // no part is made, and those that are not there are missing
	shared    bool // others may make parts at the same time

	mu      sync.Mutex
	m       *manifest.Manifest
	parts   map[int]manifest.Part
	made    int // of them by this run
	missing []int
	fault   error // of Done, which has no other way to return it
}

// Shard selects a share of the parts; the zero Shard selects all.
func (b *Builder) Shard() Shard { return b.shard }

// Key returns the key of the dataset.
func (b *Builder) Key() string { return b.m.Key }

// SetTable names the columns of the parts. It comes before the first part.
func (b *Builder) SetTable(t schemas.Table) {
	b.table = t
	b.m.Columns = t.Columns
}

// Table returns the table that SetTable was given.
func (b *Builder) Table() schemas.Table { return b.table }

// SetMeta adds a fact about the whole dataset to the manifest.
func (b *Builder) SetMeta(key, value string) { b.m.Meta[key] = value }

// SetInputKey gives input i the key that Step.InputKeys left empty.
func (b *Builder) SetInputKey(i int, key string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.m.Inputs[i].Key != "" {
		return fmt.Errorf("input %d (%s) has a key already", i, b.m.Inputs[i].Name)
	}
	if b.taken != nil && slices.ContainsFunc(b.m.Inputs, func(o manifest.Input) bool { return o.Key == key }) {
		return errKnown
	}
	b.m.Inputs[i].Key = key
	b.m.Key = b.m.Identity()
	return nil
}

// ErrChanged is returned, wrapped, by a step if an input was written while it was read. The dataset would not
// match its key, so nothing is kept.
var ErrChanged = errors.New("changed while it was being read")

// errKnown ends a step that appends an input which turned out, once it was read, to be
// in the dataset already.
var errKnown = errors.New("the dataset has this input already")

// AddCounts adds to the counts that do not belong to one part.
func (b *Builder) AddCounts(c manifest.Counts) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.m.Counts.Add(c)
}

// AddFile puts a file next to the parts, in the order of the calls.
func (b *Builder) AddFile(name string, data []byte) error {
	if b.shard.Count > 0 {
		return nil // it is for whoever finishes, who knows all parts
	}
	f, err := manifest.WriteFile(filepath.Join(b.tmp, name), data)
	if err != nil {
		return err
	}
	b.addFile(f)
	return nil
}

// AddJSON puts v next to the parts, as indented JSON.
func (b *Builder) AddJSON(name string, v any) error {
	text, err := manifest.FormatJSON(v)
	if err != nil {
		return err
	}
	return b.AddFile(name, text)
}

// AddCSV puts a table next to the parts, its head first.
func (b *Builder) AddCSV(name string, rows [][]string) error {
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
		return err
	}
	return b.AddFile(name, text.Bytes())
}

// Spill returns a new empty directory for a stage's scratch files, which is removed at
// the end of the step.
func (b *Builder) Spill(name string) (string, error) {
	if b.shard.Count > 0 {
		return "", errWhole
	}
	path := filepath.Join(b.tmp, "spill-"+name)
	if err := os.RemoveAll(path); err != nil {
		return "", err
	}
	return path, os.MkdirAll(path, 0o777)
}

// Done reports whether part i must not be written. Either an interrupted run of the same step has
// completed it, and info describes it; or it is outside this shard or lease, and info has no name.
func (b *Builder) Done(i int) (info manifest.Part, done bool) {
	if b.lease != nil && !b.lease.Next(i) {
		return info, true
	}
	b.mu.Lock()
	info, done = b.parts[i]
	if !done && b.shard.Count > 0 && b.shard.has(i) && b.fault == nil {
		info, done, b.fault = b.place.Find(i)
		if done {
			b.parts[i] = info
		}
	}
	failed := b.fault != nil
	if !done && b.finishing {
		b.missing = append(b.missing, i)
	}
	b.mu.Unlock()
	if b.lease == nil {
		return info, done || failed || b.finishing || !b.shard.has(i)
	}
	if done && !failed {
		b.lease.Made(i)
	}
	return manifest.Part{}, done || failed
}

// put takes a part that this run has made.
func (b *Builder) put(i int, info manifest.Part) {
	b.mu.Lock()
	b.parts[i] = info
	b.made++
	b.mu.Unlock()
	if b.lease != nil {
		b.lease.Made(i)
	}
}

// finish writes the manifest into the temporary directory. From then on only renames
// are left to do.
func (b *Builder) finish() error {
	for _, in := range b.m.Inputs {
		if in.Key == "" {
			return fmt.Errorf("the step gave its input %s no key", in.Name)
		}
	}
	for i := range len(b.parts) {
		info, ok := b.parts[i]
		if !ok {
			return fmt.Errorf("the step wrote %d parts but not part %d", len(b.parts), i)
		}
		b.m.Parts = append(b.m.Parts, info)
		b.m.Counts.Add(info.Counts)
	}
	if err := b.m.PutLists(b.tmp); err != nil {
		return err
	}
	b.m.Sum = b.m.Checksum()
	return manifest.WriteJSON(filepath.Join(b.tmp, manifest.Name), b.m)
}

// addFile puts a file on the manifest's list.
func (b *Builder) addFile(f checked.File) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.m.Files = append(b.m.Files, f)
}

// missed returns an error if the dataset that is to be finished is not whole.
func (b *Builder) missed() error {
	if len(b.missing) == 0 {
		return nil
	}
	slices.Sort(b.missing)
	return &Missing{Dir: b.dir, Key: b.m.Key, Parts: b.missing, Done: len(b.parts)}
}

// countShard puts the parts of the shard into the manifest.
func (b *Builder) countShard() {
	for _, i := range slices.Sorted(maps.Keys(b.parts)) {
		if b.shard.has(i) {
			b.m.Parts = append(b.m.Parts, b.parts[i])
			b.m.Counts.Add(b.parts[i].Counts)
		}
	}
}

// taken holds the parts that an appending step keeps from the existing dataset.
type taken struct {
	old   *manifest.Manifest
	known []bool // of the step's own inputs: those whose content is in the dataset
}

// Taken returns how many inputs an appending step finds in the dataset: its first ones.
// Their rows are in the parts that Done reports.
func (b *Builder) Taken() int {
	if b.taken == nil {
		return 0
	}
	return len(b.taken.old.Inputs)
}

// TakenParts returns how many parts an appending step finds in the dataset.
func (b *Builder) TakenParts() int {
	if b.taken == nil {
		return 0
	}
	return b.taken.old.NumParts()
}

// Known reports whether the step's own input i must be left out because the dataset
// that it appends to has its content already.
func (b *Builder) Known(i int) bool { return b.taken != nil && b.taken.known[i] }

// Package datasets keeps what the stages make: a dataset is a directory of Parquet
// parts with a manifest of what they hold, what they were made of and how many
// rows were read, written and rejected.
//
// Build is the only way a dataset comes to be. A Step is a pure function of its inputs
// and parameters, and the dataset's key is a hash of them, so a second Build with an
// equal step finds the work done and does nothing. Parts are written next to the final
// place, each synced and renamed when whole; a run that was killed is taken up again
// at the first part that is missing; and the manifest appears last, in one rename, so
// half a dataset is never opened. Bytes are equal for any number of workers.
//
// Stages read and write Batches: blocks of rows, column by column. Map runs a function
// over a dataset's row groups on several workers and keeps their order.
//
// The package also carries the sample databases that ship with the program. It knows
// no game.
package datasets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kifu/internal/lock"
	"kifu/schemas"
)

// Step is one run of one stage: a pure function of its inputs and parameters.
type Step struct {
	Stage  string
	Output string // row schema, "labels/v1"
	Params any    // every flag that can change the output, and nothing else
	// Inputs are dataset directories; InputKeys is in their place for a stage that
	// reads files. A key that only reading can give (a pipe's) is empty until Run calls
	// SetInputKey; such a step is always run, and from its beginning.
	Inputs    []string
	InputKeys []Input
	// Some makes it an error, a *Nothing, that rows are read and none is written.
	Some bool
	// Apart means that part i of the output depends on part i of the first input, on the parameters and on the
	// other inputs, and on nothing else. When the first input has grown, parts are then reused.
	Apart bool
	Run   func(ctx context.Context, in []*Dir, out *Builder) error
}

// Options are the ways to build that do not change what is built.
type Options struct {
	Force bool // build again even if dir already holds this step's output
	// Replace lets a dataset of the same stage that was made otherwise be replaced, as a study's
	// are, and datasets that are kept next to another. Reports are replaced without it.
	Replace bool
	// Append keeps what dir holds and adds the inputs whose content it does not have.
	// The dataset must be of the same stage, schema, parameters and version; if there is
	// none, it is made. The step must heed Builder.Taken and Builder.Known.
	Append bool
	// Shard makes only a share of the parts, for others who make the rest at the same time,
	// here or on other machines. The dataset appears when a Build with Finish finds all parts.
	Shard Shard
	// Finish makes no part: it puts the parts of shards together, or returns a *Missing.
	Finish bool
	// Beside finishes while other processes may still be at work, and touches nothing of theirs.
	Beside bool
	// Say is given what takes long and could be unexpected, before it begins; it may be nil.
	Say func(string)
	// Lease makes the parts that it hands out, as Shard does its own.
	Lease Lease
}

const (
	tmpName = ".tmp"
	keyName = "key" // in tmpName: of the run whose parts are there

	shardsName = "shards" // in tmpName: some of them were made by shards
)

// Build makes the dataset dir by running s. fresh is false when dir already held it
// and nothing was done. A dataset in dir that was made otherwise is replaced by force, or as
// Manifest.mayBecome decides, and only once the new one is whole; an input never.
// After an interruption Build resumes at the first missing part. The manifest of a shard
// counts the parts that are there, and is not written.
func Build(ctx context.Context, dir string, s Step, o Options) (m *Manifest, fresh bool, err error) {
	in, inputs, params, err := s.open(ctx)
	if err != nil {
		return nil, false, err
	}
	if Remote(dir) {
		return s.buildObjects(ctx, dir, o, in, inputs, params)
	}
	tmp := filepath.Join(dir, tmpName)

	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, false, err
	}
	if err := refuseForeign(dir); err != nil {
		return nil, false, err
	}
	if err := refuseInput(dir, in); err != nil {
		return nil, false, err
	}
	switch {
	case o.Shard.Count > 0:
		return s.shard(ctx, dir, o, in, inputs, params)
	case o.Lease != nil:
		return s.leave(ctx, dir, o, in, inputs, params)
	case o.Finish && o.Beside:
		return s.gather(ctx, dir, o, in, inputs, params)
	}
	unlock, err := lockDir(dir, lock.Take)
	if err != nil {
		return nil, false, err
	}
	defer unlock()

	// A swap that was cut off is finished first: what it installs is whole.
	if _, err := readManifest(filepath.Join(tmp, manifestName)); err == nil {
		if err := install(dir, tmp); err != nil {
			return nil, false, err
		}
	}
	b := &Builder{dir: dir, tmp: tmp, parts: map[int]PartInfo{}, finishing: o.Finish}
	old, err := readManifest(filepath.Join(dir, manifestName))
	if err == nil && o.Append {
		if inputs, b.taken, err = takeOver(dir, old, s, params, inputs, in); err != nil {
			return nil, false, err
		}
		if len(inputs) == len(old.Inputs) {
			return old, false, os.RemoveAll(tmp)
		}
	}
	b.m = newManifest(s, params, inputs, b.taken)
	unread := slices.ContainsFunc(inputs, func(in Input) bool { return in.Key == "" })
	if b.taken == nil && !unread {
		if err := old.mayBecome(dir, b.m, in, o); err != nil {
			return nil, false, err
		}
	}
	if err == nil && old.Key == b.m.Key && !o.Force && !unread {
		if d, err := Open(dir); err == nil && d.whole() {
			return old, false, os.RemoveAll(tmp)
		}
	}
	// Force makes again what is there; what it was making when it was killed is kept.
	anew := o.Force && (old == nil || old.Key == b.m.Key)
	if err := b.resume(b.m.Key, anew || unread); err != nil {
		return nil, false, err
	}
	if b.taken != nil {
		if err := b.link(); err != nil {
			return nil, false, err
		}
	} else if old != nil && !o.Force {
		if err := b.reuse(old, in, s, o); err != nil {
			return nil, false, err
		}
	}
	return b.run(ctx, s, o, in, old, unread)
}

// run runs the step and installs what it made. old is the manifest that is there; unread, that
// an input's key is not known before it is read.
func (b *Builder) run(ctx context.Context, s Step, o Options, in []*Dir, old *Manifest, unread bool) (m *Manifest, fresh bool, err error) {
	err = s.Run(ctx, in, b)
	if err == nil && unread && b.taken == nil {
		err = old.mayBecome(b.dir, b.m, in, o)
	}
	if gaps := b.missed(); gaps != nil {
		return nil, false, gaps
	}
	if err == nil {
		if err = b.nothing(s); err != nil {
			b.parts = nil // the next run would end as this one
		}
	}
	if err != nil {
		if unread || errors.Is(err, ErrChanged) {
			b.parts = nil // no run goes on from what was read of a pipe, or does not match the key
		}
		if ctx.Err() != nil {
			err = b.interrupted(err)
		}
		b.abandon()
		if errors.Is(err, errKnown) {
			return old, false, os.RemoveAll(b.tmp)
		}
		return nil, false, b.removed(err)
	}
	if err := b.finish(); err != nil {
		return nil, false, b.removed(err)
	}
	return b.m, true, b.removed(install(b.dir, b.tmp))
}

// open opens the inputs of s and returns what its key is made of.
func (s Step) open(ctx context.Context) (in []*Dir, inputs []Input, params json.RawMessage, err error) {
	inputs = slices.Clone(s.InputKeys)
	for _, path := range s.Inputs {
		d, err := OpenAt(ctx, path)
		if err != nil {
			return nil, nil, nil, err
		}
		in = append(in, d)
		inputs = append(inputs, Input{d.Manifest.Schema, d.Manifest.Key})
	}
	if err := s.separate(in); err != nil {
		return nil, nil, nil, err
	}
	for _, d := range in {
		for _, games := range in {
			if err := CheckTogether(d, games); err != nil {
				return nil, nil, nil, err
			}
		}
	}
	if params, err = json.Marshal(s.Params); err != nil {
		return nil, nil, nil, fmt.Errorf("parameters of %s: %w", s.Stage, err)
	}
	return in, inputs, params, nil
}

// Builder receives the output of a running step.
type Builder struct {
	dir, tmp string
	table    schemas.Table
	taken    *taken // nil unless the step appends

	shard     Shard
	finishing bool    // no part is made, and those that are not there are missing
	upload    *upload // nil unless the dataset is in object storage
	lease     Lease

	mu      sync.Mutex
	m       *Manifest
	parts   map[int]PartInfo
	missing []int
}

// Shard is the share of the parts that is made; the zero Shard is all of them.
func (b *Builder) Shard() Shard { return b.shard }

// Key returns the key of the dataset.
func (b *Builder) Key() string { return b.m.Key }

// SetTable names the columns of the parts. It comes before the first part.
func (b *Builder) SetTable(t schemas.Table) {
	b.table = t
	b.m.setTable(t)
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
	if b.taken != nil && slices.ContainsFunc(b.m.Inputs, func(o Input) bool { return o.Key == key }) {
		return errKnown
	}
	b.m.Inputs[i].Key = key
	b.m.Key = b.m.key()
	return nil
}

// ErrChanged is returned, wrapped, by a step when an input was written while it was read:
// the dataset would not match its key, so that nothing of it is kept.
var ErrChanged = errors.New("was changed while it was read")

// errKnown ends a step that appends an input which turned out, once it was read, to be
// in the dataset already.
var errKnown = errors.New("the dataset has this input already")

// AddCounts adds to the counts that do not belong to one part.
func (b *Builder) AddCounts(c Counts) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.m.Counts.Add(c)
}

// AddFile puts a file next to the parts, in the order of the calls.
func (b *Builder) AddFile(name string, data []byte) error {
	if b.shard.Count > 0 {
		return nil // it is for whoever finishes, who knows all parts
	}
	f, err := writeFile(filepath.Join(b.tmp, name), data)
	if err != nil {
		return err
	}
	b.addFile(f)
	return nil
}

// Spill returns a new empty directory for a stage's scratch files. It goes away with
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

// Done reports whether part i must not be written: it is whole from an interrupted run of
// the same step, and then info describes it, or it is not in this shard, and then
// info has no name.
func (b *Builder) Done(i int) (info PartInfo, done bool) {
	if b.lease != nil {
		return info, !b.leased(i)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	info, done = b.parts[i]
	if !done && b.upload != nil {
		info, done = b.lookUp(i)
	}
	if !done && b.finishing {
		b.missing = append(b.missing, i)
	}
	return info, done || b.finishing || !b.shard.has(i)
}

// Part starts part i. Parts may be written in any order, several at once.
func (b *Builder) Part(i int) (*PartWriter, error) {
	if len(b.table.Columns) == 0 {
		return nil, errors.New("a part before SetTable")
	}
	return newPartWriter(b, i, partName(i), b.table)
}

func (b *Builder) put(i int, info PartInfo) {
	b.mu.Lock()
	b.parts[i] = info
	b.mu.Unlock()
	if b.lease != nil {
		b.lease.Made(i)
	}
}

// resume takes over the whole parts of an interrupted run with the same key, and
// clears everything else away; but what shards of another run have made, perhaps on many
// machines, only by force.
func (b *Builder) resume(key string, force bool) error {
	mark := filepath.Join(b.tmp, keyName)
	old, err := readRegular(mark)
	if other := err == nil && string(old) != key; other && (b.finishing || !force && exists(filepath.Join(b.tmp, shardsName))) {
		return b.otherRun()
	}
	if err != nil || force || string(old) != key {
		if err := os.RemoveAll(b.tmp); err != nil {
			return err
		}
		if err := os.MkdirAll(b.tmp, 0o777); err != nil {
			return err
		}
		_, err := writeFile(mark, []byte(key))
		return err
	}
	entries, err := os.ReadDir(b.tmp)
	if err != nil {
		return err
	}
	keep := map[string]bool{keyName: true, shardsName: true}
	for _, e := range entries {
		if i, info, ok := readSidecar(b.tmp, e.Name()); ok && info.check(b.tmp) == nil {
			b.parts[i] = info
			keep[e.Name()], keep[info.Name] = true, true
		}
	}
	for _, e := range entries {
		if !keep[e.Name()] && !strings.HasPrefix(e.Name(), journalPrefix) {
			if err := os.RemoveAll(filepath.Join(b.tmp, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// readSidecar reads the facts of a part from its sidecar name, and the part's number; ok is
// false if it is no sidecar or damaged.
func readSidecar(dir, name string) (i int, info PartInfo, ok bool) {
	i, ok = sidecarNumber(name)
	if !ok {
		return 0, info, false
	}
	text, err := readRegular(filepath.Join(dir, name))
	return i, info, err == nil && json.Unmarshal(text, &info) == nil && info.Name == partName(i)
}

// sidecarNumber returns the number of the part whose sidecar has that name.
func sidecarNumber(name string) (i int, ok bool) {
	number, found := strings.CutPrefix(name, "part-")
	number, ends := strings.CutSuffix(number, ".parquet.json")
	i, err := strconv.Atoi(number)
	return i, found && ends && err == nil && name == sidecar(partName(i))
}

// abandon clears away what a failed step leaves, unless a whole part is in it from
// which the next run goes on. The directory goes too if nothing else is in it.
func (b *Builder) abandon() {
	if len(b.parts) > 0 && (b.taken == nil || len(b.parts) > b.taken.old.NumParts()) {
		return
	}
	if records, _ := b.journals(); records > 0 {
		return
	}
	os.RemoveAll(b.tmp)
	os.Remove(filepath.Join(b.dir, lockName))
	os.Remove(b.dir)
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
	if err := b.m.putLists(b.tmp); err != nil {
		return err
	}
	b.m.Sum = b.m.sum()
	return writeJSON(filepath.Join(b.tmp, manifestName), b.m)
}

// install moves the finished dataset from tmp to its place. It can be repeated after
// an interruption at any point.
func install(dir, tmp string) error {
	m, err := readManifest(filepath.Join(tmp, manifestName))
	if err != nil {
		return err
	}
	names, err := m.names(tmp, dir)
	if err != nil {
		return err
	}
	fresh := map[string]bool{}
	for _, name := range names {
		fresh[name] = true
	}
	if old, err := readManifest(filepath.Join(dir, manifestName)); err == nil {
		stale, _ := old.names(dir) // names of a damaged list stay, and do no harm
		if err := os.Remove(filepath.Join(dir, manifestName)); err != nil {
			return err
		}
		for _, name := range stale {
			if !fresh[name] {
				os.Remove(filepath.Join(dir, name))
			}
		}
	}
	for _, name := range names {
		err := os.Rename(filepath.Join(tmp, name), filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) && exists(filepath.Join(dir, name)) {
			continue // moved before the interruption
		}
		if err != nil {
			return err
		}
	}
	if err := os.Rename(filepath.Join(tmp, manifestName), filepath.Join(dir, manifestName)); err != nil {
		return err
	}
	return os.RemoveAll(tmp)
}

// whole reports whether every part and file is there with its size. Checksums are
// Verify's.
func (d *Dir) whole() bool {
	err := d.entries.each(func(_ int, p PartInfo) error {
		if !p.sized(d.Path) {
			return fs.ErrNotExist
		}
		return nil
	})
	if err != nil {
		return false
	}
	for _, f := range d.Manifest.Files {
		if !f.sized(d.Path) {
			return false
		}
	}
	return true
}

// refuseForeign keeps a mistyped --out from filling a foreign directory, and a symbolic link
// that came with a folder from handing over what is elsewhere.
func refuseForeign(dir string) error {
	if info, err := os.Lstat(filepath.Join(dir, tmpName)); err == nil && !info.IsDir() {
		return fmt.Errorf("%s: want a directory, not a link or a file: remove it", filepath.Join(dir, tmpName))
	}
	if exists(filepath.Join(dir, manifestName)) || exists(filepath.Join(dir, tmpName)) {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != lockName && e.Name() != tmpName { // which another may have made since
			return fmt.Errorf("%s holds files that are not a dataset (%s): name an empty or new directory with --out", dir, e.Name())
		}
	}
	return nil
}

// refuseInput keeps a step from replacing what it reads.
func refuseInput(dir string, in []*Dir) error {
	out, err := os.Stat(dir)
	if err != nil {
		return err
	}
	for _, d := range in {
		for _, one := range d.members() {
			if in, err := os.Stat(one.Path); err == nil && os.SameFile(in, out) {
				return fmt.Errorf("%s is an input: name another directory with --out", dir)
			}
		}
	}
	return nil
}

const lockName = ".lock"

// lockDir keeps two runs from writing one dataset, but those that share the work by take.
func lockDir(dir string, take func(string) (func(), error)) (unlock func(), err error) {
	unlock, err = take(filepath.Join(dir, lockName))
	if errors.Is(err, lock.ErrTaken) {
		err = fmt.Errorf("%s is being written by another kifu", dir)
	}
	return unlock, err
}

// sweepLock removes the lock of processes that were killed.
func sweepLock(dir string) {
	if !exists(filepath.Join(dir, lockName)) {
		return
	}
	if unlock, err := lockDir(dir, lock.Take); err == nil {
		unlock()
	}
}

func partName(i int) string { return fmt.Sprintf("part-%05d.parquet", i) }

func sidecar(part string) string { return strings.TrimSuffix(part, ".json") + ".json" }

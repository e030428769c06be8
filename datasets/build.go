// Package datasets keeps what the stages make. A dataset is a directory of Parquet parts with a manifest:
// contents, inputs, and the numbers of rows read, written and rejected.
//
// Build is the only way a dataset comes to be, in a directory or in object storage (place). A Step
// is a pure function of its inputs and parameters, and the dataset's key is a hash of them. So a
// second Build with an equal step does nothing. Parts are written next to the final place, each
// synced and renamed when whole. A killed run resumes at the first missing part. The manifest
// appears last, in one rename, so half a dataset is never opened. Bytes are equal for any number of
// workers.
//
// Stages read and write Batches: blocks of rows, column by column. Map runs a function
// over a dataset's row groups on several workers and keeps their order.
//
// The package also carries the bundled sample databases. It knows
// no game.
package datasets

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"kifu/datasets/manifest"
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
	InputKeys []manifest.Input
	// Some makes it an error, a *Nothing, that rows are read and none is written.
	Some bool
	// Apart means that part i of the output depends on part i of the first input, on the parameters and on the
	// other inputs, and on nothing else. When the first input has grown, parts are then reused.
	Apart bool
	Run   func(ctx context.Context, in []*Dir, out *Builder) error
}

// Options control how a dataset is built, without changing it.
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
	// Concurrent finishes while other processes may still be at work, and changes no files of theirs.
	Concurrent bool
	// Warn is called before a step that is long, or adds rows twice, where that could be unexpected; it may be nil.
	Warn func(string)
	// Lease makes the parts that it hands out, as Shard does its own.
	Lease Lease
}

// Build makes the dataset dir by running s. fresh is false when dir already held it
// and nothing was done. A dataset in dir that was made otherwise is replaced by force, or as
// mayBecome decides, and only once the new one is whole; an input never.
// After an interruption Build resumes at the first missing part. The manifest of a shard
// counts the parts that are there, and is not written.
func Build(ctx context.Context, dir string, s Step, o Options) (m *manifest.Manifest, fresh bool, err error) {
	in, inputs, params, err := s.open(ctx)
	if err != nil {
		return nil, false, err
	}
	b, err := newBuilder(ctx, dir, &o, newManifest(s, params, inputs, nil))
	if err != nil {
		return nil, false, err
	}
	leave, err := b.place.enter(b, in)
	if err != nil {
		return nil, false, err
	}
	defer leave()
	there, err := b.identify(s, in, o)
	if err != nil {
		return nil, false, err
	}
	if there {
		return b.old, false, b.place.clear(b)
	}
	if copies := copiesIn(s.InputKeys); b.taken == nil && o.Warn != nil && len(copies) > 0 {
		o.Warn("files with the contents of another; what is in them is now there twice (kifu duplicates lists such games): " + strings.Join(copies, ", "))
	}
	if err := b.place.begin(b, s, in, o); err != nil {
		return nil, false, err
	}
	return b.end(ctx, s, in, o, s.Run(ctx, in, b))
}

func newManifest(s Step, params json.RawMessage, inputs []manifest.Input, t *taken) *manifest.Manifest {
	m := manifest.Manifest{Stage: s.Stage, Schema: s.Output, Params: params, Inputs: inputs, Apart: s.Apart}
	if t != nil {
		m.Appended = t.begun
	}
	return manifest.New(m)
}

// newBuilder returns the builder of m in dir.
func newBuilder(ctx context.Context, dir string, o *Options, m *manifest.Manifest) (*Builder, error) {
	b := &Builder{dir: dir, m: m, parts: map[int]manifest.Part{}, shard: o.Shard, lease: o.Lease, finishing: o.Finish,
		unread: slices.ContainsFunc(m.Inputs, func(in manifest.Input) bool { return in.Key == "" })}
	if o.Lease != nil { // whoever spreads the work decides about what is there
		b.shard, o.Replace, o.Force = Shard{1, 1}, o.Replace || o.Force, false
	}
	if b.shard.Count > 0 && (o.Append || o.Force || o.Finish || b.unread) {
		return nil, errShardAlone
	}
	b.shared = b.shard.Count > 0 || o.Finish && o.Concurrent
	var err error
	b.place, err = placeAt(ctx, dir, o.Force)
	return b, err
}

// identify compares what b makes with the dataset that is there, to which an appending step adds, and reports
// whether that is it.
func (b *Builder) identify(s Step, in []*Dir, o Options) (there bool, err error) {
	if b.old, err = b.place.there(); err != nil {
		return false, err
	}
	if b.old != nil && o.Append {
		inputs, t, err := takeOver(b.dir, b.old, s, b.m.Params, b.m.Inputs, in)
		if err != nil || len(inputs) == len(b.old.Inputs) {
			return true, err
		}
		if again := namedAgain(b.old.Inputs, s.InputKeys); o.Warn != nil && len(again) > 0 {
			o.Warn("a file of this name was added before with other contents; what is in both is now there twice (kifu duplicates lists such games): " + strings.Join(again, ", "))
		}
		b.taken, b.m = t, newManifest(s, b.m.Params, inputs, t)
	}
	if b.taken == nil && !b.unread {
		if err := mayBecome(b.old, b.dir, b.m, in, o); err != nil {
			return false, err
		}
	}
	return !o.Force && !b.unread && b.is(b.old), nil
}

// is reports whether m, which is there, is the dataset that b makes; then a lease has nothing left to hand out.
func (b *Builder) is(m *manifest.Manifest) bool {
	if m == nil || m.Key != b.m.Key || !b.place.whole() {
		return false
	}
	for i := range m.NumParts() {
		if b.lease != nil && b.lease.Next(i) {
			b.lease.Made(i)
		}
	}
	return true
}

// end installs what the step made, which ended with err.
func (b *Builder) end(ctx context.Context, s Step, in []*Dir, o Options, err error) (*manifest.Manifest, bool, error) {
	if err == nil && b.unread && b.taken == nil {
		err = mayBecome(b.old, b.dir, b.m, in, o)
	}
	if gaps := b.missed(); gaps != nil {
		return nil, false, gaps
	}
	useless := b.unread || errors.Is(err, ErrChanged) // no run goes on from what was read of a pipe, or does not match the key
	if err == nil && b.shard.Count == 0 {
		err = b.nothing(s)
		useless = useless || err != nil // the next run would end as this one
	}
	switch err = cmp.Or(b.fault, err); {
	case errors.Is(err, errKnown):
		return b.old, false, b.place.clear(b)
	case err != nil:
		err = b.place.fail(ctx, b, err, useless)
	case b.shard.Count == 0:
		err = b.place.install(b, o.Force)
	default:
		b.countShard()
	}
	if b.lease != nil || b.shared && err != nil { // another process may have finished the dataset meanwhile
		if now, fault := b.place.there(); fault == nil && b.is(now) {
			return now, b.finishing, nil
		}
	}
	if err != nil {
		return nil, false, err
	}
	return b.m, b.made > 0 || b.shard.Count == 0, nil
}

// open opens the inputs of s and returns what its key is made of.
func (s Step) open(ctx context.Context) (in []*Dir, inputs []manifest.Input, params json.RawMessage, err error) {
	inputs = slices.Clone(s.InputKeys)
	for _, path := range s.Inputs {
		d, err := OpenAt(ctx, path)
		if err != nil {
			return nil, nil, nil, err
		}
		in = append(in, d)
		inputs = append(inputs, manifest.Input{Name: d.Manifest.Schema, Key: d.Manifest.Key})
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

// Part starts part i. Parts may be written in any order, several at once.
func (b *Builder) Part(i int) (*PartWriter, error) {
	if len(b.table.Columns) == 0 {
		return nil, errors.New("a part before SetTable")
	}
	return newPartWriter(b, i, manifest.PartName(i), b.table)
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

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
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"kifu/datasets/manifest"
	"kifu/datasets/remote"
)

// Build makes the dataset dir by running s. fresh is false when dir already held it
// and nothing was done. A dataset in dir that was made otherwise is replaced by force, or as
// mayBecome decides, and only once the new one is whole; an input never.
// After an interruption Build resumes at the first missing part. The manifest of a shard
// counts the parts that are there, and is not written.
func Build(ctx context.Context, dir string, s Step, o Options) (_ *manifest.Manifest, fresh bool, err error) {
	in, m, err := s.open(ctx)
	if err != nil {
		return nil, false, err
	}
	b, err := newBuilder(ctx, dir, &o, m)
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
		m, t, err := takeOver(b.dir, b.old, *b.m, in)
		if err != nil || len(m.Inputs) == len(b.old.Inputs) {
			return true, err
		}
		if again := namedAgain(b.old.Inputs, s.InputKeys); o.Warn != nil && len(again) > 0 {
			o.Warn("a file of this name was added before with other contents; what is in both is now there twice (kifu duplicates lists such games): " + strings.Join(again, ", "))
		}
		b.taken, b.m = t, manifest.New(m)
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

// placeAt returns the place of that path or URL; by force a damaged dataset in object storage is none.
func placeAt(ctx context.Context, path string, force bool) (place, error) {
	if !remote.Is(path) {
		return directory{path, filepath.Join(path, manifest.TmpName)}, nil
	}
	objects, err := remote.At(ctx, path)
	return &bucket{Draft: remote.Draft{Objects: objects, URL: path}, force: force}, err
}

package datasets

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kifu/internal/lock"
)

// Lease hands out parts to one of many who make a dataset together.
type Lease interface {
	// Next is called with the parts in ascending order, and reports whether this one is to
	// be made. It may wait.
	Next(part int) bool
	// Made receives each part that Next handed out and that is there, whatever made it.
	Made(part int)
}

// leased reports whether the lease hands out part i and it is not made yet.
func (b *Builder) leased(i int) bool {
	if !b.lease.Next(i) {
		return false
	}
	var ok bool
	if b.upload != nil {
		b.mu.Lock()
		_, ok = b.lookUp(i)
		b.mu.Unlock()
	} else {
		var info PartInfo
		_, info, ok = readSidecar(b.tmp, sidecar(partName(i)))
		ok = ok && info.sized(b.tmp)
	}
	if ok && (b.upload == nil || b.upload.fault == nil) {
		b.lease.Made(i)
	}
	return !ok
}

// leave runs s for the parts that the lease hands out.
func (s Step) leave(ctx context.Context, dir string, o Options, in []*Dir, inputs []Input, params json.RawMessage) (*Manifest, bool, error) {
	m := newManifest(s, params, inputs, nil)
	b := &Builder{dir: dir, tmp: filepath.Join(dir, tmpName), parts: map[int]PartInfo{}, m: m, shard: Shard{1, 1}, lease: o.Lease}
	err := func() error {
		if _, there := current(dir, m.Key); there {
			return nil
		}
		unlock, err := lockDir(dir, lock.Share)
		if err != nil {
			return err
		}
		defer unlock()
		if err := b.mark(m.Key); err != nil {
			return err
		}
		return s.Run(ctx, in, b)
	}()
	// Another process may have finished the dataset meanwhile: then nothing is requested.
	if d, there := current(dir, m.Key); there {
		d.settle(o.Lease)
		sweepLock(dir)
		return d.Manifest, false, nil
	}
	for _, i := range slices.Sorted(maps.Keys(b.parts)) {
		m.Parts = append(m.Parts, b.parts[i])
		m.Counts.Add(b.parts[i].Counts)
	}
	return m, len(b.parts) > 0, err
}

// settle informs a lease that all parts are there.
func (d *Dir) settle(l Lease) {
	for i := range d.NumParts() {
		if l.Next(i) {
			l.Made(i)
		}
	}
}

// current opens the dataset in dir if it is whole and has that key.
func current(dir, key string) (*Dir, bool) {
	d, err := Open(dir)
	return d, err == nil && d.Manifest.Key == key && d.whole()
}

// gather puts together what others have made, who may be at work still: nothing of
// theirs is touched but what is damaged.
func (s Step) gather(ctx context.Context, dir string, o Options, in []*Dir, inputs []Input, params json.RawMessage) (*Manifest, bool, error) {
	m := newManifest(s, params, inputs, nil)
	b := &Builder{dir: dir, tmp: filepath.Join(dir, tmpName), parts: map[int]PartInfo{}, m: m, finishing: true}
	if err := b.tidy(m.Key); err != nil {
		return nil, false, err
	}
	if d, there := current(dir, m.Key); there && !o.Force {
		return d.Manifest, false, nil
	}
	old, _ := readManifest(filepath.Join(dir, manifestName))
	if err := old.mayBecome(dir, m, in, o); err != nil {
		return nil, false, err
	}
	unlock, err := lockDir(dir, lock.Share)
	if err != nil {
		return nil, false, err
	}
	defer unlock()
	if err := b.join(m.Key); err != nil {
		return nil, false, err
	}
	if err := b.sift(); err != nil {
		return nil, false, err
	}
	err = s.Run(ctx, in, b)
	if gaps := b.missed(); gaps != nil {
		return nil, false, gaps
	}
	if err == nil {
		err = b.nothing(s)
	}
	if err == nil {
		err = b.finish()
	}
	if err == nil {
		err = install(dir, b.tmp)
	}
	if d, there := current(dir, m.Key); there {
		return d.Manifest, true, nil // the rest of .tmp belongs to a process that came late
	}
	return nil, false, err
}

// tidy finishes a swap that was cut off, and clears away what is left of other runs, if
// no process is at work.
func (b *Builder) tidy(key string) error {
	unlock, err := lockDir(b.dir, lock.Take)
	if err != nil {
		return nil // one is
	}
	defer unlock()
	if _, err := readManifest(filepath.Join(b.tmp, manifestName)); err == nil {
		return install(b.dir, b.tmp)
	}
	if old, err := readRegular(filepath.Join(b.tmp, keyName)); err == nil && string(old) == key {
		return nil
	}
	return os.RemoveAll(b.tmp)
}

// sift takes damaged parts away, so that they are made again.
func (b *Builder) sift() error {
	entries, err := os.ReadDir(b.tmp)
	if err != nil {
		return err
	}
	for _, e := range entries {
		part, found := strings.CutSuffix(e.Name(), ".json")
		i, info, ok := readSidecar(b.tmp, e.Name())
		if !found || !strings.HasPrefix(part, "part-") || ok && info.check(b.tmp) == nil {
			continue
		}
		delete(b.parts, i)
		for _, name := range []string{e.Name(), part} {
			if err := os.Remove(filepath.Join(b.tmp, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// Made returns the numbers of the parts that are there of the run with that key in dir;
// whole: the dataset is.
func Made(ctx context.Context, dir, key string) (parts map[int]bool, whole bool, err error) {
	if Remote(dir) {
		return madeObjects(ctx, dir, key)
	}
	if _, whole = current(dir, key); whole {
		return nil, true, nil
	}
	parts = map[int]bool{}
	tmp := filepath.Join(dir, tmpName)
	if mark, err := readRegular(filepath.Join(tmp, keyName)); err != nil || string(mark) != key {
		return parts, false, nil
	}
	entries, err := os.ReadDir(tmp)
	for _, e := range entries {
		if i, ok := sidecarNumber(e.Name()); ok {
			parts[i] = true
		}
	}
	return parts, false, err
}

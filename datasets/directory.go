package datasets

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kifu/datasets/checked"
	"kifu/datasets/journal"
	"kifu/datasets/manifest"
	"kifu/internal/fresh"
	"kifu/internal/lock"
)

const shardsName = "shards" // in manifest.TmpName: some of its parts were made by shards

// directory is a place on a file system. Parts are in tmp under their names, each with a sidecar, until the manifest
// moves them to path.
type directory struct{ path, tmp string }

func (d directory) enter(b *Builder, in []*Dir) (leave func(), err error) {
	b.tmp = d.tmp
	if err := os.MkdirAll(d.path, 0o777); err != nil {
		return nil, err
	}
	if err := refuseForeign(d.path); err != nil {
		return nil, err
	}
	if err := refuseInput(d.path, in); err != nil {
		return nil, err
	}
	if b.finishing && b.shared {
		if err := d.tidy(b.m.Key); err != nil {
			return nil, err
		}
	}
	if b.shared {
		return lockDir(d.path, lock.Share)
	}
	if leave, err = lockDir(d.path, lock.Take); err != nil {
		return nil, err
	}
	if err := d.swap(); err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

// swap finishes a swap that was cut off, before anything is read: what it installs is whole.
func (d directory) swap() error {
	if _, err := manifest.Read(d.tmp); err != nil {
		return nil
	}
	return manifest.Install(d.path, d.tmp)
}

// tidy finishes a swap that was cut off, and clears away what is left of other runs, if
// no process is at work.
func (d directory) tidy(key string) error {
	unlock, err := lockDir(d.path, lock.Take)
	if err != nil {
		return nil // one is
	}
	defer unlock()
	if err := d.swap(); err != nil {
		return err
	}
	if old, err := manifest.ReadFile(filepath.Join(d.tmp, manifest.KeyName)); err == nil && string(old) == key {
		return nil
	}
	return os.RemoveAll(d.tmp)
}

func (d directory) there() (*manifest.Manifest, error) {
	m, err := manifest.Read(d.path)
	if err != nil {
		return nil, nil // what cannot be read is made again
	}
	return m, nil
}

func (d directory) whole() bool {
	there, err := Open(d.path)
	return err == nil && there.whole()
}

func (d directory) begin(b *Builder, s Step, in []*Dir, o Options) error {
	if b.shared {
		return d.joinRun(b)
	}
	// Force makes again what is there; what it was making when it was killed is kept.
	again := o.Force && (b.old == nil || b.old.Key == b.m.Key)
	if err := d.resume(b, again || b.unread); err != nil {
		return err
	}
	switch {
	case b.taken != nil:
		return b.link()
	case b.old != nil && !o.Force:
		return b.reuse(in, s, o)
	}
	return nil
}

// resume takes over the complete parts of an interrupted run with the same key, and removes everything else.
// Parts of another run's shards, perhaps made on many machines, are removed only by force.
func (d directory) resume(b *Builder, force bool) error {
	mark := filepath.Join(d.tmp, manifest.KeyName)
	old, err := manifest.ReadFile(mark)
	if other := err == nil && string(old) != b.m.Key; other && (b.finishing || !force && exists(filepath.Join(d.tmp, shardsName))) {
		return d.otherRun()
	}
	if err != nil || force || string(old) != b.m.Key {
		if err := os.RemoveAll(d.tmp); err != nil {
			return err
		}
		if err := os.MkdirAll(d.tmp, 0o777); err != nil {
			return err
		}
		_, err := manifest.WriteFile(mark, []byte(b.m.Key))
		return err
	}
	entries, err := os.ReadDir(d.tmp)
	if err != nil {
		return err
	}
	keep := map[string]bool{manifest.KeyName: true, shardsName: true}
	for _, e := range entries {
		if i, info, ok := manifest.ReadSidecar(d.tmp, e.Name()); ok && info.Check(d.tmp) == nil {
			b.parts[i] = info
			keep[e.Name()], keep[info.Name] = true, true
		}
	}
	for _, e := range entries {
		if !keep[e.Name()] && !strings.HasPrefix(e.Name(), journal.Prefix) {
			if err := os.RemoveAll(filepath.Join(d.tmp, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// joinRun takes part in a run that others work on, too, and touches nothing of theirs but, to finish it, what is damaged.
func (d directory) joinRun(b *Builder) error {
	mark := filepath.Join(d.tmp, manifest.KeyName)
	if err := os.MkdirAll(d.tmp, 0o777); err != nil {
		return err
	}
	if err := fresh.Commit(mark, []byte(b.m.Key)); err != nil {
		return err
	}
	old, err := manifest.ReadFile(mark)
	if err != nil {
		return err
	}
	if string(old) != b.m.Key {
		return d.otherRun()
	}
	if b.lease == nil {
		err = fresh.Commit(filepath.Join(d.tmp, shardsName), nil)
	}
	if err != nil || !b.finishing {
		return err
	}
	return d.sift(b)
}

func (d directory) otherRun() error {
	return fmt.Errorf("%s holds parts of a run with other inputs, parameters or another build of kifu: remove it if no process works on it, or name another directory with --out", d.tmp)
}

// sift takes over whole parts, and takes damaged ones away, so that they are made again.
func (d directory) sift(b *Builder) error {
	entries, err := os.ReadDir(d.tmp)
	if err != nil {
		return err
	}
	for _, e := range entries {
		part, found := strings.CutSuffix(e.Name(), ".json")
		if !found || !strings.HasPrefix(part, "part-") {
			continue
		}
		if i, info, ok := manifest.ReadSidecar(d.tmp, e.Name()); ok && info.Check(d.tmp) == nil {
			b.parts[i] = info
			continue
		}
		for _, name := range []string{e.Name(), part} {
			if err := os.Remove(filepath.Join(d.tmp, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

func (d directory) Find(i int) (info manifest.Part, done bool, err error) {
	_, info, done = manifest.ReadSidecar(d.tmp, manifest.Sidecar(manifest.PartName(i)))
	return info, done && info.Sized(d.tmp), nil
}

// put names the file. Another worker may have made the same part meanwhile: then this one is dropped, if it is equal.
func (d directory) put(_ *Builder, index int, info manifest.Part, from string) error {
	defer os.Remove(from)
	final := filepath.Join(d.tmp, info.Name)
	switch err := fresh.Publish(from, final); {
	case errors.Is(err, fs.ErrExist) && info.Check(d.tmp) != nil:
		return fmt.Errorf("%s was made twice, with unequal bytes: with checksum %.12s here (do two builds of kifu work on it? start again)", final, info.SHA256)
	case err != nil && !errors.Is(err, fs.ErrExist) || index < 0:
		return err
	}
	text, err := manifest.FormatJSON(info)
	if err != nil {
		return err
	}
	return fresh.Commit(manifest.Sidecar(final), text)
}

func (d directory) fail(ctx context.Context, b *Builder, err error, useless bool) error {
	if b.shared {
		return b.removed(err)
	}
	if useless {
		b.parts = nil
	}
	if ctx.Err() != nil {
		err = b.interrupted(err)
	}
	b.abandon()
	return b.removed(err)
}

// abandon clears away what a failed step leaves, unless a whole part is in it from
// which the next run goes on. The directory goes too if nothing else is in it.
func (b *Builder) abandon() {
	if len(b.parts) > 0 && (b.taken == nil || len(b.parts) > b.taken.old.NumParts()) {
		return
	}
	if records, _ := journal.Kept(b.tmp); records > 0 {
		return
	}
	os.RemoveAll(b.tmp)
	os.Remove(filepath.Join(b.dir, manifest.LockName))
	os.Remove(b.dir)
}

func (d directory) clear(b *Builder) error {
	if b.shared {
		return nil
	}
	return os.RemoveAll(d.tmp)
}

func (d directory) install(b *Builder, _ bool) error {
	if err := b.finish(); err != nil {
		return b.removed(err)
	}
	return b.removed(manifest.Install(d.path, d.tmp))
}

func (d directory) Parts(key string) (map[int]bool, error) {
	all := map[int]bool{}
	if mark, err := manifest.ReadFile(filepath.Join(d.tmp, manifest.KeyName)); err != nil || string(mark) != key {
		return all, nil
	}
	entries, err := os.ReadDir(d.tmp)
	for _, e := range entries {
		if i, ok := manifest.SidecarNumber(e.Name()); ok {
			all[i] = true
		}
	}
	return all, err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// whole reports whether every part and file is there with its size. Checksums are
// Verify's.
func (d *Dir) whole() bool {
	err := d.entries.Each(func(_ int, p manifest.Part) error {
		if !p.Sized(d.Path) {
			return fs.ErrNotExist
		}
		return nil
	})
	return err == nil && !slices.ContainsFunc(d.Manifest.Files, func(f checked.File) bool { return !f.Sized(d.Path) })
}

// refuseForeign keeps a mistyped --out from filling a foreign directory, and a symbolic link
// that came with a folder from handing over what is elsewhere.
func refuseForeign(dir string) error {
	if info, err := os.Lstat(filepath.Join(dir, manifest.TmpName)); err == nil && !info.IsDir() {
		return fmt.Errorf("%s: want a directory, not a link or a file: remove it", filepath.Join(dir, manifest.TmpName))
	}
	if exists(filepath.Join(dir, manifest.Name)) || exists(filepath.Join(dir, manifest.TmpName)) {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != manifest.LockName && e.Name() != manifest.TmpName { // which another may have made since
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

// ErrWriting is the error of a step whose dataset another process makes.
var ErrWriting = errors.New("is being written by another kifu")

// lockDir keeps two runs from writing one dataset, but those that share the work by take.
func lockDir(dir string, take func(string) (func(), error)) (unlock func(), err error) {
	unlock, err = take(filepath.Join(dir, manifest.LockName))
	if errors.Is(err, lock.ErrTaken) {
		err = fmt.Errorf("%s %w", dir, ErrWriting)
	}
	return unlock, err
}

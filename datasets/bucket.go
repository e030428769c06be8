package datasets

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/datasets/remote"
	"kifu/internal/lists"
)

// bucket is a place in object storage. While the key is not known, nothing is uploaded before the end.
type bucket struct {
	remote.Draft
	force   bool // a damaged dataset is none
	current *Dir // that is there, nil: none; of there
}

func (u *bucket) enter(b *Builder, in []*Dir) (leave func(), err error) {
	for _, d := range in {
		if remote.Clean(d.Path) == remote.Clean(u.URL) {
			return nil, fmt.Errorf("%s is an input: name another place with --out", u.URL)
		}
	}
	return func() {
		if b.tmp != "" {
			os.RemoveAll(b.tmp)
		}
	}, nil
}

func (u *bucket) there() (*manifest.Manifest, error) {
	d, tag, err := openRemote(u.Objects, u.URL)
	u.Tag, u.current = tag, d
	switch {
	case err == nil:
		return d.Manifest, nil
	case errors.Is(err, fs.ErrNotExist), u.force && tag != "":
		return nil, nil
	}
	return nil, err
}

func (u *bucket) whole() bool {
	return u.current.files.(generation).Whole(u.current.entries, u.current.Manifest.Files)
}

// begin chooses the generation, unless an input is not read yet, and takes over the
// parts that are there.
func (u *bucket) begin(b *Builder, _ Step, _ []*Dir, o Options) (err error) {
	if b.tmp, err = u.Scratch(); err != nil {
		return err
	}
	if !b.unread {
		if err := u.Choose(b.m.Key, o.Force, !o.Finish); err != nil {
			return err
		}
		if err := u.resume(b); err != nil {
			return err
		}
	}
	if b.taken == nil {
		return nil
	}
	return u.copyParts(b)
}

// resume takes over the parts of the generation that are there. For a shard, which
// need not know them all, find does that one by one.
func (u *bucket) resume(b *Builder) error {
	if b.shard.Count > 0 {
		return nil
	}
	done, err := u.Parts(b.m.Key)
	if err != nil {
		return err
	}
	var g errgroup.Group
	g.SetLimit(requests)
	for i := range done {
		g.Go(func() error {
			info, done, err := u.Find(i)
			if done {
				b.mu.Lock()
				b.parts[i] = info
				b.mu.Unlock()
			}
			return err
		})
	}
	return g.Wait()
}

// put uploads a part that is written. Tables next to the parts, and parts of a run whose key is not known yet, wait
// for the end.
func (u *bucket) put(b *Builder, index int, info manifest.Part, from string) error {
	if index < 0 || !u.Chosen() {
		return os.Rename(from, filepath.Join(b.tmp, info.Name))
	}
	defer os.Remove(from)
	return u.SendPart(info, from)
}

// fail removes a generation that does not match its key.
func (u *bucket) fail(_ context.Context, _ *Builder, err error, useless bool) error {
	if !useless || !u.Chosen() {
		return err
	}
	return errors.Join(err, u.Drop())
}

func (u *bucket) clear(*Builder) error { return nil }

// copyParts copies the parts of the dataset that is appended to into the new generation.
func (u *bucket) copyParts(b *Builder) error {
	return u.current.entries.Each(func(i int, p manifest.Part) error {
		if _, done := b.parts[i]; done {
			return nil
		}
		from, release, err := u.current.files.Fetch(p.File, false)
		if err != nil {
			return err
		}
		if !u.Chosen() {
			err = copyFile(from, filepath.Join(b.tmp, p.Name))
		} else {
			err = u.SendPart(p, from)
		}
		release()
		if err != nil {
			return err
		}
		b.parts[i] = p
		return nil
	})
}

// install uploads what waited for the end, and publishes the generation.
func (u *bucket) install(b *Builder, force bool) error {
	parts := b.parts
	if err := b.finish(); err != nil {
		return err
	}
	late := slices.Concat(b.m.Files, lists.Of(b.m.Lists, func(l manifest.List) checked.File { return l.File }))
	if !u.Chosen() {
		if err := u.Choose(b.m.Key, force, true); err != nil {
			return err
		}
		for _, p := range parts {
			late = append(late, p.File)
		}
	}
	for _, f := range late {
		if err := u.Add(f, filepath.Join(b.tmp, f.Name)); err != nil {
			return err
		}
	}
	return u.Publish(filepath.Join(b.tmp, manifest.Name))
}

package datasets

import (
	"cmp"
	"context"
	"errors"
	"path"
	"strings"

	"golang.org/x/sync/errgroup"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/datasets/part"
	"kifu/datasets/remote"
)

// requests is how many small objects are read at once.
const requests = 16

// generation is a dataset that is read in object storage.
type generation struct{ *remote.Generation }

// openRemote opens the dataset at url, and returns the tag of what names it.
func openRemote(objects remote.Objects, url string) (*Dir, string, error) {
	g, m, tag, err := remote.Current(objects, url)
	if err != nil {
		return nil, tag, err
	}
	d, err := newDir(url, m, generation{g}, m.Fetched(g.ReadList))
	return d, tag, err
}

func (generation) local() bool { return false }

func (generation) compare(checked.File) error { return nil }

// verify makes the local copies that PartPaths names, each compared with its
// checksum.
func (g generation) verify(ctx context.Context, d *Dir) error {
	again := checked.Recall(ctx, d.Path) == nil
	run, ctx := errgroup.WithContext(ctx)
	run.SetLimit(requests / 2)
	copies := make([]string, d.NumParts())
	err := d.entries.Each(func(i int, info manifest.Part) error {
		run.Go(func() (err error) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if copies[i], _, err = g.Fetch(info.File, again); err != nil {
				return err
			}
			p, err := d.openFitting(info)
			if err != nil {
				return err
			}
			d.checked[i].Store(&part.Sums{})
			return errors.Join(p.CheckColumns(d.Table, d.names()), p.Close())
		})
		return ctx.Err()
	})
	for _, f := range d.Manifest.Files {
		run.Go(func() error {
			_, release, err := g.Fetch(f, again)
			if err == nil {
				release()
			}
			return err
		})
	}
	if err := cmp.Or(run.Wait(), err); err != nil {
		return err
	}
	d.copies = copies
	return nil
}

func (g generation) near(d *Dir) func(key string) *Dir {
	up := ".."
	if strings.Contains(path.Base(strings.TrimRight(d.Path, "/")), "=") { // a run of a sweep
		up = "../.."
	}
	all := map[string]*Dir{}
	look := func(relative string) {
		if o, _, err := openRemote(g.Relative(relative)); err == nil {
			if _, seen := all[o.Manifest.Key]; !seen {
				all[o.Manifest.Key] = o
			}
		}
	}
	folders := func(relative string) []string {
		below, _ := g.Relative(relative)
		all, _ := below.Folders()
		return all
	}
	for _, f := range folders(up) {
		next := path.Join(up, f)
		look(next)
		for _, r := range folders(next) {
			if strings.Contains(r, "=") {
				look(path.Join(next, r))
			}
		}
	}
	return func(key string) *Dir { return all[key] }
}

package datasets

import (
	"context"
	"fmt"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/datasets/remote"
	"kifu/datasets/several"
	"kifu/internal/lists"
	"kifu/schemas"
)

// OpenAt opens the dataset at path, which may be in object storage or name several.
func OpenAt(ctx context.Context, path string) (*Dir, error) {
	if several.Is(path) {
		return openSeveral(ctx, path)
	}
	if !remote.Is(path) {
		d, err := Open(path)
		if err == nil {
			d.thorough = checked.IsThorough(ctx)
		}
		return d, err
	}
	objects, err := remote.At(ctx, path)
	if err != nil {
		return nil, err
	}
	d, _, err := openRemote(objects, path)
	return d, err
}

// openSeveral opens the datasets that a pattern or a list of paths names, as one.
func openSeveral(ctx context.Context, name string) (*Dir, error) {
	paths, err := several.Paths(ctx, name)
	if err != nil {
		return nil, err
	}
	all, err := lists.Try(paths, func(path string) (*Dir, error) { return OpenAt(ctx, path) })
	if err != nil {
		return nil, err
	}
	switch len(all) {
	case 0:
		return nil, fmt.Errorf("no dataset matches %s", name)
	case 1:
		return all[0], nil
	}
	return asOne(name, all)
}

// asOne returns datasets as one.
func asOne(name string, all []*Dir) (*Dir, error) {
	described := lists.Of(all, func(d *Dir) several.Dataset { return *d.described() })
	if err := several.Alike(described); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	m := several.Manifest(described)
	for _, d := range all {
		err := d.entries.Each(func(_ int, p manifest.Part) error {
			m.Parts = append(m.Parts, p)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	d := newDir(name, m, all[0].Table)
	d.of = all
	if err := several.Distinct(described, d.origins()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

// origins returns what each of the datasets that d is was made from.
func (d *Dir) origins() []several.Origin {
	near := func(string) *Dir { return nil }
	if d.Table.Name != schemas.Games.Name {
		near = d.nearOne()
	}
	return lists.Of(d.of, func(one *Dir) (o several.Origin) {
		for from := range one.lineage(near) {
			switch from.Table.Name {
			case "positions":
				o.Positions = from.described()
			case schemas.Games.Name:
				o.Games = from.described()
			}
		}
		return o
	})
}

func (d *Dir) described() *several.Dataset {
	return &several.Dataset{Path: d.Path, Manifest: d.Manifest, Table: d.Table}
}

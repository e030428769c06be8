package datasets

import (
	"fmt"

	"kifu/datasets/manifest"
	"kifu/datasets/several"
	"kifu/internal/lists"
	"kifu/schemas"
)

// asOne returns datasets as one.
func asOne(name string, all []*Dir) (*Dir, error) {
	m, err := several.AsOne(lists.Of(all, (*Dir).described), origins(all))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, d := range all {
		err := d.entries.Each(func(_ int, p manifest.Part) error {
			m.Parts = append(m.Parts, p)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	d, err := newDir(name, m, folder(name), m.Entries(name))
	if err == nil {
		d.of = all
	}
	return d, err
}

// origins returns what each of the datasets was made from.
func origins(all []*Dir) []several.Origin {
	near := func(string) *Dir { return nil }
	if all[0].Table.Name != schemas.Games.Name {
		near = nearOne(all)
	}
	return lists.Of(all, func(one *Dir) (o several.Origin) {
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

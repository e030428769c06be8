package datasets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"kifu/datasets/manifest"
)

// takeOver returns m with the inputs of a step that appends to old: old's inputs, then each input of m whose content
// is in none of them nor in an earlier one of m. in are the inputs that are datasets, the last ones. An input
// that has grown since it was added is an error, because its first rows would be there twice.
func takeOver(dir string, old *manifest.Manifest, m manifest.Manifest, in []*Dir) (manifest.Manifest, *taken, error) {
	var was bytes.Buffer
	if err := json.Compact(&was, old.Params); err != nil {
		return m, nil, fmt.Errorf("%s: parameters in the manifest: %w", dir, err)
	}
	switch {
	case old.Stage != m.Stage:
		return m, nil, fmt.Errorf("%s was made by kifu %s: only the command that made a dataset can append to it", dir, old.Stage)
	case old.Tool != m.Tool || old.Schema != m.Schema:
		return m, nil, fmt.Errorf("%s was made by %s as %s, which kifu %s (%s) cannot append to: make it again with --force, without --append", dir, old.Tool, old.Schema, manifest.Version, m.Schema)
	case !bytes.Equal(was.Bytes(), m.Params):
		return m, nil, fmt.Errorf("%s was made with parameters %s, not %s: append with the same flags", dir, was.Bytes(), m.Params)
	}
	t := &taken{old: old, known: make([]bool, len(m.Inputs))}
	all := slices.Clone(old.Inputs)
	for i, input := range m.Inputs {
		has := func(o manifest.Input) bool { return o.Key == input.Key }
		t.known[i] = input.Key != "" && slices.ContainsFunc(all, has)
		if !t.known[i] {
			all = append(all, input)
		}
	}
	for _, d := range in {
		if slices.ContainsFunc(d.earlier(false), func(was string) bool {
			return slices.ContainsFunc(old.Inputs, func(o manifest.Input) bool { return o.Key == was })
		}) {
			return m, nil, fmt.Errorf("%s has grown since it was added to %s: make %[2]s again without --append", d.Path, dir)
		}
	}
	m.Inputs, m.Appended = all, append(slices.Clone(old.Appended), len(old.Inputs))
	return m, t, nil
}

// namedAgain returns the names of new files that old ones had, with other contents.
func namedAgain(old, files []manifest.Input) (names []string) {
	for _, f := range files {
		same := func(o manifest.Input) bool { return o.Key == f.Key }
		if f.Key != "" && !slices.ContainsFunc(old, same) && slices.ContainsFunc(old, func(o manifest.Input) bool { return o.Name == f.Name }) {
			names = append(names, f.Name)
		}
	}
	return names
}

// copiesIn returns the names of files with the contents of earlier ones. A step that appends leaves them out.
func copiesIn(files []manifest.Input) (names []string) {
	known := map[string]bool{}
	for _, f := range files {
		if known[f.Key] && f.Key != "" {
			names = append(names, f.Name)
		}
		known[f.Key] = true
	}
	return names
}

// link puts the parts of the old dataset among those that the step has done. They are
// linked, not copied: the old dataset stays whole until the new one takes its place.
func (b *Builder) link() error {
	return b.taken.old.Entries(b.dir).Each(func(i int, p manifest.Part) error {
		if _, done := b.parts[i]; done {
			return nil
		}
		from := filepath.Join(b.dir, p.Name)
		if info, err := os.Stat(from); err != nil || info.Size() != p.Bytes {
			return fmt.Errorf("%s is missing or has the wrong size: kifu check has details (make the dataset again without --append)", from)
		}
		return b.keep(i, p)
	})
}

// keep puts part i of the dataset that is there among those that the step has done.
func (b *Builder) keep(i int, p manifest.Part) error {
	from, to := filepath.Join(b.dir, p.Name), filepath.Join(b.tmp, p.Name)
	if err := os.Link(from, to); err != nil {
		if err := copyFile(from, to); err != nil {
			return err
		}
	}
	if err := manifest.WriteJSON(filepath.Join(b.tmp, manifest.Sidecar(p.Name)), p); err != nil {
		return err
	}
	b.parts[i] = p
	return nil
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from) // a part, so some megabytes
	if err != nil {
		return err
	}
	_, err = manifest.WriteFile(to, data)
	return err
}

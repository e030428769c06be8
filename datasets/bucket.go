package datasets

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/datasets/part"
	"kifu/internal/checksum"
	"kifu/internal/lists"
)

const (
	generationPrefix = "gen-"
	// abandoned is the age from which an unfinished or replaced generation has no owner: who
	// works on one writes something more often, and who reads one has read it.
	abandoned = 24 * time.Hour
	// requests is how many small objects are read at once.
	requests = 16
)

// bucket is a place in object storage. There is no lock: two runs at once make the
// same parts, of which the first are kept, and whoever comes last finds all done.
type bucket struct {
	url        string
	objects    Objects
	force      bool   // a damaged dataset is none
	current    *Dir   // that is there, nil: none; of there
	tag        string // of CURRENT then
	generation string // empty while the key is not known: then all is uploaded at the end
}

func (u *bucket) enter(b *Builder, in []*Dir) (leave func(), err error) {
	for _, d := range in {
		if cleanURL(d.Path) == cleanURL(u.url) {
			return nil, fmt.Errorf("%s is an input: name another place with --out", u.url)
		}
	}
	return func() {
		if b.tmp != "" {
			os.RemoveAll(b.tmp)
		}
	}, nil
}

func (u *bucket) there() (*manifest.Manifest, error) {
	d, tag, err := openObjects(u.objects, u.url)
	u.tag, u.current = tag, d
	switch {
	case err == nil:
		return d.Manifest, nil
	case errors.Is(err, fs.ErrNotExist), u.force && tag != "":
		return nil, nil
	}
	return nil, err
}

func (u *bucket) whole() bool { return u.current.files.(*generation).whole(u.current) }

// begin chooses the generation, unless an input is not read yet, and takes over the
// parts that are there.
func (u *bucket) begin(b *Builder, _ Step, _ []*Dir, o Options) (err error) {
	if b.tmp, err = u.objects.Scratch(); err != nil {
		return err
	}
	if !b.unread {
		if err := u.choose(b.m.Key, o.Force); err != nil {
			return err
		}
		if !o.Finish {
			if err := u.mark(b.m.Key); err != nil {
				return err
			}
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

// whole reports whether the objects of d are all there with their sizes.
func (g *generation) whole(d *Dir) bool {
	begin := ""
	if g.below != "" {
		begin = g.below + "/"
	}
	all, err := g.objects.List(begin, 0)
	sizes := map[string]int64{}
	for _, o := range all {
		sizes[o.Name] = o.Bytes
	}
	there := func(f checked.File) bool {
		size, found := sizes[g.object(f.Name)]
		return found && size == f.Bytes
	}
	if err == nil {
		err = d.entries.Each(func(_ int, p manifest.Part) error {
			if !there(p.File) {
				return fs.ErrNotExist
			}
			return nil
		})
	}
	return err == nil && !slices.ContainsFunc(d.Manifest.Files, func(f checked.File) bool { return !there(f) })
}

// choose names the generation of a run: by its key, and by force one that is not there,
// since what is there stays for those who read it.
func (u *bucket) choose(key string, force bool) error {
	u.generation = generationPrefix + key
	if !force {
		return nil
	}
	there, err := u.objects.Folders()
	for n := 2; slices.Contains(there, u.generation); n++ {
		u.generation = fmt.Sprintf("%s%s-%d", generationPrefix, key, n)
	}
	return err
}

// mark marks the generation with a key. The mark also tests whether the server keeps two writers apart: if it
// ignores the condition, they could overwrite each other's parts.
func (u *bucket) mark(key string) error {
	mark := path.Join(u.generation, keyName)
	err := u.objects.Swap(mark, "", []byte(key))
	if err == nil {
		err = u.objects.Swap(mark, "", []byte(key))
	}
	if err == nil {
		return fmt.Errorf("%s: the server ignores If-None-Match, so two writers could overwrite each other: docs/object-storage.md names servers that respect it", u.url)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// resume takes over the parts of the generation that are there. For a shard, which
// need not know them all, find does that one by one.
func (u *bucket) resume(b *Builder) error {
	if b.shard.Count > 0 {
		return nil
	}
	done, err := u.parts(b.m.Key)
	if err != nil {
		return err
	}
	var g errgroup.Group
	g.SetLimit(requests)
	for i := range done {
		g.Go(func() error {
			info, done, err := u.find(b, i)
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

// find returns the sidecar's facts of part i, if the part agrees with them.
func (u *bucket) find(_ *Builder, i int) (info manifest.Part, done bool, err error) {
	name := manifest.PartName(i)
	text, _, err := u.objects.Get(path.Join(u.generation, sidecar(name)))
	if errors.Is(err, fs.ErrNotExist) || err == nil && (json.Unmarshal(text, &info) != nil || info.Name != name) {
		return info, false, nil
	}
	if err == nil {
		err = u.same(info.File)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return info, false, nil
	}
	return info, err == nil, err
}

// same returns an error unless the object of that name in the generation is f.
func (u *bucket) same(f checked.File) error {
	name := path.Join(u.generation, f.Name)
	has, err := u.objects.Stat(name)
	if err != nil {
		return err
	}
	if has.SHA256 == "" && has.Bytes == f.Bytes { // copied by a program that drops such notes
		_, release, err := u.objects.Fetch(checked.File{Name: name, Bytes: f.Bytes, SHA256: f.SHA256}, true)
		if err == nil {
			release()
		}
		return err
	}
	if has.SHA256 != f.SHA256 || has.Bytes != f.Bytes {
		return fmt.Errorf("%s was made twice, with unequal bytes: %d with checksum %.12s here, %d with %.12s there (do two builds of kifu work on it? --force starts again)",
			joinURL(u.url, name), f.Bytes, f.SHA256, has.Bytes, has.SHA256)
	}
	return nil
}

// create uploads a file of the scratch directory, or finds that it is there.
func (u *bucket) create(f checked.File, from string) error {
	err := u.objects.Create(checked.File{Name: path.Join(u.generation, f.Name), Bytes: f.Bytes, SHA256: f.SHA256}, from)
	if errors.Is(err, fs.ErrExist) {
		err = u.same(f)
	}
	return err
}

// put uploads a part that is written, and then what the part counted: without that it is
// made again. Tables next to the parts, and parts of a run whose key is not known yet, wait
// for the end.
func (u *bucket) put(b *Builder, index int, info manifest.Part, from string) error {
	if index < 0 || u.generation == "" {
		return os.Rename(from, filepath.Join(b.tmp, info.Name))
	}
	defer os.Remove(from)
	return u.sendPart(info, from)
}

func (u *bucket) sendPart(info manifest.Part, from string) error {
	if err := u.create(info.File, from); err != nil {
		return err
	}
	text, err := manifest.FormatJSON(info)
	if err != nil {
		return err
	}
	if err = u.objects.Swap(path.Join(u.generation, sidecar(info.Name)), "", text); errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// fail removes a generation that does not match its key.
func (u *bucket) fail(_ context.Context, _ *Builder, err error, useless bool) error {
	if !useless || u.generation == "" {
		return err
	}
	return errors.Join(err, u.remove(u.generation))
}

func (u *bucket) clear(*Builder) error { return nil }

// remove removes a generation.
func (u *bucket) remove(generation string) error {
	all, err := u.objects.List(generation+"/", 0)
	if err != nil {
		return err
	}
	names := lists.Of(all, func(o Object) string { return o.Name })
	return u.objects.Remove(names)
}

// copyParts copies the parts of the dataset that is appended to into the new generation.
func (u *bucket) copyParts(b *Builder) error {
	return u.current.entries.Each(func(i int, p manifest.Part) error {
		if _, done := b.parts[i]; done {
			return nil
		}
		from, release, err := u.current.files.fetch(p.File, false)
		if err != nil {
			return err
		}
		if u.generation == "" {
			err = copyFile(from, filepath.Join(b.tmp, p.Name))
		} else {
			err = u.sendPart(p, from)
		}
		release()
		if err != nil {
			return err
		}
		b.parts[i] = p
		return nil
	})
}

// install uploads what waited for the end, then the manifest, then writes to CURRENT
// that this is the dataset.
func (u *bucket) install(b *Builder, force bool) error {
	parts := b.parts
	if err := b.finish(); err != nil {
		return err
	}
	late := slices.Clone(b.m.Files)
	late = append(late, lists.Of(b.m.Lists, func(l manifest.List) checked.File { return l.File })...)
	if u.generation == "" {
		if err := u.choose(b.m.Key, force); err != nil {
			return err
		}
		if err := u.mark(b.m.Key); err != nil {
			return err
		}
		for _, p := range parts {
			late = append(late, p.File)
		}
	}
	for _, f := range late {
		if err := u.create(f, filepath.Join(b.tmp, f.Name)); err != nil {
			return err
		}
	}
	from := filepath.Join(b.tmp, manifest.Name)
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f := checked.File{Name: manifest.Name, Bytes: int64(len(text)), SHA256: checksum.Bytes(text)}
	if err := u.create(f, from); err != nil {
		return err
	}
	now, err := manifest.FormatJSON(pointer{u.generation, f.SHA256})
	if err != nil {
		return err
	}
	if err := u.point(string(now)); err != nil {
		return err
	}
	return u.clean()
}

// point writes now to CURRENT. If another run has changed it meanwhile, that is an error
func (u *bucket) point(now string) error {
	err := u.objects.Swap(currentName, u.tag, []byte(now))
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	there, _, err := u.objects.Get(currentName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if string(there) != now {
		return fmt.Errorf("%s was changed by another run: this run's output is in %s, and replaces the other's if you run the command again", joinURL(u.url, currentName), u.generation)
	}
	return nil
}

// clean removes the generations that no process reads or writes any more.
func (u *bucket) clean() error {
	folders, err := u.objects.Folders()
	if err != nil {
		return err
	}
	for _, g := range folders {
		if g == u.generation || !strings.HasPrefix(g, generationPrefix) {
			continue
		}
		all, err := u.objects.List(g+"/", 0)
		if err != nil {
			return err
		}
		young := func(o Object) bool { return time.Since(o.Changed) < abandoned }
		if slices.ContainsFunc(all, young) {
			continue
		}
		if err := u.remove(g); err != nil {
			return err
		}
	}
	return nil
}

func (u *bucket) parts(key string) (map[int]bool, error) {
	begin := cmp.Or(u.generation, generationPrefix+key) + "/part-"
	parts := map[int]bool{}
	all, err := u.objects.List(begin, 0)
	for _, o := range all {
		if i, is := sidecarNumber(path.Base(o.Name)); is {
			parts[i] = true
		}
	}
	return parts, err
}

// verify makes the local copies that PartPaths names, each compared with its
// checksum.
func (g *generation) verify(ctx context.Context, d *Dir) error {
	again := checked.Recall(ctx, d.Path) == nil
	run, ctx := errgroup.WithContext(ctx)
	run.SetLimit(requests / 2)
	copies := make([]string, d.NumParts())
	err := d.entries.Each(func(i int, info manifest.Part) error {
		run.Go(func() (err error) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if copies[i], _, err = g.fetch(info.File, again); err != nil {
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
			_, release, err := g.fetch(f, again)
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

func (g *generation) near(d *Dir) func(key string) *Dir {
	up := ".."
	if strings.Contains(path.Base(strings.TrimRight(d.Path, "/")), "=") { // a run of a sweep
		up = "../.."
	}
	all := map[string]*Dir{}
	look := func(relative string) {
		if o, _, err := openObjects(g.objects.Relative(relative)); err == nil {
			if _, seen := all[o.Manifest.Key]; !seen {
				all[o.Manifest.Key] = o
			}
		}
	}
	folders := func(relative string) []string {
		place, _ := g.objects.Relative(relative)
		all, _ := place.Folders()
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

// cleanURL writes a place in object storage in the one way: without . or .. or a slash at
// its end.
func cleanURL(url string) string {
	rest, is := strings.CutPrefix(url, "s3://")
	if !is {
		return url
	}
	return "s3://" + path.Clean(rest)
}

package datasets

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
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
)

const (
	generationPrefix = "gen-"
	// abandoned is the age from which an unfinished or replaced generation has no owner: who
	// works on one writes something more often, and who reads one has read it.
	abandoned = 24 * time.Hour
	// requests is how many small objects are read at once.
	requests = 16
)

// upload is the way of a Builder's output into object storage.
type upload struct {
	url        string
	objects    Objects
	generation string // empty while the key is not known: then all is uploaded at the end
	tag        string // of CURRENT when the run began
	fault      error  // of lookUp, which has no other way to return it
	made       int    // parts that this run uploaded
}

// buildObjects is Build for object storage. There is no lock: two runs at once make the
// same parts, of which the first are kept, and whoever comes last finds all done.
func (s Step) buildObjects(ctx context.Context, url string, o Options, in []*Dir, inputs []Input, params json.RawMessage) (_ *Manifest, fresh bool, err error) {
	if slices.ContainsFunc(s.Inputs, func(in string) bool { return cleanURL(in) == cleanURL(url) }) {
		return nil, false, fmt.Errorf("%s is an input: name another place with --out", url)
	}
	if o.Lease != nil {
		o.Shard = Shard{1, 1}
	}
	unread := slices.ContainsFunc(inputs, func(in Input) bool { return in.Key == "" })
	if o.Shard.Count > 0 && (o.Append || o.Force || o.Finish || unread) {
		return nil, false, errShardAlone
	}
	b := &Builder{dir: url, parts: map[int]PartInfo{}, shard: o.Shard, lease: o.Lease, finishing: o.Finish, upload: &upload{url: url}}
	if b.upload.objects, err = ObjectsAt(ctx, url); err != nil {
		return nil, false, err
	}
	old, tag, err := openObjects(b.upload.objects, url)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !(o.Force && tag != "") {
		return nil, false, err
	}
	b.upload.tag = tag
	if old != nil && o.Append {
		if inputs, b.taken, err = takeOver(url, old.Manifest, s, params, inputs, in); err != nil {
			return nil, false, err
		}
		if len(inputs) == len(old.Manifest.Inputs) {
			return old.Manifest, false, nil
		}
	}
	b.m = newManifest(s, params, inputs, b.taken)
	if old != nil && b.taken == nil && !unread {
		if err := old.Manifest.mayBecome(url, b.m, in, o); err != nil {
			return nil, false, err
		}
	}
	if old != nil && old.Manifest.Key == b.m.Key && !o.Force && !unread && old.wholeObjects() {
		if o.Lease != nil {
			old.settle(o.Lease)
		}
		return old.Manifest, false, nil
	}
	if b.tmp, err = b.upload.objects.Scratch(); err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(b.tmp)
	if err := b.prepareObjects(o, old, unread); err != nil {
		return nil, false, err
	}
	err = s.Run(ctx, in, b)
	if err == nil && unread && b.taken == nil && old != nil {
		err = old.Manifest.mayBecome(url, b.m, in, o)
	}
	if o.Lease != nil { // another process may have finished the dataset meanwhile
		if d, _, fault := openObjects(b.upload.objects, url); fault == nil && d.Manifest.Key == b.m.Key {
			d.settle(o.Lease)
			return d.Manifest, false, nil
		}
	}
	if b.upload.fault != nil {
		err = b.upload.fault
	} else if gaps := b.missed(); gaps != nil {
		err = gaps
	}
	switch {
	case errors.Is(err, errKnown):
		return old.Manifest, false, nil
	case errors.Is(err, ErrChanged):
		return nil, false, errors.Join(err, b.upload.discard())
	case err != nil:
		return nil, false, err
	case o.Shard.Count > 0:
		b.countShard()
		return b.m, b.upload.made > 0, nil
	}
	if err := b.nothing(s); err != nil {
		return nil, false, errors.Join(err, b.upload.discard())
	}
	return b.m, true, b.finishObjects(o.Force)
}

// prepareObjects chooses the generation, unless an input is not read yet, and takes over the
// parts that are there.
func (b *Builder) prepareObjects(o Options, old *Dir, unread bool) error {
	if !unread {
		if err := b.upload.choose(b.m.Key, o.Force); err != nil {
			return err
		}
		if !o.Finish {
			if err := b.upload.begin(b.m.Key); err != nil {
				return err
			}
		}
		if err := b.resumeObjects(); err != nil {
			return err
		}
	}
	if b.taken == nil {
		return nil
	}
	return b.takeObjects(old)
}

// wholeObjects reports whether the objects of d are all there with their sizes.
func (d *Dir) wholeObjects() bool {
	begin := ""
	if d.generation != "" {
		begin = d.generation + "/"
	}
	all, err := d.objects.List(begin, 0)
	sizes := map[string]int64{}
	for _, o := range all {
		sizes[o.Name] = o.Bytes
	}
	there := func(f File) bool {
		size, found := sizes[d.object(f.Name)]
		return found && size == f.Bytes
	}
	if err == nil {
		err = d.entries.each(func(_ int, p PartInfo) error {
			if !there(p.File) {
				return fs.ErrNotExist
			}
			return nil
		})
	}
	return err == nil && !slices.ContainsFunc(d.Manifest.Files, func(f File) bool { return !there(f) })
}

// choose names the generation of a run: by its key, and by force one that is not there,
// since what is there stays for those who read it.
func (u *upload) choose(key string, force bool) error {
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

// begin marks the generation as that of a key, and with the mark tries whether the server
// keeps two writers apart: one that does not heed the condition would let them overwrite
// each other's parts.
func (u *upload) begin(key string) error {
	mark := path.Join(u.generation, keyName)
	err := u.objects.Swap(mark, "", []byte(key))
	if err == nil {
		err = u.objects.Swap(mark, "", []byte(key))
	}
	if err == nil {
		return fmt.Errorf("%s: the server does not heed If-None-Match, so that two writers would overwrite each other: docs/object-storage.md names servers that do", u.url)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// resumeObjects takes over the parts of the generation that are there. For a shard, which
// need not know them all, lookUp does that one by one.
func (b *Builder) resumeObjects() error {
	if b.shard.Count > 0 {
		return nil
	}
	u := b.upload
	all, err := u.objects.List(u.generation+"/", 0)
	if err != nil {
		return err
	}
	var g errgroup.Group
	g.SetLimit(requests)
	for _, o := range all {
		i, is := sidecarNumber(path.Base(o.Name))
		if !is {
			continue
		}
		g.Go(func() error {
			info, done, err := u.part(i)
			if done {
				b.put(i, info)
			}
			return err
		})
	}
	return g.Wait()
}

// lookUp looks for a part that another may have made. b is locked.
func (b *Builder) lookUp(i int) (info PartInfo, done bool) {
	u := b.upload
	if b.shard.Count == 0 || !b.shard.has(i) || u.fault != nil {
		return info, u.fault != nil
	}
	info, done, u.fault = u.part(i)
	if done {
		b.parts[i] = info
	}
	return info, done || u.fault != nil
}

// part returns the sidecar's facts of part i, if the part agrees with them.
func (u *upload) part(i int) (info PartInfo, done bool, err error) {
	name := partName(i)
	text, _, err := u.objects.Get(path.Join(u.generation, sidecar(name)))
	if errors.Is(err, fs.ErrNotExist) || err == nil && (json.Unmarshal(text, &info) != nil || info.Name != name) {
		return info, false, nil
	}
	if err == nil {
		_, err = u.same(info.File)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return info, false, nil
	}
	return info, err == nil, err
}

// same returns an error unless the object of that name in the generation is f.
func (u *upload) same(f File) (File, error) {
	name := path.Join(u.generation, f.Name)
	has, err := u.objects.Stat(name)
	if err != nil {
		return has, err
	}
	if has.SHA256 == "" && has.Bytes == f.Bytes { // copied by a program that drops such notes
		_, release, err := u.objects.Fetch(File{Name: name, Bytes: f.Bytes, SHA256: f.SHA256}, true)
		if err == nil {
			release()
		}
		return f, err
	}
	if has.SHA256 != f.SHA256 || has.Bytes != f.Bytes {
		return has, fmt.Errorf("%s: made twice, with unequal bytes: here %d with checksum %.12s, there %d with %.12s (are there two builds of kifu? --force starts again)",
			joinURL(u.url, name), f.Bytes, f.SHA256, has.Bytes, has.SHA256)
	}
	return has, nil
}

// create uploads a file of the scratch directory, or finds that it is there.
func (u *upload) create(f File, from string) error {
	err := u.objects.Create(File{Name: path.Join(u.generation, f.Name), Bytes: f.Bytes, SHA256: f.SHA256}, from)
	if errors.Is(err, fs.ErrExist) {
		_, err = u.same(f)
	}
	return err
}

// send uploads a part that is written, and then what the part counted: without that it is
// made again. Tables next to the parts, and parts of a run whose key is not known yet, wait
// for the end.
func (w *PartWriter) send(info PartInfo) error {
	b, from := w.b, w.file.Name()
	if w.index >= 0 && b.upload.generation != "" {
		defer os.Remove(from)
		if err := b.upload.sendPart(info, from); err != nil {
			return err
		}
		b.mu.Lock()
		b.upload.made++
		b.mu.Unlock()
	} else if err := os.Rename(from, filepath.Join(b.tmp, info.Name)); err != nil {
		return err
	}
	if w.index < 0 {
		b.addFile(info.File)
	} else {
		b.put(w.index, info)
	}
	return nil
}

func (u *upload) sendPart(info PartInfo, from string) error {
	if err := u.create(info.File, from); err != nil {
		return err
	}
	text, err := formatJSON(info)
	if err != nil {
		return err
	}
	if err = u.objects.Swap(path.Join(u.generation, sidecar(info.Name)), "", text); errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// discard removes the generation, which does not match its key.
func (u *upload) discard() error {
	if u.generation == "" {
		return nil
	}
	return u.remove(u.generation)
}

// remove removes a generation.
func (u *upload) remove(generation string) error {
	all, err := u.objects.List(generation+"/", 0)
	if err != nil {
		return err
	}
	var names []string
	for _, o := range all {
		names = append(names, o.Name)
	}
	return u.objects.Remove(names)
}

// takeObjects copies the parts of the dataset that is appended to into the new generation.
func (b *Builder) takeObjects(old *Dir) error {
	return old.entries.each(func(i int, p PartInfo) error {
		if _, done := b.parts[i]; done {
			return nil
		}
		from, release, err := old.fetch(p.File, false)
		if err != nil {
			return err
		}
		if b.upload.generation == "" {
			err = copyFile(from, filepath.Join(b.tmp, p.Name))
		} else {
			err = b.upload.sendPart(p, from)
		}
		release()
		if err != nil {
			return err
		}
		b.parts[i] = p
		return nil
	})
}

// finishObjects uploads what waited for the end, then the manifest, then writes to CURRENT
// that this is the dataset.
func (b *Builder) finishObjects(force bool) error {
	parts := b.parts
	if err := b.finish(); err != nil {
		return err
	}
	u := b.upload
	late := slices.Clone(b.m.Files)
	for _, l := range b.m.Lists {
		late = append(late, l.File)
	}
	if u.generation == "" {
		if err := u.choose(b.m.Key, force); err != nil {
			return err
		}
		if err := u.begin(b.m.Key); err != nil {
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
	from := filepath.Join(b.tmp, manifestName)
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	f := File{Name: manifestName, Bytes: int64(len(text)), SHA256: hex.EncodeToString(sum[:])}
	if err := u.create(f, from); err != nil {
		return err
	}
	now, err := formatJSON(pointer{u.generation, f.SHA256})
	if err != nil {
		return err
	}
	if err := u.install(string(now)); err != nil {
		return err
	}
	return u.clean()
}

// install makes CURRENT say now. If another run has changed it meanwhile, that is an error
// install writes now to CURRENT. If another run has changed it meanwhile, that is an error
func (u *upload) install(now string) error {
	err := u.objects.Swap(currentName, u.tag, []byte(now))
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	there, _, err := u.objects.Get(currentName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if string(there) != now {
		return fmt.Errorf("%s was changed by another run meanwhile: this one's output is in %s, and replaces the other's if you run the command again", joinURL(u.url, currentName), u.generation)
	}
	return nil
}

// clean removes the generations that no process reads or writes any more.
func (u *upload) clean() error {
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

// planObjects is Plan for object storage.
func planObjects(ctx context.Context, url string, m *Manifest) (isCurrent bool, why string, err error) {
	objects, err := ObjectsAt(ctx, url)
	if err != nil {
		return false, "", err
	}
	old, _, err := openObjects(objects, url)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		why = "not made yet"
	case err != nil:
		return false, "", err
	case old.Manifest.Key != m.Key:
		why = old.Manifest.changes(m)
	case old.wholeObjects():
		return true, "up to date", nil
	default:
		why = "parts are missing"
	}
	done, whole, err := madeObjects(ctx, url, m.Key)
	if !whole && len(done) > 0 {
		why += fmt.Sprintf("; %d parts are done", len(done))
	}
	return false, why, err
}

// madeObjects is Made for object storage.
func madeObjects(ctx context.Context, url, key string) (parts map[int]bool, whole bool, err error) {
	objects, err := ObjectsAt(ctx, url)
	if err != nil {
		return nil, false, err
	}
	if d, _, err := openObjects(objects, url); err == nil && d.Manifest.Key == key {
		return nil, true, nil
	}
	parts = map[int]bool{}
	all, err := objects.List(generationPrefix+key+"/part-", 0)
	for _, o := range all {
		if i, is := sidecarNumber(path.Base(o.Name)); is {
			parts[i] = true
		}
	}
	return parts, false, err
}

// verifyObjects makes the local copies that PartPaths names, each compared with its
// checksum.
func (d *Dir) verifyObjects(ctx context.Context) error {
	anew := recall(ctx, d.Path) == nil
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(requests / 2)
	copies := make([]string, d.NumParts())
	err := d.entries.each(func(i int, info PartInfo) error {
		g.Go(func() (err error) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if copies[i], _, err = d.fetch(info.File, anew); err != nil {
				return err
			}
			p, err := d.openFitting(info)
			if err != nil {
				return err
			}
			d.checked[i].Store(&seen{})
			return errors.Join(p.checkColumns(d.Table, d.names()), p.Close())
		})
		return ctx.Err()
	})
	for _, f := range d.Manifest.Files {
		g.Go(func() error {
			_, release, err := d.fetch(f, anew)
			if err == nil {
				release()
			}
			return err
		})
	}
	if err := cmp.Or(g.Wait(), err); err != nil {
		return err
	}
	d.copies = copies
	return nil
}

// nearObjects returns the datasets around one in object storage by key.
func (d *Dir) nearObjects() map[string]*Dir {
	up := ".."
	if strings.Contains(path.Base(strings.TrimRight(d.Path, "/")), "=") { // a run of a sweep
		up = "../.."
	}
	all := map[string]*Dir{}
	look := func(relative string) {
		if o, _, err := openObjects(d.objects.Beside(relative)); err == nil {
			if _, seen := all[o.Manifest.Key]; !seen {
				all[o.Manifest.Key] = o
			}
		}
	}
	folders := func(relative string) []string {
		place, _ := d.objects.Beside(relative)
		all, _ := place.Folders()
		return all
	}
	for _, f := range folders(up) {
		beside := path.Join(up, f)
		look(beside)
		for _, r := range folders(beside) {
			if strings.Contains(r, "=") {
				look(path.Join(beside, r))
			}
		}
	}
	return all
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

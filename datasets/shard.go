package datasets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kifu/internal/lock"
)

// Shard is a share of the parts of a dataset: the shard numbered Index of Count, from
// 1. The zero Shard is all of them.
type Shard struct{ Index, Count int }

// ParseShard reads "3/100".
func ParseShard(text string) (Shard, error) {
	index, count, found := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, fault := strconv.Atoi(count)
	if !found || err != nil || fault != nil || i < 1 || i > n {
		return Shard{}, fmt.Errorf("shard %q: want I/N with I from 1 to N, as 3/100", text)
	}
	return Shard{i, n}, nil
}

// String returns the shard as a flag names it: 2/5.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// has reports whether part i, from 0, is one of the shard's: 3/100 has 2, 102, 202, …
func (s Shard) has(i int) bool { return s.Count == 0 || i%s.Count == s.Index-1 }

// Missing is returned by a Build that was to finish a dataset which is not whole.
type Missing struct {
	Dir   string
	Key   string // of the dataset
	Parts []int  // from 0, ascending
	Done  int    // parts that are there
}

// Error names the parts that are missing.
func (m *Missing) Error() string {
	return fmt.Sprintf("%s: %d parts are done, %d are missing (%s): run their shards again, then --finish", m.Dir, m.Done, len(m.Parts), ranges(m.Parts))
}

// ranges writes ascending part numbers shortly, from 1 as shards have them: "3, 17-20, …".
func ranges(parts []int) string {
	const most = 20
	var all []string
	for from := 0; from < len(parts); {
		to := from + 1
		for to < len(parts) && parts[to] == parts[to-1]+1 {
			to++
		}
		text := strconv.Itoa(parts[from] + 1)
		if to-from > 1 {
			text += "-" + strconv.Itoa(parts[to-1]+1)
		}
		if all = append(all, text); len(all) == most && to < len(parts) {
			return strings.Join(all, ", ") + ", …"
		}
		from = to
	}
	return strings.Join(all, ", ")
}

// errWhole is returned to a step that makes more than parts while it makes a shard.
var errWhole = errors.New("this cannot be made in shards: its parts depend on one another")

var errShardAlone = errors.New("a shard cannot be appended, forced or finished, and its inputs are not pipes")

// join takes part in a run that others work on, too: what they have done is taken over,
// and nothing of theirs is touched.
func (b *Builder) join(key string) error {
	if err := b.mark(key); err != nil {
		return err
	}
	if err := commit(filepath.Join(b.tmp, shardsName), nil); err != nil {
		return err
	}
	entries, err := os.ReadDir(b.tmp)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if i, info, ok := readSidecar(b.tmp, e.Name()); ok && info.sized(b.tmp) {
			b.parts[i] = info
		}
	}
	return nil
}

// mark records the run that these parts belong to, or returns an error if it is another one.
func (b *Builder) mark(key string) error {
	mark := filepath.Join(b.tmp, keyName)
	if err := os.MkdirAll(b.tmp, 0o777); err != nil {
		return err
	}
	if err := commit(mark, []byte(key)); err != nil {
		return err
	}
	old, err := readRegular(mark)
	if err != nil {
		return err
	}
	if string(old) != key {
		return b.otherRun()
	}
	return nil
}

func (b *Builder) otherRun() error {
	return fmt.Errorf("%s holds parts of a run with other inputs, parameters or another build of kifu: remove it if no process works on it, or name another directory with --out", b.tmp)
}

// missed returns an error if the dataset that is to be finished is not whole.
func (b *Builder) missed() error {
	if len(b.missing) == 0 {
		return nil
	}
	slices.Sort(b.missing)
	return &Missing{Dir: b.dir, Key: b.m.Key, Parts: b.missing, Done: len(b.parts)}
}

// commit writes a file unless there is one: the first writer wins.
func commit(path string, data []byte) error {
	tmp := attempt(path)
	defer os.Remove(tmp)
	if err := createFile(tmp, data); err != nil {
		return err
	}
	if err := publish(tmp, path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// publish gives the file tmp its final name, or returns fs.ErrExist if another has it: by
// a link, which no file system makes twice, or where there are no links by renaming.
func publish(tmp, final string) error {
	err := os.Link(tmp, final)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if exists(final) {
		return fs.ErrExist
	}
	return os.Rename(tmp, final)
}

// shard makes the parts of one shard.
func (s Step) shard(ctx context.Context, dir string, o Options, in []*Dir, inputs []Input, params json.RawMessage) (*Manifest, bool, error) {
	if o.Append || o.Force || o.Finish || slices.ContainsFunc(inputs, func(in Input) bool { return in.Key == "" }) {
		return nil, false, errShardAlone
	}
	unlock, err := lockDir(dir, lock.Share)
	if err != nil {
		return nil, false, err
	}
	defer unlock()
	m := newManifest(s, params, inputs, nil)
	if d, err := Open(dir); err == nil && d.Manifest.Key == m.Key && d.whole() {
		return d.Manifest, false, nil
	}
	old, _ := readManifest(filepath.Join(dir, manifestName))
	if err := old.mayBecome(dir, m, in, o); err != nil {
		return nil, false, err
	}
	b := &Builder{dir: dir, tmp: filepath.Join(dir, tmpName), parts: map[int]PartInfo{}, m: m, shard: o.Shard}
	if err := b.join(m.Key); err != nil {
		return nil, false, err
	}
	before := len(b.parts)
	if err := s.Run(ctx, in, b); err != nil {
		return nil, false, b.removed(err)
	}
	b.countShard()
	return m, len(b.parts) > before, nil
}

// countShard puts the parts of the shard into the manifest.
func (b *Builder) countShard() {
	for _, i := range slices.Sorted(maps.Keys(b.parts)) {
		if b.shard.has(i) {
			b.m.Parts = append(b.m.Parts, b.parts[i])
			b.m.Counts.Add(b.parts[i].Counts)
		}
	}
}

package checked

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"kifu/datasets/part"
	"kifu/internal/fresh"
)

// forget is how long a file counts as verified: after that it is read again, which
// finds what decays on a disk without leaving a trace in the directory.
const forget = 30 * 24 * time.Hour

// Settled is how old a change must be for the clock of the file system to distinguish it from
// one that follows. Tests do not wait for it.
var Settled = 2 * time.Second

type (
	memoryKey   struct{}
	thoroughKey struct{}
)

// WithMemory makes Verify record in directory dir which files were whole, and not read unchanged
// ones again. Unchanged means the same size, times of change, and place on the disk. Where dir
// cannot be written nothing is remembered.
func WithMemory(ctx context.Context, dir string) context.Context {
	return context.WithValue(ctx, memoryKey{}, dir)
}

// Thorough makes datasets.OpenAt and Dir.VerifyColumns compare all of every part with its checksum, whatever is
// read of it and whatever is remembered.
func Thorough(ctx context.Context) context.Context {
	return context.WithValue(context.WithValue(ctx, memoryKey{}, ""), thoroughKey{}, true)
}

// IsThorough reports whether the context is Thorough's.
func IsThorough(ctx context.Context) bool { return ctx.Value(thoroughKey{}) != nil }

// state holds the attributes of a file by which a change is seen.
type state struct {
	Size    int64  `json:"size"`
	Written int64  `json:"written"` // nanoseconds since 1970, as Changed
	Changed int64  `json:"changed"` // of content or directory entry; 0 where not told
	Device  uint64 `json:"device"`
	Inode   uint64 `json:"inode"`
}

// before reports whether nothing was written or renamed at or after time t.
func (s state) before(t time.Time) bool { return max(s.Written, s.Changed) < t.UnixNano() }

// verified is a file that had its checksum when it was in that state, or some columns of a part.
type verified struct {
	State   state     `json:"state"`
	SHA256  string    `json:"sha256"`
	When    time.Time `json:"when"`
	Partial bool      `json:"partial,omitempty"` // the footer and Columns alone
	Columns []string  `json:"columns,omitempty"`
}

// Memory remembers which files of one dataset were verified. Nil remembers nothing.
type Memory struct {
	path string // of the file; .3 since its files were compared with domains, too

	mu    sync.Mutex
	files map[string]verified // by name
	news  bool
}

// Recall returns what is remembered of the dataset at dir.
func Recall(ctx context.Context, dir string) *Memory {
	cache, _ := ctx.Value(memoryKey{}).(string)
	abs, err := filepath.Abs(dir)
	if cache == "" || err != nil {
		return nil
	}
	sum := sha256.Sum256([]byte(abs))
	m := &Memory{path: filepath.Join(cache, hex.EncodeToString(sum[:16])+".3.json"), files: map[string]verified{}}
	if text, err := os.ReadFile(m.path); err == nil && json.Unmarshal(text, &m.files) != nil {
		m.files = map[string]verified{}
	}
	return m
}

// Check compares f with its checksum unless it is unchanged since the last check.
func (m *Memory) Check(f File, dir string) (known bool, err error) {
	known = true
	err = m.recheck(f, dir, func(past *verified) (*verified, error) {
		if past != nil && !past.Partial {
			return nil, nil
		}
		known = false
		return &verified{}, f.Check(dir)
	})
	return known && err == nil, err
}

// CheckColumns calls compare with the columns of f that may have changed since they were last compared,
// unless none has, and with the footer.
func (m *Memory) CheckColumns(f File, dir string, columns []string, compare func(columns []string) error) error {
	return m.recheck(f, dir, func(past *verified) (*verified, error) {
		if past == nil {
			return &verified{Partial: true, Columns: columns}, compare(columns)
		}
		left := slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return slices.Contains(past.Columns, c) })
		if !past.Partial || len(left) == 0 {
			return nil, nil
		}
		return &verified{Partial: true, Columns: append(left, past.Columns...), When: past.When}, compare(left)
	})
}

// recheck calls compare with what is remembered of f, nil if f has changed since, and remembers
// what compare returns unless that is nil or f was changed meanwhile.
func (m *Memory) recheck(f File, dir string, compare func(past *verified) (*verified, error)) error {
	if m == nil {
		_, err := compare(nil)
		return err
	}
	path := filepath.Join(dir, f.Name)
	begun := time.Now()
	before, fault := stateOf(path)
	m.mu.Lock()
	past, seen := m.files[f.Name]
	m.mu.Unlock()
	known := &past
	if fault != nil || !seen || past.State != before || past.SHA256 != f.SHA256 || before.Size != f.Bytes || begun.Sub(past.When).Abs() >= forget {
		known = nil
	}
	now, err := compare(known)
	if err != nil || now == nil {
		return err
	}
	if after, err := stateOf(path); fault == nil && err == nil && after == before && before.before(begun.Add(-Settled)) {
		now.State, now.SHA256 = before, f.SHA256
		if now.When.IsZero() {
			now.When = begun.UTC()
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		m.files[f.Name] = *now
		m.news = true
	}
	return nil
}

// Save writes what is new, and drops what has been forgotten of other datasets. It is a
// convenience, so that its failure is none.
func (m *Memory) Save() {
	if m == nil || !m.news {
		return
	}
	dir := filepath.Dir(m.path)
	text, err := json.Marshal(m.files)
	if err != nil || os.MkdirAll(dir, 0o777) != nil || fresh.Replace(fresh.Temp(m.path), m.path, fresh.Of(text)) != nil {
		return
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > forget {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// Parquet is part.Check of a file that may be anybody's. What was read is remembered by WithMemory, and not read again.
func Parquet(ctx context.Context, path string) error {
	m := Recall(ctx, path)
	defer m.Save()
	return m.parquet(path)
}

// parquet checks the file at path, which m is of, unless it is unchanged since the last check.
func (m *Memory) parquet(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return m.recheck(File{Name: ".", Bytes: info.Size()}, path, func(past *verified) (*verified, error) {
		if past != nil {
			return nil, nil
		}
		return &verified{}, part.Check(path)
	})
}

package store

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"kifu/datasets/checked"
	"kifu/internal/checksum"
	"kifu/internal/human"
	"kifu/internal/lock"
)

// cache keeps copies of objects by their checksums:
//
//	sums/ab/abcd…        the copies; the time of a file is when it was last used
//	sessions/X           what process X uses: links to copies, and scratch directories
//	sessions/X.lock      held by X while it lives
//
// The copies that are oldest by use are removed when all together are larger than the
// bound. A link in a session keeps its copy's content whatever happens to the copy, so
// that no process takes a file from under another.
type cache struct {
	dir, session string
	bound        int64
	unlock       func()

	mu     sync.Mutex
	size   int64                  // of all copies; -1 before it is known
	serial int                    // of names in the session
	busy   map[string]*sync.Mutex // by checksum: no object is fetched twice at once
}

// openCache opens the cache of KIFU_CACHE, or the user's.
func openCache() (*cache, error) {
	dir := os.Getenv("KIFU_CACHE")
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("no directory for copies of objects: %w: name one in KIFU_CACHE", err)
		}
		dir = filepath.Join(user, "kifu", "objects")
	}
	bound, err := human.ParseBytes(cmp.Or(os.Getenv("KIFU_CACHE_SIZE"), "20GB"))
	if err != nil {
		return nil, fmt.Errorf("KIFU_CACHE_SIZE=%w", err)
	}
	c := &cache{dir: dir, bound: bound, size: -1, busy: map[string]*sync.Mutex{}}
	if err := os.MkdirAll(filepath.Join(dir, "sessions"), 0o777); err != nil {
		return nil, fmt.Errorf("no directory for copies of objects: %w: name another in KIFU_CACHE", err)
	}
	c.sweep()
	c.session = filepath.Join(dir, "sessions", fmt.Sprintf("%d-%08x", os.Getpid(), rand.Uint32()))
	if c.unlock, err = lock.TakeOwn(c.session + ".lock"); err != nil {
		return nil, err
	}
	return c, os.Mkdir(c.session, 0o777)
}

// sweep removes what processes left that were killed.
func (c *cache) sweep() {
	locks, _ := filepath.Glob(filepath.Join(c.dir, "sessions", "*.lock"))
	for _, l := range locks {
		if release, err := lock.Take(l); err == nil {
			os.RemoveAll(strings.TrimSuffix(l, ".lock"))
			release()
		}
	}
}

func (c *cache) close() {
	os.RemoveAll(c.session)
	c.unlock()
}

// place returns a new name in the session.
func (c *cache) place() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serial++
	return filepath.Join(c.session, strconv.Itoa(c.serial))
}

func (c *cache) scratch() (string, error) {
	dir := c.place()
	return dir, os.Mkdir(dir, 0o777)
}

// fetch returns a link to the copy with the checksum of want. If it is missing, or again is set,
// download makes it, and returns the checksum of what it wrote.
func (c *cache) fetch(want checked.File, again bool, download func(*os.File) (string, error), url string) (path string, release func(), err error) {
	if _, err := hex.DecodeString(want.SHA256); err != nil || len(want.SHA256) != 2*sha256.Size {
		return "", nil, fmt.Errorf("%s: the manifest has no checksum of it", url)
	}
	c.mu.Lock()
	one := c.busy[want.SHA256]
	if one == nil {
		one = new(sync.Mutex)
		c.busy[want.SHA256] = one
	}
	c.mu.Unlock()
	one.Lock()
	defer one.Unlock()

	mine := c.place() + filepath.Ext(want.Name)
	copied := filepath.Join(c.dir, "sums", want.SHA256[:2], want.SHA256)
	release = func() { os.Remove(mine) }
	if !again && c.found(copied, mine, want) {
		return mine, release, nil
	}
	if err := c.download(mine, want, download, url); err != nil {
		release()
		return "", nil, err
	}
	if err := c.keep(mine, copied, want); err != nil {
		release()
		return "", nil, err
	}
	return mine, release, nil
}

// found links mine to a copy that is unchanged since it was fetched. One of which the time
// is not ours was written since then, and is read again.
func (c *cache) found(copied, mine string, want checked.File) bool {
	if os.Link(copied, mine) != nil {
		return false
	}
	info, err := os.Stat(mine)
	good := err == nil && info.Mode().IsRegular() && info.Size() == want.Bytes
	if good && !info.ModTime().Equal(stamp(info.ModTime(), want.SHA256)) {
		sum, _, err := checksum.File(mine)
		good = err == nil && sum == want.SHA256
	}
	if good {
		touch(mine, want.SHA256)
		return true
	}
	os.Remove(mine)
	os.Remove(copied)
	return false
}

// stamp is a time of the same second whose fraction follows from the checksum: whoever
// writes to a copy gives it a time that is none.
func stamp(t time.Time, sum string) time.Time {
	n, _ := strconv.ParseInt(sum[:6], 16, 64)
	return time.Unix(t.Unix(), n*50) // in steps that all file systems with fractions keep
}

func touch(path, sum string) {
	now := stamp(time.Now(), sum)
	os.Chtimes(path, now, now) // without it the copy is read again next time
}

// download makes the file mine, and compares it with its checksum. A damaged one is requested again:
// the transfer may have failed.
func (c *cache) download(mine string, want checked.File, download func(*os.File) (string, error), url string) error {
	f, err := os.OpenFile(mine, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	var sum string
	for range 2 {
		if sum, err = download(f); err != nil || sum == want.SHA256 {
			break
		}
	}
	if err == nil && sum == want.SHA256 {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w (the dataset is not whole: build it again with --force)", err)
	}
	if err == nil && sum != want.SHA256 {
		return fmt.Errorf("%s: damaged: its checksum is %.12s, the manifest's %.12s (build it again with --force)", url, sum, want.SHA256)
	}
	return err
}

// keep makes the file mine a copy of the cache, and removes others if they are too many.
func (c *cache) keep(mine, copied string, want checked.File) error {
	touch(mine, want.SHA256)
	if err := os.MkdirAll(filepath.Dir(copied), 0o777); err != nil {
		return err
	}
	os.Remove(copied)
	if err := os.Link(mine, copied); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: KIFU_CACHE must name a directory that supports links", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size >= 0 {
		c.size += want.Bytes
	}
	if c.size < 0 || c.size > c.bound {
		c.evict()
	}
	return nil
}

// evict removes the copies that were not used for the longest time, if all together are
// larger than the bound, until they are a tenth smaller. c is locked.
func (c *cache) evict() {
	type entry struct {
		path string
		size int64
		used time.Time
	}
	var all []entry
	c.size = 0
	filepath.WalkDir(filepath.Join(c.dir, "sums"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			all = append(all, entry{path, info.Size(), info.ModTime()})
			c.size += info.Size()
		}
		return nil
	})
	if c.size <= c.bound {
		return
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.path, b.path)) })
	for _, e := range all {
		if c.size <= c.bound-c.bound/10 {
			break
		}
		if os.Remove(e.path) == nil {
			c.size -= e.size
		}
	}
}

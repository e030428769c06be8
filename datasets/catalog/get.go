package catalog

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kifu/datasets"
	"kifu/internal/checksum"
	"kifu/internal/lock"
)

// File is a file to fetch.
type File struct {
	Address   string
	Name      string // under which to keep it
	SHA256    string // hexadecimal; empty when not known
	Checksums string // address of a list as sha256sum writes it; empty without one
}

// Client fetches files. The zero value is ready for use.
type Client struct {
	HTTP  *http.Client  // nil: http.DefaultClient
	Stall time.Duration // after which silence is a fault; 0: a minute
	// Wait waits before the next attempt; nil: for that long.
	Wait func(ctx context.Context, d time.Duration) error
	// Log receives the faults that are tried again; may be nil.
	Log func(string)
}

// Result is the outcome of Get.
type Result struct {
	Path     string
	Bytes    int64
	SHA256   string
	Fresh    bool // it was fetched, not there already
	Verified bool // by a checksum that was known before
}

// Get fetches f into dir. If it exists, Get only compares it with its checksum. force fetches it anyway and
// replaces it when the new file is whole.
func (c *Client) Get(ctx context.Context, f File, dir string, force bool) (Result, error) {
	r := Result{Path: filepath.Join(dir, f.Name)}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return r, err
	}
	if !force {
		there, err := present(&r, f)
		if there || err != nil {
			return r, err
		}
	}
	if f.SHA256 == "" && f.Checksums != "" {
		var err error
		if f.SHA256, err = c.published(ctx, f); err != nil {
			return r, err
		}
	}
	p := &part{path: r.Path + ".part"}
	release, err := lock.Take(p.path + ".lock")
	if errors.Is(err, lock.ErrTaken) {
		return r, fmt.Errorf("%s is being downloaded by another kifu", r.Path)
	} else if err != nil {
		return r, err
	}
	defer release()
	if !force { // another kifu may have fetched it meanwhile
		if there, err := present(&r, f); there || err != nil {
			return r, err
		}
	}
	if err := p.load(f.Address); err != nil {
		return r, err
	}
	for tries := 0; ; tries++ {
		if err := c.fetch(ctx, f, p); err != nil {
			return r, err
		}
		sum, n, err := checksum.File(p.path)
		if err != nil {
			return r, err
		}
		if f.SHA256 == "" || strings.EqualFold(sum, f.SHA256) {
			r.SHA256, r.Bytes, r.Fresh, r.Verified = sum, n, true, f.SHA256 != ""
			return r, p.finish(r)
		}
		// A resumed download may have joined two files: again, from the start.
		whole := p.whole
		if err := p.drop(); err != nil {
			return r, err
		}
		if whole || tries > 0 {
			return r, fmt.Errorf("%s: %d bytes with checksum %s instead of %s: nothing was kept", f.Address, n, sum, f.SHA256)
		}
		c.log("the checksum is wrong: trying again from the start")
	}
}

// present looks at a file that has its final name already.
func present(r *Result, f File) (bool, error) {
	if _, err := os.Stat(r.Path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	sum, n, err := checksum.File(r.Path)
	if err != nil {
		return false, err
	}
	r.Bytes, r.SHA256 = n, sum
	want := f.SHA256
	if want == "" {
		text, err := os.ReadFile(r.Path + ".sha256")
		if errors.Is(err, fs.ErrNotExist) {
			return false, fmt.Errorf("%s exists, but has no checksum; --force downloads it again", r.Path)
		} else if err != nil {
			return false, err
		}
		want = lookUp(string(text), f.Name)
		if want == "" {
			return false, fmt.Errorf("%s.sha256 has no checksum of this file; --force downloads it again", r.Path)
		}
	}
	if !strings.EqualFold(sum, want) {
		return false, fmt.Errorf("%s exists, but its checksum is %s, not %s; --force downloads it again", r.Path, sum, want)
	}
	r.Verified = true
	return true, nil
}

// published finds f in its publisher's list of checksums.
func (c *Client) published(ctx context.Context, f File) (string, error) {
	text, err := c.small(ctx, f.Checksums)
	if err != nil {
		return "", fmt.Errorf("the list of checksums: %w", err)
	}
	sum := lookUp(text, f.Name)
	if sum == "" {
		return "", fmt.Errorf("%s does not name %s: there may be no such file", f.Checksums, f.Name)
	}
	return sum, nil
}

// lookUp finds a name in lines of the form "sum  name"; "" if it is not there.
func lookUp(text, name string) string {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 2 && strings.TrimPrefix(fields[1], "*") == name && len(fields[0]) == 2*sha256.Size {
			return fields[0]
		}
	}
	return ""
}

// finish gives the part its final name.
func (p *part) finish(r Result) error {
	if err := os.Rename(p.path, r.Path); err != nil {
		return err
	}
	os.Remove(p.path + ".json") // of no use now, and harmless
	return datasets.WriteFile(r.Path+".sha256", []byte(r.SHA256+"  "+filepath.Base(r.Path)+"\n"))
}

func (c *Client) log(text string) {
	if c.Log != nil {
		c.Log(text)
	}
}

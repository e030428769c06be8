package catalog

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/internal/fresh"
	"kifu/internal/progress"
)

// part is a file under way: NAME.part, and what the server said of it in
// NAME.part.json.
type part struct {
	path  string
	state state
	whole bool // it came in one piece, without being resumed
}

// state identifies the file on the server to which a part belongs.
type state struct {
	Address      string
	ETag         string // strong ones only
	LastModified string
	Total        int64 // bytes; -1 when not known
}

// load takes up what an earlier run has left of the same address.
func (p *part) load(address string) error {
	p.state = state{Address: address, Total: -1}
	var old state
	text, err := os.ReadFile(p.path + ".json")
	if err == nil && json.Unmarshal(text, &old) == nil && old.Address == address {
		p.state = old
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return p.drop()
}

// drop forgets what has come so far.
func (p *part) drop() error {
	p.state = state{Address: p.state.Address, Total: -1}
	for _, path := range []string{p.path, p.path + ".json"} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// validator returns the text for If-Range; without one nothing can be resumed.
func (p *part) validator() string {
	if p.state.ETag != "" {
		return p.state.ETag
	}
	return p.state.LastModified
}

func (p *part) size() int64 {
	info, err := os.Stat(p.path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// status is an answer that is not the file.
type status struct {
	address, text string
	code          int
	after         time.Duration // Retry-After
}

func (e *status) Error() string { return e.address + ": " + e.text }

// passing reports whether another attempt may find things better.
func passing(err error) bool {
	if s, ok := errors.AsType[*status](err); ok {
		return s.code >= 500 || s.code == http.StatusTooManyRequests || s.code == http.StatusRequestTimeout
	}
	var local *fs.PathError // the disk's fault, not the network's
	return !errors.As(err, &local)
}

// retry repeats attempt until it succeeds, fails for good, or fails too often in a row
// without bringing anything new.
func (c *Client) retry(ctx context.Context, attempt func(ctx context.Context) (gained bool, err error)) error {
	const most = 6 // in a row that bring nothing
	for failures := 0; ; {
		gained, err := attempt(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !passing(err) {
			return err
		}
		if gained {
			failures = 0
		}
		if failures++; failures >= most {
			return fmt.Errorf("failed %d times: %w", failures, err)
		}
		pause := min(time.Second<<(failures-1), 30*time.Second)
		if s, ok := errors.AsType[*status](err); ok {
			pause = max(pause, min(s.after, 5*time.Minute))
		}
		c.log(fmt.Sprintf("%v; again in %v", err, pause))
		wait := c.Wait
		if wait == nil {
			wait = sleep
		}
		if err := wait(ctx, pause); err != nil {
			return err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// fetch brings the part to its full length.
func (c *Client) fetch(ctx context.Context, f File, p *part) error {
	best := p.size() // a server that cannot resume brings the same bytes again and again
	return c.retry(ctx, func(ctx context.Context) (bool, error) {
		err := c.attempt(ctx, f, p)
		n := p.size()
		gained := n > best
		best = max(best, n)
		return gained, err
	})
}

var errChanged = errors.New("the file on the server has changed: trying again from the start")

// attempt makes one request for what is missing and appends what comes.
func (c *Client) attempt(ctx context.Context, f File, p *part) error {
	offset := p.size()
	if offset > 0 && p.validator() == "" {
		offset = 0
	}
	header := http.Header{}
	if offset > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", offset))
		header.Set("If-Range", p.validator())
	}
	body, answer, err := c.request(ctx, f.Address, header)
	if err != nil {
		return err
	}
	defer body.Close()
	switch answer.StatusCode {
	case http.StatusOK:
		offset = 0
		p.whole = true
		p.state = state{Address: f.Address, Total: answer.ContentLength, LastModified: answer.Header.Get("Last-Modified")}
		if tag := answer.Header.Get("ETag"); !strings.HasPrefix(tag, "W/") {
			p.state.ETag = tag
		}
		// The old part goes first: its state must not end up next to new bytes.
		if err := os.Remove(p.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		text, err := json.Marshal(p.state)
		if err != nil {
			return err
		}
		if err := datasets.WriteFile(p.path+".json", text); err != nil {
			return err
		}
	case http.StatusPartialContent:
		p.whole = false
		from, total, ok := contentRange(answer.Header.Get("Content-Range"))
		tag := answer.Header.Get("ETag")
		if !ok || from != offset || p.state.Total >= 0 && total >= 0 && total != p.state.Total || p.state.ETag != "" && tag != "" && tag != p.state.ETag {
			return errors.Join(errChanged, p.drop())
		}
		p.state.Total = max(p.state.Total, total)
	case http.StatusRequestedRangeNotSatisfiable:
		if _, total, _ := contentRange(answer.Header.Get("Content-Range")); offset > 0 && total == offset && (p.state.Total < 0 || p.state.Total == total) {
			return nil // nothing was missing
		}
		return errors.Join(errChanged, p.drop())
	default:
		return fmt.Errorf("%s: unexpected answer %s", f.Address, answer.Status)
	}
	n, err := p.append(ctx, body, offset)
	if err == nil && p.state.Total >= 0 && offset+n != p.state.Total {
		err = fmt.Errorf("%s: received %d of %d bytes", f.Address, offset+n, p.state.Total)
	}
	return err
}

// append writes what body brings after offset.
func (p *part) append(ctx context.Context, body io.Reader, offset int64) (int64, error) {
	file, err := os.OpenFile(p.path, os.O_CREATE|os.O_WRONLY|fresh.NoFollow, 0o666)
	if err != nil {
		return 0, err
	}
	bar := progress.Start(ctx, "get", p.state.Total, "bytes")
	bar.Skip(offset)
	defer bar.Done()
	err = file.Truncate(offset)
	if err == nil {
		_, err = file.Seek(offset, io.SeekStart)
	}
	var n int64
	if err == nil {
		n, err = io.Copy(file, io.TeeReader(body, meter{bar}))
	}
	if serr := file.Sync(); err == nil {
		err = serr
	}
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	return n, err
}

type meter struct{ bar *progress.Bar }

func (m meter) Write(p []byte) (int, error) {
	m.bar.Add(int64(len(p)))
	return len(p), nil
}

// contentRange reads "bytes 5-9/10" and "bytes */10"; total is -1 for an asterisk.
func contentRange(text string) (from, total int64, ok bool) {
	text, found := strings.CutPrefix(text, "bytes ")
	span, size, slash := strings.Cut(text, "/")
	if !found || !slash {
		return 0, -1, false
	}
	total = -1
	if n, err := strconv.ParseInt(size, 10, 64); err == nil {
		total = n
	}
	first, _, _ := strings.Cut(span, "-")
	from, err := strconv.ParseInt(first, 10, 64)
	return from, total, err == nil
}

// small fetches a short text.
func (c *Client) small(ctx context.Context, address string) (string, error) {
	const longest = 16 << 20
	var text []byte
	err := c.retry(ctx, func(ctx context.Context) (bool, error) {
		body, answer, err := c.request(ctx, address, http.Header{})
		if err != nil {
			return false, err
		}
		defer body.Close()
		if answer.StatusCode != http.StatusOK {
			return false, fmt.Errorf("%s: unexpected answer %s", address, answer.Status)
		}
		text, err = io.ReadAll(io.LimitReader(body, longest))
		return false, err
	})
	return string(text), err
}

// request sends a GET. Answers that are errors come back as a *status, except for 416.
// A body that stays silent for long fails.
func (c *Client) request(ctx context.Context, address string, header http.Header) (io.ReadCloser, *http.Response, error) {
	stall := cmp.Or(c.Stall, time.Minute)
	ctx, cancel := context.WithCancelCause(ctx)
	b := &body{cancel: cancel, stall: stall}
	b.timer = time.AfterFunc(stall, func() { cancel(fmt.Errorf("%s: no data for %v", address, stall)) })
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		b.stop()
		return nil, nil, &status{address: address, text: err.Error()}
	}
	req.Header = header
	// Compression on the way would hide the length.
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("User-Agent", "kifu/"+manifest.Version)
	client := cmp.Or(c.HTTP, http.DefaultClient)
	answer, err := client.Do(req)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		b.stop()
		return nil, nil, err
	}
	b.ctx, b.inner = ctx, answer.Body
	if answer.StatusCode >= 400 && answer.StatusCode != http.StatusRequestedRangeNotSatisfiable {
		b.Close()
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
		return nil, nil, &status{address, answer.Status, answer.StatusCode, time.Duration(max(seconds, 0)) * time.Second}
	}
	return b, answer, nil
}

// body is a response body with a watch on silence.
type body struct {
	inner  io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	stall  time.Duration
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.inner.Read(p)
	b.timer.Reset(b.stall)
	if err != nil && err != io.EOF {
		if cause := context.Cause(b.ctx); cause != nil {
			err = cause
		}
	}
	return n, err
}

func (b *body) stop() {
	b.timer.Stop()
	b.cancel(nil)
}

// Close ends the request.
func (b *body) Close() error {
	err := b.inner.Close()
	b.stop()
	return err
}

package catalog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// server is a file server with faults. Its fields are set before the first request or
// from within the hooks, under the lock.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	content  []byte
	etag     string                // empty: none is sent
	noRange  bool                  // Range is ignored
	noCheck  bool                  // If-Range is ignored
	barePart bool                  // 206 comes without ETag
	length   func(real int) int    // what Content-Length says
	cut      func(request int) int // bytes after which the connection drops; negative: never
	hook     func(request int, w http.ResponseWriter) (done bool)
	requests []*http.Request
	sent     int
}

func serve(t *testing.T, content []byte) *server {
	s := &server{content: content, etag: `"one"`}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.Close)
	return s
}

func (s *server) answer(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	n := len(s.requests)
	if s.hook != nil && s.hook(n, w) {
		return
	}
	body, code := s.content, http.StatusOK
	var from int
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil && !s.noRange && (s.noCheck || r.Header.Get("If-Range") == s.etag) {
		if from >= len(body) {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", len(body)))
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
			return
		}
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(body)-1, len(body)))
		body, code = body[from:], http.StatusPartialContent
	}
	if s.etag != "" && !(s.barePart && code == http.StatusPartialContent) {
		w.Header().Set("ETag", s.etag)
	}
	length := len(body)
	if s.length != nil {
		length = s.length(length)
	}
	w.Header().Set("Content-Length", fmt.Sprint(length))
	w.WriteHeader(code)
	end := min(len(body), length)
	if s.cut != nil {
		if k := s.cut(n); k >= 0 {
			end = min(end, k)
		}
	}
	_, _ = w.Write(body[:end])
	s.sent += end
	if end < length {
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

func random(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func sum(b []byte) string { s := sha256.Sum256(b); return hex.EncodeToString(s[:]) }

func client() *Client {
	return &Client{Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }, Stall: time.Minute}
}

func (s *server) file() File { return File{Address: s.URL + "/x.pgn", Name: "x.pgn"} }

// want fetches and compares.
func want(t *testing.T, s *server, f File, dir string, content []byte) Result {
	t.Helper()
	r, err := client().Get(t.Context(), f, dir, false)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(r.Path)
	if err != nil || !bytes.Equal(got, content) {
		t.Fatalf("%d bytes, not the %d of the server: %v", len(got), len(content), err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.part*")); left != nil {
		t.Errorf("left over: %v", left)
	}
	return r
}

// refuse fetches, wants an error with the text in it, and the file as it was.
func refuse(t *testing.T, f File, dir, text string, force bool, before []byte) {
	t.Helper()
	_, err := client().Get(t.Context(), f, dir, force)
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v; want one with %q", err, text)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, f.Name)); !bytes.Equal(got, before) {
		t.Errorf("%d bytes are under the final name; want the %d from before", len(got), len(before))
	}
}

func TestConnectionsThatDrop(t *testing.T) {
	for seed := range uint64(8) {
		s := serve(t, random(400_000, seed))
		r := rand.New(rand.NewPCG(seed, 2))
		s.cut = func(int) int {
			if r.IntN(5) == 0 {
				return 0
			}
			return r.IntN(60_000)
		}
		want(t, s, s.file(), t.TempDir(), s.content)
		if len(s.requests) < 5 {
			t.Errorf("only %d requests: nothing dropped", len(s.requests))
		}
		if s.sent > 2*len(s.content) {
			t.Errorf("%d bytes sent for %d: it did not go on where it stopped", s.sent, len(s.content))
		}
	}
}

func TestServerThatCannotResume(t *testing.T) {
	s := serve(t, random(100_000, 1))
	s.noRange = true
	s.cut = func(n int) int { return []int{-1, 50_000, 70_000, 10_000, -1}[n] }
	want(t, s, s.file(), t.TempDir(), s.content)

	s = serve(t, random(100_000, 1))
	s.noRange, s.cut = true, func(int) int { return 50_000 }
	refuse(t, s.file(), t.TempDir(), "failed 6 times", false, nil)
	if len(s.requests) != 6 {
		t.Errorf("%d requests; the same half came each time", len(s.requests))
	}
}

// Without ETag or date nobody can tell that the rest belongs to the same file.
func TestNoValidator(t *testing.T) {
	s := serve(t, random(100_000, 1))
	s.etag, s.noCheck = "", true
	s.cut = func(n int) int { return []int{-1, 50_000, -1}[n] }
	want(t, s, s.file(), t.TempDir(), s.content)
	for _, r := range s.requests {
		if r.Header.Get("Range") != "" {
			t.Error("it resumed what it could not know to be the same")
		}
	}
}

func TestFileThatChanges(t *testing.T) {
	for name, set := range map[string]func(s *server){
		"If-Range":               func(s *server) {},
		"If-Range ignored":       func(s *server) { s.noCheck = true },
		"nothing but the length": func(s *server) { s.noCheck, s.barePart = true, true },
	} {
		s := serve(t, random(100_000, 1))
		after := random(120_000, 2)
		if set(s); !s.barePart && s.noCheck {
			after = after[:100_000] // only the ETag tells
		}
		s.cut = func(n int) int {
			if n == 1 {
				return 50_000
			}
			return -1
		}
		s.hook = func(n int, _ http.ResponseWriter) bool {
			if n == 2 {
				s.content, s.etag = after, `"two"`
			}
			return false
		}
		t.Run(name, func(t *testing.T) { want(t, s, s.file(), t.TempDir(), after) })
	}
}

// Two halves of different files of one length: only the checksum can tell.
func TestJoinedHalves(t *testing.T) {
	after := random(100_000, 2)
	s := serve(t, random(100_000, 1))
	s.noCheck, s.barePart = true, true
	s.cut = func(n int) int {
		if n == 1 {
			return 50_000
		}
		return -1
	}
	s.hook = func(n int, _ http.ResponseWriter) bool {
		if n == 2 {
			s.content = after
		}
		return false
	}
	f := s.file()
	f.SHA256 = sum(after)
	if r := want(t, s, f, t.TempDir(), after); !r.Verified {
		t.Error("not verified")
	}
}

func TestLengthThatLies(t *testing.T) {
	s := serve(t, random(100_000, 1))
	s.length = func(n int) int { return n + 10 }
	refuse(t, s.file(), t.TempDir(), "failed 6 times", false, nil)

	s = serve(t, random(100_000, 1))
	s.length = func(n int) int { return n - 10 }
	f := s.file()
	f.SHA256 = sum(s.content)
	refuse(t, f, t.TempDir(), "nothing was kept", false, nil)
}

func TestAnswers(t *testing.T) {
	s := serve(t, random(1000, 1))
	s.hook = func(_ int, w http.ResponseWriter) bool { w.WriteHeader(404); return true }
	refuse(t, s.file(), t.TempDir(), "404 Not Found", false, nil)
	if len(s.requests) != 1 {
		t.Errorf("%d requests for what is not there", len(s.requests))
	}

	s = serve(t, random(1000, 1))
	s.hook = func(n int, w http.ResponseWriter) bool {
		if n == 1 {
			w.WriteHeader(500)
		} else if n == 2 {
			w.Header().Set("Retry-After", "77")
			w.WriteHeader(503)
		}
		return n < 3
	}
	var waits []time.Duration
	c := client()
	c.Wait = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
	if _, err := c.Get(t.Context(), s.file(), t.TempDir(), false); err != nil {
		t.Error(err)
	}
	if fmt.Sprint(waits) != "[1s 1m17s]" {
		t.Errorf("waited %v", waits)
	}

	s = serve(t, random(1000, 1))
	s.hook = func(_ int, w http.ResponseWriter) bool { w.WriteHeader(500); return true }
	refuse(t, s.file(), t.TempDir(), "500 Internal Server Error", false, nil)
}

func TestSecondGetDoesNothing(t *testing.T) {
	s, dir := serve(t, random(1000, 1)), t.TempDir()
	if r := want(t, s, s.file(), dir, s.content); !r.Fresh || r.Verified {
		t.Errorf("%+v", r)
	}
	if r := want(t, s, s.file(), dir, s.content); r.Fresh || len(s.requests) != 1 {
		t.Errorf("%+v after %d requests", r, len(s.requests))
	}

	// Damage is named, and what is there stays until there is something better.
	path, bad := filepath.Join(dir, "x.pgn"), []byte("damaged")
	if err := os.WriteFile(path, bad, 0o666); err != nil {
		t.Fatal(err)
	}
	refuse(t, s.file(), dir, "--force downloads it again", false, bad)
	s.noRange, s.cut = true, func(int) int { return 10 }
	refuse(t, s.file(), dir, "failed 6 times", true, bad)
	s.cut = nil
	if _, err := client().Get(t.Context(), s.file(), dir, true); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, s.content) {
		t.Error("--force did not replace the file")
	}
	if err := os.Remove(path + ".sha256"); err != nil {
		t.Fatal(err)
	}
	refuse(t, s.file(), dir, "has no checksum", false, s.content)
}

func TestPublishedChecksums(t *testing.T) {
	s := serve(t, random(1000, 1))
	list := ""
	lists := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, list) }))
	defer lists.Close()
	f := s.file()
	f.Checksums = lists.URL

	list = sum(nil) + "  other.pgn\n"
	refuse(t, f, t.TempDir(), "does not name x.pgn", false, nil)
	list += sum(nil) + "  x.pgn\n"
	refuse(t, f, t.TempDir(), "nothing was kept", false, nil)
	list = sum(nil) + "  other.pgn\n" + sum(s.content) + " *x.pgn\n"
	if r := want(t, s, f, t.TempDir(), s.content); !r.Verified {
		t.Error("not verified")
	}
}

func TestInterruptionIsTakenUp(t *testing.T) {
	s, dir := serve(t, random(100_000, 1)), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	s.cut = func(n int) int {
		if n == 1 {
			return 60_000
		}
		return -1
	}
	c := client()
	c.Wait = func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }
	if _, err := c.Get(ctx, s.file(), dir, false); err != context.Canceled {
		t.Fatalf("error %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "x.pgn")); err == nil {
		t.Fatal("half a file under the final name")
	}
	want(t, s, s.file(), dir, s.content)
	if got := s.requests[1].Header.Get("Range"); got == "" || s.sent > 100_000+60_000 {
		t.Errorf("Range %q, %d bytes sent", got, s.sent)
	}
}

func TestSilence(t *testing.T) {
	content := random(1000, 1)
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n++; n == 1 {
			_, _ = w.Write(content[:10])
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			return
		}
		_, _ = w.Write(content)
	}))
	defer s.Close()
	c := client()
	c.Stall = time.Second
	r, err := c.Get(t.Context(), File{Address: s.URL, Name: "x"}, t.TempDir(), false)
	if err != nil || r.SHA256 != sum(content) || n != 2 {
		t.Errorf("%+v, %v after %d requests", r, err, n)
	}
}

// TestTwoAtOnce: a second run does not write into the file that a first one fetches.
func TestTwoAtOnce(t *testing.T) {
	content := random(100_000, 3)
	s := serve(t, content)
	dir := t.TempDir()
	f := s.file()
	begun, goOn := make(chan struct{}), make(chan struct{})
	s.cut = func(n int) int {
		if n == 1 {
			close(begun)
			<-goOn
		}
		return -1
	}
	done := make(chan error)
	go func() {
		_, err := client().Get(context.Background(), f, dir, false)
		done <- err
	}()
	<-begun
	if _, err := client().Get(t.Context(), f, dir, false); err == nil || !strings.Contains(err.Error(), "x.pgn is being downloaded by another kifu") {
		t.Errorf("the second one: %v", err)
	}
	close(goOn)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	want(t, s, f, dir, content) // whole, and nothing is left over
}

// TestFetchedMeanwhile: a run that finds no file, and has the lock when another has just fetched it,
// takes what is there.
func TestFetchedMeanwhile(t *testing.T) {
	s, dir := serve(t, random(1000, 4)), t.TempDir()
	f := s.file()
	f.Checksums = s.URL + "/sums" // is asked for between the first look and the lock
	sums := []byte(sum(s.content) + "  x.pgn\n")
	other := false
	asks := client()
	asks.HTTP = &http.Client{Transport: trip(func(r *http.Request) (*http.Response, error) {
		if !other {
			other = true
			known := s.file()
			known.SHA256 = sum(s.content)
			want(t, s, known, dir, s.content)
		}
		if strings.HasSuffix(r.URL.Path, "/sums") {
			return &http.Response{StatusCode: http.StatusOK, Request: r, Header: http.Header{}, ContentLength: int64(len(sums)), Body: io.NopCloser(bytes.NewReader(sums))}, nil
		}
		return http.DefaultTransport.RoundTrip(r)
	})}
	r, err := asks.Get(t.Context(), f, dir, false)
	if err != nil || r.Fresh || r.SHA256 != sum(s.content) || len(s.requests) != 1 {
		t.Errorf("%+v after %d requests, %v", r, len(s.requests), err)
	}
}

type trip func(r *http.Request) (*http.Response, error)

func (f trip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

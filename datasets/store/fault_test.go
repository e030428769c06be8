package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kifu/datasets"
	"kifu/datasets/remote"
	"kifu/kit/storetest"
)

// TestBrokenConnections: answers that break off, and servers that are busy, are asked again.
func TestBrokenConnections(t *testing.T) {
	server, ctx := start(t)
	build(t, ctx, place, count("p", 3, -1, new([]int)), datasets.Options{})
	var broken, busy atomic.Int32
	server.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, ".parquet") && broken.Add(1) <= 2:
			w.Header().Set("Content-Length", "1000")
			w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
			w.Header().Set("ETag", `"tag"`)
			w.Write([]byte("PAR1 and no more"))
			panic(http.ErrAbortHandler)
		case busy.Add(1)%3 == 0:
			storetest.Refuse(w, http.StatusServiceUnavailable, "SlowDown")
			return true
		}
		return false
	})
	d, err := datasets.OpenAt(connected(t), place)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Verify(ctx); err != nil {
		t.Error(err)
	}
	if broken.Load() < 3 {
		t.Errorf("%d answers were asked for", broken.Load())
	}
}

// TestCopyOfOthers: an object of another program arrives whole through connections that break off, and
// each byte is told once.
func TestCopyOfOthers(t *testing.T) {
	server, ctx := start(t)
	text := bytes.Repeat([]byte("1. e4 e5 "), 100_000)
	server.Put("records/a.pgn", text, "")
	var broken atomic.Int32
	server.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet || broken.Add(1) > 2 {
			return false
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		w.Header().Set("ETag", `"tag"`)
		w.Write(text[:300_000])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	o, err := remote.At(ctx, "s3://bucket/records")
	if err != nil {
		t.Fatal(err)
	}
	moved, to := 0, filepath.Join(t.TempDir(), "a.pgn")
	if err := o.Copy("a.pgn", to, func(n int) { moved += n }); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(to); err != nil || !bytes.Equal(got, text) || moved != len(text) || broken.Load() < 3 {
		t.Errorf("%d bytes, %d told, %d answers, %v", len(got), moved, broken.Load(), err)
	}
	if err := o.Copy("none", to+"2", func(int) {}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such object: %v", err)
	}
}

// TestLostAnswer: a PUT that was done, and whose answer was lost, is one that somebody else
// might have done: it is made again, found there, and equal.
func TestLostAnswer(t *testing.T) {
	server, ctx := start(t)
	var lost atomic.Bool
	server.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut || !strings.HasSuffix(r.URL.Path, "part-00001.parquet") || lost.Swap(true) {
			return false
		}
		server.Fault(nil)
		server.ServeHTTP(discard{http.Header{}}, r)
		panic(http.ErrAbortHandler)
	})
	build(t, ctx, place, count("p", 3, -1, new([]int)), datasets.Options{})
	if !lost.Load() {
		t.Error("no answer was lost")
	}
}

type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}

// TestRefusals: what a server refuses is said with what to do.
func TestRefusals(t *testing.T) {
	server, ctx := start(t)
	build(t, ctx, place, count("p", 1, -1, new([]int)), datasets.Options{})
	open := func() error {
		_, err := datasets.OpenAt(connected(t), place)
		return err
	}
	for code, text := range map[string]string{
		"ExpiredToken": "the credentials have expired", "AccessDenied": "these credentials may not do this",
		"SignatureDoesNotMatch": "rejects these credentials", "RequestTimeTooSkewed": "this machine's clock",
	} {
		t.Setenv("AWS_MAX_ATTEMPTS", "1")
		server.Fault(func(w http.ResponseWriter, r *http.Request) bool {
			storetest.Refuse(w, http.StatusForbidden, code)
			return true
		})
		says(t, open(), place, text)
	}
	server.Fault(nil)
	_, err := datasets.OpenAt(connected(t), "s3://other/numbers")
	says(t, err, "no bucket other")
	_, err = datasets.OpenAt(connected(t), "s3://bucket/none")
	says(t, err, "no dataset at s3://bucket/none")
	for _, url := range []string{"s3://", "s3:///x", "s3://bucket:9/x", "s3://user@bucket/x", "S3://bucket/x", "gs://bucket/x", "https://host/x"} {
		_, err = datasets.OpenAt(connected(t), url)
		says(t, err, url+": want a path, or s3://BUCKET/PREFIX")
	}
	_, err = datasets.OpenAt(connected(t), "s3://bucket/a#1?%20")
	says(t, err, "no dataset matches s3://bucket/a#1?%20")
	build(t, connected(t), "s3://bucket/a#1", count("p", 1, -1, new([]int)), datasets.Options{})
	_, err = datasets.OpenAt(connected(t), "s3://bucket/a")
	says(t, err, "no dataset at s3://bucket/a: there is nothing")
	_, err = datasets.OpenAt(context.Background(), place)
	says(t, err, "only datasets in directories")
	here := os.Getenv("AWS_ENDPOINT_URL")
	t.Setenv("AWS_ENDPOINT_URL", "127.0.0.1:7070")
	says(t, open(), "AWS_ENDPOINT_URL=127.0.0.1:7070: want http://HOST:PORT")
	t.Setenv("AWS_ENDPOINT_URL", here)
	t.Setenv("AWS_ACCESS_KEY_ID", "nobody")
	says(t, open(), "rejects these credentials")
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	says(t, open(), "one is set without the other")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	says(t, open(), "denied, and no credentials were found")
}

// TestProfiles: credentials, region and server come from the files of the profile.
func TestProfiles(t *testing.T) {
	server, ctx := start(t)
	build(t, ctx, place, count("p", 1, -1, new([]int)), datasets.Options{})
	var signed string
	server.Fault(func(_ http.ResponseWriter, r *http.Request) bool {
		signed = r.Header.Get("Authorization")
		return false
	})
	for name, text := range map[string]string{
		os.Getenv("AWS_SHARED_CREDENTIALS_FILE"): "[work]\naws_access_key_id = " + storetest.Key + "\naws_secret_access_key = x\n",
		os.Getenv("AWS_CONFIG_FILE"):             "[profile work]\nregion = eu-central-9\nendpoint_url = " + server.URL + "\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_ENDPOINT_URL"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_PROFILE", "work")
	if _, err := datasets.OpenAt(connected(t), place); err != nil || !strings.Contains(signed, "/eu-central-9/s3/") {
		t.Error(err, signed)
	}
	t.Setenv("AWS_PROFILE", "play")
	_, err := datasets.OpenAt(connected(t), place)
	says(t, err, "AWS_PROFILE=play: no credentials in that profile")
}

// TestMachineCredentials: a machine's own service gives credentials that end; they are
// asked for again before that.
func TestMachineCredentials(t *testing.T) {
	server, ctx := start(t)
	build(t, ctx, place, count("p", 1, -1, new([]int)), datasets.Options{})
	asked := 0
	machine := http.NewServeMux()
	machine.HandleFunc("PUT /latest/api/token", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("token")) })
	machine.HandleFunc("/latest/meta-data/iam/security-credentials/", func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/role") {
			w.Write([]byte("role"))
			return
		}
		asked++
		w.Write([]byte(`{"Code": "Success", "AccessKeyId": "` + storetest.Key + `", "SecretAccessKey": "x", "Token": "session", "Expiration": "` +
			time.Now().Add(time.Hour).UTC().Format(time.RFC3339) + `"}`))
	})
	m := storetest.Serve(t, machine)
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_EC2_METADATA_DISABLED": "", "AWS_EC2_METADATA_SERVICE_ENDPOINT": m} {
		t.Setenv(name, value)
	}
	token := ""
	server.Fault(func(_ http.ResponseWriter, r *http.Request) bool {
		token = r.Header.Get("X-Amz-Security-Token")
		return false
	})
	if _, err := datasets.OpenAt(connected(t), place); err != nil || token != "session" || asked != 1 {
		t.Errorf("%v; token %q, asked %d times", err, token, asked)
	}
}

// TestCacheIsBounded: the oldest copies go; what a process uses stays until it ends, and
// what it leaves when it is killed is swept.
func TestCacheIsBounded(t *testing.T) {
	_, ctx := start(t)
	m, _ := build(t, ctx, place, count("p", 8, -1, new([]int)), datasets.Options{})
	dir := t.TempDir()
	t.Setenv("KIFU_CACHE", dir)
	t.Setenv("KIFU_CACHE_SIZE", "1KB")
	size := func() (n int64) {
		filepath.WalkDir(filepath.Join(dir, "sums"), func(_ string, e fs.DirEntry, err error) error {
			if info, fault := e.Info(); err == nil && fault == nil && !e.IsDir() {
				n += info.Size()
			}
			return nil
		})
		return n
	}
	with, done := With(context.Background())
	d, err := datasets.OpenAt(with, place)
	if err != nil || d.Verify(with) != nil {
		t.Fatal(err)
	}
	if m.Bytes() < 2<<10 || size() > 1<<10 {
		t.Errorf("copies of %d bytes for a dataset of %d", size(), m.Bytes())
	}
	for _, path := range d.PartPaths() {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("a copy in use is gone: %v", err)
		}
	}
	done()
	if left, _ := filepath.Glob(filepath.Join(dir, "sessions", "*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	dead := filepath.Join(dir, "sessions", "1-dead")
	if err := errors.Join(os.MkdirAll(dead, 0o777), os.WriteFile(dead+".lock", nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	with, done = With(context.Background())
	defer done()
	if _, err := datasets.OpenAt(with, place); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dead); err == nil {
		t.Error("what a dead process used is there")
	}
	for _, text := range []string{"x", "-1", "20 parsecs"} {
		t.Setenv("KIFU_CACHE_SIZE", text)
		_, err := datasets.OpenAt(connected(t), place)
		says(t, err, fmt.Sprintf("KIFU_CACHE_SIZE=%q", text))
	}
}

// TestCopiesAreUsedAndWatched: what was fetched is not fetched again, unless somebody wrote
// to the copy.
func TestCopiesAreUsedAndWatched(t *testing.T) {
	server, ctx := start(t)
	m, _ := build(t, ctx, place, count("p", 2, -1, new([]int)), datasets.Options{})
	var fetched atomic.Int32
	server.Fault(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, ".parquet") {
			fetched.Add(1)
		}
		return false
	})
	read := func(want int32) {
		t.Helper()
		fetched.Store(0)
		d, err := datasets.OpenAt(connected(t), place)
		if err != nil || d.Verify(ctx) != nil {
			t.Fatal(err)
		}
		if fetched.Load() != want {
			t.Errorf("fetched %d parts, want %d", fetched.Load(), want)
		}
	}
	read(2)
	read(0)
	sum := m.Parts[1].SHA256
	copied := filepath.Join(os.Getenv("KIFU_CACHE"), "sums", sum[:2], sum)
	data, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied, bytes.ToUpper(data), 0o666); err != nil {
		t.Fatal(err)
	}
	read(1)
	read(0)
	d, err := datasets.OpenAt(connected(t), place)
	if fetched.Store(0); err != nil || d.Verify(context.Background()) != nil || fetched.Load() != 2 {
		t.Errorf("without a memory %d parts were fetched: %v", fetched.Load(), err)
	}
}

// TestInterrupt: an interrupted run ends at once.
func TestInterrupt(t *testing.T) {
	server, ctx := start(t)
	ctx, cancel := context.WithCancel(ctx)
	server.Fault(func(http.ResponseWriter, *http.Request) bool { cancel(); panic(http.ErrAbortHandler) })
	_, err := datasets.OpenAt(ctx, place)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

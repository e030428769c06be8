package s3test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kifu/datasets"
	"kifu/datasets/checked"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/datasets/remote"
	"kifu/datasets/store"
	"kifu/schemas"
)

const (
	parts = 40
	rows  = 200_000 // of a part

	mostKills = 12 // of a run, which may end then
)

var numbers = schemas.Table{Name: "numbers", Version: 1, Columns: []schemas.Column{{Name: "n", Type: schemas.Uint64, Doc: "n"}}}

// step makes parts of random numbers, some megabytes each.
func step() datasets.Step {
	return datasets.Step{Stage: "test", Output: numbers.ID(), Params: parts, Run: func(ctx context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
		out.SetTable(numbers)
		b := columns.NewBatch(numbers)
		for i := range parts {
			if _, done := out.Done(i); done {
				continue
			}
			w, err := out.Part(i)
			if err != nil {
				return err
			}
			r := mathrand.New(mathrand.NewPCG(uint64(i), 1))
			b.Reset()
			b.Rows = rows
			for range rows {
				b.Cols[0].AppendUint64(r.Uint64())
			}
			g, err := w.Encode(b)
			if err == nil {
				err = w.Append(g)
			}
			if err == nil {
				err = w.Close(manifest.Counts{Written: rows}, nil)
			}
			if err != nil {
				return err
			}
		}
		return out.AddFile("note.txt", []byte("random\n"))
	}}
}

func makeNumbers(place string) error {
	ctx, done := store.With(context.Background())
	defer done()
	_, _, err := datasets.Build(ctx, place, step(), datasets.Options{})
	return err
}

// local makes the same in a directory, once.
var local = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "kifu-s3test-")
	if err == nil {
		err = makeNumbers(filepath.Join(dir, "numbers"))
	}
	return filepath.Join(dir, "numbers"), err
})

// whole fails unless the dataset at url has the bytes of the one in a directory.
func whole(t *testing.T, s *server, url string) (generation string) {
	t.Helper()
	want, err := local()
	if err != nil {
		t.Fatal(err)
	}
	ctx, done := store.With(context.Background())
	defer done()
	d, err := datasets.OpenAt(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Verify(ctx); err != nil {
		t.Error(err)
	}
	generation = s.object(strings.TrimPrefix(url, "s3://bucket/")) + "/gen-" + d.Manifest.Key
	files, _ := filepath.Glob(filepath.Join(want, "*"))
	if len(files) != parts+2 {
		t.Fatal(files)
	}
	for _, f := range files {
		a, erra := os.ReadFile(f)
		b, errb := os.ReadFile(filepath.Join(generation, filepath.Base(f)))
		if erra != nil || errb != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: other bytes in the store (%v, %v)", filepath.Base(f), erra, errb)
		}
	}
	return generation
}

// TestKilledRuns: a run is killed again and again, and goes on; what was there stays.
func TestKilledRuns(t *testing.T) {
	s := start(t)
	const url = "s3://bucket/killed"
	written := map[string]time.Time{}
	kills := 0
	for {
		run := self(makes + "=" + url)
		var errs bytes.Buffer
		run.Stderr = &errs
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- run.Wait() }()
		patience := time.Duration(50+mathrand.IntN(450)) * time.Millisecond
		if kills == mostKills {
			patience = time.Hour
		}
		var err error
		killed := false
		select {
		case err = <-ended:
		case <-time.After(patience):
			run.Process.Kill()
			killed = <-ended != nil
			kills++
		}
		there, _ := filepath.Glob(s.object("killed/gen-*/part-*"))
		for _, f := range there {
			info, err := os.Stat(f)
			if err != nil {
				t.Fatal(err)
			}
			if before, seen := written[f]; seen && !before.Equal(info.ModTime()) {
				t.Errorf("%s was written again", filepath.Base(f))
			}
			written[f] = info.ModTime()
		}
		if !killed {
			if err != nil {
				t.Fatalf("%v\n%s", err, errs.String())
			}
			break
		}
	}
	t.Logf("%d kills", kills)
	whole(t, s, url)
}

// TestKilledServer: the server is killed within PUTs and comes back; the run only waits.
func TestKilledServer(t *testing.T) {
	s := start(t)
	const url = "s3://bucket/server"
	run := self(makes + "=" + url)
	var errs bytes.Buffer
	run.Stderr = &errs
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	for kills := 0; ; kills++ {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("after %d kills of the server: %v\n%s", kills, err, errs.String())
			}
			t.Logf("%d kills of the server", kills)
			whole(t, s, url)
			return
		case <-time.After(time.Duration(100+mathrand.IntN(300)) * time.Millisecond):
			if kills < 8 {
				s.kill()
				time.Sleep(200 * time.Millisecond)
				s.run()
			}
		}
	}
}

// TestNoPartialObject: a large PUT during which the server dies leaves nothing, and is
// whole when it is made again.
func TestNoPartialObject(t *testing.T) {
	s := start(t)
	file := filepath.Join(t.TempDir(), "large")
	data := make([]byte, 256<<20)
	rand.Read(data)
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	f := checked.File{Name: "large", Bytes: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
	t.Setenv("AWS_MAX_ATTEMPTS", "1")
	within := 0
	for range 8 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		var st store.Store
		o, err := st.Open(ctx, "s3://bucket/partial")
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- o.Create(f, file) }()
		time.Sleep(time.Duration(30+mathrand.IntN(300)) * time.Millisecond)
		s.kill()
		if err := <-ended; err != nil {
			within++
		}
		if info, err := os.Stat(s.object("partial/large")); err == nil && info.Size() != f.Bytes {
			t.Errorf("%d of %d bytes are an object", info.Size(), f.Bytes)
		}
		os.Remove(s.object("partial/large"))
		s.run()
		st.Close()
	}
	t.Logf("8 kills, %d within a PUT", within)
	if within == 0 {
		t.Error("no kill fell within a PUT")
	}
}

// TestOneWinner: of eight writers of a name one wins, by absence and by tag.
func TestOneWinner(t *testing.T) {
	start(t)
	var writers [8]remote.Objects
	for i := range writers {
		var st store.Store
		var err error
		if writers[i], err = st.Open(context.Background(), "s3://bucket/race"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(st.Close)
	}
	race := func(name, tag string, round int) {
		t.Helper()
		var wait sync.WaitGroup
		var mu sync.Mutex
		won := 0
		for i, o := range writers {
			wait.Add(1)
			go func() {
				defer wait.Done()
				err := o.Swap(name, tag, fmt.Appendf(nil, "writer %d in round %d after %q", i, round, tag))
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					won++
				} else if !errors.Is(err, fs.ErrExist) {
					t.Error(err)
				}
			}()
		}
		wait.Wait()
		if won != 1 {
			t.Errorf("round %d: %d winners", round, won)
		}
	}
	for round := range 50 {
		name := fmt.Sprintf("part-%d", round)
		race(name, "", round)
		_, tag, err := writers[0].Get(name)
		if err != nil {
			t.Fatal(err)
		}
		race(name, tag, round)
	}
}

// TestTwoRuns: two runs of one dataset at the same time both end well, with one result.
func TestTwoRuns(t *testing.T) {
	s := start(t)
	const url = "s3://bucket/two"
	var errs [2]bytes.Buffer
	var wait sync.WaitGroup
	for i := range errs {
		run := self(makes + "=" + url)
		run.Stderr = &errs[i]
		wait.Add(1)
		go func() {
			defer wait.Done()
			if err := run.Run(); err != nil {
				t.Errorf("run %d: %v\n%s", i, err, errs[i].String())
			}
		}()
	}
	wait.Wait()
	whole(t, s, url)
}

// TestDamageAndRefusals: a byte flipped on the server's disk is named with its object, and
// refusals say what to do.
func TestDamageAndRefusals(t *testing.T) {
	s := start(t)
	const url = "s3://bucket/flip"
	if err := makeNumbers(url); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(whole(t, s, url), "part-00007.parquet")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/3] ^= 1
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	verify := func(url string) error {
		ctx, done := store.With(context.Background())
		defer done()
		d, err := datasets.OpenAt(ctx, url)
		if err != nil {
			return err
		}
		return d.Verify(ctx)
	}
	expect := func(err error, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("got the error %v, want one with %q", err, text)
			}
		}
	}
	expect(verify(url), url, "part-00007.parquet: damaged: its checksum")
	expect(verify("s3://nowhere/flip"), "no bucket nowhere")
	expect(verify("s3://bucket/absent"), "no dataset at s3://bucket/absent")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "another")
	expect(verify(url), "rejects these credentials", "SignatureDoesNotMatch")
	t.Setenv("AWS_ACCESS_KEY_ID", "nobody")
	expect(verify(url), "rejects these credentials")
	t.Setenv("AWS_NO_SIGN_REQUEST", "true")
	expect(verify(url), "denied, and no credentials were found")
	t.Setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
	t.Setenv("AWS_MAX_ATTEMPTS", "2")
	expect(verify(url), "no answer from 127.0.0.1:1", "refused")
}

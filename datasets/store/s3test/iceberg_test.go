package s3test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/datasets/store"
)

const fewParts, fewRows = 2, 100

// fewNumbers makes parts of the numbers from 0.
func fewNumbers() datasets.Step {
	return datasets.Step{Stage: "test", Output: numbers.ID(), Params: fewParts, Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
		out.SetTable(numbers)
		b := columns.NewBatch(numbers)
		for i := range fewParts {
			w, err := out.Part(i)
			if err != nil {
				return err
			}
			b.Reset()
			b.Rows = fewRows
			for n := range fewRows {
				b.Cols[0].AppendUint64(uint64(n))
			}
			g, err := w.Encode(b)
			if err == nil {
				err = w.Append(g)
			}
			if err == nil {
				err = w.Close(manifest.Counts{Written: fewRows}, nil)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}}
}

// TestIceberg publishes a dataset in a bucket, and one in a directory that is then copied there, and reads both over
// HTTP by a program that has nothing from kifu. It needs kifu-iceberg and icebird; 'make test-iceberg' gives them.
func TestIceberg(t *testing.T) {
	program, icebird := os.Getenv("KIFU_ICEBERG"), os.Getenv("ICEBIRD")
	if program == "" || icebird == "" {
		t.Skip("KIFU_ICEBERG or ICEBIRD names nothing")
	}
	s := start(t)
	client, err := minio.New(s.address, &minio.Options{Creds: credentials.NewStaticV4(access, secret, "")})
	if err != nil {
		t.Fatal(err)
	}
	policy := `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::bucket/*"}]}`
	if err := client.SetBucketPolicy(context.Background(), "bucket", policy); err != nil {
		t.Fatal(err)
	}
	publish := func(args ...string) {
		t.Helper()
		if said, err := exec.Command(program, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	read := func(url string) {
		t.Helper()
		cmd := exec.Command("node", "../../../cmd/kifu-iceberg/read.mjs", url)
		cmd.Env = append(os.Environ(), "S3=http://"+s.address)
		cmd.Stderr = os.Stderr
		text, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Rows int
			Sums map[string]float64
		}
		if err := json.Unmarshal(text, &got); err != nil || got.Rows != fewParts*fewRows || got.Sums["n"] != fewParts*fewRows*(fewRows-1)/2 {
			t.Errorf("%s: %v\n%s", url, err, text)
		}
	}

	const url = "s3://bucket/study/few"
	ctx, done := store.With(context.Background())
	defer done()
	dir := filepath.Join(t.TempDir(), "few")
	for _, place := range []string{dir, url} {
		if _, _, err := datasets.Build(ctx, place, fewNumbers(), datasets.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	for version := 1; version <= 2; version++ {
		publish(url)
		if text, err := os.ReadFile(s.object("study/few/metadata/version-hint.text")); err != nil || string(text) != fmt.Sprint(version) {
			t.Fatalf("version %q, want %d (%v)", text, version, err)
		}
		read(url)
	}
	if d, err := datasets.OpenAt(ctx, url); err != nil || d.Verify(ctx) != nil {
		t.Error("the dataset has changed", err)
	}

	publish("--location", "s3://bucket/copied/", dir)
	err = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		_, err = client.FPutObject(ctx, "bucket", "copied/few/"+filepath.ToSlash(strings.TrimPrefix(path, dir+"/")), path, minio.PutObjectOptions{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	read("s3://bucket/copied/few")
	publish("s3://bucket/copied/few") // files that another program copied
	read("s3://bucket/copied/few")
}

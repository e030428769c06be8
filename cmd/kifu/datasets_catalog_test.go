package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kifu/cmd/kifu/command"
)

// TestGet fetches from a server here, through a catalog of its own.
func TestGet(t *testing.T) {
	content := bytes.Repeat([]byte("1. e4 e5 1-0\n\n"), 10_000)
	served := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served++
		if r.URL.Path == "/sums" {
			fmt.Fprintf(w, "%x  2013-01.pgn\n%x  2013-02.pgn\n", sha256.Sum256(content), sha256.Sum256(nil))
			return
		}
		http.ServeContent(w, r, "", time.Unix(1e9, 0), bytes.NewReader(content))
	}))
	defer s.Close()
	dir := t.TempDir()
	own := filepath.Join(dir, "own.toml")
	text := fmt.Sprintf("[[database]]\nname = 'own-{month}'\ngame = 'chess'\naddress = '%s/{month}.pgn'\nchecksums = '%s/sums'\n", s.URL, s.URL)
	if err := os.WriteFile(own, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv(catalogOverride, own)
	get := func(name string) (code int, out string) {
		var b bytes.Buffer
		code = runMain(context.Background(), nil, &b, &b, []string{"datasets", "get", name, "--out", filepath.Join(dir, "files")})
		return code, b.String()
	}

	if code, out := get("own-2013-01"); code != command.OK || !strings.Contains(out, "2013-01.pgn: 140.0 kB, sha256 ") || !strings.Contains(out, ", verified") {
		t.Errorf("%d: %s", code, out)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "files", "2013-01.pgn")); !bytes.Equal(got, content) {
		t.Error("the file is not what the server has")
	}
	before := served
	if code, out := get("own-2013-01"); code != command.OK || !strings.Contains(out, "nothing done") || served != before {
		t.Errorf("%d: %s; %d requests", code, out, served-before)
	}
	if code, out := get("own-2013-02"); code != command.Failed || !strings.Contains(out, "nothing was kept") {
		t.Errorf("%d: %s", code, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "files", "2013-02.pgn")); err == nil {
		t.Error("a file with the wrong checksum was kept")
	}
}

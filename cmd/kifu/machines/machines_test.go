package machines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"kifu/study/cluster"
)

// TestTokenAtOnce: programs that make the token at one moment all have the same, which its owner alone
// may read; what is no token is refused, and stays.
func TestTokenAtOnce(t *testing.T) {
	for range 20 {
		path := filepath.Join(t.TempDir(), "below", "token")
		var got [8]string
		var group errgroup.Group
		for i := range got {
			group.Go(func() (err error) {
				got[i], err = Token(path)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
		for _, token := range got {
			if token != got[0] || len(token) != 48 {
				t.Fatalf("tokens %q", got)
			}
		}
		about, err := os.Stat(path)
		if err != nil || about.Mode().Perm() != 0o600 {
			t.Fatalf("%v, %v", about, err)
		}
		if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
			t.Fatalf("left: %v, %v", left, err)
		}
	}
	short := filepath.Join(t.TempDir(), "short")
	if err := os.WriteFile(short, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Token(short); err == nil || !strings.Contains(err.Error(), "at least 16 characters") {
		t.Error(err)
	}
}

// TestPartsFailed: of many parts that cannot be made the first ten are named, with what went wrong where.
func TestPartsFailed(t *testing.T) {
	f := &cluster.Failed{Step: "label labels"}
	for i := range 12 {
		f.Failures = append(f.Failures, cluster.Report{Task: i, Host: "node:7", Error: "broken\x1b", Times: 3})
	}
	lines := strings.Split(partsFailed(f).Error(), "\n")
	if len(lines) != 13 || lines[0] != "label labels: 12 parts failed; the others are done" ||
		!strings.HasPrefix(lines[10], "  part 10, 3 times, last on node:7: broken") || strings.Contains(lines[10], "\x1b") || lines[11] != "  … and 2 more (kifu cluster failed)" {
		t.Errorf("it says %q", lines)
	}
}

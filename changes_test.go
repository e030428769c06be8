package kifu

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestChanges: every file of changes/ has a heading that `make changes` prints, and one item of at most 40 words.
func TestChanges(t *testing.T) {
	name := regexp.MustCompile(`^(added|changed|refused|fixed)-[a-z0-9-]+\.md$`)
	files, err := filepath.Glob("changes/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no files in changes/", err)
	}
	for _, file := range files {
		base := filepath.Base(file)
		if base == "README.md" {
			continue
		}
		if !name.MatchString(base) {
			t.Errorf("%s: its name must be HEADING-WORDS.md, HEADING one of added, changed, refused, fixed", file)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if s := string(text); !strings.HasPrefix(s, "- ") || strings.Count(s, "\n") != 1 || !strings.HasSuffix(s, "\n") {
			t.Errorf("%s: it must be one line that begins with \"- \"", file)
		}
		if n := len(strings.Fields(string(text))) - 1; n > 40 {
			t.Errorf("%s: %d words, at most 40 wanted", file, n)
		}
	}
}

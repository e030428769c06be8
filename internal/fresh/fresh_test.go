package fresh

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCreateIsNotThroughALink: a link under the name goes, and what it names stays as it was.
func TestCreateIsNotThroughALink(t *testing.T) {
	dir := t.TempDir()
	kept, link := filepath.Join(dir, "kept"), filepath.Join(dir, "new.tmp")
	if err := os.WriteFile(kept, []byte("kept"), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 { // a link, then the file that was made
		_ = os.Symlink(kept, link)
		f, err := Create(link)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("new"); err != nil || f.Close() != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(kept)
		made, fault := os.ReadFile(link)
		if err != nil || fault != nil || string(text) != "kept" || string(made) != "new" {
			t.Errorf("kept %q, made %q; %v, %v", text, made, err, fault)
		}
	}
}

package kifu

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// TestNestedModules: modules within this one, which are built by commands that few people give,
// need no older version of anything than it does. 'go mod tidy' in their directory mends it.
func TestNestedModules(t *testing.T) {
	needs := func(dir string) map[string]string {
		path := filepath.Join(dir, "go.mod")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := modfile.Parse(path, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		versions := map[string]string{}
		for _, r := range f.Require {
			versions[r.Mod.Path] = r.Mod.Version
		}
		return versions
	}
	main := needs(".")
	for _, dir := range []string{"datasets/store/s3test", "cmd/kifu-iceberg", "bench"} {
		both := 0
		for module, version := range needs(dir) {
			if main[module] != "" {
				both++
			}
			if semver.Compare(version, main[module]) < 0 {
				t.Errorf("%s/go.mod: %s %s, go.mod has %s: run 'GOFLAGS= go mod tidy' there", dir, module, version, main[module])
			}
		}
		if both < 10 {
			t.Errorf("%s shares %d modules", dir, both)
		}
	}
}

package kifu

import (
	"flag"
	"go/build"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "update the drawing of the rooms")

// TestDocsOfHouse holds the drawing of docs/design.md against the imports, which have no
// circle.
func TestDocsOfHouse(t *testing.T) {
	plan := Plan{}
	eachPackage(t, func(dir string, p *build.Package) {
		plan.Add(dir, ".")
		for _, imp := range p.Imports {
			if own, ok := strings.CutPrefix(imp, "kifu/"); ok {
				plan.Add(dir, own)
			}
		}
	})
	want, err := plan.SVG()
	if err != nil {
		t.Fatal(err)
	}
	const file = "docs/images/house.svg"
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != want {
		t.Errorf("%s is not what the imports say (make docs): %v", file, err)
	}
	t.Logf("%d rooms, %d arrows", len(plan), plan.Arrows())
}

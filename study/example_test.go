package study_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kifu/internal/step"
	"kifu/study"
)

// commands knows no command but lets all flags be single ones.
type commands struct{}

func (commands) Flag(string, string) (step.Kind, error) { return step.Single, nil }
func (commands) Builds(string) (bool, error)            { return true, nil }

// A sweep: the step that fits has a run for each method, and the report takes them all.
func ExampleStudy_Expand() {
	const text = `out = "build"
[[step]]
name = "labels"
run  = "label"
args = "positions"
[[step]]
name   = "fit"
run    = "fit"
args   = "{labels}"
method = ["mlm", "ls"]
[[step]]
name = "weights"
run  = "report weights"
args = "{fit*}"
`
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "study.toml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		panic(err)
	}
	s, err := study.Read(file)
	if err != nil {
		panic(err)
	}
	runs, err := s.Expand(commands{})
	if err != nil {
		panic(err)
	}
	for _, r := range runs {
		fmt.Println(r.Name()+":", filepath.ToSlash(strings.Join(r.Work.Words(), " ")))
	}
	// Output:
	// labels: label --out=build/labels positions
	// fit method=mlm: fit --method=mlm --out=build/fit/method=mlm build/labels
	// fit method=ls: fit --method=ls --out=build/fit/method=ls build/labels
	// weights: report weights --out=build/weights build/fit/method=mlm build/fit/method=ls
}

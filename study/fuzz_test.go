package study

import (
	"path/filepath"
	"testing"
)

// FuzzStudy: a text is a study whose runs have names of their own, need only runs before
// them and write below its directory, or an error.
func FuzzStudy(f *testing.F) {
	for _, text := range []string{
		"out = \"{x}\"\n[set]\nx = [\"a\", \"b\"]\n[[step]]\nname = \"s\"\nrun = \"make\"\nargs = \"{x} {s}\"\n",
		"[[step]]\nname = \"f\"\nrun = \"make\"\nn = [1, 2]\nm = [\"p\", \"q\"]\n[[step]]\nname = \"g\"\nrun = \"show\"\nargs = \"{f n=1} {f m=q}/x\"\nstdout = \"a/../../b\"\n",
		"[[step]]\nname = \"../x\"\nrun = \"make\"\n", "[[step]]\nname = \"s\"\nrun = \"make\"\nout = \"/etc\"\nn = [[1]]\n", "title = \"{\"\n[[step]]\nname = \"s\"\nrun = \"make {\"\nargs = \"}{\"\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parse("dir/study.toml", []byte(text))
		if err != nil {
			return
		}
		out, err := s.Dir()
		if err != nil {
			return
		}
		runs, err := s.Expand(&fake{})
		if err != nil {
			return
		}
		before := map[string]bool{}
		for _, r := range runs {
			if before[r.Name()] {
				t.Errorf("two runs are %q", r.Name())
			}
			for _, need := range r.Needs {
				if !before[need.Name()] {
					t.Errorf("%q needs %q, which is not before it", r.Name(), need.Name())
				}
			}
			before[r.Name()] = true
			if below, err := filepath.Rel(out, r.File); r.File != "" && (err != nil || !filepath.IsLocal(below)) {
				t.Errorf("%q writes %q, outside of %q", r.Name(), r.File, out)
			}
		}
	})
}

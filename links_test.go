package kifu

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	mdLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	mdHeading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	codePath  = regexp.MustCompile("`([a-z_]+(?:/[a-z_0-9.]+)+/?)`")
	testFunc  = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	unslug    = regexp.MustCompile(`[^\p{L}\p{N}\- _]`)
)

// pages are the Markdown files of the repository with their texts.
func pages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "experiments/*/*.md", "bench/*/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no %s: %v", pattern, err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all[filepath.ToSlash(f)] = string(text)
		}
	}
	return all
}

// targets returns the files that a page links to, as paths from the root, with the
// fragment after a #.
func targets(page, text string) []string {
	var all []string
	for _, m := range mdLink.FindAllStringSubmatch(text, -1) {
		if strings.Contains(m[1], "://") {
			continue
		}
		file, fragment, _ := strings.Cut(m[1], "#")
		if file == "" {
			file = filepath.Base(page)
		}
		all = append(all, filepath.ToSlash(filepath.Join(filepath.Dir(page), file))+"#"+fragment)
	}
	return all
}

// slug is the fragment of a heading.
func slug(heading string) string {
	return strings.ReplaceAll(unslug.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

// TestLinksResolve: every relative link of every page leads to a file, and its fragment to
// a heading there.
func TestLinksResolve(t *testing.T) {
	all, n := pages(t), 0
	for page, text := range all {
		for _, target := range targets(page, text) {
			n++
			file, fragment, _ := strings.Cut(target, "#")
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: no %s", page, file)
				continue
			}
			found := fragment == ""
			for _, m := range mdHeading.FindAllStringSubmatch(all[file], -1) {
				found = found || slug(m[1]) == fragment
			}
			if !found {
				t.Errorf("%s: %s has no heading #%s", page, file, fragment)
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d links: the search is broken", n)
	}
}

// TestEveryPageIsLinked: from docs/README.md one comes to every page.
func TestEveryPageIsLinked(t *testing.T) {
	all := pages(t)
	seen, left := map[string]bool{}, []string{"docs/README.md"}
	for len(left) > 0 {
		page := left[0]
		left = left[1:]
		if seen[page] {
			continue
		}
		seen[page] = true
		for _, target := range targets(page, all[page]) {
			if file, _, _ := strings.Cut(target, "#"); all[file] != "" {
				left = append(left, file)
			}
		}
	}
	for page := range all {
		if !seen[page] && page != "README.md" {
			t.Errorf("docs/README.md does not lead to %s", page)
		}
	}
}

// TestDesignNamesWhatThereIs: the paths in the pages for people who work on kifu exist.
func TestDesignNamesWhatThereIs(t *testing.T) {
	for _, page := range []string{"docs/design.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, m := range codePath.FindAllStringSubmatch(string(text), -1) {
			n++
			if _, err := os.Stat(m[1]); err != nil {
				t.Errorf("%s: no %s", page, m[1])
			}
		}
		if n == 0 {
			t.Errorf("%s names no path: the search is broken", page)
		}
	}
}

// TestReadmeIsShort: README is read to its end.
func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines > 100 {
		t.Errorf("README.md has %d lines; what is more than 100 goes into docs", lines)
	}
}

var testName = regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w*|\b\w+\.txtar`)

// TestSecurityTests: every test that the threat model names is there.
func TestSecurityTests(t *testing.T) {
	have := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.HasSuffix(path, ".txtar") {
			have[filepath.Base(path)] = true
		}
		if strings.HasSuffix(path, "_test.go") {
			text, err := os.ReadFile(path)
			for _, m := range testFunc.FindAllSubmatch(text, -1) {
				have[string(m[1])] = true
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range testName.FindAllString(string(text), -1) {
		if !have[name] {
			t.Errorf("docs/security.md names %s, which is no test", name)
		}
	}
}

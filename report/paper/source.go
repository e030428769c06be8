package paper

import (
	"fmt"
	"kifu/internal/pattern"
	"os"
	"path/filepath"
	"strings"
)

// A paper is the text of a paper and what it loads of reports.
type paper struct {
	lines   []line
	missing []string // numbers of reports that it inputs and that are not there
	loaded  []string // files of LaTeX and pictures that it loads, in order
}

// line is a line of the text, without comments and with the arguments that are no text blanked.
type line struct {
	file    string
	number  int
	text    string
	skipped bool // a mark excludes its numbers: they are not of kifu
}

// mark ends a line whose typed numbers are not of a report.
const mark = "% not of kifu"

var (
	comment  = pattern.Of(`(^|[^\\])%.*`)
	loading  = pattern.Of(`\\(input|include|includegraphics)\*?(?:\[[^\]]*\])?\{([^{}]+)\}`)
	graphics = pattern.Of(`\\graphicspath\{((?:\{[^{}]*\})+)\}`)
	inBraces = pattern.Of(`\{([^{}]*)\}`)
	// silent are commands whose arguments a reader does not see as text.
	silent = pattern.Of(`\\(?:[a-zA-Z]*cite[a-zA-Z]*|[a-zA-Z]*ref|label|input|include|includegraphics|bibliography[a-z]*|bibitem|url|href|graphicspath|vspace|hspace|setlength|setcounter|usepackage|documentclass|begin|end)\*?(?:\[[^\]]*\])*(?:\{[^{}]*\})?`)
)

// read reads a paper with the files that it inputs. Files next to the manifest of a report are only named.
func read(file string) (*paper, error) {
	p := &paper{}
	return p, p.add(file, filepath.Dir(file), map[string]bool{})
}

func (p *paper) add(file, home string, seen map[string]bool) error {
	if seen[file] {
		return fmt.Errorf("%s inputs itself", file)
	}
	seen[file] = true
	defer delete(seen, file)
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text, places := string(data), []string{""}
	if m := graphics().FindStringSubmatch(text); m != nil {
		for _, one := range inBraces().FindAllStringSubmatch(m[1], -1) {
			places = append(places, one[1])
		}
	}
	from := strings.Count(text[:max(strings.Index(text, `\begin{document}`), 0)], "\n")
	for i, full := range strings.Split(text, "\n") {
		l := line{file: file, number: i + 1, text: comment().ReplaceAllString(full, "$1"), skipped: strings.HasSuffix(strings.TrimSpace(full), mark)}
		if strings.Contains(l.text, `\begin{thebibliography}`) {
			return nil
		}
		for _, m := range loading().FindAllStringSubmatch(l.text, -1) {
			if err := p.load(m[1], m[2], home, places, seen); err != nil {
				return fmt.Errorf("%s:%d: %w", file, i+1, err)
			}
		}
		if l.text = silent().ReplaceAllString(l.text, " "); i >= from {
			p.lines = append(p.lines, l)
		}
	}
	return nil
}

// load follows a command that loads a file: the files of a report are noted, other text is read.
func (p *paper) load(command, name, home string, places []string, seen map[string]bool) error {
	if command == "includegraphics" {
		for _, place := range places {
			for _, end := range []string{"", ".pdf", ".png", ".jpg"} {
				if path := filepath.Join(home, place, name+end); isFile(path) {
					p.loaded = append(p.loaded, path)
					return nil
				}
			}
		}
		return nil // a picture that is missing is LaTeX's to report
	}
	path := filepath.Join(home, name)
	if !isFile(path) {
		path += ".tex"
	}
	if !isFile(path) {
		if isNumbers(path) {
			p.missing = append(p.missing, name)
		}
		return nil // of LaTeX's own, or missing
	}
	if isFile(filepath.Join(filepath.Dir(path), "manifest.json")) || isNumbers(path) {
		p.loaded = append(p.loaded, path)
		return nil
	}
	return p.add(path, home, seen)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

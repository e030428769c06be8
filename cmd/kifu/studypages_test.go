package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kifu/cmd/kifu/command"
	tables "kifu/internal/table"
	"kifu/study"
)

// studyMark is the mark of a block that shows what a run of a study printed, or a table of its report:
// <!-- shown STUDY [NAME=VALUE…] STEP[/TABLE] [KEY=VALUE…][: COLUMN; …] -->. After "from" the block has figures of it
// in words of its own; the whole page of a report if no TABLE is named. The first pairs are for --set, the others
// distinguish the runs of a sweep, the columns of the table are those to show. A VALUE that ends in .zst or /, and does not begin
// with .., is a file or directory of records that are not bundled.
type studyMark struct {
	path, step, table string
	set, swept        []string
	columns           []string // nil: all
	missing           string   // records that are not in the directory KIFU_RECORDS
}

func readMark(page, words string) studyMark {
	words, columns, some := strings.Cut(words, ": ")
	w := strings.Fields(words)
	m := studyMark{path: filepath.Join(filepath.Dir(page), w[0])}
	if some {
		m.columns = strings.Split(strings.TrimSpace(columns), "; ")
	}
	for _, word := range w[1:] {
		name, value, pair := strings.Cut(word, "=")
		switch {
		case !pair:
			m.step, m.table, _ = strings.Cut(word, "/")
		case m.step != "":
			m.swept = append(m.swept, word)
		case !strings.HasPrefix(value, "..") && (filepath.Ext(value) == ".zst" || strings.HasSuffix(value, "/")):
			file := filepath.Join(os.Getenv("KIFU_RECORDS"), value)
			if _, err := os.Stat(file); os.Getenv("KIFU_RECORDS") == "" || err != nil {
				m.missing = value
			}
			m.set = append(m.set, name+"="+file)
		default:
			m.set = append(m.set, word)
		}
	}
	return m
}

// run returns the one run of the study that the mark names.
func (m studyMark) run(t *testing.T) *study.Run {
	t.Helper()
	s, _, err := studyFlags{set: m.set}.readStudy(new(command.Files), m.path)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := s.Expand(newEnv(nil, nil, nil).Stages())
	if err != nil {
		t.Fatal(err)
	}
	runs = slices.DeleteFunc(runs, func(r *study.Run) bool {
		return r.Step.Name != m.step || slices.ContainsFunc(m.swept, func(pair string) bool {
			return !slices.ContainsFunc(r.Swept, func(b study.Binding) bool { return b.Key+"="+b.Value == pair })
		})
	})
	if len(runs) != 1 {
		t.Fatalf("%s: %d runs of step %s are %q: want one", m.path, len(runs), m.step, m.swept)
	}
	return runs[0]
}

// printed returns the text that the mark stands for.
func (m studyMark) printed(t *testing.T) string {
	t.Helper()
	r := m.run(t)
	if r.File != "" && m.table == "" {
		return readText(t, filepath.Join(r.Base, r.File))
	}
	names, err := filepath.Glob(filepath.Join(r.Base, r.Dir, "*.md")) // each with the tables as data beside it
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if m.table == "" {
			return readText(t, name)
		}
		data, err := os.ReadFile(strings.TrimSuffix(name, ".md") + ".json")
		if err != nil {
			t.Fatal(err)
		}
		d, err := tables.ParseDocument(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range d.Tables {
			if found.Name == m.table {
				return m.markdown(t, found)
			}
		}
	}
	t.Fatalf("%s: step %s has no table %s", m.path, m.step, m.table)
	return ""
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// markdown returns the columns of a table that the mark names.
func (m studyMark) markdown(t *testing.T, from tables.Table) string {
	t.Helper()
	head := func(c tables.Cell) string { return strings.ReplaceAll(c.Text, "\u00a0", " ") }
	for _, name := range m.columns {
		if !slices.ContainsFunc(from.Head, func(c tables.Cell) bool { return head(c) == name }) {
			t.Fatalf("%s: table %s of step %s has no column %q", m.path, m.table, m.step, name)
		}
	}
	shown := tables.Table{Rows: make([][]string, len(from.Rows))}
	for at, c := range from.Head {
		if m.columns != nil && !slices.Contains(m.columns, head(c)) {
			continue
		}
		shown.Head = append(shown.Head, c)
		for i, row := range from.Rows {
			shown.Rows[i] = append(shown.Rows[i], row[at])
		}
	}
	var out strings.Builder
	if err := tables.WriteMarkdown(&out, shown.Head, shown.Each); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// studyPages calls each with every page of experiments/ that shows something.
func studyPages(t *testing.T, each func(t *testing.T, path, text string)) {
	pages, err := filepath.Glob("../../experiments/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range pages {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if shownBlock.Match(text) || fromBlock.Match(text) {
			n++
			t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) { each(t, path, string(text)) })
		}
	}
	if n == 0 {
		t.Error("no page of experiments/ shows anything")
	}
}

// TestStudyMarks: the marks of experiments/ name runs of studies that print a table or write a report.
func TestStudyMarks(t *testing.T) {
	studyPages(t, func(t *testing.T, path, text string) {
		for _, block := range shownBlock.FindAllStringSubmatch(text, -1) {
			m := readMark(path, block[1])
			if r := m.run(t); m.table == "" && filepath.Ext(r.File) != ".md" || m.table != "" && r.Dir == "" {
				t.Errorf("%s: %s prints no table", path, block[1])
			}
		}
		for _, block := range fromBlock.FindAllStringSubmatch(text, -1) {
			if !ofStudy(block[1]) {
				continue
			}
			m := readMark(path, block[1])
			if r := m.run(t); filepath.Ext(r.File) != ".md" && r.Dir == "" {
				t.Errorf("%s: %s prints nothing", path, block[1])
			}
		}
	})
}

// TestStudyPages runs the studies whose tables the pages of experiments/ show, keeps what they made before, and
// compares the pages (make experiments). With -update a page that differs is written. Tables of records that are
// not bundled are compared where KIFU_RECORDS names the directory that has them.
func TestStudyPages(t *testing.T) {
	if os.Getenv("KIFU_LONG") == "" {
		t.Skip("runs the studies of experiments/: KIFU_LONG=1 (make experiments)")
	}
	ran := map[string]bool{}
	remade := func(t *testing.T, path, words string) (text string, ok bool) {
		m := readMark(path, words)
		if m.missing != "" {
			t.Logf("not compared without %s in KIFU_RECORDS: %s", m.missing, words)
			return "", false
		}
		line := []string{"run", "--progress", "none", m.path}
		for _, pair := range m.set {
			line = append(line, "--set", pair)
		}
		if key := strings.Join(line, " "); !ran[key] {
			runLine(t, line)
			ran[key] = true
		}
		return m.printed(t), true
	}
	studyPages(t, func(t *testing.T, path, text string) {
		printed := shownBlock.ReplaceAllStringFunc(text, func(block string) string {
			words := shownBlock.FindStringSubmatch(block)[1]
			table, ok := remade(t, path, words)
			if !ok {
				return block
			}
			return "<!-- shown" + words + " -->\n" + table + "<!-- /shown -->"
		})
		for _, block := range fromBlock.FindAllStringSubmatch(text, -1) {
			of, ok := "", false
			switch {
			case ofStudy(block[1]):
				of, ok = remade(t, path, block[1])
			case ofProgram(block[1]):
				of, ok = goRun(t, block[1]), true
			}
			if stray := absent(figures(block[2], true), of); ok && len(stray) > 0 {
				t.Errorf("%s: %s does not have %s", path, block[1], strings.Join(stray, "  "))
			}
		}
		switch diff := cmp.Diff(text, printed); {
		case diff == "":
		case !*update:
			t.Errorf("%s shows what its studies do not print (make experiments UPDATE=1):\n%s", path, diff)
		default:
			if err := os.WriteFile(path, []byte(printed), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// goRun returns what a program of the repository prints.
func goRun(t *testing.T, program string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "go", "run", "./"+program)
	c.Dir, c.Stderr = "../..", t.Output()
	out, err := c.Output()
	if err != nil {
		t.Fatal(program, err)
	}
	return string(out)
}

func runLine(t *testing.T, line []string) {
	t.Helper()
	var out bytes.Buffer
	a := newEnv(strings.NewReader(""), &out, &out)
	if code := a.Run(context.Background(), line); code != command.OK {
		t.Fatalf("kifu %s: exit %d\n%s", strings.Join(line, " "), code, out.String())
	}
}

package study

import (
	"regexp"
	"strings"
)

// document is what a command's Markdown says.
type document struct {
	Title  string
	Lead   []string // paragraphs
	Tables []table
	Notes  []string // items of lists
}

type table struct {
	Caption string
	Head    []string
	Right   []bool // columns of numbers
	Rows    [][]string
}

// Long says that a page should not open with it.
func (t table) Long() bool { return len(t.Rows) > 12 }

// parseMarkdown reads the little Markdown that reports, tables of matches and queries are
// written in: a title, paragraphs, tables each after its caption, and lists.
func parseMarkdown(text string) document {
	var d document
	var caption string
	paragraph := func() {
		if caption != "" {
			d.Lead = append(d.Lead, caption)
		}
		caption = ""
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		switch {
		case line == "":
		case strings.HasPrefix(line, "|"):
			end := i
			for end < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[end]), "|") {
				end++
			}
			t := parseTable(lines[i:end])
			t.Caption, caption = caption, ""
			d.Tables = append(d.Tables, t)
			i = end - 1
		case strings.HasPrefix(line, "# "):
			d.Title = plain(line[2:])
		case strings.HasPrefix(line, "- "):
			d.Notes = append(d.Notes, plain(line[2:]))
		default: // a table's caption, or a paragraph when none follows
			paragraph()
			caption = plain(line)
		}
	}
	paragraph()
	return d
}

func parseTable(lines []string) table {
	var t table
	for i, line := range lines {
		cells := cellsOf(line)
		switch i {
		case 0:
			t.Head = cells
		case 1:
			for _, c := range cells {
				t.Right = append(t.Right, strings.HasSuffix(c, ":"))
			}
		default:
			t.Rows = append(t.Rows, cells)
		}
	}
	return t.even()
}

// newTable makes a table of rows, the first of which is the head; columns of numbers
// stand to the right.
func newTable(rows [][]string) table {
	t := table{}
	if len(rows) > 0 {
		t.Head, t.Rows = rows[0], rows[1:]
	}
	for i := range t.Head {
		right := true
		for _, row := range t.Rows {
			right = right && number.MatchString(row[i])
		}
		t.Right = append(t.Right, right)
	}
	return t
}

var number = regexp.MustCompile(`^([-+−]?[0-9][0-9,.]*([eE][-+]?[0-9]+)?( ?%)?)?$`)

// even gives every row as many cells as the head has.
func (t table) even() table {
	n := len(t.Head)
	fit := func(cells []string) []string {
		for len(cells) < n {
			cells = append(cells, "")
		}
		return cells[:n]
	}
	for i := range t.Rows {
		t.Rows[i] = fit(t.Rows[i])
	}
	for len(t.Right) < n {
		t.Right = append(t.Right, false)
	}
	return t
}

// cellsOf splits "| a | b |" at the bars that no backslash stands before.
func cellsOf(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	var cells []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line):
			cell.WriteString(line[i : i+2])
			i++
		case line[i] == '|':
			cells = append(cells, plain(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	return append(cells, plain(cell.String()))
}

var escaped = regexp.MustCompile(`\\([\\|*_\x60<>\[\]#&])`)

// plain is the text without marks of emphasis and escapes.
func plain(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "**") && strings.HasSuffix(text, "**") && len(text) > 4 {
		text = text[2 : len(text)-2]
	}
	return escaped.ReplaceAllString(text, "$1")
}

package query

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"kifu/internal/edits"
	"slices"
	"strings"
	"unicode/utf8"
)

// WriteFunc prints a result and closes it.
type WriteFunc func(w io.Writer, r *Result) error

// Writer returns the renderer of that name:
//
//	table     aligned by spaces, for a terminal; nulls as NULL, six significant digits
//	csv       with a header; a null is an empty field
//	json      a list of objects, one a line; NaN and infinities are null
//	markdown  a table as GitHub shows it
//	latex     a tabular with booktabs rules
//	arrow     an uncompressed Arrow IPC stream
//
// table, markdown and latex write fractions at six significant digits, the others
// exactly. table needs the whole result in memory.
func Writer(format string) (WriteFunc, error) {
	switch format {
	case "table":
		return writeTable, nil
	case "csv":
		return writeCSV, nil
	case "json":
		return writeJSON, nil
	case "markdown":
		return writeMarkdown, nil
	case "latex":
		return writeLaTeX, nil
	case "arrow":
		return writeArrow, nil
	}
	if format == Parquet {
		return nil, errors.New("rows that are no statement's have no Parquet form: use Write")
	}
	return nil, CheckFormat(format)
}

// Formats returns the names that Write takes.
func Formats() []string {
	return []string{"table", "csv", "json", "markdown", "latex", "arrow", Parquet}
}

// CheckFormat returns the error for a format that Write does not know, with the nearest
// one.
func CheckFormat(format string) error {
	if slices.Contains(Formats(), format) {
		return nil
	}
	if near, ok := edits.Nearest(format, Formats()); ok {
		return fmt.Errorf("no format %s: did you mean %s?", format, near)
	}
	return fmt.Errorf("no format %s; there is %s", format, strings.Join(Formats(), ", "))
}

func writeTable(w io.Writer, r *Result) error {
	var lines [][]string
	width := make([]int, len(r.Columns))
	add := func(cells []string) {
		lines = append(lines, cells)
		for i, c := range cells {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	head := make([]string, len(r.Columns))
	for i, c := range r.Columns {
		head[i] = c.Name
	}
	add(head)
	err := r.Each(func(row []any) error {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = oneLine(short(v, r.Columns[i].Type, "NULL"))
		}
		add(cells)
		return nil
	})
	if err != nil {
		return err
	}
	rules := make([]string, len(width))
	for i, n := range width {
		rules[i] = strings.Repeat("─", n)
	}
	lines = append(lines[:1], append([][]string{rules}, lines[1:]...)...)
	out := bufio.NewWriter(w)
	for _, cells := range lines {
		var line strings.Builder
		for i, c := range cells {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			if i > 0 {
				line.WriteString("  ")
			}
			if r.Columns[i].number() {
				line.WriteString(pad + c)
			} else {
				line.WriteString(c + pad)
			}
		}
		fmt.Fprintln(out, strings.TrimRight(line.String(), " "))
	}
	return out.Flush()
}

// oneLine keeps a value from breaking its row.
var oneLine = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace

func writeCSV(w io.Writer, r *Result) error {
	out := csv.NewWriter(w)
	cells := make([]string, len(r.Columns))
	for i, c := range r.Columns {
		cells[i] = c.Name
	}
	if err := out.Write(cells); err != nil {
		return err
	}
	err := r.Each(func(row []any) error {
		for i, v := range row {
			cells[i] = exact(v, r.Columns[i].Type, "")
		}
		return out.Write(cells)
	})
	out.Flush()
	if err != nil {
		return err
	}
	return out.Error()
}

func writeJSON(w io.Writer, r *Result) error {
	out := bufio.NewWriter(w)
	var line []byte
	before := "[\n"
	err := r.Each(func(row []any) error {
		line = append(append(line[:0], before...), '{')
		before = ",\n"
		for i, v := range row {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(appendText(line, r.Columns[i].Name), ':')
			line = appendJSON(line, v, r.Columns[i].Type)
		}
		_, err := out.Write(append(line, '}'))
		return err
	})
	if err != nil {
		return err
	}
	if before == "[\n" {
		out.WriteString("[")
	}
	out.WriteString("\n]\n")
	return out.Flush()
}

var escapeMarkdown = strings.NewReplacer("|", `\|`, "\n", " ", "\r", "").Replace

func writeMarkdown(w io.Writer, r *Result) error {
	out := bufio.NewWriter(w)
	line := func(cells []string) { fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | ")) }
	cells, rules := make([]string, len(r.Columns)), make([]string, len(r.Columns))
	for i, c := range r.Columns {
		cells[i], rules[i] = escapeMarkdown(c.Name), "---"
		if c.number() {
			rules[i] = "---:"
		}
	}
	line(cells)
	line(rules)
	err := r.Each(func(row []any) error {
		for i, v := range row {
			cells[i] = escapeMarkdown(short(v, r.Columns[i].Type, ""))
		}
		line(cells)
		return nil
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// EscapeLaTeX writes a text so that LaTeX prints it as it is. Latin letters with any accents
// need UTF-8 and the encoding T1 (\usepackage[T1]{fontenc}), those of other scripts XeLaTeX or
// LuaLaTeX and a font that has them.
var EscapeLaTeX = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "_", `\_`, "%", `\%`,
	"&", `\&`, "#", `\#`, "$", `\$`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	"<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`, "\n", " ", "\r", "",
	"≥", `$\ge$`, "≤", `$\le$`, "≠", `$\ne$`, "±", `$\pm$`, "\u00a0", "~", "−", `$-$`, "–", "--", "…", `\dots{}`,
	"·", `$\cdot$`, "×", `$\times$`, "→", `$\to$`, "′", `$'$`, "²", `$^2$`, "½", `$\frac12$`, "σ", `$\sigma$`, "\u2009", `\,`).Replace

func writeLaTeX(w io.Writer, r *Result) error {
	out := bufio.NewWriter(w)
	cells, align := make([]string, len(r.Columns)), ""
	for i, c := range r.Columns {
		cells[i] = EscapeLaTeX(c.Name)
		if c.number() {
			align += "r"
		} else {
			align += "l"
		}
	}
	line := func() {
		text := strings.Join(cells, " & ")
		if strings.HasPrefix(text, "[") { // not the length that \\ may take
			text = "{}" + text
		}
		fmt.Fprintf(out, "%s \\\\\n", text)
	}
	fmt.Fprintf(out, "%% \\usepackage{booktabs}\n\\begin{tabular}{%s}\n\\toprule\n", align)
	line()
	fmt.Fprintln(out, `\midrule`)
	err := r.Each(func(row []any) error {
		for i, v := range row {
			text := short(v, r.Columns[i].Type, "--")
			if r.Columns[i].number() && strings.HasPrefix(text, "-") && text != "--" {
				text = "−" + text[1:]
			}
			cells[i] = EscapeLaTeX(text)
		}
		line()
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprint(out, "\\bottomrule\n\\end{tabular}\n")
	return out.Flush()
}

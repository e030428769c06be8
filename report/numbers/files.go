package numbers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"kifu/internal/pattern"
	"kifu/internal/table"
)

// File is the numbers of a report with the key of its dataset: NAME-numbers.json.
type File struct {
	Key     string   `json:"key"`
	Prefix  string   `json:"prefix"` // of the names
	Numbers []Number `json:"numbers"`
}

// FileEnd ends the names of both files, before the extension.
const FileEnd = "-numbers"

// JSON returns the numbers as data, which ParseJSON reads.
func (f File) JSON() []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(f); err != nil {
		panic(err) // texts and numbers always have a form
	}
	return out.Bytes()
}

// ParseJSON reads what JSON returns.
func ParseJSON(data []byte) (f File, err error) { return f, json.Unmarshal(data, &f) }

// Macros returns the numbers for \input: \kifu{NAME} prints one, and ?? with a warning if there is none of
// that name.
func (f File) Macros() []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "%% key %s\n", f.Key)
	out.WriteString("% \\kifu{NAME} prints a number of the report; 'kifu paper check' names those that are out of date\n")
	// Letters with accents are the same to \detokenize everywhere.
	const at = `\csname kifu@\detokenize{#1}\endcsname`
	out.WriteString(`\providecommand\kifu[1]{\ifcsname kifu@\detokenize{#1}\endcsname` + at + `\else\textbf{??}\typeout{LaTeX Warning: no number \detokenize{#1}}\fi}` + "\n")
	out.WriteString(`\providecommand\kifuset[2]{\expandafter\gdef` + at + "{#2}}\n")
	for _, n := range f.Numbers {
		fmt.Fprintf(&out, "\\kifuset{%s}{%s}\n", n.ID, table.EscapeLaTeX(n.Text))
	}
	return []byte(out.String())
}

var (
	keyLine = pattern.Of(`(?m)^% key (\S+)$`)
	setLine = pattern.Of(`(?m)^\\kifuset\{([^}]*)\}\{(.*)\}$`)
)

// ParseMacros reads what Macros returns: the key, and the names with their texts as LaTeX has them.
func ParseMacros(text []byte) (key string, texts map[string]string, err error) {
	m := keyLine().FindSubmatch(text)
	if m == nil {
		return "", nil, fmt.Errorf("no line '%% key …': it is not a file of numbers that a report wrote")
	}
	texts = map[string]string{}
	for _, set := range setLine().FindAllSubmatch(text, -1) {
		texts[string(set[1])] = string(set[2])
	}
	return string(m[1]), texts, nil
}

// Package cite writes what a paper cites of kifu as BibTeX: the program, the data and the methods.
package cite

import (
	_ "embed"
	"fmt"
	"kifu/internal/pattern"
	"slices"
	"strings"
)

// Entry is an entry of BibTeX.
type Entry struct {
	Kind, Key string
	Fields    []Field
}

// Field is a field of an entry; its value is LaTeX.
type Field struct{ Name, Value string }

// String returns the entry as a file of BibTeX has it.
func (e Entry) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "@%s{%s,\n", e.Kind, e.Key)
	for _, f := range e.Fields {
		if f.Value != "" {
			fmt.Fprintf(&out, "  %s = {%s},\n", f.Name, f.Value)
		}
	}
	return out.String() + "}\n"
}

//go:embed literature.bib
var literature string

var (
	entryHead = pattern.Of(`^@(\w+)\{(\w+),$`)
	fieldLine = pattern.Of(`^  (\w+) = \{(.*)\},$`)
)

// stagesField names in a file of literature the stages that an entry is the source of.
const stagesField = "kifu"

// Literature returns the sources of the methods that the stages use, all if stages is nil. A stage is named with its
// method: "fit mlm".
func Literature(stages []string) (all []Entry) {
	var e Entry
	use := stages == nil
	for line := range strings.SplitSeq(literature, "\n") {
		if m := entryHead().FindStringSubmatch(line); m != nil {
			e, use = Entry{Kind: m[1], Key: m[2]}, stages == nil
		} else if m := fieldLine().FindStringSubmatch(line); m != nil && m[1] == stagesField {
			use = use || slices.ContainsFunc(strings.Split(m[2], ", "), func(of string) bool {
				return slices.ContainsFunc(stages, func(s string) bool { return s == of || strings.HasPrefix(s, of+" ") })
			})
		} else if m != nil {
			e.Fields = append(e.Fields, Field{m[1], m[2]})
		} else if line == "}" && use {
			all = append(all, e)
		}
	}
	return all
}

// cffLine is a line of CITATION.cff that has a value, before its references.
var cffLine = pattern.Of(`^(?:  - )?([a-z-]+): "?([^"]*)"?$`)

// Breakable returns a checksum as LaTeX breaks it between lines: one of SHA-256 is wider than a column.
func Breakable(sum string) string {
	var pieces []string
	for piece := range slices.Chunk([]byte(sum), 16) {
		pieces = append(pieces, string(piece))
	}
	return strings.Join(pieces, `\allowbreak{}`)
}

// Program returns the entry of the program, from CITATION.cff; the version names the build. Its kind and fields are those that
// BibTeX's own styles print.
func Program(cff, version string) Entry {
	cff, _, _ = strings.Cut(cff, "\nreferences:")
	var e Entry
	e.Kind, e.Key = "misc", "kifu"
	names := map[string]string{"title": "title", "name": "author", "url": "url", "doi": "doi"}
	note := "Version " + version
	for line := range strings.SplitSeq(cff, "\n") {
		m := cffLine().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if m[1] == "license" {
			note += ", licence " + m[2]
		}
		if field := names[m[1]]; field == "author" {
			e.Fields = append(e.Fields, Field{field, "{" + m[2] + "}"}) // one name, not first and last
		} else if field != "" {
			e.Fields = append(e.Fields, Field{field, m[2]})
		}
	}
	e.Fields = append(e.Fields, Field{"note", note})
	return e
}

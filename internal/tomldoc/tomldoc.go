// Package tomldoc reads a TOML document in the order in which it was written, with the
// line of every key: decoding into a map forgets both. It is the only package that uses
// go-toml's unstable API, which may change with any release of the library.
package tomldoc

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Kind is the kind of an entry.
type Kind int

// The kinds of entries: [key], [[key]] and key = value.
const (
	Table Kind = iota
	ArrayTable
	KeyValue
)

// Entry is one expression of a document.
type Entry struct {
	Kind  Kind
	Key   []string // the parts between the dots
	Line  int      // counted from 1
	Value any      // of a KeyValue: string, bool, Number, []any of these, or Other
}

// Number is an integer or a float as written, without underscores.
type Number string

// Text returns a value that is a text.
func Text(v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", errors.New("want a text in quotes")
	}
	return s, nil
}

// Float returns a value that is a number.
func Float(v any) (float64, error) {
	n, ok := v.(Number)
	if !ok {
		return 0, fmt.Errorf("want a number, not %q", fmt.Sprint(v))
	}
	return strconv.ParseFloat(string(n), 64)
}

// Other is a value of another kind (a date, an inline table), as written.
type Other string

// Read returns the entries of a document, of a document with an error those before it.
// The error names the line.
func Read(text []byte) ([]Entry, error) {
	var p unstable.Parser
	p.Reset(text)
	var all []Entry
	line, counted := 1, uint32(0) // lines up to an offset: the library's Shape counts from the beginning for every key
	for p.NextExpression() {
		node := p.Expression()
		e := Entry{Kind: KeyValue}
		for k := node.Key(); k.Next(); {
			if len(e.Key) == 0 {
				at := k.Node().Raw.Offset
				line += bytes.Count(text[counted:at], []byte("\n"))
				counted, e.Line = at, line
			}
			e.Key = append(e.Key, string(k.Node().Data))
		}
		switch node.Kind {
		case unstable.Table:
			e.Kind = Table
		case unstable.ArrayTable:
			e.Kind = ArrayTable
		default:
			e.Value = value(node.Value())
		}
		all = append(all, e)
	}
	err := p.Error()
	if syntax, ok := errors.AsType[*unstable.ParserError](err); ok {
		err = fmt.Errorf("line %d: %w", p.Shape(p.Range(syntax.Highlight)).Start.Line, err)
	}
	return all, err
}

func value(v *unstable.Node) any {
	switch v.Kind {
	case unstable.String:
		return string(v.Data)
	case unstable.Bool:
		return string(v.Data) == "true"
	case unstable.Integer, unstable.Float:
		return Number(strings.ReplaceAll(string(v.Data), "_", ""))
	case unstable.Array:
		list := []any{}
		for it := v.Children(); it.Next(); {
			list = append(list, value(it.Node()))
		}
		return list
	}
	return Other(v.Data)
}

// Quote writes a TOML basic string: the escapes of JSON, and U+007F escaped too.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

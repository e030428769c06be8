package pdn

import (
	"bytes"

	"kifu/ingest/record"
)

// maxName and maxBlanks bound what is looked at before a bracket is known to be a tag.
const (
	maxName   = 40
	maxBlanks = 8
)

// isTag reports whether a tag begins with the bracket at d[i]: a name, blanks, a quote.
func isTag(d []byte, i int) bool { return tagQuote(d, i) > 0 }

// tagQuote returns the index of the opening quote of the tag at d[i], 0 if it is no tag.
func tagQuote(d []byte, i int) int {
	name := i + 1
	for name < len(d) && name < i+maxBlanks && d[name] == ' ' {
		name++
	}
	k := name
	for k < len(d) && k < name+maxName && (class[d[k]] == letter && d[k] < 0x80 || class[d[k]] == digit || d[k] == '_') {
		k++
	}
	if k == name || class[d[name]] != letter {
		return 0
	}
	for end := k + maxBlanks; k < len(d) && k < end && (d[k] == ' ' || d[k] == '\t'); k++ {
	}
	if k < len(d) && d[k] == '"' {
		return k
	}
	return 0
}

// tags reads the tag section that begins at data[i]. ended: the game has nothing but tags.
func (s *scanner) tags(i int, g *record.Game) (next int, ended bool) {
	d, n := s.data, len(s.data)
	for {
		i = s.tag(i, g)
		for i < n {
			c := class[d[i]]
			if c == percent && atLineStart(d, i) {
				i = lineEnd(d, i)
				continue
			}
			if c != space && c != newline && d[i] != ']' {
				break
			}
			i++
		}
		if i == n {
			return i, true
		}
		if d[i] != '[' || !isTag(d, i) {
			return i, false
		}
		// A second game without a blank line before it begins with the same tag.
		if hard(d, i) || len(g.Tags) > 1 && bytes.Equal(english(tagName(d, i)), g.Tags[0].Name) {
			return i, true
		}
	}
}

// tagName is the name of the tag at d[i].
func tagName(d []byte, i int) []byte {
	return bytes.TrimRight(bytes.TrimLeft(d[i+1:tagQuote(d, i)], " "), " \t")
}

// english returns the name of the standard for one that Italian programs write.
func english(name []byte) []byte {
	if of, is := italian[string(name)]; is {
		return []byte(of)
	}
	return name
}

var italian = map[string]string{
	"Bianco": record.TagWhite, "Nero": record.TagBlack, "Risultato": record.TagResult, "Anno": record.TagDate, "Dati": record.TagEvent,
}

// tag reads the tag at data[i] and returns where it ends. Its value ends at the first
// unescaped quote with a closing bracket after it, at the latest with its line.
func (s *scanner) tag(i int, g *record.Game) int {
	d := s.data
	name := english(tagName(d, i))
	from := tagQuote(d, i) + 1
	end := lineEnd(d, from)
	escaped := false
	for v := from; v < end; v++ {
		switch d[v] {
		case '\\':
			if v+1 < end && (d[v+1] == '\\' || d[v+1] == '"') {
				escaped = true
				v++
			}
		case '"':
			k := v + 1
			for k < end && k < v+maxBlanks && (d[k] == ' ' || d[k] == '\t') {
				k++
			}
			if k < end && d[k] == ']' {
				record.AddTag(g, name, s.value(d[from:v], escaped))
				return k + 1
			}
		}
	}
	record.AddTag(g, name, s.value(bytes.TrimRight(d[from:end], " \t]\""), escaped))
	return end
}

// value resolves the escapes of a tag value.
func (s *scanner) value(v []byte, escaped bool) []byte {
	if escaped {
		v, s.texts = record.Unescape(v, s.texts)
	}
	return v
}

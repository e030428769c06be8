package pgn

import (
	"bytes"

	"kifu/ingest/record"
)

// A tag is a line of the form [Name "value"]. What is found in files goes further:
// several on a line, quotes and brackets in values, escapes or none, values without
// quotes, a quote that never ends. A value ends at the first unescaped quote with a
// closing bracket after it, at the latest with its line.

var (
	event     = []byte(record.TagEvent)
	eventLine = []byte(`[Event "`)
)

// tags reads the tag section that begins at data[i]. ended: the game has nothing but tags; the next tag
// section, or the end, follows.
func (s *scanner) tags(i int, g *record.Game) (next int, ended bool, err error) {
	d, n := s.data, len(s.data)
	name, _, err := s.tagName(i)
	for {
		if err != nil {
			return i, false, err
		}
		if i, err = s.tag(i, name, g); err != nil {
			return i, false, err
		}
		blank := false // a blank line before what follows
		for lines := 0; ; {
			if i == n {
				if s.partial {
					return i, false, errMore
				}
				s.pos = n
				return i, true, nil
			}
			c := class[d[i]]
			if c == space || c == skip || d[i] == '!' || d[i] == '?' {
				i++
				continue
			}
			if c == percent && atLineStart(d, i) || c == semicolon {
				i = s.lineEnd(i)
				continue
			}
			if c != newline {
				break
			}
			if d[i] == '\r' && i+1 < n && d[i+1] == '\n' {
				i++
			}
			i++
			lines++
			blank = lines > 1
		}
		if d[i] != '[' {
			return i, false, nil
		}
		var ok bool
		if name, ok, err = s.tagName(i); err != nil || !ok {
			return i, false, err
		}
		// A second Event begins a new game, and after a blank line so does any name that
		// the section has already. An Event tag that follows its like is only repeated.
		if isEvent := bytes.Equal(name, event); isEvent && (hard(d, i) || repeats(g, name) && !only(g, name)) || blank && repeats(g, name) {
			s.pos = i
			return i, true, nil
		}
	}
}

func repeats(g *record.Game, name []byte) bool {
	for _, t := range g.Tags {
		if bytes.Equal(t.Name, name) {
			return true
		}
	}
	return false
}

func only(g *record.Game, name []byte) bool {
	for _, t := range g.Tags {
		if !bytes.Equal(t.Name, name) {
			return false
		}
	}
	return true
}

// tagName returns the name of the tag that begins with the bracket at data[i]; ok reports that it is one.
func (s *scanner) tagName(i int) (name []byte, ok bool, err error) {
	d, n := s.data, len(s.data)
	at := i
	for i++; i < n && d[i] == ' '; i++ {
	}
	from := i
	for i < n && (class[d[i]] == letter && d[i] < 0x80 || class[d[i]] == digit || d[i] == '_' || d[i] == '.' || d[i] == '+') {
		i++
	}
	name = d[from:i]
	for i < n && (d[i] == ' ' || d[i] == '\t') {
		i++
	}
	if i == n && s.partial {
		return nil, false, errMore
	}
	if i == n || len(name) == 0 || class[name[0]] != letter {
		return nil, false, nil
	}
	if d[i] == '"' {
		return name, true, nil
	}
	// Without quotes it is a tag only at the start of a line, with a capital letter.
	if i == from+len(name) || name[0] > 'Z' || !atLineStart(d, at) {
		return nil, false, nil
	}
	end, err := s.within(i, ']')
	return name, end > i && !bytes.ContainsAny(d[i:end], "[{}"), err
}

// tag reads the tag at data[i], in which tagName has recognised name.
func (s *scanner) tag(i int, name []byte, g *record.Game) (int, error) {
	d, n := s.data, len(s.data)
	v := i + 1
	for d[v] == ' ' {
		v++
	}
	v += len(name)
	for d[v] == ' ' || d[v] == '\t' {
		v++
	}
	if d[v] != '"' {
		end, err := s.within(v, ']')
		if err != nil {
			return i, err
		}
		record.AddTag(g, name, bytes.TrimRight(d[v:end], " \t"))
		return end + 1, nil
	}
	v++
	from, escaped := v, false
	for ; v < n && class[d[v]] != newline; v++ {
		switch d[v] {
		case '\\':
			if v+1 < n && (d[v+1] == '\\' || d[v+1] == '"' && !closes(d[v+2:])) {
				escaped = true
				v++
			}
		case '"':
			k := v + 1
			for k < n && k <= v+maxTrailing && (d[k] == ' ' || d[k] == '\t') {
				k++
			}
			if k < n && d[k] == ']' {
				record.AddTag(g, name, s.value(d[from:v], escaped))
				return k + 1, nil
			}
		}
	}
	if v == n && s.partial {
		return i, errMore
	}
	// The quote or the bracket is missing: the value is the rest of the line.
	value := bytes.TrimRight(d[from:v], " \t")
	value = bytes.TrimSuffix(value, []byte("]"))
	value = bytes.TrimSuffix(value, []byte(`"`))
	record.AddTag(g, name, s.value(value, escaped))
	return v, nil
}

// closes reports whether no more than a tag's bracket is left of the line: a backslash
// before such a quote was part of the value, not an escape.
func closes(rest []byte) bool {
	if len(rest) == 0 || rest[0] != ']' {
		return false
	}
	for i := 1; i <= maxTrailing; i++ {
		if i == len(rest) || class[rest[i]] == newline {
			return true
		}
		if class[rest[i]] != space {
			break
		}
	}
	return false
}

// value resolves the escapes of a tag value.
func (s *scanner) value(v []byte, escaped bool) []byte {
	if escaped {
		v, s.values = record.Unescape(v, s.values)
	}
	return v
}

// blackStarts reports whether the start position of g has Black to move: the second
// field of its FEN.
func blackStarts(g *record.Game) bool {
	fen := g.Tag(record.TagFEN)
	i := bytes.IndexByte(fen, ' ')
	return i >= 0 && i+1 < len(fen) && fen[i+1] == 'b'
}

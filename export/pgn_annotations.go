package export

import (
	"bytes"
	"strconv"
	"strings"

	"kifu/schemas"
)

// Annotates implements Annotator.
func (PGN) Annotates(a schemas.Annotation) bool { return a.Marks == "" }

// Annotates implements Annotator.
func (PDN) Annotates(a schemas.Annotation) bool { return a.Marks == "" }

// annotations writes the annotations of list after m, which is nil at the start, and the values of m
// that no comment of the list has. It reports whether the next move needs its number.
func (w *pgnWriter) annotations(list []schemas.Annotation, m *Move, first bool) (bare bool) {
	for len(list) > 0 && list[0].Glyph > 0 {
		w.glyph(list[0])
		list = list[1:]
	}
	if m != nil {
		bare = w.values(*m, list, first)
	}
	for _, a := range list {
		switch {
		case a.Glyph > 0:
			w.glyph(a)
		case a.Comment != "":
			w.words("{" + strings.ReplaceAll(a.Comment, "}", ")") + "}")
		default:
			w.words("(" + a.Variation + ")")
		}
	}
	return bare || len(list) > 0
}

func (w *pgnWriter) glyph(a schemas.Annotation) {
	w.token(strconv.AppendInt([]byte{'$'}, int64(a.Glyph), 10))
}

// values writes the values of m that no comment of list has, and reports whether there are any.
func (w *pgnWriter) values(m Move, list []schemas.Annotation, first bool) bool {
	for _, a := range list {
		m.HasValue = m.HasValue && !a.Value
		m.HasClock = m.HasClock && !a.Clock
	}
	var buf [64]byte
	switch {
	case m.HasValue && (m.Depth > 0 || m.HasTime):
		w.token(appendReport(buf[:0], &m, first))
	case m.HasValue || m.HasClock || m.HasTime:
		w.token(appendComment(buf[:0], &m))
	default:
		return false
	}
	return true
}

// words writes text, which lines may end in but before a bracket or a per cent sign: some readers
// take these at the beginning of a line for a tag, or for no text.
func (w *pgnWriter) words(text string) {
	var token []byte
	for _, word := range bytes.Fields([]byte(text)) {
		if len(token) > 0 && word[0] != '[' && word[0] != '%' {
			w.token(token)
			token = token[:0]
		} else if len(token) > 0 {
			token = append(token, ' ')
		}
		token = append(token, word...)
	}
	w.token(token)
}

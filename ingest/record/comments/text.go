package comments

import (
	"bytes"
	"strconv"
	"strings"

	"kifu/ingest/record"
)

// Read reads the comment c after the last move of g by values. It annotates g with c if c holds more than a
// value and a clock, or repeats them.
func Read(g *record.Game, c []byte, values func(c []byte, m *record.Move) (more bool)) {
	if a, more := read(g, c, values); more {
		a.Comment = remark(g, c)
		g.Annotate(a)
	}
}

// Remark annotates g with the comment c.
func Remark(g *record.Game, c []byte) { g.Annotate(record.Annotation{Comment: remark(g, c)}) }

// remark returns the text of c, or, of a Bare game, its first letter, by which it counts.
func remark(g *record.Game, c []byte) string {
	if g.Bare {
		c = TrimLeft(c)
		c = c[:min(len(c), 1)]
	}
	return Text(c)
}

// Line is Read of a line of a comment of several lines.
func Line(g *record.Game, c []byte, values func(c []byte, m *record.Move) (more bool)) {
	a, more := read(g, c, values)
	if !more {
		return
	}
	if n := len(g.Annotations); n > 0 && !g.Skipped && g.Annotations[n-1].Comment != "" && int(g.Annotations[n-1].Ply) == len(g.Moves) {
		last := &g.Annotations[n-1]
		last.Comment += "\n" + string(c)
		last.Value = last.Value || a.Value
		return
	}
	a.Comment = string(c)
	g.Annotate(a)
}

func read(g *record.Game, c []byte, values func(c []byte, m *record.Move) (more bool)) (a record.Annotation, more bool) {
	n := len(g.Moves)
	if n == 0 {
		return a, true
	}
	m := &g.Moves[n-1]
	was := *m
	more = values(c, m)
	a.Value = m.HasValue && (!was.HasValue || m.Value != was.Value)
	a.Clock = m.HasClock && (!was.HasClock || m.Clock != was.Clock)
	return a, more || a.Value && was.HasValue || a.Clock && was.HasClock
}

// Text returns c as one line, with single blanks.
func Text(c []byte) string {
	for len(c) > 0 && Blank(c[len(c)-1]) {
		c = c[:len(c)-1]
	}
	var text strings.Builder
	text.Grow(len(c))
	gap := true // no blank before the first word
	for _, b := range c {
		if Blank(b) {
			if gap {
				continue
			}
			b = ' '
		}
		gap = b == ' '
		text.WriteByte(b)
	}
	return text.String()
}

// Movetext is Text for moves with comments: those that end with their line get braces, lines
// that % escapes are left out.
func Movetext(c []byte) string {
	var text []byte
	for i := 0; i < len(c); {
		switch end := lineEnd(c, i); {
		case c[i] == '{':
			if n := bytes.IndexByte(c[i:], '}'); n >= 0 {
				text = append(text, c[i:i+n+1]...)
				i += n + 1
				continue
			}
		case c[i] == ';':
			text = append(append(append(text, " {"...), bytes.ReplaceAll(c[i+1:end], []byte{'}'}, []byte{')'})...), '}')
			i = end
			continue
		case c[i] == '%' && i > 0 && (c[i-1] == '\n' || c[i-1] == '\r'):
			i = end
			continue
		}
		text = append(text, c[i])
		i++
	}
	return Text(text)
}

// lineEnd returns where the line of c[i] ends.
func lineEnd(c []byte, i int) int {
	if n := bytes.IndexAny(c[i:], "\r\n"); n >= 0 {
		return i + n
	}
	return len(c)
}

// Glyph returns the numeric glyph for the marks after a move, of which two count: !?.
func Glyph(marks []byte) int {
	switch string(marks[:min(len(marks), 2)]) {
	case "!":
		return 1
	case "?":
		return 2
	case "!!":
		return 3
	case "??":
		return 4
	case "!?":
		return 5
	}
	return 6
}

// ReadGlyph reads the glyph at d[i], as $5 or !?, into g, and returns its end.
func ReadGlyph(g *record.Game, d []byte, i int) (end int) {
	from := i
	if d[i] == '$' {
		for i++; i < len(d) && d[i] >= '0' && d[i] <= '9'; i++ {
		}
		if glyph, err := strconv.ParseUint(string(d[from+1:i]), 10, 8); err == nil {
			g.Annotate(record.Annotation{Glyph: int(glyph)})
		}
		return i
	}
	for i < len(d) && (d[i] == '!' || d[i] == '?') {
		i++
	}
	g.Annotate(record.Annotation{Glyph: Glyph(d[from:i])})
	return i
}

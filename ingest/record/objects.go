package record

import (
	"bytes"
	"io"

	"kifu/internal/pattern"
)

// ObjectCuts returns the cuts of a format of JSON objects, one after the other or in an array,
// into blocks of whole ones. An object longer than longest is given up with the reason tooLong.
func ObjectCuts(longest int, tooLong string) Cuts {
	return Cuts{Max: longest, TooLong: tooLong, Keep: 1, Cut: lastObject, Next: lineOfObject}
}

// ObjectReader reads the games of blocks in which an object is a game.
type ObjectReader struct {
	Cursor
	read func(g *Game, object []byte) (reason, detail string)
}

// NewObjectReader returns a reader of objects; read fills g from one, or returns the reason why it cannot.
func NewObjectReader(read func(g *Game, object []byte) (reason, detail string)) *ObjectReader {
	return &ObjectReader{read: read}
}

// Read fills g with the next game. An object that is none is a *SyntaxError; reading goes on after it, or
// after one that does not end at the next line that begins with one.
func (r *ObjectReader) Read(g *Game) error {
	g.Reset()
	r.Pass(BeforeObject(r.Rest()))
	rest := r.Rest()
	if len(rest) == 0 {
		return io.EOF
	}
	at, line := r.Offset(), r.Line
	n, whole, _ := NextObject(rest)
	r.Pass(n)
	reason, detail := "cut off in the middle", ""
	switch {
	case rest[0] != '{':
		reason = "not an object"
	case whole:
		reason, detail = r.read(g, rest[:n])
	}
	g.Offset, g.Line = at, line
	if reason == "" {
		return nil
	}
	g.Moves = g.Moves[:0]
	return &SyntaxError{Offset: at, Line: line, Reason: reason, Detail: detail}
}

// lastObject returns where the last object ends that ends in d.
func lastObject(d []byte, _ bool) (cut int) {
	for at := 0; ; cut = at {
		at += BeforeObject(d[at:])
		n, _, ends := NextObject(d[at:])
		if !ends {
			return cut
		}
		at += n
	}
}

// lineOfObject returns where the next line begins that begins with an object, -1 if none does.
func lineOfObject(d []byte, _ bool) int {
	n := bytes.Index(d, nextObject)
	if n < 0 {
		return -1
	}
	return n + 1
}

var nextObject = []byte("\n{")

// BeforeObject returns the length of the text before the next object of d: blanks, commas, array brackets,
// and the start of an object that lists games.
func BeforeObject(d []byte) (n int) {
	for {
		rest := bytes.TrimLeft(d[n:], " \t\r\n\f,[]}")
		rest = rest[Marks(rest):]
		if more := len(d) - len(rest); more > n && len(rest) > 0 && bytes.IndexByte([]byte(" \t\r\n\f,[]}"), rest[0]) >= 0 {
			n = more
			continue
		}
		n = len(d) - len(rest)
		list := gamesList().Find(rest)
		if list == nil {
			return n
		}
		n += len(list)
	}
}

// gamesList is how chess.com's archives begin.
var gamesList = pattern.Of(`^\{\s*"games"\s*:\s*\[`)

// NextObject returns the length of the object at the start of d. If there is none, or if a line begins with
// another object before its end, the length reaches to that line and whole is false. ends is false if d ends
// before.
func NextObject(d []byte) (n int, whole, ends bool) {
	if len(d) > 0 && d[0] == '{' {
		for depth := 0; n < len(d); n++ {
			switch d[n] {
			case '"':
				n = textEnd(d, n)
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return n + 1, true, true
				}
			case '\n':
				if n+1 < len(d) && d[n+1] == '{' {
					return n + 1, false, true
				}
			}
		}
		return len(d), false, false
	}
	if n = bytes.Index(d, nextObject); n >= 0 {
		return n + 1, false, true
	}
	return len(d), false, false
}

// textEnd returns where the text that begins at d[i] ends: at its quote, or before a line break,
// which no text has.
func textEnd(d []byte, i int) int {
	for i++; i < len(d) && d[i] != '"'; i++ {
		if d[i] == '\\' {
			i++
		}
		if i < len(d) && d[i] == '\n' {
			return i - 1
		}
	}
	return i
}

package record

import (
	"bytes"
	"kifu/internal/pattern"
)

// ObjectCuts returns the cuts of a format of JSON objects, one after the other or in an array,
// into blocks of whole ones. An object longer than longest is given up with the reason tooLong.
func ObjectCuts(longest int, tooLong string) Cuts {
	return Cuts{Max: longest, TooLong: tooLong, Keep: 1, Cut: lastObject, Next: lineOfObject}
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

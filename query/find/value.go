package find

import (
	"cmp"
	"strings"
)

// value is the value of an expression in a position. The zero value is null.
type value struct {
	kind kind
	n    float64 // of a number; 1 for true
	u    uint64  // of a hash
	s    string
}

type kind uint8

const (
	null kind = iota
	truth
	number
	hash
	text
)

func truthOf(b bool) value {
	if b {
		return value{kind: truth, n: 1}
	}
	return value{kind: truth}
}

func numberOf(n float64) value { return value{kind: number, n: n} }
func textOf(s string) value    { return value{kind: text, s: s} }

// valueOf returns a value in Go as one.
func valueOf(v any) value {
	switch v := v.(type) {
	case bool:
		return truthOf(v)
	case int32:
		return numberOf(float64(v))
	case float64:
		return numberOf(v)
	case uint64:
		return value{kind: hash, u: v}
	case string:
		return textOf(v)
	}
	return value{}
}

// holds reports whether v is true; null is not.
func (v value) holds() bool { return v.kind != null && (v.n != 0 || v.u != 0) }

// compare compares two values of one kind; ok is false if one is null.
func compare(a, b value) (order int, ok bool) {
	switch {
	case a.kind == null || b.kind == null:
		return 0, false
	case a.kind == text:
		return strings.Compare(a.s, b.s), true
	case a.kind == hash || b.kind == hash:
		return cmp.Compare(a.whole(), b.whole()), true
	}
	return cmp.Compare(a.n, b.n), true
}

// whole returns a hash, or a number as one.
func (v value) whole() uint64 {
	if v.kind == hash {
		return v.u
	}
	return uint64(max(v.n, 0))
}

// like reports whether s matches a pattern of LIKE: % is any text, _ any letter.
func like(s, pattern string) bool {
	for pattern != "" {
		switch c := pattern[0]; {
		case c == '%':
			for i := range len(s) + 1 {
				if like(s[i:], pattern[1:]) {
					return true
				}
			}
			return false
		case s == "" || c != '_' && c != s[0]:
			return false
		}
		s, pattern = s[1:], pattern[1:]
	}
	return s == ""
}

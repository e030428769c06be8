package sgf

import (
	"unicode/utf8"

	"kifu/ingest/record"
)

// The cuts of a stream.
//
// A "(" begins a game if it is first on its line or follows a ")", and its node begins with one
// of the five properties that FF[4] allows only in a root (GM, FF, SZ, CA, AP). An open value
// or variation ends there: the game that it belongs to is damaged. So a splitter may cut at any
// such place without reading what comes before, blocks read one by one give the same games as
// one read, and damage ends at the next one. The price: a comment that quotes a game from its
// beginning, at the start of a line, ends there. All other properties, also of players and
// events, are allowed in any node: trees of openings have their games in their variations.
//
// Games that begin otherwise are found by their brackets; one whose brackets do not close ends
// where a bracket at such a place names the players again (tree.restarts). A game may lack its
// first bracket (opens).

// maxGame is the length of the longest game that is read, or of a stream in UTF-16, in bytes.
const maxGame = 8 << 20

// lookAhead is more than is looked at after a bracket.
const lookAhead = maxBlanks + maxName + 2

// initial is how a game begins for sure.
var initial = record.Initial{Byte: '(', Begins: sure, Scan: lastEnd, Back: maxBlanks, Ahead: lookAhead, Max: maxGame, TooLong: "longer than 8 MiB"}

// cuts returns the cuts of streams, which are one block if they are UTF-16.
func cuts(of record.Initial) record.Cuts {
	c := of.Cuts()
	bytewise := c.Cut
	c.Cut = func(d []byte, last bool) int {
		if utf16Of(d) != nil {
			return 0
		}
		return bytewise(d, last)
	}
	return c
}

// lastEnd returns where the last whole game of d ends, in which none begins for sure, as long
// as all are UTF-8: what is not is decoded with all that follows it.
func lastEnd(d []byte) (end int) {
	var t tree
	var g record.Game
	for {
		start := end
		for start < len(d) && !opens(d, start) {
			start++
		}
		n, f := t.read(&g, d[start:])
		g.Reset()
		if f != nil || start+n > len(d)-lookAhead || !utf8.Valid(d[end:start+n]) {
			return end
		}
		end = start + n
	}
}

// sure reports whether a game begins for sure with the "(" at d[i].
func sure(d []byte, i int) bool {
	if !atBoundary(d, i) {
		return false
	}
	name, ok := firstProperty(d, i)
	return ok && rootOnly(name)
}

// atBoundary reports whether the bracket at d[i] is the first on its line, or follows a ")".
func atBoundary(d []byte, i int) bool {
	before := i
	for before > 0 && (d[before-1] == ' ' || d[before-1] == '\t') && i-before < maxBlanks {
		before--
	}
	return before == 0 || d[before-1] == '\n' || d[before-1] == '\r' || d[before-1] == ')'
}

// opens reports whether a game begins at d[i], between games: a "(" before a node, or a
// node without its bracket whose first property belongs to the root.
func opens(d []byte, i int) bool {
	switch d[i] {
	case '(':
		return opensNode(d, i)
	case ';':
		name, ok := firstProperty(d, i)
		return ok && rootOnly(name) || ok && gameInfo(name)
	}
	return false
}

// opensNode reports whether a node follows the "(" at d[i].
func opensNode(d []byte, i int) bool {
	for i++; i < len(d) && d[i] <= ' '; i++ {
	}
	if i < len(d) && (d[i] == ';' || d[i] == '(' && opensNode(d, i)) {
		return true
	}
	_, n := propertyName(d[i:])
	return n > 0 && i+n < len(d) && d[i+n] == '['
}

// maxBlanks and maxName bound what is looked at around a bracket.
const (
	maxBlanks = 64
	maxName   = 32
)

// firstProperty returns the name of the first property after the "(" or ";" at d[i].
func firstProperty(d []byte, i int) (name name, ok bool) {
	end := min(len(d), i+maxBlanks)
	for i++; i < end && (d[i] <= ' ' || d[i] == ';'); i++ {
	}
	name, n := propertyName(d[i:])
	for i += n; i < len(d) && n > 0 && d[i] <= ' ' && i < end; i++ {
	}
	return name, n > 0 && i < len(d) && d[i] == '['
}

// name is a property's, without the small letters that FF[1] to FF[3] allow in it: its
// capitals, the first in the highest byte that is not 0.
type name uint32

// propertyName reads the name with which d begins; n is its length as written.
func propertyName(d []byte) (k name, n int) {
	for n < len(d) && n < maxName {
		switch c := d[n]; {
		case c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' && n > 0:
			k = k<<8 | name(c)
		case c < 'a' || c > 'z':
			return k, n
		}
		n++
	}
	return k, n
}

// named is the name of one or two capitals.
func named(text string) (k name) {
	for _, c := range []byte(text) {
		k = k<<8 | name(c)
	}
	return k
}

// rootOnly reports whether a property is allowed only in the root of a game.
func rootOnly(k name) bool {
	switch k {
	case gm, ff, sz, ca, ap:
		return true
	}
	return false
}

// gameInfo reports whether a property is about the whole game. It is usually in the root, but may be in the
// first node of a variation.
func gameInfo(k name) bool {
	switch k {
	case st, gn, ev, ro, pb, pw, br, wr, dt, pc, km, ha, ru, re, tm, so, us, rd:
		return true
	}
	return false
}

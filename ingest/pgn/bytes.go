package pgn

import "kifu/ingest/record"

// lineEnd returns where the line of data[i] ends: the index of its break, or of the
// end.
func (s *scanner) lineEnd(i int) int {
	d := s.data
	for i < len(d) && class[d[i]] != newline {
		i++
	}
	return i
}

// tokenEnd returns where the token at data[i] ends.
func (s *scanner) tokenEnd(i int) int {
	d := s.data
	for ; i < len(d); i++ {
		if k := stop[d[i]]; k == ends || k == mayEnd && record.Blank(d[i:]) > 0 {
			break
		}
	}
	return i
}

// atLineStart reports whether d[i] has only blanks before it on its line.
func atLineStart(d []byte, i int) bool {
	for i > 0 && class[d[i-1]] == space {
		i--
	}
	return i == 0 || class[d[i-1]] == newline
}

// The classes of bytes outside comments and tags.
const (
	other     = iota // part of a token, but no move begins with it
	space            // and NUL
	newline          // LF, CR
	digit            //
	letter           // of a move, and every byte of UTF-8 and Latin-1 letters
	brace            // {
	semicolon        // ;
	percent          // %
	bracket          // [
	open             // (
	star             // *
	skip             // closing brackets, dots: nothing between two moves
	glyph            // $, ! and ?
	angle            // <
)

// What a byte is to the token that it might belong to.
const (
	ends   = 1
	mayEnd = 2 // blanks of Unicode begin with it
)

var class, stop = classes()

func classes() (class, stop [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		class[c], class[c-'a'+'A'] = letter, letter
	}
	for c := 0x80; c <= 0xFF; c++ {
		class[c] = letter
	}
	for c := '0'; c <= '9'; c++ {
		class[c] = digit
	}
	class['@'], class['-'] = letter, letter // null moves: @@@@, --
	set := func(bytes string, k uint8) {
		for i := 0; i < len(bytes); i++ {
			class[bytes[i]], stop[bytes[i]] = k, ends
		}
	}
	set("\x00\t\v\f ", space)
	set("\n\r", newline)
	set("{", brace)
	set(";", semicolon)
	set("[", bracket)
	set("(", open)
	set("*", star)
	set("$!?", glyph)
	set("<", angle)
	set(")]}>,\"", skip)
	class['%'], class['.'] = percent, skip
	for _, c := range "\u00A0\u200B\u3000\uFEFF" {
		stop[string(c)[0]] = mayEnd
	}
	return class, stop
}

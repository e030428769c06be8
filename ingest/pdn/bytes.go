package pdn

// The classes of bytes outside comments and tags.
const (
	skip      = iota // closing brackets, dots: nothing between two moves
	space            // and NUL
	newline          // LF, CR
	digit            //
	letter           // and all bytes beyond ASCII
	brace            // {
	semicolon        // ;
	percent          // %
	bracket          // [
	open             // (
	star             // *
	slash            // /
	glyph            // $, ! and ?
	hyphen           // -
)

var class = classes()

func classes() (class [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		class[c], class[c-'a'+'A'] = letter, letter
	}
	for c := 0x80; c <= 0xFF; c++ {
		class[c] = letter
	}
	for c := '0'; c <= '9'; c++ {
		class[c] = digit
	}
	for c, k := range map[byte]uint8{
		0: space, ' ': space, '\t': space, '\v': space, '\f': space, '\n': newline, '\r': newline,
		'{': brace, ';': semicolon, '%': percent, '[': bracket, '(': open, '*': star, '/': slash, '$': glyph, '!': glyph, '?': glyph, '-': hyphen,
	} {
		class[c] = k
	}
	return class
}

// lineEnd returns where the line of d[i] ends: the index of its break, or of the end.
func lineEnd(d []byte, i int) int {
	for i < len(d) && class[d[i]] != newline {
		i++
	}
	return i
}

// wordEnd returns where the letters and digits from d[i] on end.
func wordEnd(d []byte, i int) int {
	for i < len(d) && (class[d[i]] == letter || class[d[i]] == digit) {
		i++
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

// afterBlankLine reports whether d[i] is first on its line, below a blank one.
func afterBlankLine(d []byte, i int) bool {
	lines := 0
	for i > 0 && class[d[i-1]] <= newline && class[d[i-1]] >= space {
		i--
		if d[i] == '\n' || d[i] == '\r' && d[i+1] != '\n' {
			lines++
		}
	}
	return lines > 1
}

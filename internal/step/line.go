package step

import (
	"strings"

	"kifu/internal/lists"
	"kifu/internal/pattern"
)

// plain is a word that a shell takes as it is.
var plain = pattern.Of(`^[\p{L}\p{N}_@%+=:,./-]+$`)

// Quote writes a word for a POSIX shell.
func Quote(word string) string {
	if plain().MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Line writes words as one would type them.
func Line(words []string) string {
	quoted := lists.Of(words, Quote)
	return strings.Join(quoted, " ")
}

// Split returns the words of a text, which blanks outside of quotes part as in a shell: any of the letters of
// quotes is one. open is a quote that does not end, 0 for none.
func Split(text, quotes string) (words []string, open rune) {
	var word strings.Builder
	begun := false
	for _, r := range text {
		switch {
		case open == 0 && strings.ContainsRune(quotes, r):
			open, begun = r, true
		case open != 0 && r == open:
			open = 0
		case open != 0 || !strings.ContainsRune(" \t\r\n", r):
			word.WriteRune(r)
			begun = true
		case begun:
			words, begun = append(words, word.String()), false
			word.Reset()
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words, open
}

// Braces is the expression of a reference in a study's words: {name}, {name*} or {name KEY=VALUE,…}. {{name}} is the text {name}.
const Braces = `\{([a-zA-Z][a-zA-Z0-9_-]*)(\*?)(?: +([^{}]*))?\}`

var braces = pattern.Of(Braces)

// Literal escapes a text so that a study takes it literally, with its braces.
func Literal(text string) string { return braces().ReplaceAllString(text, "{${0}}") }

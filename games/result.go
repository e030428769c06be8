package games

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// scores are results as people write them, in the form that plainResult makes of them; the
// number of the player who moves first comes first.
var scores = map[string]Outcome{
	"1-0": FirstWins, "2-0": FirstWins, "1/0": FirstWins, "+-": FirstWins, "+--": FirstWins, "+/-": FirstWins,
	"0-1": SecondWins, "0-2": SecondWins, "0/1": SecondWins, "-+": SecondWins, "--+": SecondWins, "-/+": SecondWins,
	"1/2": Drawn, "1/2-1/2": Drawn, "1-1": Drawn, "=": Drawn, "=-=": Drawn,
	"draw": Drawn, "drawn": Drawn, "remis": Drawn, "jigo": Drawn,
	"*": Undecided,
}

// Verbs after the name of a colour.
var (
	winWords  = []string{"win", "won", "mates"}
	loseWords = []string{"resign", "lose", "lost", "forfeit"}
)

// ReadResult reads a result as tags and records write it: 1-0, 0:1, ½–½, 0,5-0,5, +/-, remis,
// Black resigns. blackFirst means that Black moves first. whole reports that text holds no more
// than that (1-0 ff does); text that is no result is Undecided and not whole.
func ReadResult(text []byte, blackFirst bool) (o Outcome, whole bool) {
	var buf [32]byte
	plain := plainResult(buf[:0], text)
	if o, whole = scores[string(plain)]; whole {
		return o, true
	}
	for n := len(plain) - 1; n > 1; n-- { // what follows a score
		if o, is := scores[string(plain[:n])]; is && (plain[n] == '(' || plain[n] >= 'a' && plain[n] <= 'z' && plain[n-1] < 'a') {
			return o, false
		}
	}
	colour, verb, found := plain, "", false
	for _, name := range []string{"white", "black"} {
		if verb, found = strings.CutPrefix(string(plain), name); found {
			colour = []byte(name)
			break
		}
	}
	side := First
	if string(colour) == "black" != blackFirst {
		side = Second
	}
	for i, words := range [][]string{winWords, loseWords} {
		for _, word := range words {
			if rest, is := strings.CutPrefix(verb, word); found && is {
				if i > 0 {
					side = side.Other()
				}
				return WinFor(side), rest == "" || rest == "s" || rest == "ed"
			}
		}
	}
	return Undecided, false
}

// plainResult appends text in a plain form: small letters, without blanks and a final full
// stop, halves as 1/2, colons and dashes of any length as -, commas as full stops. Long text is
// cut.
func plainResult(dst, text []byte) []byte {
	for len(text) > 0 && len(dst) < cap(dst)-4 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			r = rune(text[0]) // Latin-1
		}
		text = text[n:]
		switch {
		case r == '½':
			dst = append(dst, "1/2"...)
		case r == ':' || r == '−' || unicode.Is(unicode.Pd, r) || r == 0x96 || r == 0x97:
			dst = append(dst, '-')
		case r == ',':
			dst = append(dst, '.')
		case unicode.IsSpace(r) || unicode.Is(unicode.Cf, r):
		case r < utf8.RuneSelf:
			dst = append(dst, byte(unicode.ToLower(r)))
		default:
			dst = append(dst, '?')
		}
	}
	plain := strings.TrimSuffix(string(dst), ".")
	if strings.ContainsAny(plain, ".") {
		plain = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(plain, "0.5", "1/2"), "1.0", "1"), "0.0", "0")
	}
	return append(dst[:0], plain...)
}

package sgf

import (
	"bytes"
)

// number reads the decimal number at the beginning of text, in units of 1/unit, rounded towards 0; ok is
// false if text does not begin with one.
func number(text []byte, unit int64) (n int64, ok bool) {
	text = bytes.TrimSpace(text)
	negative := len(text) > 0 && text[0] == '-'
	if negative || len(text) > 0 && text[0] == '+' {
		text = text[1:]
	}
	point := false
	for i := range text {
		c := text[i]
		if (c == '.' || c == ',') && !point {
			point = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		switch ok = true; {
		case !point && n < 1<<40:
			n = 10*n + unit*int64(c-'0')
		case point:
			unit /= 10
			n += unit * int64(c-'0')
		}
	}
	if negative {
		n = -n
	}
	return n, ok
}

// komi reads White's compensation, in hundredths of a point: "6.5", "6,50", "5½",
// "6目半", "3 3/4". Programs of Chinese servers write hundredths: "650". A quarter
// belongs to komi in stones, as in "375" and "3 3/4", of which each counts twice.
func komi(text []byte) (hundredths int, ok bool) {
	const most = 320 * 100
	n, ok := number(text, 100)
	whole := !bytes.ContainsAny(text, ".,")
	if whole && (n >= 200*100 || n <= -200*100) {
		n /= 100
	}
	switch {
	case contains(text, threeQuarterWords):
		n += 75
	case contains(text, quarterWords):
		n += 25
	case contains(text, halfWords):
		n += 50
	}
	if n%50 == 25 || n%50 == -25 {
		n *= 2
	}
	return int(n), ok && n <= most && n >= -most
}

// Words of fractions.
var (
	threeQuarterWords = []string{" 3/4", "¾"}
	quarterWords      = []string{" 1/4", "¼"}
)

// handicap reads the number of handicap stones: "4", "4子"; 0 if text has none, as "7.5".
func handicap(text []byte) int {
	n, ok := number(text, 10)
	if !ok || n%10 != 0 || n < 0 || n > 990 {
		return 0
	}
	return int(n / 10)
}

// rules names the set of rules that a text in small letters means, as the rules of Go
// have it; "" if it is not known.
func rules(low []byte) string {
	for _, r := range ruleWords {
		if bytes.Contains(low, []byte(r.in)) {
			return r.name
		}
	}
	switch string(low) {
	case "nz":
		return "new-zealand"
	case "ing":
		return "ing"
	}
	return ""
}

// ruleWords are words in the names of sets of rules, in small letters.
var ruleWords = []struct{ in, name string }{
	{"japan", "japanese"}, {"日本", "japanese"}, {"jp", "japanese"}, {"일본", "japanese"},
	{"korea", "korean"}, {"韩国", "korean"}, {"韓国", "korean"}, {"한국", "korean"}, {"kr", "korean"},
	{"chin", "chinese"}, {"中国", "chinese"}, {"中國", "chinese"}, {"cn", "chinese"}, {"중국", "chinese"},
	{"tromp", "tromp-taylor"}, {"zealand", "new-zealand"}, {"aga", "aga"}, {"goe", "ing"}, {"应氏", "ing"}, {"應氏", "ing"},
}

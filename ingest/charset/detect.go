package charset

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Evidence counts how much speaks against each encoding, in units of -2 ln p. The zero
// Evidence knows nothing.
type Evidence [len(known)]int

// What a byte costs that does not make a letter of a name where it stands.
const (
	neverSeen  = 28 // a letter that no name of the group has
	neverThere = 12 // a letter beside one that it has not been seen beside
	otherAlpha = 30 // a letter beside one of another alphabet
	wrongCase  = 10 // a capital after a small letter, a small letter at a word's start
	mark       = 14 // a quotation mark, dash or the like, where it may stand
	apostrophe = 10
	nothing    = 40 // any other sign, or a byte that stands for nothing
)

// marks are the signs beyond ASCII that are met in names of events and places.
const marks = "«»‘’‚“”„–—…°§€№\u00A0"

// Add adds what text says. ASCII says nothing.
func (v *Evidence) Add(text []byte) {
	text = sample(text)
	if ascii(text) {
		return
	}
	const hopeless = 200 // above the best: what comes after makes no difference
	tables := load()
	least := utf8Cost(text)
	v[UTF8] += least
	for e := range known {
		var cost int
		switch {
		case known[e].wide != nil:
			cost = known[e].wide.cost(text, least+hopeless)
		case known[e].table != nil:
			cost = tables[e].cost(text, least+hopeless)
		default:
			continue
		}
		v[e] += cost
		least = min(least, cost)
	}
}

// sample returns the beginning of a text, as much of it as is enough to tell.
func sample(text []byte) []byte {
	const enough = 4000 // bytes beyond ASCII
	n := 0
	for i, b := range text {
		if b >= utf8.RuneSelf {
			if n++; n > enough {
				return text[:i]
			}
		}
	}
	return text
}

func ascii(text []byte) bool {
	for _, b := range text {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Sure reports whether text is UTF-8 by all its bytes, and has enough that are not ASCII
// for that to be no chance.
func Sure(text []byte) bool {
	const enough = 8
	n := 0
	for _, b := range text {
		if b >= utf8.RuneSelf {
			n++
		}
	}
	return n >= enough && utf8.Valid(text)
}

// Say adds what is said about the encoding of a text, by its mark of UTF-8, by a name or by
// its neighbours: as much as a few letters.
func (v *Evidence) Say(e Encoding) {
	const said = most
	for i := range v {
		if Encoding(i) != e {
			v[i] += said
		}
	}
}

// most is how much is believed of what does not stand in a text itself.
const most = 40

// Prior returns what the beginning of a stream says about a game in it: no more than a few
// letters of the game itself, however much there is of it.
func (v Evidence) Prior() Evidence {
	best := v[v.Best()]
	for e := range v {
		v[e] = min(v[e]-best, most)
	}
	return v
}

// Plus is the sum of v and w.
func (v Evidence) Plus(w Evidence) Evidence {
	for e := range v {
		v[e] += w[e]
	}
	return v
}

// Best is the encoding against which least speaks.
func (v Evidence) Best() Encoding {
	best := Windows1252
	for e := range v {
		if v[e]+known[e].cost < v[best]+known[best].cost {
			best = Encoding(e)
		}
	}
	return best
}

// letter has what letters.txt says about one letter of a group.
type letter struct {
	share         int
	before, after map[rune]int
}

// table is one encoding as the detector sees it.
type table struct {
	runes   [256]rune // 0: nothing
	letters map[rune]letter
}

//go:embed letters.txt
var lettersText string

// load reads letters.txt once.
var load = sync.OnceValue(func() []table {
	groups := map[string]map[rune]letter{}
	for line := range strings.Lines(lettersText) {
		f := strings.Fields(line)
		if groups[f[0]] == nil {
			groups[f[0]] = map[rune]letter{}
		}
		c, _ := utf8.DecodeRuneInString(f[1])
		groups[f[0]][c] = letter{levels(f[2])[0], neighbours(f[3]), neighbours(f[4])}
	}
	tables := make([]table, len(known))
	for e := range tables {
		if known[e].table == nil {
			continue
		}
		tables[e].letters = groups[known[e].group]
		for b := range 256 {
			if r := known[e].table.DecodeByte(byte(b)); r != utf8.RuneError && !(r >= 0x80 && r < 0xA0) {
				tables[e].runes[b] = r
			}
		}
	}
	return tables
})

// levels reads digits of base 36.
func levels(text string) []int {
	var n []int
	for _, r := range text {
		if r > '9' {
			r -= 'a' - '9' - 1
		}
		n = append(n, int(r-'0'))
	}
	return n
}

// neighbours reads letters that are followed by their levels.
func neighbours(text string) map[rune]int {
	m := map[rune]int{}
	r := []rune(text)
	for i := 0; i+1 < len(r); i += 2 {
		m[r[i]] = levels(string(r[i+1]))[0]
	}
	return m
}

// cost returns how unlikely the bytes of text beyond ASCII are as letters of t; it stops
// beyond limit.
func (t *table) cost(text []byte, limit int) (sum int) {
	for i, b := range text {
		if b < utf8.RuneSelf {
			continue
		}
		if sum > limit {
			break
		}
		before, after := rune('^'), rune('^')
		if i > 0 {
			before = t.runes[text[i-1]]
		}
		if i+1 < len(text) {
			after = t.runes[text[i+1]]
		}
		sum += t.at(t.runes[b], before, after)
	}
	return sum
}

func (t *table) at(r, before, after rune) int {
	within := unicode.IsLetter(before) && unicode.IsLetter(after)
	switch {
	case r == 0:
		return nothing
	case r == '’' && within:
		return apostrophe
	case strings.ContainsRune(marks, r) && !within:
		return mark
	case !unicode.IsLetter(r):
		return nothing
	}
	cost := 0
	if unicode.IsUpper(r) && unicode.IsLower(before) || unicode.IsLower(r) && !unicode.IsLetter(before) {
		cost = wrongCase
	}
	if !unicode.Is(unicode.Latin, r) && (latin(before) || latin(after)) {
		cost += otherAlpha
	}
	l, ok := t.letters[unicode.ToLower(r)]
	if !ok {
		return cost + neverSeen
	}
	return cost + min(l.share+beside(l.before, before)+beside(l.after, after), neverSeen)
}

func latin(r rune) bool { return unicode.Is(unicode.Latin, r) }

func beside(seen map[rune]int, r rune) int {
	if !unicode.IsLetter(r) {
		r = '^'
	}
	if n, ok := seen[unicode.ToLower(r)]; ok {
		return min(n, neverThere)
	}
	return neverThere
}

// Decoder returns the function that decodes text, which is not UTF-8, as a whole; nil if it
// is in an encoding of eight bits. label is what the text says about its encoding, "" if it
// says nothing: an encoding of East Asia is believed when the text can be that, UTF-8 is
// taken for evidence. v is what is known beside the text. guess says what the text was taken for
// where that is not what it says itself.
func (v Evidence) Decoder(text []byte, label string) (decode func(dst, text []byte) []byte, guess string) {
	said, ok := Parse(label)
	switch {
	case ok && known[said].wide != nil && known[said].wide.fits(text):
		return said.Append, ""
	case ok && said == UTF8:
		v.Say(UTF8)
	}
	v.Add(text)
	if best := v.Best(); !best.EightBit() {
		return best.Append, best.Guess()
	}
	return nil, ""
}

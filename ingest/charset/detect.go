package charset

import (
	_ "embed"
	"encoding/binary"
	"math/bits"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Evidence counts how much speaks against each encoding, in units of -2 ln p. The zero
// Evidence knows nothing.
type Evidence [len(known)]int

// The costs of bytes that are unusual in names.
const (
	neverSeen  = 28 // a letter that no name of the group has
	neverThere = 12 // two letters that have not been seen next to each other
	otherAlpha = 30 // a letter next to one of another alphabet
	wrongCase  = 10 // a capital after a small letter, a small letter at a word's start
	mark       = 14 // a quotation mark, dash or the like, where it may be
	apostrophe = 10
	nothing    = 40 // any other sign, or an unassigned byte
)

// marks are the signs beyond ASCII that are met in names of events and places.
const marks = "«»‘’‚“”„–—…°§€№\u00A0"

// Add adds the evidence in text. ASCII has none.
func (v *Evidence) Add(text []byte) {
	var buf [1 << 10]byte
	if text = beyondASCII(buf[:0], sample(text)); len(text) == 0 {
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

// sample returns the beginning of a text, as much as the detection needs.
func sample(text []byte) []byte {
	const enough = 4000 // bytes beyond ASCII
	n := 0
	for i := nextHigh(text, 0); i < len(text); i = nextHigh(text, i+1) {
		if n++; n > enough {
			return text[:i]
		}
	}
	return text
}

// beyondASCII appends the bytes of text that are not of ASCII, each with its neighbours: no encoding
// looks at more, and records are mostly ASCII.
func beyondASCII(dst, text []byte) []byte {
	kept := 0 // of text: what precedes has been looked at
	for i := nextHigh(text, 0); i < len(text); i = nextHigh(text, i+1) {
		from, end := max(kept, i-1), min(i+2, len(text))
		dst = append(dst, text[from:end]...)
		kept = end
	}
	return dst
}

// nextHigh returns where the first byte that is not of ASCII is in text, from i on, or its end.
func nextHigh(text []byte, i int) int {
	const high = 0x8080808080808080
	for ; i+8 <= len(text); i += 8 {
		if word := binary.LittleEndian.Uint64(text[i:]) & high; word != 0 {
			return i + bits.TrailingZeros64(word)/8
		}
	}
	for i < len(text) && text[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// ASCII reports whether all bytes of text are of ASCII.
func ASCII(text []byte) bool { return nextHigh(text, 0) == len(text) }

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

// AddLabel adds the evidence of a UTF-8 mark, a named encoding, or neighbours: as much as a few letters.
func (v *Evidence) AddLabel(e Encoding) {
	const said = most
	for i := range v {
		if Encoding(i) != e {
			v[i] += said
		}
	}
}

// most is the weight of evidence from outside a text.
const most = 40

// Prior returns the evidence of a stream's beginning for a game in it: at most a few letters' worth,
// however long the beginning is.
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

// letter has the statistics of letters.txt about one letter of a group: its neighbours' levels are by their
// places in the group, and those beyond the end have not been seen.
type letter struct {
	share         int
	before, after []int
}

// group is the letters of some languages. Every small letter that is met in it has a place.
type group struct {
	letters map[rune]letter
	places  map[rune]int
}

// table is one encoding as the detector sees it.
type table [256]sign

// sign is the meaning of a byte. The zero sign is unassigned, as is the place before and after a text.
type sign struct {
	r                           rune
	letter, upper, lower, latin bool
	mark                        bool
	place                       int     // in the group, as a neighbour
	seen                        *letter // nil: no name of the group has it
}

//go:embed letters.txt
var lettersText string

// load reads letters.txt once.
var load = sync.OnceValue(func() []table {
	groups := map[string]*group{}
	for line := range strings.Lines(lettersText) {
		f := strings.Fields(line)
		if groups[f[0]] == nil {
			groups[f[0]] = &group{map[rune]letter{}, map[rune]int{'^': 0}}
		}
		g := groups[f[0]]
		c, _ := utf8.DecodeRuneInString(f[1])
		g.letters[c] = letter{levels(f[2])[0], g.neighbours(f[3]), g.neighbours(f[4])}
	}
	tables := make([]table, len(known))
	for e := range tables {
		if known[e].table == nil {
			continue
		}
		for b := range 256 {
			if r := known[e].table.DecodeByte(byte(b)); r != utf8.RuneError && !(r >= 0x80 && r < 0xA0) {
				tables[e][b] = groups[known[e].group].sign(r)
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
func (g *group) neighbours(text string) (levelOf []int) {
	r := []rune(text)
	for i := 0; i+1 < len(r); i += 2 {
		place, ok := g.places[r[i]]
		if !ok {
			place = len(g.places)
			g.places[r[i]] = place
		}
		for place >= len(levelOf) {
			levelOf = append(levelOf, neverThere)
		}
		levelOf[place] = min(levels(string(r[i+1]))[0], neverThere)
	}
	return levelOf
}

// sign returns what is known of r in the group.
func (g *group) sign(r rune) sign {
	s := sign{r: r, mark: strings.ContainsRune(marks, r), letter: unicode.IsLetter(r)}
	if !s.letter {
		return s
	}
	s.upper, s.lower, s.latin = unicode.IsUpper(r), unicode.IsLower(r), unicode.Is(unicode.Latin, r)
	small := unicode.ToLower(r)
	if l, ok := g.letters[small]; ok {
		s.seen = &l
	}
	place, ok := g.places[small]
	if !ok {
		place = len(g.places)
	}
	s.place = place
	return s
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
		before, after := &outside, &outside
		if i > 0 {
			before = &t[text[i-1]]
		}
		if i+1 < len(text) {
			after = &t[text[i+1]]
		}
		sum += t[b].cost(before, after)
	}
	return sum
}

// outside is the sign before and after a text.
var outside sign

// cost returns how unlikely s is between those two.
func (s *sign) cost(before, after *sign) int {
	within := before.letter && after.letter
	switch {
	case s.r == 0:
		return nothing
	case s.r == '’' && within:
		return apostrophe
	case s.mark && !within:
		return mark
	case !s.letter:
		return nothing
	}
	cost := 0
	if s.upper && before.lower || s.lower && !before.letter {
		cost = wrongCase
	}
	if !s.latin && (before.latin || after.latin) {
		cost += otherAlpha
	}
	if s.seen == nil {
		return cost + neverSeen
	}
	return cost + min(s.seen.share+level(s.seen.before, before)+level(s.seen.after, after), neverSeen)
}

// level returns the cost of s as a neighbour.
func level(levels []int, s *sign) int {
	if s.place < len(levels) {
		return levels[s.place]
	}
	return neverThere
}

// Decoder returns the function that decodes text, which is not UTF-8, as a whole; nil if it is in an
// encoding of eight bits. label is the text's name of its encoding, "" if it has none: a name of East Asia
// is trusted when the text can be that, UTF-8 counts as evidence. v is the evidence from outside the text.
// guess is the detected encoding where it differs from label.
func (v Evidence) Decoder(text []byte, label string) (decode func(dst, text []byte) []byte, guess string) {
	said, ok := Parse(label)
	switch {
	case ok && known[said].wide != nil && known[said].wide.fits(text):
		return said.Append, ""
	case ok && said == UTF8:
		v.AddLabel(UTF8)
	}
	v.Add(text)
	if best := v.Best(); !best.EightBit() {
		return best.Append, best.Guess()
	}
	return nil, ""
}

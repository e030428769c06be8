package names

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"kifu/internal/edits"
)

// The reasons for which two names are matched, surest first.
const (
	sameLetters = "case, accents or punctuation"
	decorated   = "title or federation"
	otherOrder  = "order"
	abbreviated = "initials"
	middleName  = "middle name left out"
	romanised   = "romanisation"

	romanisedInitials = "romanisation, initials alone"

	slip = "one or two letters"
)

// prior is the confidence that a reason alone gives.
var prior = map[string]float64{
	sameLetters: 0.97, decorated: 0.95, otherOrder: 0.92, abbreviated: 0.8, middleName: 0.8, romanised: 0.75, romanisedInitials: 0.66, slip: 0.65,
}

// link says that name may be another spelling of of, which has more games.
type link struct {
	name, of   int32
	reason     string
	confidence float64
}

// matcher looks for links.
type matcher struct {
	players []Player
	forms   []form
	known   roles
	links   []link
}

// match returns the candidates with their confidence.
func match(players []Player) []link {
	m := &matcher{players: players, forms: make([]form, len(players)), known: roles{}}
	m.parse()
	m.sameWords()
	heads := m.heads()
	m.shortened(heads)
	m.spelled(heads)
	return m.links
}

// parse takes the plain names apart first and learns from them.
func (m *matcher) parse() {
	var open []int
	for i := range m.players {
		f, plain := parse(m.players[i].Name, m.known)
		m.forms[i] = f
		if !plain {
			open = append(open, i)
			continue
		}
		if f.single {
			continue
		}
		words := strings.Fields(f.surname)
		m.known.add(words[len(words)-1], true)
		for _, g := range f.given {
			m.known.add(g, false)
		}
	}
	for _, i := range open {
		m.forms[i], _ = parse(m.players[i].Name, m.known)
	}
}

// blocks calls f with the names that share a key, in the order of their games: the
// first is the head. An empty key is none.
func (m *matcher) blocks(of []int32, key func(i int32) string, f func(block []int32)) {
	byKey := map[string][]int32{}
	var keys []string
	for _, i := range of {
		k := key(i)
		if k == "" {
			continue
		}
		k += "\x00" + m.forms[i].numbers
		if byKey[k] == nil {
			keys = append(keys, k)
		}
		byKey[k] = append(byKey[k], i)
	}
	for _, k := range keys {
		block := byKey[k]
		if len(block) < 2 {
			continue
		}
		slices.SortFunc(block, m.byGames)
		f(block)
	}
}

func (m *matcher) byGames(a, b int32) int {
	return cmp.Or(cmp.Compare(m.players[b].Games, m.players[a].Games), cmp.Compare(a, b))
}

func (m *matcher) all() []int32 {
	all := make([]int32, len(m.players))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// sameWords links names of the same words: equal but for case, accents, punctuation,
// titles; then those in another order, of which one at most may tell its order.
func (m *matcher) sameWords() {
	m.blocks(m.all(), m.exact, func(block []int32) {
		for _, i := range block[1:] {
			reason, head := sameLetters, block[0]
			switch {
			case m.forms[i].bare != m.forms[head].bare:
				reason = otherOrder
			case lettersOf(m.players[i].Name) != lettersOf(m.players[head].Name):
				reason = decorated
			}
			m.link(i, head, reason)
		}
	})
	m.blocks(m.heads(), func(i int32) string { return m.forms[i].words() }, func(block []int32) {
		for k, i := range block[1:] {
			for _, j := range block[:k+1] {
				if !m.forms[i].comma || !m.forms[j].comma {
					m.link(i, j, otherOrder)
					break
				}
			}
		}
	})
}

// exact is the key of names that are equal but for case, accents and punctuation.
func (m *matcher) exact(i int32) string {
	f := &m.forms[i]
	if f.single {
		return f.bare
	}
	return f.full()
}

// lettersOf are the letters and digits of a name as it stands, folded.
func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r < '0' || r > '9' && r < 'a' || r > 'z') {
			return -1
		}
		return r
	}, fold(name))
}

// heads are the names with given names that were not linked to another yet: one of each
// spelling, that with the most games.
func (m *matcher) heads() []int32 {
	linked := make([]bool, len(m.players))
	for _, l := range m.links {
		linked[l.name] = true
	}
	return slices.DeleteFunc(m.all(), func(i int32) bool { return linked[i] || len(m.forms[i].given) == 0 })
}

// shortened links a name to the one name of the same surname that it can stand for:
// with initials in place of given names, or without the later of them. Where it can
// stand for two persons it stands for none.
func (m *matcher) shortened(heads []int32) {
	m.blocks(heads, func(i int32) string { return m.forms[i].surname + "," + m.forms[i].given[0][:1] }, func(block []int32) {
		for _, i := range block {
			long, reason := m.only(i, block)
			if long >= 0 {
				m.link(i, long, reason)
			}
		}
	})
}

// only returns the name with the most games that i is short for, -1 if there is none. The
// names that i is short for must be one person's: each short for the fullest of them,
// or sounding like it.
func (m *matcher) only(i int32, block []int32) (long int32, reason string) {
	var fit []int32
	fullest := int32(-1)
	for _, j := range block {
		if fits, why := shortFor(m.forms[i].given, m.forms[j].given); j != i && fits {
			if fit = append(fit, j); len(fit) == 1 {
				reason = why
			}
			if fullest < 0 || fuller(m.forms[j].given, m.forms[fullest].given) {
				fullest = j
			}
		}
	}
	for _, j := range fit {
		a, b := m.forms[j].given, m.forms[fullest].given
		if fits, _ := shortFor(a, b); !fits && sounds(a) != sounds(b) {
			return -1, ""
		}
	}
	if len(fit) == 0 {
		return -1, ""
	}
	return fit[0], reason
}

// fuller reports whether a says more than b: more names, or as many with more letters.
func fuller(a, b []string) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return len(strings.Join(a, "")) > len(strings.Join(b, ""))
}

func sounds(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = sound(w)
	}
	return strings.Join(all, " ")
}

// shortFor reports whether given names a can stand for b: each is the same or its
// initial, and a has no more of them.
func shortFor(a, b []string) (fits bool, reason string) {
	if len(a) > len(b) {
		return false, ""
	}
	reason = middleName
	for i := range a {
		switch {
		case a[i] == b[i]:
		case len(a[i]) == 1 && strings.HasPrefix(b[i], a[i]):
			reason = abbreviated
		default:
			return false, ""
		}
	}
	if len(a[0]) == 1 {
		reason = abbreviated
	}
	return len(a) < len(b) || !slices.Equal(a, b), reason
}

// spelled links names that sound alike or differ in a letter or two of one word.
func (m *matcher) spelled(heads []int32) {
	m.blocks(heads, func(i int32) string {
		f := &m.forms[i]
		if len(f.surname) < 4 {
			return ""
		}
		return sound(f.surname) + "," + sounds(f.given)
	}, func(block []int32) {
		for k, i := range block {
			for _, j := range block[:k] {
				if m.long(i, j) {
					m.link(i, j, m.romanised(i))
					break
				}
			}
		}
	})
	slips := func(block []int32) {
		for k, i := range block {
			for _, j := range block[:k] {
				if m.isSlip(i, j) {
					m.link(i, j, slip)
					break
				}
			}
		}
	}
	// The slip is in the surname or in a given name, and not in the first letter.
	m.blocks(heads, func(i int32) string {
		f := &m.forms[i]
		if f.initials() || len(f.surname) < 5 {
			return ""
		}
		return f.surname[:2] + "," + strings.Join(f.given, " ")
	}, slips)
	m.blocks(heads, func(i int32) string {
		f := &m.forms[i]
		if f.initials() {
			return ""
		}
		return f.surname + "," + f.given[0][:1]
	}, slips)
}

// romanised is the reason for names that sound alike: a surname and an initial prove
// less.
func (m *matcher) romanised(i int32) string {
	if m.forms[i].initials() {
		return romanisedInitials
	}
	return romanised
}

// long reports whether the words in which two names differ are so long that their sound
// tells something: Yu and Yue are two names.
func (m *matcher) long(i, j int32) bool {
	a, b := m.forms[i].inOrder(), m.forms[j].inOrder()
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if a[k] != b[k] && min(len(a[k]), len(b[k])) < 4 {
			return false
		}
	}
	return true
}

// isSlip reports whether i, which has fewer games, may be j with a letter wrong, left
// out, doubled or swapped; two in a word of ten letters. A word that is a name in its
// own right, as others show, is no slip, nor is the ending of a woman's surname.
func (m *matcher) isSlip(i, j int32) bool {
	if 3*m.players[i].Games > m.players[j].Games {
		return false
	}
	a, b := m.forms[i].inOrder(), m.forms[j].inOrder()
	at := -1
	for k := 0; k < len(a) && len(a) == len(b); k++ {
		if a[k] == b[k] {
			continue
		}
		if at >= 0 {
			return false
		}
		at = k
	}
	if at < 0 {
		return false
	}
	x, y, usual := a[at], b[at], m.known.givens
	if at < len(a)-len(m.forms[i].given) {
		usual = m.known.surnames
	}
	limit := 1
	if min(len(x), len(y)) >= 10 {
		limit = 2
	}
	return min(len(x), len(y)) >= 6 && strings.HasSuffix(x, "a") == strings.HasSuffix(y, "a") &&
		usual(x) < 3 && edits.Distance(x, y) <= limit
}

const (
	farYears  = 10  // between two careers: no longer a support
	longLife  = 60  // of one person's games
	closeElo  = 150 // between the nearest ratings of both: a support
	farElo    = 500 // between them: two players
	support   = 0.08
	weakness  = 0.15
	threshold = 0.6 // below it a link is not worth a line
)

// link adds a link of i to j, weighed by years and ratings, unless they speak against it.
func (m *matcher) link(i, j int32, reason string) {
	a, b := &m.players[i], &m.players[j]
	sure := prior[reason] > 0.9
	confidence := prior[reason]
	supported := false
	if gap, span, known := years(a, b); known {
		switch {
		case span > longLife && !sure:
			return
		case gap <= farYears:
			confidence, supported = confidence+support, true
		case !sure:
			confidence -= weakness
		}
	}
	if gap, known := ratings(a, b); known {
		switch {
		case gap > farElo && !sure:
			return
		case gap <= closeElo:
			confidence, supported = confidence+support, true
		case !sure:
			confidence -= weakness
		}
	}
	if !sure && !supported {
		return
	}
	confidence = math.Round(100*min(confidence, 0.99)) / 100
	if confidence >= threshold {
		m.links = append(m.links, link{i, j, reason, confidence})
	}
}

// years returns the years between two careers, 0 when they overlap, and from the first
// game of either to the last.
func years(a, b *Player) (gap, span int, known bool) {
	if a.First == "" || b.First == "" {
		return 0, 0, false
	}
	from, to := max(a.First, b.First), min(a.Last, b.Last)
	gap = max(0, year(from)-year(to))
	return gap, year(max(a.Last, b.Last)) - year(min(a.First, b.First)), true
}

func year(date string) int {
	n := 0
	for i := 0; i < 4 && i < len(date); i++ {
		n = 10*n + int(date[i]-'0')
	}
	return n
}

// ratings returns how far the rating ranges are apart.
func ratings(a, b *Player) (gap int32, known bool) {
	if a.EloLow == 0 || b.EloLow == 0 {
		return 0, false
	}
	return max(0, max(a.EloLow, b.EloLow)-min(a.EloHigh, b.EloHigh)), true
}

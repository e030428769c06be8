package names

import (
	"cmp"
	"slices"
	"strings"

	"kifu/internal/lists"
	"kifu/internal/person"
)

// The reasons for which two names are matched, most reliable first.
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

// prior is the confidence of a reason by itself.
var prior = map[string]float64{
	sameLetters: 0.97, decorated: 0.95, otherOrder: 0.92, abbreviated: 0.8, middleName: 0.8, romanised: 0.75, romanisedInitials: 0.66, slip: 0.65,
}

// link means that name may be another spelling of of, which has more games.
type link struct {
	name, of   int32
	reason     string
	confidence float64
	// unknown means that neither years nor ratings of one of the two are known: their opponents
	// are compared.
	unknown bool
}

// matcher looks for links.
type matcher struct {
	players *roster
	kinds   []uint8                // of the names
	forms   map[int32]*person.Form // of some names, see form
	known   person.Roles
	links   []link
}

// match returns the candidates with their confidence.
func match(players *roster) []link {
	m := &matcher{players: players, kinds: make([]uint8, players.len()), forms: map[int32]*person.Form{}, known: person.Roles{}}
	m.parse()
	m.sameWords()
	m.hanReversed()
	heads := m.heads(func(kind uint8) bool { return kind&hasGiven != 0 && kind&isHanText == 0 })
	m.shortened(heads)
	m.spelled(heads)
	return m.links
}

// parse parses the plain names and learns from them, then what kind each name is.
func (m *matcher) parse() {
	var open []int32
	for i := range int32(m.players.len()) {
		f, plain := person.Parse(string(m.players.name(i)), m.known)
		m.kinds[i] = kindOf(&f)
		if !plain {
			open = append(open, i)
			continue
		}
		if f.Single {
			continue
		}
		words := strings.Fields(f.Surname)
		m.known.Add(words[len(words)-1], true)
		for _, g := range f.Given {
			m.known.Add(g, false)
		}
	}
	for _, i := range open {
		f, _ := person.Parse(string(m.players.name(i)), m.known)
		m.kinds[i] = kindOf(&f)
	}
}

func (m *matcher) byGames(a, b int32) int {
	return cmp.Or(cmp.Compare(m.players.games[b], m.players.games[a]), cmp.Compare(a, b))
}

func (m *matcher) all() []int32 {
	return lists.N(m.players.len(), func(i int) int32 { return int32(i) })
}

// sameWords links names of the same words: first names that are equal except for case, accents, punctuation
// and titles, then names in another order. At most one of these may show its order.
func (m *matcher) sameWords() {
	m.blocks(m.all(), m.exact, func(block []int32) {
		for _, i := range block[1:] {
			reason, head := sameLetters, block[0]
			switch {
			case m.form(i).Bare != m.form(head).Bare:
				reason = otherOrder
			case person.Letters(string(m.players.name(i))) != person.Letters(string(m.players.name(head))):
				reason = decorated
			}
			m.link(i, head, reason)
		}
	})
	m.blocks(m.heads(func(kind uint8) bool { return kind&hasGiven != 0 }), func(i int32) string { return m.form(i).Words() }, func(block []int32) {
		for k, i := range block[1:] {
			for _, j := range block[:k+1] {
				if !m.form(i).Comma || !m.form(j).Comma {
					m.link(i, j, otherOrder)
					break
				}
			}
		}
	})
}

// exact returns a key that is equal for names that differ in case, accents and punctuation
// only.
func (m *matcher) exact(i int32) string {
	f := m.form(i)
	if f.Single || f.Han {
		return f.Bare
	}
	return f.Full()
}

// heads returns the names for which wanted holds that are not linked to another yet: one of
// each spelling, with the most games.
func (m *matcher) heads(wanted func(kind uint8) bool) []int32 {
	linked := make([]bool, m.players.len())
	for _, l := range m.links {
		linked[l.name] = true
	}
	return slices.DeleteFunc(m.all(), func(i int32) bool { return linked[i] || !wanted(m.kinds[i]) })
}

// shortened links a name to the one name of the same surname that it can abbreviate, by initials or by
// dropping later given names. A name that could abbreviate two persons' names is not linked.
func (m *matcher) shortened(heads []int32) {
	m.blocks(heads, func(i int32) string { return m.form(i).Surname + "," + m.form(i).Given[0][:1] }, func(block []int32) {
		byFirst := map[string][]int32{}
		for _, i := range block {
			byFirst[m.form(i).Given[0]] = append(byFirst[m.form(i).Given[0]], i)
		}
		for _, i := range block {
			among := block // a name in full abbreviates only those that begin with it
			if first := m.form(i).Given[0]; len(first) > 1 {
				among = byFirst[first]
			}
			long, reason := m.only(i, among)
			if long >= 0 {
				m.link(i, long, reason)
			}
		}
	})
}

// only returns the name with the most games that i abbreviates, -1 without one. All names of its time that i
// abbreviates must be one person's: each word equals, abbreviates or sounds like that of the fullest name.
func (m *matcher) only(i int32, block []int32) (long int32, reason string) {
	for _, ofTime := range []bool{true, false} {
		fullest := int32(-1)
		var fit []int32
		for _, j := range block {
			if fits, why := shortFor(m.form(i).Given, m.form(j).Given); j != i && fits && !(ofTime && m.otherTime(i, j)) {
				if fit = append(fit, j); len(fit) == 1 {
					reason = why
				}
				if fullest < 0 || fuller(m.form(j).Given, m.form(fullest).Given) {
					fullest = j
				}
			}
		}
		for _, j := range fit {
			if !within(m.form(j).Given, m.form(fullest).Given) {
				return -1, ""
			}
		}
		if len(fit) > 0 {
			return fit[0], reason
		}
	}
	return -1, ""
}

// otherTime reports whether the games of i and j are so far apart that nothing speaks for one person.
func (m *matcher) otherTime(i, j int32) bool {
	a, b := m.players.at(i), m.players.at(j)
	gap, _, known := years(&a, &b)
	return known && gap > farYears
}

// within reports whether given names a can be b's, which may be more: each word of a equals b's, is its
// initial, or sounds like it.
func within(a, b []string) bool {
	for i, w := range a {
		if i == len(b) || w != b[i] && !(len(w) == 1 && strings.HasPrefix(b[i], w)) && (len(b[i]) == 1 || person.Sound(w) != person.Sound(b[i])) {
			return false
		}
	}
	return true
}

// fuller reports whether a is more complete than b: more names, or as many with more
// letters.
func fuller(a, b []string) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return len(strings.Join(a, "")) > len(strings.Join(b, ""))
}

// shortFor reports whether given names a can abbreviate b: each is the same or its initial,
// and a has no more of them.
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

// hanReversed links names whose given name is first to the same without a space.
func (m *matcher) hanReversed() {
	byText := map[string]int32{}
	for _, i := range m.heads(func(kind uint8) bool { return kind&isHanText != 0 && kind&isSingle != 0 }) {
		byText[m.form(i).Bare] = i
		m.forget()
	}
	for _, i := range m.heads(func(kind uint8) bool { return kind&isHanText != 0 && kind&isSingle == 0 }) {
		f := m.form(i)
		if j, found := byText[strings.Join(f.Given, "")+f.Surname]; found {
			if m.byGames(i, j) < 0 {
				i, j = j, i
			}
			m.link(i, j, otherOrder)
		}
		m.forget()
	}
}

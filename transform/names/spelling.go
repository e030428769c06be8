package names

import (
	"strings"

	"kifu/internal/edits"
	"kifu/internal/lists"
	"kifu/internal/person"
)

// spelled links names that sound alike or differ in a letter or two of one word.
func (m *matcher) spelled(heads []int32) {
	m.blocks(heads, func(i int32) string {
		f := m.form(i)
		if len(f.Surname) < 4 && len(f.Given[0]) < 5 { // Tal, Mikhail is enough, Li, Chao is not
			return ""
		}
		return person.Sound(f.Surname) + "," + strings.Join(lists.Of(f.Given, person.Sound), " ")
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
		f := m.form(i)
		if f.Initials() || len(f.Surname) < 5 {
			return ""
		}
		return f.Surname[:2] + "," + strings.Join(f.Given, " ")
	}, slips)
	m.blocks(heads, func(i int32) string {
		f := m.form(i)
		if f.Initials() {
			return ""
		}
		return f.Surname + "," + f.Given[0][:1]
	}, slips)
}

// romanised returns the reason for names that sound alike: with only a surname and an
// initial it is weaker.
func (m *matcher) romanised(i int32) string {
	if m.form(i).Initials() {
		return romanisedInitials
	}
	return romanised
}

// long reports whether the words in which two names differ are long enough for their sound
// to be evidence: Yu and Yue are two names.
func (m *matcher) long(i, j int32) bool {
	a, b := m.form(i).InOrder(), m.form(j).InOrder()
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

// isSlip reports whether i, which has fewer games, may be j with one letter wrong, left out, doubled or
// swapped, or two in a word of ten letters. A word that occurs as a name elsewhere is not a slip, nor is the
// ending of a woman's surname.
func (m *matcher) isSlip(i, j int32) bool {
	if 3*m.players.games[i] > m.players.games[j] {
		return false
	}
	a, b := m.form(i).InOrder(), m.form(j).InOrder()
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
	x, y, usual := a[at], b[at], m.known.Givens
	if at < len(a)-len(m.form(i).Given) {
		usual = m.known.Surnames
	}
	limit := 1
	if min(len(x), len(y)) >= 10 {
		limit = 2
	}
	return min(len(x), len(y)) >= 6 && strings.HasSuffix(x, "a") == strings.HasSuffix(y, "a") &&
		usual(x) < 3 && edits.Distance(x, y) <= limit
}

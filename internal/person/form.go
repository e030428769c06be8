package person

import (
	"slices"
	"strings"
	"unicode"

	"kifu/internal/lists"
)

// Form is a parsed name. All texts are folded.
type Form struct {
	Surname string   // its words joined by spaces
	Given   []string // words and initials, in order
	Comma   bool     // a comma marked the surname
	Single  bool     // one word: a handle, a program, or a bare surname
	Han     bool     // Chinese characters or kana, surname first
	Bare    string   // the whole name, folded, without titles and federation
	Nation  string   // the code of a federation that stood after it; empty when none did
	Numbers string   // words with digits, and marks: they never differ by mistake
}

// Initials reports whether the given names begin with an initial.
func (f *Form) Initials() bool { return len(f.Given) > 0 && len(f.Given[0]) == 1 }

// Words returns all words in alphabetical order.
func (f *Form) Words() string {
	all := f.InOrder()
	slices.Sort(all)
	return strings.Join(all, " ")
}

// InOrder returns the words of the surname, then the given names.
func (f *Form) InOrder() []string { return append(strings.Fields(f.Surname), f.Given...) }

// Full returns the name as surname and given names.
func (f *Form) Full() string { return f.Surname + "," + strings.Join(f.Given, " ") }

var (
	titles = set("gm im fm cm wgm wim wfm wcm nm wnm lm bot dr prof mr mrs ms")
	// particles begin a surname of several words.
	particles   = set("de den der di da del della do dos du la le van von zu el al ben bin ter ten st mac mc o")
	generations = set("jr sr jun sen ii iii iv")
)

func set(words string) map[string]bool { return lists.Set(strings.Fields(words)) }

// word is a word of a name before it is folded.
type word struct {
	text, folded string
}

// Roles counts the uses of a word in names whose order is unambiguous.
type Roles map[string]uses

type uses struct{ surname, given int32 }

func (r Roles) Add(w string, surname bool) {
	n := r[w]
	if surname {
		n.surname++
	} else {
		n.given++
	}
	r[w] = n
}

// leaning returns a positive number for a word that is more often a surname.
func (r Roles) leaning(w string) int { return int(r[w].surname - r[w].given) }

// Surnames counts the names that have w as surname, Givens as given name.
func (r Roles) Surnames(w string) int { return int(r[w].surname) }

func (r Roles) Givens(w string) int { return int(r[w].given) }

// teamMarks are between the names of players who consult; such a name is no person's.
const teamMarks = ":;&/+"

// Parse parses a name. known decides which of two words is the surname where nothing else
// does; plain reports that it was not needed.
func Parse(name string, known Roles) (f Form, plain bool) {
	if isHan(name) {
		return hanOf(name), false
	}
	if name = strings.TrimSpace(name); !strings.ContainsAny(name, " ,.") {
		bare := fold(name)
		return Form{Surname: bare, Bare: bare, Single: true}, true
	}
	if strings.ContainsAny(name, teamMarks) {
		bare := fold(name)
		return Form{Surname: bare, Bare: bare, Single: true}, true
	}
	plainName := withoutFederation(name)
	f.Nation = federationOf(name, plainName)
	name = plainName
	before, after, comma := strings.Cut(name, ",")
	small := strings.ContainsFunc(name, unicode.IsLower)
	first, second := wordsOf(before, small), wordsOf(strings.ReplaceAll(after, ",", " "), small)
	first, second = trimTitles(first, 1), trimTitles(second, 0)
	f.Comma = comma && len(first) > 0 && len(second) > 0
	words := append(slices.Clone(first), second...)
	f.Numbers = numbersOf(words)
	f.Single = len(words) == 1
	f.Bare = join(words)
	switch n := len(words); {
	case f.Comma:
		f.Surname, f.Given = join(first), list(second)
	case n < 2:
		f.Surname = join(words)
	case len(words[0].folded) == 1: // B V Spassky
		at := slices.IndexFunc(words, func(w word) bool { return len(w.folded) > 1 })
		at = max(at, 0)
		f.Surname, f.Given = join(words[at:]), list(words[:at])
	case len(words[n-1].folded) == 1: // Spassky B V, Timman Jan H
		at := surnameEnd(words)
		f.Surname, f.Given = join(words[:at]), list(words[at:])
	default:
		at := surnameEnd(words)
		if last := words[n-1].folded; known.leaning(words[at-1].folded) > known.leaning(last) {
			f.Surname, f.Given = join(words[:at]), list(words[at:])
			return f, false
		}
		at = n - 1
		for at > 1 && particles[words[at-1].folded] {
			at--
		}
		f.Surname, f.Given = join(words[at:]), list(words[:at])
		return f, false
	}
	return f, true
}

// surnameEnd returns the end of the surname at the start of the words.
func surnameEnd(words []word) int {
	at := 0
	for at < len(words)-2 && particles[words[at].folded] {
		at++
	}
	return at + 1
}

func join(words []word) string { return strings.Join(list(words), " ") }

func list(words []word) []string { return lists.Of(words, func(w word) string { return w.folded }) }

// withoutFederation removes a bracketed code of up to three letters, as in Tal Mihail
// (LAT); the closing bracket may have been cut off. Three capitals after two words with
// small letters are a federation too.
func withoutFederation(name string) string {
	words := strings.Fields(name)
	if n := len(words); n > 2 && len(words[n-1]) == 3 && isCapitals(words[n-1]) && !generations[strings.ToLower(words[n-1])] &&
		strings.ContainsFunc(words[n-2], unicode.IsLower) {
		return strings.TrimSuffix(strings.TrimSpace(name), words[n-1])
	}
	before, rest, found := strings.Cut(name, "(")
	if !found {
		return name
	}
	inside, after, _ := strings.Cut(rest, ")")
	if len(inside) > 3 || strings.ToUpper(inside) != inside || hasDigit(inside) {
		return before + "(" + withoutFederation(rest)
	}
	return before + " " + withoutFederation(after)
}

// federationOf returns the code that withoutFederation took off, in capitals.
func federationOf(name, without string) string {
	rest := strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(name))
	for _, w := range strings.Fields(without) {
		if len(rest) > 0 && rest[0] == w {
			rest = rest[1:]
		}
	}
	if len(rest) == 0 {
		return ""
	}
	return strings.ToUpper(rest[0])
}

// wordsOf cuts a text at spaces, dots and hyphens. In a name that has small letters two
// capitals are initials.
func wordsOf(text string, small bool) []word {
	var all []word
	cut := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".-_()[]/;:", r) }
	for _, w := range strings.FieldsFunc(marks.Replace(text), cut) {
		if small && len(w) == 2 && isCapitals(w) && !titles[strings.ToLower(w)] && !generations[strings.ToLower(w)] {
			all = append(all, word{w[:1], strings.ToLower(w[:1])}, word{w[1:], strings.ToLower(w[1:])})
			continue
		}
		if len(all) > 0 && !strings.ContainsFunc(w, isSign) {
			continue // Petrosian, T **
		}
		all = append(all, word{w, fold(w)})
	}
	return all
}

// marks are left out of words.
var marks = strings.NewReplacer("'", "", "’", "", "`", "", `"`, "")

func isSign(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func isCapitals(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return r < 'A' || r > 'Z' })
}

// trimTitles removes titles from both ends, but leaves at least least words. Im in small
// letters is a name.
func trimTitles(words []word, least int) []word {
	is := func(w word) bool {
		return titles[w.folded] && (strings.ToUpper(w.text) == w.text || w.folded == "dr" || w.folded == "prof")
	}
	for len(words) > least && is(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	for len(words) > least && is(words[0]) {
		words = words[1:]
	}
	return words
}

func hasDigit(text string) bool { return strings.ContainsFunc(text, unicode.IsDigit) }

// numbersOf returns the words of a name that have digits, and its mark, which distinguish
// programs' versions, fathers and sons, and players of the same name.
func numbersOf(words []word) string {
	var b strings.Builder
	for i, w := range words {
		mark := len(w.text) == 1 && w.text >= "a" && w.text <= "z" && i == len(words)-1 && i > 1 // Li, Chao b
		if generations[w.folded] || mark || hasDigit(w.folded) {
			b.WriteString(w.folded + " ")
		}
	}
	return b.String()
}

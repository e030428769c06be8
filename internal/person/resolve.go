package person

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"kifu/internal/edits"
	"kifu/internal/human"
	"kifu/internal/lists"
)

// Named is a name, as records spell it, with the number of its games.
type Named struct {
	Name  string
	Games int64
}

// Choice holds the names that a typed name matches.
type Choice struct {
	Names []Named // those with the most games first
	// Typed means that the name as typed takes them: it is the name but for case, or a
	// pattern with *. Else Names are the names that fit it.
	Typed bool
	// Also are names that have all of the words, too, and more games together: Karpov is a name
	// of its own, but Karpov, Anatoly may be meant.
	Also []Named
}

// Spellings returns the names alone.
func (c Choice) Spellings() []string {
	return lists.Of(c.Names, func(one Named) string { return one.Name })
}

// Note lists the names that may be meant as well; empty without them.
func (c Choice) Note() string {
	if len(c.Also) == 0 {
		return ""
	}
	return fmt.Sprintf("%q is a name of its own; others have it, too: %s", c.Names[0].Name, listed(c.Also))
}

// Without returns the choice without names that are known to be the same person's, by a table for
// instance, among those that may be meant as well.
func (c Choice) Without(names []string) Choice {
	c.Also = slices.DeleteFunc(slices.Clone(c.Also), func(one Named) bool { return slices.Contains(names, one.Name) })
	return c
}

// withAlso adds what else has the words of the typed name.
func (c Choice) withAlso(words []string, all []Named) Choice {
	taken := map[string]bool{}
	for _, one := range c.Names {
		taken[one.Name] = true
	}
	also := matching(all, func(name string) bool { return !taken[name] && hasParts(words, name) })
	if gamesOf(also) > c.Games() {
		c.Also = also
	}
	return c
}

// Games returns the number of games of all names that are taken. A game of two of them counts twice.
func (c Choice) Games() int64 { return gamesOf(c.Names) }

// String lists the names with their games.
func (c Choice) String() string { return listed(c.Names) }

func listed(all []Named) string {
	var list []string
	for _, one := range all[:min(mostNear, len(all))] {
		list = append(list, fmt.Sprintf("%q (%s)", one.Name, human.Plural(one.Games, "game", "games")))
	}
	if more := len(all) - mostNear; more > 0 {
		list = append(list, human.Plural(int64(more), "more name", "more names"))
	}
	return strings.Join(list, ", ")
}

func gamesOf(all []Named) int64 { return lists.Sum(all, func(one Named) int64 { return one.Games }) }

// Unclear is the error about a typed name that fits several players, or none.
type Unclear struct {
	Typed   string
	Several bool    // it fits all of Near, which are not one player's; else none
	Near    []Named // names that fit, or the nearest ones; those with the most games first
	Pattern string  // takes all of Near; empty without one
	Takes   Choice  // by the pattern
}

// mostNear is how many names an error lists.
const mostNear = 6

// Error lists the names that are near, and the pattern that takes all of them.
func (u *Unclear) Error() string {
	if len(u.Near) == 0 {
		return fmt.Sprintf("no player is called %q: kifu names --players lists them", u.Typed)
	}
	text := fmt.Sprintf("no player is called %q; the nearest are ", u.Typed)
	if u.Several {
		text = fmt.Sprintf("%q fits several players: ", u.Typed)
	}
	if !u.Several && len(u.Near) == 1 {
		return fmt.Sprintf("no player is called %q; the nearest is %s", u.Typed, listed(u.Near))
	}
	text += listed(u.Near)
	if u.Pattern != "" {
		text += fmt.Sprintf("; %q takes %s with %s", u.Pattern, human.Plural(int64(len(u.Takes.Names)), "name", "names"), human.Plural(u.Takes.Games(), "game", "games"))
	}
	return text
}

// Resolve returns the names of all that are meant by a typed one. The first of these that takes
// any name decides:
//
//  1. the name itself, whatever its case, or a pattern in which * is any text;
//  2. the same words in any order, without accents, punctuation and titles;
//  3. some of the words, or initials of them, at least one of them written out, if the names
//     can be one player's: Tinsley, M Tinsley and MF Tinsley for tinsley;
//  4. the same letters and digits, as handles write names: EricRosen and eric_rosen for eric rosen,
//     and the other way round.
//
// Names of several players, or of none, are an *Unclear. Each name is in all once.
func Resolve(typed string, all []Named) (Choice, error) {
	typed = strings.TrimSpace(typed)
	wanted, _ := Parse(typed, nil)
	words := strings.Fields(wanted.Words())
	if names := matching(all, Pattern(typed).MatchString); len(names) > 0 {
		choice := Choice{Names: names, Typed: true}
		if strings.Contains(typed, "*") {
			return choice, nil
		}
		return choice.withAlso(words, all), nil
	}
	if strings.Contains(typed, "*") {
		is := Pattern(fold(typed))
		if names := matching(all, func(name string) bool { return is.MatchString(fold(name)) }); len(names) > 0 {
			return Choice{Names: names}, nil
		}
		return Choice{}, unclear(strings.Trim(typed, "* "), false, nearest(typed, all), all)
	}
	if text := wanted.Words(); text != "" || wanted.Bare != "" {
		same := func(name string) bool {
			f, _ := Parse(name, nil)
			return f.Words() == text || f.Han && f.Bare == wanted.Bare
		}
		if names := matching(all, same); len(names) > 0 {
			return Choice{Names: names}.withAlso(words, all), nil
		}
	}
	names := matching(all, func(name string) bool { return hasParts(words, name) })
	if len(names) == 0 {
		names = sameLetters(typed, &wanted, all)
	}
	switch {
	case len(names) == 0:
		return Choice{}, unclear(typed, false, nearest(typed, all), all)
	case !onePlayer(words, names):
		return Choice{}, unclear(typed, true, names, all)
	}
	return Choice{Names: names}, nil
}

// sameLetters returns the names that have the letters and digits of the typed one, given name or
// surname first.
func sameLetters(typed string, wanted *Form, all []Named) []Named {
	given := strings.Join(wanted.Given, "")
	keys := []string{Letters(typed), Letters(given + wanted.Surname), Letters(wanted.Surname + given)}
	if slices.Contains(keys, "") {
		return nil
	}
	return matching(all, func(name string) bool { return slices.Contains(keys, Letters(name)) })
}

// Pattern returns the expression of names, in any of which * is any text and case does not matter.
// Bytes that are not UTF-8 match none of a dataset's names.
func Pattern(typed ...string) *regexp.Regexp {
	var alternatives []string
	for _, name := range typed {
		alternatives = append(alternatives, strings.ReplaceAll(regexp.QuoteMeta(strings.ToValidUTF8(strings.TrimSpace(name), "\uFFFD")), `\*`, ".*"))
	}
	return regexp.MustCompile(`(?is)^\s*(` + strings.Join(alternatives, "|") + `)\s*$`)
}

// matching returns the names for which is holds.
func matching(all []Named, is func(name string) bool) (names []Named) {
	names = lists.Where(all, func(one Named) bool { return is(one.Name) })
	slices.SortFunc(names, byGames)
	return names
}

func byGames(a, b Named) int {
	return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Name, b.Name))
}

// hasParts reports whether each of the words is another word of the name or an initial of it, or
// has one as its initial, and one is a word of it. Two letters that are no word are two initials.
func hasParts(words []string, name string) bool {
	f, _ := Parse(name, nil)
	if f.Single && len(words) > 1 {
		return false
	}
	if fitWords(words, f.InOrder()) {
		return true
	}
	var letters []string
	for _, w := range words {
		if len(w) == 2 {
			letters = append(letters, w[:1], w[1:])
		} else {
			letters = append(letters, w)
		}
	}
	return len(letters) > len(words) && fitWords(letters, f.InOrder())
}

// fitWords gives each word its partner in of: words written out first, then initials.
func fitWords(words, of []string) bool {
	used := make([]bool, len(of))
	take := func(is func(w string) bool) bool {
		i := slices.IndexFunc(of, is)
		for ; i >= 0 && i < len(of); i++ {
			if !used[i] && is(of[i]) {
				used[i] = true
				return true
			}
		}
		return false
	}
	rest := lists.Where(words, func(w string) bool { return len(w) < 2 || !take(func(o string) bool { return o == w }) })
	if len(rest) == len(words) {
		return false
	}
	for _, w := range rest {
		if !take(func(o string) bool { return initialOf(w, o) || initialOf(o, w) }) {
			return false
		}
	}
	return true
}

func initialOf(a, b string) bool { return len(a) == 1 && strings.HasPrefix(b, a) }

// onePlayer reports whether names can be one player's: apart from the surname, each word of one is
// the same in the others, an initial of it, or left out; digits and marks agree.
func onePlayer(words []string, names []Named) bool {
	forms := make([]Form, len(names))
	for i, one := range names {
		forms[i], _ = Parse(one.Name, nil)
	}
	for i := range forms {
		for j := range forms[:i] {
			if !agree(words, &forms[i], &forms[j]) {
				return false
			}
		}
	}
	return true
}

// agree compares what two names have besides the longest of the words that they share.
func agree(words []string, a, b *Form) bool {
	x, y := a.InOrder(), b.InOrder()
	common := ""
	for _, w := range words {
		if len(w) > len(common) && slices.Contains(x, w) && slices.Contains(y, w) {
			common = w
		}
	}
	without := func(all []string) []string {
		at := slices.Index(all, common)
		if at < 0 {
			return all
		}
		return slices.Delete(slices.Clone(all), at, at+1)
	}
	x, y = without(x), without(y)
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] && !initialOf(x[i], y[i]) && !initialOf(y[i], x[i]) {
			return false
		}
	}
	return a.Numbers == b.Numbers
}

// nearest returns the names that are spelled or sound most like the typed one: each of its words
// of three letters and more is, but for some edits, a word of theirs.
func nearest(typed string, all []Named) []Named {
	var words []string
	for _, w := range wordsOf(strings.NewReplacer("*", " ", ",", " ").Replace(typed), true) {
		if len(w.folded) > 2 {
			words = append(words, w.folded)
		}
	}
	type near struct {
		Named
		distance int
	}
	var found []near
	for _, one := range all {
		of := wordsOf(strings.ReplaceAll(one.Name, ",", " "), true)
		if !strings.ContainsAny(one.Name, " ,.") {
			of = append(of, handleWords(one.Name)...)
		}
		sum := 0
		for _, w := range words {
			d := wordDistance(w, of)
			if d < 0 {
				sum = -1
				break
			}
			sum += d
		}
		if sum >= 0 && len(words) > 0 {
			found = append(found, near{one, sum})
		}
	}
	slices.SortFunc(found, func(a, b near) int { return cmp.Or(cmp.Compare(a.distance, b.distance), byGames(a.Named, b.Named)) })
	return lists.Of(found[:min(mostNear, len(found))], func(one near) Named { return one.Named })
}

// handleWords cuts a handle where capitals and digits begin: EricRosen, magnus2015.
func handleWords(name string) (all []word) {
	runes, from := []rune(name), 0
	for i := 1; i <= len(runes); i++ {
		if i < len(runes) && !(unicode.IsUpper(runes[i]) && !unicode.IsUpper(runes[i-1])) && unicode.IsDigit(runes[i]) == unicode.IsDigit(runes[i-1]) {
			continue
		}
		all = append(all, wordsOf(string(runes[from:i]), true)...)
		from = i
	}
	return all
}

// wordDistance returns the edits from w to the nearest word, 0 for one that sounds like it, -1
// when all are too far.
func wordDistance(w string, of []word) int {
	best := -1
	limit := max(1, len(w)/3)
	for _, o := range of {
		d := len(w)
		switch {
		case len(o.folded) > 3 && len(w) > 3 && Sound(o.folded) == Sound(w):
			d = 0
		case strings.HasPrefix(o.folded, w):
			d = 1
		case len(o.folded)-len(w) <= limit && len(w)-len(o.folded) <= limit:
			d = edits.Distance(w, o.folded)
		}
		if d <= limit && (best < 0 || d < best) {
			best = d
		}
	}
	return best
}

// unclear makes the error, with the pattern of the longest word that is in all of the near names.
func unclear(typed string, several bool, near, all []Named) *Unclear {
	u := &Unclear{Typed: typed, Several: several, Near: near}
	if len(near) == 0 {
		return u
	}
	word := ""
	for _, w := range strings.FieldsFunc(near[0].Name, func(r rune) bool { return strings.ContainsRune(" ,.()*", r) }) {
		is := Pattern("*" + w + "*")
		if len([]rune(w)) > max(1, len([]rune(word))) && !slices.ContainsFunc(near, func(n Named) bool { return !is.MatchString(n.Name) }) {
			word = w
		}
	}
	if word != "" {
		u.Pattern = "*" + word + "*"
		u.Takes = Choice{Names: matching(all, Pattern(u.Pattern).MatchString)}
	}
	return u
}

package paper

import (
	"cmp"
	"kifu/internal/pattern"
	"math"
	"slices"
	"strconv"
	"strings"
)

// printed is a number of a report.
type printed struct {
	value float64
	id    string
	from  *source
}

var (
	// literal is a typed number with what is around it: a unit of length makes it no result.
	literal = pattern.Of(`\d{1,3}(?:(?:,|\{,\})\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`)
	percent = pattern.Of(`^(?:~|\\,|\s|\$)*\\%`)
	length  = pattern.Of(`^\s*(?:pt|mm|cm|in|em|ex|bp|\\[a-z]*(?:width|height|sep))\b`)
)

// printedIn returns the numbers in a text of a report.
func printedIn(text, id string, from *source) (all []printed) {
	for _, t := range literal().FindAllString(text, -1) {
		if v, err := strconv.ParseFloat(strings.ReplaceAll(t, ",", ""), 64); err == nil {
			all = append(all, printed{v, id, from})
		}
	}
	return all
}

// typed checks the numbers typed in a line that could be results: with a decimal point or a percent sign, or of three
// digits and more, years excepted.
func (c *checker) typed(l line) {
	text := macro().ReplaceAllString(l.text, " ")
	for _, at := range literal().FindAllStringIndex(text, -1) {
		what, rest := text[at[0]:at[1]], text[at[1]:]
		if at[0] > 0 && isWordEnd(text[at[0]-1]) || length().MatchString(rest) {
			continue
		}
		digits := strings.NewReplacer(",", "", "{", "", "}", "").Replace(what)
		v, err := strconv.ParseFloat(digits, 64)
		_, decimals, point := strings.Cut(digits, ".")
		share := percent().MatchString(rest)
		year := digits == what && len(digits) == 4 && v >= 1500 && v < 2100
		if err != nil || !point && !share && (len(digits) < 3 || year) {
			continue
		}
		c.Typed++
		if share {
			what += " %"
		}
		c.compare(l, what, v, len(decimals), point || share)
	}
}

// isWordEnd reports whether a number after b is a part of a word, a command or a longer number.
func isWordEnd(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '\\' || b == '.' || b == '_' || b == '^'
}

// compare looks for a typed number in the reports; a share or a decimal fraction may be rounded.
func (c *checker) compare(l line, what string, v float64, decimals int, rounded bool) {
	reach := 1e-9
	if rounded {
		reach = 0.5 * math.Pow(10, -float64(decimals)) * (1 + 1e-9)
	}
	var same []printed
	for _, p := range c.all {
		if math.Abs(p.value-v) <= reach {
			same = append(same, p)
		}
	}
	if len(same) == 0 {
		c.add(l, what, "no report that the paper loads prints it; end the line with \""+mark+"\" if it is none of kifu's")
		return
	}
	slices.SortFunc(same, func(a, b printed) int { // of the reports that are up to date first, and the nearest of them
		return cmp.Or(strings.Compare(a.from.stale, b.from.stale), cmp.Compare(math.Abs(a.value-v), math.Abs(b.value-v)), strings.Compare(a.id, b.id))
	})
	first, verb := same[0], "is"
	if slices.ContainsFunc(same, func(p printed) bool { return p.id != first.id && p.value == first.value }) {
		verb = "may be"
	}
	if first.from.stale != "" {
		c.add(l, what, "it "+verb+" \\kifu{"+first.id+"}: "+first.from.stale)
	}
}

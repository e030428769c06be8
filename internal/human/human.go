// Package human writes numbers for readers: counts with commas, shares in hundredths, minus
// signs that are no hyphens. NaN is a dash everywhere.
package human

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// none is shown for a missing number.
const none = "–"

// minus makes the hyphen of a number a minus sign.
func minus(text string) string { return strings.Replace(text, "-", "−", 1) }

// Number writes a number with no more digits than it needs, six decimals at most.
func Number(v float64) string {
	if math.IsNaN(v) {
		return none
	}
	text := strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
	if text == "-0" {
		text = "0"
	}
	return minus(text)
}

// Short writes a number at four significant digits.
func Short(v float64) string {
	if math.IsNaN(v) {
		return none
	}
	return minus(strconv.FormatFloat(v, 'g', 4, 64))
}

// Fixed writes a number at the given decimals.
func Fixed(v float64, decimals int) string {
	if math.IsNaN(v) {
		return none
	}
	return minus(strconv.FormatFloat(v, 'f', decimals, 64))
}

// Signed is Fixed with a plus sign before numbers above 0; what rounds to 0 has no sign.
func Signed(v float64, decimals int) string {
	if math.IsNaN(v) {
		return none
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	switch {
	case strings.Trim(text, "-0.") == "":
		return strings.TrimPrefix(text, "-")
	case v > 0:
		return "+" + text
	}
	return minus(text)
}

// Span writes the ends of an interval as Signed does: "+25 to +37".
func Span(low, high float64, decimals int) string {
	if math.IsNaN(low) || math.IsNaN(high) {
		return none
	}
	return Signed(low, decimals) + " to " + Signed(high, decimals)
}

// Estimate writes a number with its interval: "+31 (+25 to +37)"; without one the number alone.
func Estimate(v, low, high float64, decimals int) string {
	if math.IsNaN(v) || math.IsNaN(low) {
		return Signed(v, decimals)
	}
	return Signed(v, decimals) + " (" + Span(low, high, decimals) + ")"
}

// Weight writes a weight or its error to a tenth, below ten to a hundredth, and what rounds
// to nothing as 0.
func Weight(v float64) string {
	decimals := 1
	if math.Abs(v) < 10 {
		decimals = 2
	}
	text := Fixed(v, decimals)
	if strings.Trim(text, "−0.") == "" {
		return "0"
	}
	return text
}

// Percent writes a share in hundredths at the given decimals.
func Percent(share float64, decimals int) string {
	if math.IsNaN(share) {
		return none
	}
	return strconv.FormatFloat(100*share, 'f', decimals, 64) + "\u00a0%"
}

// Grouped writes a count with commas: 1,234,567.
func Grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Plural writes a count with its noun.
func Plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + many
}

// Chance writes a p-value: three decimals, below 0.001 a power of ten.
func Chance(p float64) string {
	switch {
	case math.IsNaN(p):
		return none
	case p < 1e-300:
		return "< 1e-300"
	case p < 0.001:
		return strconv.FormatFloat(p, 'e', 0, 64)
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

// Capital writes the first letter of a text large.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// List writes names as a person would: "A, B and C".
func List(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

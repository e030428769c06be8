// Package human writes numbers for readers: counts with commas, shares in hundredths, minus
// signs that are no hyphens. NaN is a dash everywhere.
package human

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
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

// Worth writes a value or a difference of values in an evaluator's unit: from ten on as a whole number, below it with at most two
// decimals. More would be noise.
func Worth(v float64) string {
	if math.Abs(v) >= 10 {
		return Fixed(v, 0)
	}
	whole, decimals, _ := strings.Cut(Weight(v), ".")
	if decimals = strings.TrimRight(decimals, "0"); decimals != "" {
		return whole + "." + decimals
	}
	return whole
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

// Ranges writes ascending numbers shortly: "3, 17-20, …".
func Ranges(numbers []int) string {
	const most = 20
	var all []string
	for from := 0; from < len(numbers); {
		to := from + 1
		for to < len(numbers) && numbers[to] == numbers[to-1]+1 {
			to++
		}
		text := strconv.Itoa(numbers[from])
		if to-from > 1 {
			text += "-" + strconv.Itoa(numbers[to-1])
		}
		all = append(all, text)
		if len(all) == most && to < len(numbers) {
			return strings.Join(all, ", ") + ", …"
		}
		from = to
	}
	return strings.Join(all, ", ")
}

// ParseBytes reads an amount of memory as people and DuckDB write it: "4GB" is four thousand
// million bytes, "4GiB" 4·2³⁰, "500" bytes.
func ParseBytes(text string) (int64, error) {
	number := strings.TrimRight(strings.ToLower(strings.TrimSpace(text)), "kmgtib ")
	unit := strings.TrimSpace(strings.ToLower(strings.TrimSpace(text))[len(number):])
	factor, known := map[string]float64{"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
		"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40}[unit]
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !known || !(n >= 0) || n*factor > math.MaxInt64/2 {
		return 0, fmt.Errorf("%q: want an amount of memory such as 500MB, 4GB or 16GiB", text)
	}
	return int64(n * factor), nil
}

// Columns returns how many columns of a terminal a text takes: two for each wide letter of Chinese, Japanese and
// Korean, none for marks over the letter before (Unicode Standard Annex 11).
func Columns(text string) (n int) {
	for _, r := range text {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r):
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// Printable returns text that cannot control a terminal or page. Control characters except line feed and tab,
// bytes that are not UTF-8, and Unicode marks that change the text direction (UAX #9, section 2) become
// escapes such as \x1b and \u202e.
func Printable(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, steers) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r < utf8.RuneSelf && steers(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case steers(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func steers(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x2028 || r == 0x2029:
		return true
	}
	return unicode.IsControl(r)
}

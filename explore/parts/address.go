// Package parts makes what several pages of the explorer have in common.
//
// In: the values of an address, boards, counts of results, charts and texts. Out: addresses of other pages, steps of a game with
// links to their boards, boards to set up, tallies, plots for the script that draws them, and text without control characters.
// It does not read datasets, and makes no page.
package parts

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Here is the address of a view: its name and what it shows.
type Here struct {
	View string
	url.Values
}

// With is the address with other values: names and values in turn, "" leaves one out. Lists start at
// their first page again.
func (h Here) With(pairs ...any) string {
	v := url.Values{}
	for name, values := range h.Values {
		v[name] = slices.Clone(values)
	}
	v.Del("page")
	v.Del("as")
	return address(h.View, v, pairs)
}

// address writes a view with values, further ones in pairs.
func address(view string, v url.Values, pairs []any) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		name, value := fmt.Sprint(pairs[i]), fmt.Sprint(pairs[i+1])
		if v.Del(name); value != "" {
			v.Set(name, value)
		}
	}
	if len(v) == 0 {
		return view
	}
	return view + "?" + v.Encode()
}

// To is the address of another view.
func To(view string, pairs ...any) string { return address(view, url.Values{}, pairs) }

// Number is a value as a whole number, or the usual one.
func (h Here) Number(name string, usual int) int {
	if n, err := strconv.Atoi(h.Get(name)); err == nil {
		return n
	}
	return usual
}

// Real is a value as a number; ok is false for none.
func (h Here) Real(name string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(h.Get(name)), 64)
	return v, err == nil && v-v == 0
}

func HereOf(name string, values url.Values) Here {
	if name == "home" {
		name = "."
	}
	return Here{name, values}
}

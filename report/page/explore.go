package page

import (
	"html"
	"net/url"
)

// Explore returns a link to a view of kifu explore with its parameters, names and values in turn.
// Where the explorer runs is not known when a page is made: the link is shown once the reader
// has told the page its address, which kifu explore prints.
func Explore(view string, parameters ...string) string {
	v := url.Values{}
	for i := 0; i+1 < len(parameters); i += 2 {
		if parameters[i+1] != "" {
			v.Set(parameters[i], parameters[i+1])
		}
	}
	return ` <a class="explore" hidden data-to="` + html.EscapeString(view+"?"+v.Encode()) + `">· explore</a>`
}

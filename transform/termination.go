package transform

import (
	"bytes"
	"strings"
)

// terminations are texts, in lower case, of which a game's termination is not to
// contain any.
type terminations []string

func newTerminations(texts []string) terminations {
	var t terminations
	for _, text := range texts {
		if text = strings.ToLower(strings.TrimSpace(text)); text != "" {
			t = append(t, text)
		}
	}
	return t
}

// excluded returns the text for which game i is left out, "" when it is kept. A game that
// does not say how it ended is kept.
func (t terminations) excluded(s *source, i int) string {
	if len(t) == 0 || s.termination.IsNull(i) {
		return ""
	}
	written := bytes.ToLower(s.termination.Value(i))
	for _, text := range t {
		if bytes.Contains(written, []byte(text)) {
			return text
		}
	}
	return ""
}

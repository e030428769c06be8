package transform

import (
	"bytes"
	"strings"
)

// terminations are texts, in lower case, that exclude games whose termination contains one.
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

// excluded returns the text by which game i is excluded, "" when it is kept. A game without
// a termination is kept.
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

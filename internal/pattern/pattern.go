// Package pattern has regular expressions that are compiled at their first use.
// A command uses few of them, and the compilation of all would be a third of its start.
package pattern

import (
	"regexp"
	"sync"
)

// Of is the regular expression of a text, which has to be valid.
func Of(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

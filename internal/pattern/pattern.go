// Package pattern has regular expressions that are compiled at their first use: a command uses few
// of them, and would start later if it compiled all.
package pattern

import (
	"regexp"
	"sync"
)

// Of returns the regular expression text, which has to be valid, else its first use panics.
func Of(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

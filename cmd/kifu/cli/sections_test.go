package cli

import (
	"strings"
	"testing"
)

// TestOneSection: a flag is in one section; in two, the help would show it now here, now there.
func TestOneSection(t *testing.T) {
	in := map[string]Section{}
	for _, s := range sections {
		for _, name := range strings.Fields(named[s]) {
			if in[name] != "" {
				t.Errorf("--%s is in %s and in %s", name, in[name], s)
			}
			in[name] = s
		}
	}
}

// Package slow marks the tests that take or wait for seconds (simulations of what intervals
// hold, every line of the help, browsers, leases) from those that one waits for between two
// edits. make test runs all; go test leaves these out unless they are requested.
package slow

import (
	"flag"
	"os"
	"testing"
)

// variable is set to "all" by make test.
const variable = "KIFU_TESTS"

// Asked reports whether slow tests run: all of them with KIFU_TESTS=all, those that -run
// names without it.
func Asked() bool {
	if os.Getenv(variable) == "all" {
		return true
	}
	named := flag.Lookup("test.run")
	return named != nil && named.Value.String() != ""
}

// Test skips t unless slow tests are requested; what names the cause of the time.
func Test(t testing.TB, what string) {
	t.Helper()
	if !Asked() {
		t.Skipf("%s: make test, %s=all or -run %s runs it", what, variable, t.Name())
	}
}

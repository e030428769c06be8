package schemas_test

import (
	"fmt"
	"testing"

	"kifu/schemas"
)

// TestDates: dates are those of games, in the order of their texts.
func TestDates(t *testing.T) {
	texts := []string{"0000", "0999-12-31", "1950", "1950-00", "1950-07", "1950-07-01", "1950-07-15", "1950-12", "9999-99-99"}
	last := schemas.Date(0)
	for _, text := range texts {
		d, ok := schemas.DateOf([]byte(text))
		if !ok || d <= last || d.String() != text || fmt.Sprintf("%04d", d.Year()) != text[:4] {
			t.Errorf("%s: %s of %d after %d", text, d, d.Year(), last)
		}
		last = d
	}
	for _, text := range []string{"", "195", "1950-7", "1950-07-", "1950-07-15-", "195a", "May 1950", "1950-0x"} {
		if d, ok := schemas.DateOf([]byte(text)); ok {
			t.Errorf("%q is %s", text, d)
		}
	}
}

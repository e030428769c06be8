package dyads

import (
	"slices"
	"testing"
)

// TestResolve: aliases of aliases are followed to the end, and one that leads back to itself is
// an error, by number and by name.
func TestResolve(t *testing.T) {
	got, err := Resolve([]Alias{{"a", "b"}, {"b", "c"}, {"x", "y"}, {"c", "c"}})
	if want := []Alias{{"a", "c"}, {"b", "c"}, {"x", "y"}, {"c", "c"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	circle := []Alias{{"a", "b"}, {"b", "a"}, {"c", "a"}}
	if got, err := Resolve(circle); err == nil {
		t.Errorf("a circle: %v", got)
	}
	if k, err := NewNames(circle).Number("c"); err == nil {
		t.Errorf("a circle: %d", k)
	}
}

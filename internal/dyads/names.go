package dyads

import "fmt"

// Alias is a name that is the same player's as another one.
type Alias struct {
	Name   string `json:"name"`
	SameAs string `json:"same_as"`
}

// Names numbers players by their names.
type Names struct {
	same    map[string]string
	numbers map[string]int32
}

// NewNames returns Names that read aliases as the names they stand for, and those as what
// these stand for.
func NewNames(aliases []Alias) *Names {
	n := &Names{same: map[string]string{}, numbers: map[string]int32{}}
	for _, a := range aliases {
		n.same[a.Name] = a.SameAs
	}
	return n
}

// Number returns the number of the player of that name, from 0 in the order of the calls.
// Aliases that lead in a circle are an error.
func (n *Names) Number(name string) (int32, error) {
	for at, left := name, len(n.same); left >= 0; left-- {
		to, ok := n.same[at]
		if !ok {
			k, seen := n.numbers[at]
			if !seen {
				k = int32(len(n.numbers))
				n.numbers[at] = k
			}
			return k, nil
		}
		at = to
	}
	return 0, fmt.Errorf("alias %q leads back to itself", name)
}

package dyads

import (
	"fmt"
	"slices"
)

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

// NewNames returns Names that read aliases as the names they mean, and these in turn as what
// they mean.
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
	player, err := n.player(name)
	if err != nil {
		return 0, err
	}
	k, seen := n.numbers[player]
	if !seen {
		k = int32(len(n.numbers))
		n.numbers[player] = k
	}
	return k, nil
}

// Of returns the names of players by number, in order.
func (n *Names) Of(numbers []int32) (names []string) {
	if len(numbers) == 0 {
		return nil
	}
	for name, k := range n.numbers {
		if slices.Contains(numbers, k) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// player follows aliases of aliases to the end; those that lead in a circle are an error.
func (n *Names) player(name string) (string, error) {
	at := name
	for range len(n.same) + 1 {
		to, ok := n.same[at]
		if !ok || to == at { // a name that means itself
			return at, nil
		}
		at = to
	}
	return "", fmt.Errorf("alias %q leads back to itself", name)
}

// Resolve returns the aliases as names of players, whatever aliases they stood for. Aliases
// that lead in a circle are an error.
func Resolve(aliases []Alias) ([]Alias, error) {
	n := NewNames(aliases)
	out := slices.Clone(aliases)
	for i := range out {
		var err error
		if out[i].SameAs, err = n.player(out[i].Name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

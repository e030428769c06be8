// Package edits measures the distance between spellings, to suggest what was meant.
package edits

import "strings"

// Distance returns the number of insertions, deletions, substitutions and swaps of
// neighbours between two texts, byte by byte (optimal string alignment; Damerau,
// Communications of the ACM 7(3), 1964, counts these four as the errors of typists).
//
// It is by hand: cobra's own has no swaps, and a module for these twenty lines would be
// longer in go.sum than they are here.
func Distance(a, b string) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}

// Nearest returns the candidate with the fewest edits from name, ignoring case, if it is
// near enough to have been meant: within two edits or a third of the name's length, and within half of it.
func Nearest(name string, candidates []string) (string, bool) {
	least, found := min(max(2, len(name)/3), len(name)/2)+1, -1
	for i, c := range candidates {
		if d := Distance(strings.ToLower(name), strings.ToLower(c)); d < least {
			least, found = d, i
		}
	}
	if found < 0 {
		return "", false
	}
	return candidates[found], true
}

// Meant returns the end of an error about an unknown name: the nearest candidate, or
// nothing if none is near.
func Meant(name string, candidates []string) string {
	if near, ok := Nearest(name, candidates); ok {
		return ": did you mean " + near + "?"
	}
	return ""
}

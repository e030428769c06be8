package duplicates

import (
	"unicode"
)

// name is the fingerprint of a player's name: the hashes of its first words of three
// letters or more, in lower case, or of all words if they are shorter, padded with zeros.
type name [4]uint32

func nameOf(text []byte) name {
	n := words(text, 3)
	if n == (name{}) {
		n = words(text, 1)
	}
	return n
}

// words hashes the words of at least the given number of letters or digits.
func words(text []byte, least int) (n name) {
	const offset, prime = 2166136261, 16777619 // FNV-1a
	found, letters, hash := 0, 0, uint32(offset)
	for _, r := range string(text) + " " {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			hash = (hash ^ uint32(unicode.ToLower(r))) * prime
			letters++
			continue
		}
		if letters >= least && found < len(n) {
			n[found] = max(hash, 1)
			found++
		}
		letters, hash = 0, offset
	}
	return n
}

// agrees reports whether the names have a word in common, or one of them is unknown.
func (n name) agrees(o name) bool {
	if n[0] == 0 || o[0] == 0 {
		return true
	}
	for _, a := range n {
		for _, b := range o {
			if a != 0 && a == b {
				return true
			}
		}
	}
	return false
}

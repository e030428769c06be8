package weiqi

import "strings"

// Ruleset is one of the sets of rules that records name. The zero Ruleset means a
// record that names none; it forbids suicide, which was hardly ever allowed.
type Ruleset uint8

// The sets of rules.
const (
	Unnamed Ruleset = iota
	Japanese
	Korean
	Chinese
	AGA
	Ing
	NewZealand
	TrompTaylor
)

// repetition is the consequence of repeating a whole-board position.
type repetition uint8

const (
	noRule      repetition = iota
	noResult               // the game has none, once board and side to move are the same
	positional             // the move is illegal
	situational            // the move is illegal if the same side is to move
)

// rulesets is written by its initialiser only. Sources: the Japanese Rules of Go 1989,
// articles 5, 6, 8, 12; the AGA Concise Rules of Go; the Rules of Go of the New Zealand
// Go Society; the Logical Rules of Go by Tromp and Taylor; the rules of Ing; the Chinese
// rules of 2002, whose text forbids all repetition.
var rulesets = [...]struct {
	name      string
	suicide   bool // a chain of two stones and more may take its own last liberty
	territory bool // prisoners and surrounded points count, else stones and surrounded points
	final     bool // two passes end the game with all stones alive, else the players agree on the dead
	repeats   repetition
}{
	Unnamed:     {name: ""},
	Japanese:    {name: "japanese", territory: true, repeats: noResult},
	Korean:      {name: "korean", territory: true, repeats: noResult},
	Chinese:     {name: "chinese", repeats: positional},
	AGA:         {name: "aga", repeats: situational},
	Ing:         {name: "ing", suicide: true},
	NewZealand:  {name: "new-zealand", suicide: true, repeats: situational},
	TrompTaylor: {name: "tromp-taylor", suicide: true, final: true, repeats: positional},
}

// String returns the name of the set of rules, as in variants: "japanese".
func (r Ruleset) String() string { return rulesets[r].name }

// parseRuleset reads a name as String gives it, in any case.
func parseRuleset(name string) (r Ruleset, ok bool) {
	for i := range rulesets {
		if strings.EqualFold(rulesets[i].name, name) {
			return Ruleset(i), true
		}
	}
	return 0, false
}

package pdn

import (
	"bytes"
	"slices"
	"strings"

	"kifu/ingest/record"
)

// variants are the games by their numbers in the tag GameType: the name here, a word of --game
// if the game is played, and what else the tag Variant calls it.
var variants = []struct {
	number, name string
	also         []string
}{
	{"20", "draughts", []string{"international"}},
	{"21", "checkers", []string{"english", "american/english", "american", "anglo-american"}},
	{"22", "italian", nil},
	{"23", "American pool checkers", []string{"pool", "american pool"}},
	{"24", "Spanish draughts", nil},
	{"25", "russian", []string{"shashki"}},
	{"26", "brazilian", nil},
	{"27", "Canadian draughts", nil},
	{"28", "Portuguese draughts", nil},
	{"29", "Czech draughts", nil},
	{"30", "Turkish draughts", nil},
	{"31", "Thai draughts", nil},
	{"40", "frisian", []string{"frysk!", "frysk"}},
	{"41", "Spantsireti", nil},
	{"96", "Breakthrough draughts", nil},
	{"98", "Antidraughts", nil},
	{"giveaway", "giveaway", nil},
}

// gameType returns the name of the game that a value of the tag GameType means: a number of
// the standard or of lidraughts.org, with or without a description of the board; any other
// value is its own name.
func gameType(value []byte) string {
	value = bytes.TrimSpace(value)
	number, _, _ := bytes.Cut(value, []byte(","))
	number = bytes.TrimSpace(number)
	for i := range variants {
		if variants[i].number == string(number) {
			return variants[i].name
		}
	}
	return string(value)
}

// positions maps lidraughts.org's numbers for games that begin from another position to the numbers of
// their rules: 97 is Frysk!, with five men each, 99 any position of the international game.
var positions = map[string]string{"97": "40", "99": "20"}

// nameGame settles the tag GameType of g. A tag Variant that names a game wins, since sites write it alone;
// an unknown name is kept where there is no number.
func nameGame(g *record.Game) {
	at := -1
	for i := range g.Tags {
		if string(g.Tags[i].Name) == record.TagGameType && at < 0 {
			at = i
		}
	}
	if at >= 0 {
		if number, ok := positions[string(g.Tags[at].Value)]; ok {
			g.Tags[at].Value = []byte(number)
		}
	}
	variant := bytes.TrimSpace(g.Tag(record.TagVariant))
	number := numberOf(string(variant))
	switch {
	case len(number) == 0 || at >= 0 && number == string(variant):
	case at < 0:
		record.AddTag(g, []byte(record.TagGameType), []byte(number))
	case gameType(g.Tags[at].Value) != gameType([]byte(number)):
		g.Tags[at].Value = []byte(number)
	}
}

// numberOf returns the number of the game that a value of the tag Variant names. It returns the
// value itself if the game is unknown, and "" if it names none.
func numberOf(variant string) string {
	name := strings.ToLower(variant)
	for _, word := range []string{" draughts", " checkers", " dama"} {
		name = strings.TrimSuffix(name, word)
	}
	switch strings.Trim(name, "?-") {
	case "", "standard", "normal", "from position", "fromposition":
		return ""
	}
	for _, v := range variants {
		known := strings.ToLower(strings.TrimSuffix(v.name, " draughts"))
		if name == known || name == v.number {
			return v.number
		}
		if slices.Contains(v.also, name) {
			return v.number
		}
	}
	return variant
}

package weiqi

import (
	"strings"
	"testing"
	"unsafe"

	"kifu/kit/gametest"
)

// hashed returns the part of a position's text that the hash covers: not prisoners and
// komi, and of the rules only those on suicide and, after two passes, on the end.
func hashed(text string) string {
	f := strings.Fields(text)
	ruleset, _ := parseRuleset(strings.Trim(f[6], "-"))
	suicide := rulesets[ruleset].suicide
	final := f[3] == "2" && rulesets[ruleset].final
	key := strings.Join(f[:4], " ")
	if suicide {
		key += " suicide"
	}
	if final {
		key += " final"
	}
	return key
}

// A search copies positions: they must stay small.
func TestSize(t *testing.T) {
	if n := unsafe.Sizeof(Position{}); n > 120 {
		t.Errorf("a position has %d bytes", n)
	}
}

func TestRules(t *testing.T) {
	gametest.Run(t, Rules{}, gametest.Options{
		Starts: []gametest.Start{
			{},
			{Variant: "2x2 tromp-taylor"},
			{Variant: "3 tromp-taylor"},
			{Variant: "5x5 ing komi -3.75"},
			{Variant: "9x9 chinese komi 7.5"},
			{Variant: "13x13 japanese handicap 9 komi 0.5"},
			{Position: "5/1XO2/XO1O1/1XO2/5 b C3 0 0:1 0.5 aga"},
		},
		Games: 2,
		Key:   hashed,
	})
}

package main

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"kifu/players/match/managers"
)

// plainWord is a word that a shell takes as it is.
var plainWord = regexp.MustCompile(`^[\w@%+:,./-][\w@%+=:,./-]*$`)

// translateMatch prints a command line of a match manager as one of kifu match, which writes to out.
func translateMatch(mk *maker, line, out string) error {
	t, err := managers.Translate(line)
	if err != nil {
		return usagef("--from: %w", err)
	}
	words := []string{"kifu", "match", "--out", cmp.Or(out, "match")}
	for _, word := range t.Args {
		if !plainWord.MatchString(word) {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		words = append(words, word)
	}
	fmt.Fprintln(mk.stdout, strings.Join(words, " "))
	if len(t.Left) > 0 {
		fmt.Fprintln(mk.stderr, "left out: "+strings.Join(t.Left, ", "))
	}
	return nil
}

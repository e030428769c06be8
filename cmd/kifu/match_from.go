package main

import (
	"cmp"
	"fmt"
	"strings"

	"kifu/cmd/kifu/command"
	"kifu/internal/step"
	"kifu/players/match/managers"
)

// translateMatch prints a command line of a match manager as one of kifu match, which writes to out.
func translateMatch(mk *command.Maker, line, out string) error {
	t, err := managers.Translate(line)
	if err != nil {
		return command.Usagef("--from: %w", err)
	}
	fmt.Fprintln(mk.Stdout, step.Line(append([]string{"kifu", "match", "--out", cmp.Or(out, "match")}, t.Args...)))
	if len(t.Left) > 0 {
		fmt.Fprintln(mk.Stderr, "left out: "+strings.Join(t.Left, ", "))
	}
	return nil
}

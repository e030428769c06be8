// Package models reads the models that flags name: evaluators, players with what their words name, models of people's moves.
//
// In: the words of a flag and the game. Out: a model that fits the game, or an error that names the file. A player that is
// a program is started once.
package models

import (
	"bytes"
	"fmt"
	"strings"

	"kifu/cmd/kifu/command"
	"kifu/eval"
	"kifu/eval/pattern"
	"kifu/internal/bounded"
)

// Evaluator is the evaluator of a game's counted terms, or the one in a file or named by a word.
func Evaluator(mk *command.Maker, g command.Game, file string) (*eval.Model, error) {
	switch file {
	case "", eval.Counted:
		return g.Model(nil)
	case pattern.Shipped:
		m, err := g.Tables.Shipped()
		if m == nil && err == nil {
			err = command.Usagef("no bundled tables for %s: make some with kifu tables, or write ./%[3]s for a file named %[2]s", g.Name, pattern.Shipped, pattern.Shipped)
		}
		return m, err
	}
	text, err := mk.ReadFile(file, bounded.Weights)
	if err != nil {
		return nil, err
	}
	if pattern.Is(text) {
		return readTables(mk.Files, g, file, text)
	}
	m, err := g.Model(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	noteDefaults(mk.Console, file, text, m)
	return m, nil
}

// readTables reads the weights next to a pattern file.
func readTables(disk *command.Files, g command.Game, file string, text []byte) (*eval.Model, error) {
	binary := strings.TrimSuffix(file, ".toml") + pattern.Extension
	weights, err := disk.ReadFile(binary, bounded.Tables)
	if err != nil {
		return nil, fmt.Errorf("%s: a pattern file without its weights file (kifu tables writes both): %w", file, err)
	}
	t, err := pattern.Read(text, weights, g.Name, g.Tables.Layout, g.Tables.Pieces)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return t.Model(), nil
}

// noteDefaults reports which terms a weights file leaves to the default weights: a whole group that is
// missing might be a mistake.
func noteDefaults(con *command.Console, file string, text []byte, m *eval.Model) {
	written, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil {
		return // the model was read from the same text
	}
	if n := len(m.Terms) - len(written.Terms); n > 0 {
		fmt.Fprintf(con.Stderr, "kifu: note: %s has weights for %d of the %d terms; the other %d keep their defaults: %s\n", file, len(written.Terms), len(m.Terms), n, missingGroups(m, written))
	}
}

// missingGroups names the groups of which written lacks terms, in m's order.
func missingGroups(m, written *eval.Model) string {
	has := map[string]bool{}
	for _, t := range written.Terms {
		has[t.Name] = true
	}
	var groups []string
	all, lacks := map[string]int{}, map[string]int{}
	for _, t := range m.Terms {
		if all[t.Group]++; !has[t.Name] {
			if lacks[t.Group]++; lacks[t.Group] == 1 {
				groups = append(groups, t.Group)
			}
		}
	}
	for i, g := range groups {
		if groups[i] = "all of " + g; lacks[g] < all[g] {
			groups[i] = fmt.Sprintf("%d of %s's %d", lacks[g], g, all[g])
		}
	}
	return strings.Join(groups, ", ")
}

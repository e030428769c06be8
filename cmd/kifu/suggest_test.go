package main

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/suggest"
	"kifu/kit/slow"
)

// TestGroups: every command stands under a heading, and headings have no others.
func TestGroups(t *testing.T) {
	root := newEnv(nil, nil, nil).Stages().Root
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, g := range helpHeadings {
		for _, name := range g.commands {
			if cmd, _, err := root.Find([]string{name}); err != nil || cmd == root {
				t.Errorf("%s: kifu %s is no command", g.title, name)
			}
		}
	}
	for _, cmd := range root.Commands() {
		if cmd.GroupID == "" && cmd.IsAvailableCommand() {
			t.Errorf("kifu %s stands under no heading of helpHeadings", cmd.Name())
		}
	}
}

// TestOtherFlags: flags that people try lead to those that the command has, and to no others.
func TestOtherFlags(t *testing.T) {
	for line, want := range map[string]string{
		"explore --port 80":     "unknown flag: --port: did you mean --listen HOST:PORT?",
		"ingest --threads 2":    "unknown flag: --threads: did you mean --workers?",
		"label --depth 4":       "unknown flag: --depth: did you mean --search?",
		"match --zerro 4":       "unknown flag: --zerro: kifu choices has --zero, kifu label has --zero",
		"match --depth 4":       "unknown flag: --depth: it is a flag of kifu backward, kifu evolve",
		"match --elo0 0":        "unknown flag: --elo0: did you mean --sprt ELO0:ELO1?",
		"match -each tc=1":      "unknown flag: --each: did you mean --from?",
		"match -concurrency 8":  "unknown flag: --concurrency: did you mean --workers?",
		"match -openings x":     "unknown flag: --openings: write --openings, with two hyphens",
		"fit --K 1.2 x":         "unknown flag: --K: did you mean --scale?",
		"texel x":               `no command "texel"; did you mean fit?`,
		"epd x":                 `no command "epd"; did you mean ingest?`,
		"fastchess":             `did you mean match --from?`,
		"show --out x":          "unknown flag: --out\n", // most commands have it
		"match --zzzzz 4":       "unknown flag: --zzzzz\n",
		"lable --out x y":       `no command "lable"; did you mean label`,
		"cluster stat --on x":   `no word "stat"; did you mean status?`,
		"report calibraton x":   `did you mean calibration?`,
		"datasets gett --out x": "want none, or one of sample, list, get",
		"frobnicate":            `no command "frobnicate"; kifu ingest reads games, and kifu demo shows`,
	} {
		if code, said := inDir(context.Background(), t.TempDir(), strings.Fields(line)...); code != command.Misuse || !strings.Contains(said, want) {
			t.Errorf("%s: exit %d, %s", line, code, said)
		}
	}
	if _, said := inDir(context.Background(), t.TempDir(), "ingest", "--port", "80"); strings.Contains(said, "--listen") {
		t.Errorf("ingest has no --listen: %s", said)
	}
	root := newEnv(nil, nil, nil).Stages().Root
	var known func(cmd *cobra.Command, name string) bool
	known = func(cmd *cobra.Command, name string) bool {
		return cmd.Flags().Lookup(name) != nil || cmd.PersistentFlags().Lookup(name) != nil ||
			slices.ContainsFunc(cmd.Commands(), func(c *cobra.Command) bool { return known(c, name) })
	}
	for word, flag := range suggest.Flags {
		if !known(root, flag) {
			t.Errorf("--%s leads to --%s, which no command has", word, flag)
		}
	}
}

// TestSuggest: words that people try lead to commands that there are.
func TestSuggest(t *testing.T) {
	root := newEnv(nil, nil, nil).Stages().Root
	for word, other := range suggest.Words {
		line := strings.Fields(other)
		cmd, rest, err := root.Find(line)
		if err != nil || cmd == root || len(rest) > 0 && cmd.Flags().Lookup(strings.TrimPrefix(rest[0], "--")) == nil {
			t.Errorf("%s leads to %s, which is none", word, other)
		}
		if cmd, _, err := root.Find([]string{word}); err == nil && cmd != root {
			t.Errorf("%s is a command itself", word)
		}
	}
	for word, want := range map[string]string{"lable": "label or tables", "curve": "report curve", "Opening": "report opening", "sample": "datasets sample", "stats": "report database", "White": "player", "head": "show", "info": "report database", "frobnicate": ""} {
		if got := strings.Join(suggest.For(root, word), " or "); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
	if report, _, err := root.Find([]string{"report"}); err != nil || !slices.Equal(suggest.For(report, "cruve"), []string{"curve"}) {
		t.Errorf("report cruve: %q, %v", suggest.For(report, "cruve"), err)
	}
}

// TestNumbersOfFlags: every flag of every command that takes a number, or numbers, says so in
// plain words when it gets something else.
func TestNumbersOfFlags(t *testing.T) {
	slow.Test(t, "runs a command for each of a thousand values")
	tried := 0
	var all func(path []string, cmd *cobra.Command)
	all = func(path []string, cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if kind := f.Value.Type(); suggest.Wants[kind] == "" {
				if !strings.HasPrefix(kind, "string") && kind != "date" {
					t.Errorf("%s --%s: no words for a value of the type %s", cmd.CommandPath(), f.Name, kind)
				}
				return
			}
			for _, value := range []string{"abc", "Inf", "NaN", "1e999", "99999999999999999999", "0x", "\xff", "1,x", " "} {
				if f.Value.Type() == "float64" && value[0] == '9' {
					continue // a number
				}
				tried++
				line := append(slices.Clone(path), "--"+f.Name+"="+value)
				code, said := inDir(t.Context(), t.TempDir(), line...)
				if code != command.Misuse || strings.Contains(said, "strconv") || strings.Contains(said, "parsing") || !strings.Contains(said, "--"+f.Name) && !strings.Contains(said, "no input") && !strings.Contains(said, "arguments") {
					t.Errorf("%q: exit %d, %s", line, code, said)
				}
			}
		})
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				all(append(slices.Clone(path), c.Name()), c)
			}
		}
	}
	root := newEnv(nil, nil, nil).Stages().Root
	all(nil, root)
	t.Logf("%d values", tried)
}

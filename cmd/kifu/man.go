package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/internal/pattern"
)

func manCommand(mk *command.Maker) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "man --out DIR",
		Short: "Write the manual pages of all commands",
		Args:  command.Exactly(0, "none"),
		RunE: func(*cobra.Command, []string) error {
			if out == "" {
				return command.Usagef("--out DIR is missing")
			}
			n := 0
			// Writing the pages changes the commands' texts: they are separate commands.
			err := eachCommand(mk.Stages().Root, func(c *cobra.Command) error {
				n++
				page, err := manPage(c)
				if err != nil {
					return err
				}
				return datasets.WriteFile(filepath.Join(mk.Path(out), manName(c)+".1"), page)
			})
			if err != nil {
				return err
			}
			mk.Announce(out, fmt.Sprintf("%d manual pages", n))
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write to directory `DIR` (required)")
	return cmd
}

// eachCommand calls f with every command that has a page, parents first.
func eachCommand(cmd *cobra.Command, f func(*cobra.Command) error) error {
	if cmd.Name() == "help" || cmd.Hidden {
		return nil
	}
	if err := f(cmd); err != nil {
		return err
	}
	for _, c := range cmd.Commands() {
		if err := eachCommand(c, f); err != nil {
			return err
		}
	}
	return nil
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage returns the manual page of cmd, which cobra/doc writes. Its texts are plain, and cobra/doc takes
// them for Markdown: signs of Markdown are escaped in cmd. The date is the source's, so that the page is
// always the same.
func manPage(cmd *cobra.Command) ([]byte, error) {
	cmd.DisableAutoGenTag = true
	cmd.InitDefaultHelpFlag()
	cmd.Short, cmd.Use = plainMarkdown(cmd.Short), plainMarkdown(cmd.Use)
	cmd.Long = plainMarkdown(cmd.Long)
	cmd.Example = strings.ReplaceAll(strings.TrimPrefix(cmd.Example, "  "), "\n  ", "\n")
	for _, flags := range []*pflag.FlagSet{cmd.NonInheritedFlags(), cmd.InheritedFlags()} {
		flags.VisitAll(manFlag)
	}
	date := sourceDate()
	var page bytes.Buffer
	err := doc.GenMan(cmd, &doc.GenManHeader{
		Title: strings.ToUpper(manName(cmd)), Section: "1", Date: &date,
		Source: "kifu " + manifest.Version, Manual: "kifu",
	}, &page)
	return page.Bytes(), err
}

// manFlag makes f show as --min-ply=N, with its default in the text.
func manFlag(f *pflag.Flag) {
	if _, done := f.Value.(manValue); done {
		return
	}
	name, usage := pflag.UnquoteUsage(f)
	switch {
	case f.Value.Type() == "bool":
		name = f.DefValue
	case f.Name == "workers": // the default is this machine's
		usage += " (default: all)"
	case f.DefValue != "" && f.DefValue != "0" && f.DefValue != "[]":
		usage += " (default " + f.DefValue + ")"
	}
	f.Usage, f.DefValue, f.Value = usage, plainMarkdown(name), manValue{f.Value}
}

// manValue keeps cobra/doc from putting the default in quotes.
type manValue struct{ pflag.Value }

// Type implements pflag.Value.
func (manValue) Type() string { return "plain" }

// marks have a meaning in Markdown.
var marks = pattern.Of("[\\\\`*_{}\\[\\]<>&~|#!]")

// plainMarkdown escapes text for Markdown; lines indented by four need no escaping.
func plainMarkdown(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "    ") {
			lines[i] = marks().ReplaceAllString(line, `\$0`)
		}
	}
	return strings.Join(lines, "\n")
}

// sourceDate returns the time of the commit that the program was built from, and the
// beginning of 1970 when that is not known.
func sourceDate() time.Time {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if t, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
				return t
			}
		}
	}
	return time.Unix(0, 0).UTC()
}

package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/datasets"
)

func (a *app) manCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "man --out DIR",
		Short: "Write the manual pages of all commands",
		Long: `Write a manual page (section 1) for each command to a directory, from the texts of --help.
'man DIR/kifu-transform.1' shows one; in a man1 of the manual path, 'man kifu-transform'.`,
		Example: "  kifu man --out ~/.local/share/man/man1",
		Args:    exactly(0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return usagef("--out DIR is missing")
			}
			n := 0
			err := eachCommand(cmd.Root(), func(c *cobra.Command) error {
				n++
				return datasets.WriteFile(filepath.Join(out, manName(c)+".1"), []byte(manPage(c)))
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "%s: %d manual pages\n", out, n)
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

// manPage is the page of cmd in the man macros of roff. It has no date, so that it is
// the same whenever it is written.
func manPage(cmd *cobra.Command) string {
	var s strings.Builder
	fmt.Fprintf(&s, ".TH %s 1 \"\" \"kifu %s\" \"kifu\"\n", roff(strings.ToUpper(manName(cmd))), datasets.Version)
	fmt.Fprintf(&s, ".SH NAME\n%s \\- %s\n", roff(manName(cmd)), roff(lowerFirst(cmd.Short)))
	use := cmd.Use
	if cmd.HasParent() {
		use = cmd.Parent().CommandPath() + " " + use
	} else {
		use += " COMMAND"
	}
	fmt.Fprintf(&s, ".SH SYNOPSIS\n.nf\n%s\n.fi\n", roff(use))
	if cmd.Long != "" {
		fmt.Fprintf(&s, ".SH DESCRIPTION\n%s", roffText(cmd.Long))
	}
	roffFlags(&s, "OPTIONS", cmd.LocalNonPersistentFlags())
	roffFlags(&s, "OPTIONS OF EVERY COMMAND", cmd.Root().PersistentFlags())
	if cmd.Example != "" {
		fmt.Fprintf(&s, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(strings.ReplaceAll(strings.TrimPrefix(cmd.Example, "  "), "\n  ", "\n")))
	}
	var also []string
	if cmd.HasParent() {
		also = append(also, manName(cmd.Parent()))
	}
	for _, c := range cmd.Commands() {
		if !c.Hidden && c.Name() != "help" {
			also = append(also, manName(c))
		}
	}
	for i, name := range also {
		also[i] = ".BR " + roff(name) + " (1)"
	}
	if len(also) > 0 {
		fmt.Fprintf(&s, ".SH SEE ALSO\n%s\n", strings.Join(also, " ,\n"))
	}
	return s.String()
}

func roffFlags(s *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(s, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name, usage := pflag.UnquoteUsage(f)
		head := "--" + f.Name
		if f.Shorthand != "" {
			head = "-" + f.Shorthand + ", " + head
		}
		if name != "" {
			head += " " + name
		}
		switch {
		case f.Name == "workers": // the default is this machine's
			usage += " (default: all)"
		case f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]":
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(s, ".TP\n.B %s\n%s\n", roff(head), roff(usage))
	})
}

// roffText sets paragraphs, and indented lines as they are.
func roffText(text string) string {
	var s strings.Builder
	asIs := false
	for _, line := range strings.Split(text, "\n") {
		indented := strings.HasPrefix(line, "    ")
		switch {
		case indented && !asIs:
			s.WriteString(".nf\n")
		case !indented && asIs && line != "":
			s.WriteString(".fi\n")
		}
		asIs = indented || asIs && line == ""
		if line == "" {
			line = ".PP"
			if asIs {
				line = ".sp"
			}
			s.WriteString(line + "\n")
			continue
		}
		s.WriteString(roff(line) + "\n")
	}
	if asIs {
		s.WriteString(".fi\n")
	}
	return s.String()
}

// roff writes text so that it stands on the page as it is.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`).Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

func lowerFirst(text string) string { return strings.ToLower(text[:1]) + text[1:] }

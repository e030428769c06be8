package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Path returns the words of a command after the program's name: "report curve".
func Path(cmd *cobra.Command) string {
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	return path
}

// Help gives root and all commands below it a help with flags in sections, the most used ones first. A
// command with many flags shows the others by --help=all.
func Help(root *cobra.Command) {
	all := new(helpValue)
	root.PersistentFlags().VarPF(all, "help", "h", "print this help; --help=all: with all flags").NoOptDefVal = "true"
	root.SetUsageFunc(func(cmd *cobra.Command) error { return usage(cmd.OutOrStderr(), cmd, *all == "all") })
}

// helpValue is the value of --help: "", "true", or "all".
type helpValue string

// Type makes cobra, which asks for a bool, take any value for a wish for help.
func (*helpValue) Type() string     { return "bool" }
func (v *helpValue) String() string { return strconv.FormatBool(*v != "") }
func (v *helpValue) Set(text string) error {
	if text != "true" && text != "all" {
		return errors.New("want --help or --help=all")
	}
	*v = helpValue(text)
	return nil
}

// usage writes how cmd is called, its examples, the commands below it and its flags.
func usage(w io.Writer, cmd *cobra.Command, all bool) error {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND\n", cmd.CommandPath())
	} else {
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	commands(&b, cmd)
	for _, s := range Sections(cmd, all) {
		fmt.Fprintf(&b, "\n%s:\n%s", s.Name, s.Flags.FlagUsages())
	}
	if left := hidden(cmd); len(left) > 0 && !all {
		fmt.Fprintf(&b, "\nMore flags (--help=all):\n%s", wrapped(left))
	}
	if own := cmd.PersistentFlags(); own.HasAvailableFlags() {
		fmt.Fprintf(&b, "\n%s:\n%s", everyOf(cmd), own.FlagUsages())
	}
	for c := cmd.Parent(); c != nil; c = c.Parent() {
		if names := namesOf(c.PersistentFlags()); len(names) > 0 {
			fmt.Fprintf(&b, "\n%s (%s --help):\n%s", everyOf(c), c.CommandPath(), wrapped(names))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// everyOf is the heading of the flags that all commands below cmd have.
func everyOf(cmd *cobra.Command) string {
	if cmd.HasParent() {
		return "Flags of every " + cmd.Name()
	}
	return "Flags of every command"
}

// commands writes the commands below cmd, in their groups.
func commands(b *strings.Builder, cmd *cobra.Command) {
	list := func(title, id string) {
		for _, c := range cmd.Commands() {
			if c.GroupID == id && (c.IsAvailableCommand() || c.Name() == "help") {
				if title != "" {
					fmt.Fprintf(b, "\n%s\n", title)
					title = ""
				}
				fmt.Fprintf(b, "  %-*s %s\n", c.NamePadding(), c.Name(), c.Short)
			}
		}
	}
	for _, g := range cmd.Groups() {
		list(g.Title, g.ID)
	}
	list("Commands:", "")
}

// FlagSection is some flags of a command under their heading.
type FlagSection struct {
	Name  Section
	Flags *pflag.FlagSet
}

// Sections returns the flags that cmd alone has, in their sections; rare ones only with all.
func Sections(cmd *cobra.Command, all bool) (found []FlagSection) {
	for _, s := range sections {
		set := pflag.NewFlagSet(string(s), pflag.ContinueOnError)
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if in, _ := SectionOf(Path(cmd), f.Name); in == s && !f.Hidden && (all || !Rare(Path(cmd), f.Name)) {
				set.AddFlag(f)
			}
		})
		if set.HasFlags() {
			found = append(found, FlagSection{s, set})
		}
	}
	return found
}

// hidden returns the flags of cmd that the help leaves out.
func hidden(cmd *cobra.Command) (names []string) {
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && Rare(Path(cmd), f.Name) {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

func namesOf(flags *pflag.FlagSet) (names []string) {
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// wrapped writes words in lines of at most 90 characters, indented as flags are.
func wrapped(words []string) string {
	var b strings.Builder
	width := 90
	for i, word := range words {
		if width += len(word) + 2; width > 90 {
			if i > 0 {
				b.WriteString("\n")
			}
			b.WriteString("     ")
			width = 5 + len(word) + 2
		}
		b.WriteString(" " + word)
	}
	return b.String() + "\n"
}

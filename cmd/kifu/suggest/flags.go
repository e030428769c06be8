package suggest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/internal/edits"
	"kifu/internal/pattern"
)

// Flags are flags that people try, with those that do what they mean.
var Flags = map[string]string{
	"port": "listen", "host": "listen", "address": "listen", "bind": "listen", "addr": "listen",
	"output": "out", "threads": "workers", "jobs": "workers", "concurrency": "workers", "overwrite": "force",
	"engine": "player", "each": "from", "rounds": "games", "elo0": "sprt", "elo1": "sprt", "tb": "syzygy", "pgnout": "record", "srand": "seed", "maxmoves": "max-plies", "tournament": "gauntlet",
	"K": "scale", "k": "scale", "depth": "search", "nodes": "engine", "movetime": "engine",
}

var (
	unknownFlag = pattern.Of(`^unknown flag: --([^=]+)`)
	// longWord is a flag of several letters behind one hyphen, as match managers have them, or the K of tuners.
	longWord = pattern.Of(`^unknown shorthand flag: '.' in -([A-Za-z0-9]{2,}|[Kk])`)
	// Wants are the values that flags take, by the names of their types.
	Wants = map[string]string{
		"int": "want a whole number", "int16": "want a whole number", "int64": "want a whole number", "uint64": "want a whole number from 0",
		"intSlice": "want whole numbers, with commas between", "float64": "want a number", "bool": "want true or false",
		"duration": "want a time such as 90s or 2h",
	}
)

// havingFlag returns the commands below root that have a flag of their own of that name, by their
// words after kifu.
func havingFlag(root *cobra.Command, name string) (all []string) {
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() && cmd.LocalNonPersistentFlags().Lookup(name) != nil {
			all = append(all, strings.TrimPrefix(cmd.CommandPath(), "kifu "))
		}
		all = append(all, havingFlag(cmd, name)...)
	}
	return all
}

// flagsLike returns the flags of a command of which a word is spelt like name, in hyphens: of
// --timeout there is --engine-timeout.
func flagsLike(cmd *cobra.Command, name string) (all []string) {
	if len(name) < 4 {
		return nil
	}
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		like := func(word string) bool { return edits.Distance(word, name) < 2 }
		if !f.Hidden && slices.ContainsFunc(strings.Split(f.Name, "-"), like) {
			all = append(all, "--"+f.Name)
		}
	})
	return all
}

// havingLike returns the commands below root that have flags like name, with these flags.
func havingLike(root *cobra.Command, name string) (all []string) {
	for _, cmd := range root.Commands() {
		if like := flagsLike(cmd, name); cmd.IsAvailableCommand() && len(like) > 0 {
			all = append(all, cmd.CommandPath()+" has "+strings.Join(like, ", "))
		}
		all = append(all, havingLike(cmd, name)...)
	}
	return all
}

// flagElsewhere leads from a flag that cmd does not have, nor one spelt so, to others.
func flagElsewhere(cmd *cobra.Command, name string) string {
	if like := flagsLike(cmd, name); len(like) > 0 {
		return ": did you mean " + strings.Join(like, " or ") + "?"
	}
	const named, common = 5, 20 // a flag of more commands than common is no hint
	if others := havingFlag(cmd.Root(), name); len(others) > 0 {
		more := ""
		switch n := len(others); {
		case n > common:
			return ""
		case n > named+1:
			others, more = others[:named], fmt.Sprintf(" and %d more commands", n-named)
		}
		return ": it is a flag of kifu " + strings.Join(others, ", kifu ") + more
	}
	if others := havingLike(cmd.Root(), name); len(others) > 0 {
		return ": " + strings.Join(others, ", ")
	}
	return ""
}

// FlagError names the flag that was meant, or the kind of value a flag takes.
func FlagError(cmd *cobra.Command, err error) error {
	if m := longWord().FindStringSubmatch(err.Error()); m != nil {
		return FlagError(cmd, fmt.Errorf("unknown flag: --%s", m[1]))
	}
	if words := cmd.Flags().Args(); cmd.HasSubCommands() && len(words) > 0 { // the flag is one of the command that was meant
		if err := cmd.Args(cmd, words); err != nil {
			return err
		}
		return cmd.RunE(cmd, words)
	}
	if m := unknownFlag().FindStringSubmatch(err.Error()); m != nil {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		hint := ""
		if near, ok := edits.Nearest(m[1], names); ok {
			hint = ": did you mean --" + near + "?"
		}
		if cmd.Flags().Lookup(m[1]) != nil {
			hint = fmt.Sprintf(": write --%s, with two hyphens", m[1])
		} else if other := Flags[m[1]]; cmd.Flags().Lookup(other) != nil {
			hint = fmt.Sprintf(": did you mean --%s?", other)
			if value, _ := pflag.UnquoteUsage(cmd.Flags().Lookup(other)); strings.Contains(value, ":") {
				hint = fmt.Sprintf(": did you mean --%s %s?", other, value)
			}
		}
		hint = cmp.Or(hint, flagElsewhere(cmd, m[1]))
		return command.Misused(errors.New(err.Error() + hint))
	}
	return command.Misused(ValueError(err))
}

// ValueError names the kind of value a flag takes, not the function that refused it; other errors are unchanged.
func ValueError(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) || Wants[invalid.GetFlag().Value.Type()] == "" {
		return err
	}
	want := Wants[invalid.GetFlag().Value.Type()]
	if errors.Is(err, strconv.ErrRange) {
		want = "the number is out of range"
	}
	return errors.New(strings.TrimSuffix(err.Error(), invalid.Unwrap().Error()) + want)
}

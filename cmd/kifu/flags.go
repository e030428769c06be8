package main

import (
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/internal/pattern"
)

// finite refuses infinite numbers and NaN, which package strconv reads, in all flags.
func finite(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if x, fault := strconv.ParseFloat(f.Value.String(), 64); f.Value.Type() == "float64" && fault == nil && x-x != 0 {
			err = command.Usagef("--%s %s: want a finite number", f.Name, f.Value)
		}
	})
	return err
}

// typedFlags returns the flags of the command line.
func typedFlags(cmd *cobra.Command) (typed []*pflag.Flag) {
	cmd.Flags().Visit(func(f *pflag.Flag) { typed = append(typed, f) })
	return typed
}

// needPattern is how the text of a flag begins that does nothing without others.
var (
	needPattern = pattern.Of(`^with (--[a-z-]+(?:(?:, | or )--[a-z-]+)*): `)
	flagName    = pattern.Of(`--([a-z-]+)`)
)

// checkNeeds returns an error for a typed flag whose text names others that it needs, if none of them is given.
func checkNeeds(cmd *cobra.Command, typed []*pflag.Flag) error {
	for _, f := range typed {
		found := needPattern().FindStringSubmatch(f.Usage)
		if found == nil {
			continue
		}
		needs := flagName().FindAllStringSubmatch(found[1], -1)
		if !slices.ContainsFunc(needs, func(name []string) bool { return cmd.Flags().Changed(name[1]) }) {
			return command.Usagef("--%s is for %s", f.Name, found[1])
		}
	}
	return nil
}

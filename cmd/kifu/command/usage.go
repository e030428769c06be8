package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/cli"
)

// usageError is a command line that cannot be meant.
type usageError struct{ error }

// Misused returns err as one about the command line, which ends a command with the code Misuse.
func Misused(err error) error { return usageError{err} }

// Usagef returns such an error.
func Usagef(format string, args ...any) error { return Misused(fmt.Errorf(format, args...)) }

// Exactly and AtLeast check the number of positional arguments, which what describes.
func Exactly(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > n && strings.Contains(what, "dataset") {
			return Usagef("%d arguments; want %s. To read several datasets as one, quote the pattern: 'labels-*'", len(args), what)
		}
		if len(args) != n {
			return Usagef("%d arguments; want %s", len(args), what)
		}
		return nil
	}
}

// AtLeast: see Exactly.
func AtLeast(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < n {
			return Usagef("no input; want %s", what)
		}
		return nil
	}
}

// OutFlag adds the --out that every stage needs.
func OutFlag(cmd *cobra.Command, out *string) {
	cli.MarkBuilds(cmd)
	cmd.Flags().StringVar(out, "out", "", "write the dataset to directory `DIR`, or s3://BUCKET/PREFIX (required)")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if *out == "" {
			return ErrNoOut
		}
		return nil
	}
}

// DeclarePlies adds the flags for which plies of games count.
func DeclarePlies(flags *pflag.FlagSet, skip, most *int) {
	flags.IntVar(skip, "skip-plies", 0, "skip the first `N` plies of each game")
	flags.IntVar(most, "max-ply", 0, "skip plies from number `N` on")
}

// ErrNoOut: a command has no --out, which it needs.
var ErrNoOut = Usagef("--out DIR is missing")

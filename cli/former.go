package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// former has the names that flags had in 0.1, with what they are called today. A command that has
// the new flag takes the old name too, without showing it; the first that fits counts.
var former = []struct{ was, is string }{
	{"cluster", "dependence"},
	{"cluster", "on"},
	{"queue", "on"},
}

// TakeFormer lets cmd take the former names of its flags.
func TakeFormer(cmd *cobra.Command) {
	names := map[string]string{}
	for _, f := range former {
		if _, taken := names[f.was]; !taken && cmd.Flags().Lookup(f.is) != nil && cmd.Flags().Lookup(f.was) == nil {
			names[f.was] = f.is
		}
	}
	if len(names) == 0 {
		return
	}
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if is, was := names[name]; was {
			name = is
		}
		return pflag.NormalizedName(name)
	})
}

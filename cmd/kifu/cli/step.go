package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/internal/step"
)

// Of returns the step that a command line describes, without the flags for how it runs.
func Of(cmd *cobra.Command, args []string) step.Step {
	s := step.Step{Stage: Path(cmd), Inputs: args}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(running, f.Name) {
			return
		}
		p := step.Parameter{Name: f.Name, Values: []string{f.Value.String()}}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			p.Values = many.GetSlice()
		} else if f.Value.Type() == "bool" && p.Values[0] == "true" {
			p.Values = nil
		}
		s.Parameters = append(s.Parameters, p)
	})
	return s
}

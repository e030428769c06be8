package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kifu/datasets/checked"
	"kifu/internal/human"
)

func checkCommand(mk *maker) *cobra.Command {
	return &cobra.Command{
		Use:   "check DIR...",
		Short: "Verify datasets against their manifests",
		Args:  atLeast(1, "dataset directories"),
		RunE: func(cmd *cobra.Command, args []string) error {
			bad := 0
			for _, dir := range args {
				d, err := mk.openAny(dir)
				if err == nil {
					err = d.Verify(checked.WithMemory(cmd.Context(), ""))
				}
				if err != nil {
					bad++
					fmt.Fprintf(mk.stderr, "kifu: %s\n", human.Printable(err.Error()))
					continue
				}
				mk.announce(dir, fmt.Sprintf("whole: %s, %s, %s", d.Table.ID(), units(int64(d.NumParts()), "parts"), units(d.Rows(), "rows")))
			}
			if bad > 0 {
				return fmt.Errorf("%d of %d datasets are incomplete or damaged", bad, len(args))
			}
			return nil
		},
	}
}

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets/checked"
	"kifu/internal/human"
)

func checkCommand(mk *command.Maker) *cobra.Command {
	return &cobra.Command{
		Use:   "check DIR...",
		Short: "Verify datasets against their manifests",
		Args:  command.AtLeast(1, "dataset directories"),
		RunE: func(cmd *cobra.Command, args []string) error {
			bad := 0
			for _, dir := range args {
				d, err := mk.OpenAny(dir)
				if err == nil {
					err = d.Verify(checked.WithMemory(cmd.Context(), ""))
				}
				if err != nil {
					bad++
					fmt.Fprintf(mk.Stderr, "kifu: %s\n", human.Printable(err.Error()))
					continue
				}
				mk.Announce(dir, fmt.Sprintf("whole: %s, %s, %s", d.Table.ID(), command.Units(int64(d.NumParts()), "parts"), command.Units(d.Rows(), "rows")))
			}
			if bad > 0 {
				return fmt.Errorf("%d of %d datasets are incomplete, damaged or not found", bad, len(args))
			}
			return nil
		},
	}
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets/catalog"
	"kifu/internal/fresh"
	"kifu/internal/human"
)

func datasetsCommand(mk *command.Maker) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "datasets",
		Short: "List the bundled sample databases; fetch public ones",
		Args:  command.Exactly(0, "none, or one of sample, list, get"),
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(mk.Stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "NAME\tGAME\tGAMES\tSIZE\tLICENCE\tWHAT")
			samples, err := catalog.Samples()
			if err != nil {
				return err
			}
			for _, s := range samples {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", s.Name, s.Game, human.Grouped(int64(s.Games)), command.Size(int64(len(s.Data))), s.Licence, s.About)
			}
			if err := w.Flush(); err != nil {
				return err
			}
			fmt.Fprintln(mk.Stdout, "\n'kifu datasets list' shows public databases to fetch.")
			return nil
		},
	}
	cmd.AddCommand(sampleCommand(mk), catalogCommand(mk), getCommand(mk))
	return cmd
}

func sampleCommand(mk *command.Maker) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "sample NAME --out FILE",
		Short: "Write a sample database to a file",
		Args:  command.Exactly(1, "the name of a sample; 'kifu datasets' lists them"),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := catalog.FindSample(args[0])
			if err != nil {
				return err
			}
			return writeSample(mk, s, out)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write to `FILE` (required)")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if out == "" {
			return command.Usagef("--out FILE is missing")
		}
		return nil
	}
	return cmd
}

// writeSample writes a sample to the file out. One that is there with equal bytes is left as it
// is, another is not overwritten, but by force.
func writeSample(mk *command.Maker, s catalog.Sample, out string) error {
	if out == "-" {
		return mk.WriteFile(out, fresh.Of(s.Data))
	}
	what := fmt.Sprintf("%s, %s, %s", s.Name, command.Units(int64(s.Games), "games"), command.Size(int64(len(s.Data))))
	if there, err := os.ReadFile(mk.Path(out)); err == nil && !mk.Force && bytes.Equal(there, s.Data) {
		mk.Announce(out, what+": already there; nothing done")
		return nil
	}
	if err := mk.MayWrite(out); err != nil {
		return err
	}
	if err := mk.WriteFile(out, fresh.Of(s.Data)); err != nil {
		return err
	}
	mk.Announce(out, what)
	return nil
}

package main

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

func (a *app) benchCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "bench",
		Short: "Print node counts that change only when the search does, and speeds",
		Long: `Count moves and search fixed positions on one processor. The node counts are a
signature: they are the same on every machine, and change only when rules, search or
default evaluator do. The speeds are this machine's.`,
		Example: "  kifu bench",
		Args:    exactly(0, "none"),
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
			fmt.Fprintln(w, "game\tbench\tnodes\tnodes/s\t")
			for _, g := range table {
				for _, b := range []struct {
					name string
					run  func() (int64, error)
				}{
					{"perft 5", func() (int64, error) {
						n, err := g.perft("", 5, func(string, uint64) {})
						return int64(n), err
					}},
					{"search", g.signature},
				} {
					begun := time.Now()
					nodes, err := b.run()
					if err != nil {
						return err
					}
					rate := float64(nodes) / time.Since(begun).Seconds()
					fmt.Fprintf(w, "%s\t%s\t%d\t%s\t\n", g.name, b.name, nodes, number(int64(rate)))
				}
			}
			return w.Flush()
		},
	}
}

package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/internal/human"
)

func benchCommand(mk *command.Maker) *cobra.Command {
	return &cobra.Command{
		Use:   "bench",
		Short: "Print node counts and speeds of fixed positions",
		Args:  command.Exactly(0, "none"),
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(mk.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
			fmt.Fprintln(w, "game\tbench\tnodes\tnodes/s\t")
			for _, g := range gametable.All {
				begun := time.Now()
				depth, leaves, err := benchPerft(g)
				if err != nil {
					return err
				}
				printRow(w, g.Name, fmt.Sprintf("perft %d", depth), leaves, begun)
				for _, b := range []struct {
					name  string
					count func() (int64, error)
				}{{"search", g.Signature}, {"M*", g.MStar}} {
					begun = time.Now()
					nodes, err := b.count()
					if err != nil {
						return err
					}
					if nodes > 0 {
						printRow(w, g.Name, b.name, nodes, begun)
					}
				}
			}
			return w.Flush()
		},
	}
}

// benchLeaves is how many leaves a count is to have.
const benchLeaves = 100_000

// benchPerft counts to the least depth with so many leaves.
func benchPerft(g command.Game) (depth int, leaves int64, err error) {
	for depth = 1; ; depth++ {
		n, err := g.Perft("", depth, func(string, uint64) {})
		if err != nil || n >= benchLeaves || int64(n) < leaves {
			return depth, int64(n), err
		}
		leaves = int64(n)
	}
}

func printRow(w io.Writer, game, bench string, nodes int64, begun time.Time) {
	rate := float64(nodes) / time.Since(begun).Seconds()
	fmt.Fprintf(w, "%s\t%s\t%d\t%s\t\n", game, bench, nodes, human.Grouped(int64(rate)))
}

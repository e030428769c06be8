package main

import (
	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/report/event"
)

func eventCommand(rp *reporter) *cobra.Command {
	var to destination
	var p event.Params
	cmd := &cobra.Command{
		Use:   "event --out DIR --when SQL GAMES",
		Short: "Compare what follows an event with what is usual",
		Args:  command.Exactly(1, "a dataset of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Sources, p.Workers = baseNames(args), rp.Workers
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			return printReport(rp, cmd, "event", to, p, args, "event.txt", event.Make)
		},
	}
	cmd.SuggestFor = []string{"events", "effect", "tilt"}
	to.declare(cmd, "numbers")
	flags := cmd.Flags()
	flags.StringSliceVar(&p.By, "by", nil, "show the difference by `BANDS`: value, rating, clock, move, strength")
	flags.StringSliceVar(&p.Match, "match", []string{"value", "rating", "clock", "move"}, "compare with moves in the same `BANDS`: value, rating, clock, move, strength")
	flags.IntVar(&p.Next, "next", 5, "follow the next `N` moves of the player")
	flags.StringVar(&p.When, "when", "", "the event: `SQL` on a move, such as 'loss >= 200' (required)")
	return cmd
}

package main

import (
	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/suggest"
)

func reportCommand(mk *command.Maker) *cobra.Command {
	rp := &reporter{Maker: mk}
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Make pages, pictures and tables",
		Args:  cobra.ArbitraryArgs,
		RunE:  suggest.HelpOr("report"),
		// The flags belong to the report that was meant.
		FParseErrWhitelist:         cobra.FParseErrWhitelist{UnknownFlags: true},
		SuggestionsMinimumDistance: 2,
	}
	rp.paper.declare(cmd.PersistentFlags())
	cmd.AddCommand(allCommand(rp), curveCommand(rp), splitCommand(rp), weightsCommand(rp), opponentCommand(rp), databaseCommand(rp), openingCommand(rp))
	cmd.AddCommand(calibrationCommand(rp), depthCommand(rp), movesCommand(rp), playersCommand(rp), ratingsCommand(rp), mistakesCommand(rp), endgameCommand(rp), eventCommand(rp), wdlCommand(rp))
	for _, report := range cmd.Commands() {
		namesReport(mk, report)
		endsWithPage(mk, report)
	}
	cmd.AddCommand(diffCommand(mk))
	return cmd
}

package main

import (
	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/report/mistakes"
)

func mistakesCommand(rp *reporter) *cobra.Command {
	var model string
	var to destination
	var p mistakes.Params
	cmd := &cobra.Command{
		Use:   "mistakes --out DIR [CHOICES] [POSITIONS] GAMES [MOTIFS]",
		Short: "List moves that lost value, and traps for an opponent",
		Args:  command.AtLeast(1, "a dataset of games, and perhaps of choices, positions or labels, and motifs"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if p.Model = model != ""; p.Model {
				args = append(args, model)
			}
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			p.Workers = rp.Workers
			return printReport(rp, cmd, "mistakes", to, p, args, "mistakes.txt", mistakes.Make)
		},
	}
	cmd.SuggestFor = []string{"blunders", "traps"}
	to.declare(cmd, "numbers")
	flags := cmd.Flags()
	flags.Float64Var(&p.Least, "least", 0, "count moves that cost at least `X` (default: a tenth of --cap)")
	flags.Float64Var(&p.Cap, "cap", 0, "limit values to ±`X` (default: ten pawns, 60 points)")
	flags.StringVar(&p.Player, "player", "", "count only moves of `NAME`; * is any text")
	flags.StringVar(&p.Value, "value", "", "judge by `COLUMN` of CHOICES or labels (default: the last search)")
	flags.StringVar(&model, "model", "", "find traps for the opponent with the values of `CHOICES`")
	flags.StringVar(&p.ModelValue, "model-value", "", "take `COLUMN` of --model (default: its last search)")
	return cmd
}

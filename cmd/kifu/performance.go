package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/internal/bounded"
	"kifu/report/performance"
)

func performanceCommand(mk *command.Maker) *cobra.Command {
	rp := &reporter{Maker: mk}
	var model string
	var to destination
	var p performance.Params
	cmd := &cobra.Command{
		Use:   "performance --out DIR GAMES [CHOICES|LABELS]",
		Short: "Rate how well players played, by the values of their moves",
		Args:  command.AtLeast(1, "a dataset of games, and perhaps one of choices or labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 2 {
				return command.Usagef("%d datasets: want games, and perhaps choices or labels", len(args))
			}
			p.Sources, p.Workers = baseNames(args), rp.Workers
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			if model != "" {
				text, err := rp.ReadFile(model, bounded.Weights)
				if err != nil {
					return err
				}
				if p.Model, err = performance.ReadModel(text); err != nil {
					return fmt.Errorf("%s: %w", model, err)
				}
			}
			return printReport(rp, cmd, "performance", to, p, args, "performance.txt", performance.Make)
		},
	}
	cmd.SuggestFor = []string{"accuracy", "ipr", "performances", "fairplay"}
	to.declare(cmd, "numbers")
	flags := cmd.Flags()
	flags.StringSliceVar(&p.By, "by", []string{"player"}, "rate by `KINDS`: player, event, year, game, or several")
	flags.Float64Var(&p.FDR, "fdr", 0.05, "false discovery rate `P` of performances above the rating")
	flags.IntVar(&p.MinMoves, "min-moves", 100, "list performances of at least `N` moves")
	flags.StringVar(&model, "model", "", "use the calibration in `FILE`, model.json of another report")
	flags.Float64Var(&p.Pawn, "pawn", 100, "a pawn is worth `X` in the evaluator's unit")
	flags.IntVar(&p.SkipPlies, "skip-plies", 16, "skip the first `N` plies of each game")
	flags.StringVar(&p.Value, "value", "", "take values from `COLUMN` (default: the last search's)")
	flags.Float64Var(&p.Within, "within", 300, "skip positions with values beyond ±`X`")
	rp.paper.declare(flags)
	endsWithPage(mk, cmd)
	return cmd
}

package main

import (
	"context"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/transform"
)

func (a *app) transformCommand() *cobra.Command {
	var out, without string
	var p transform.Params
	cmd := &cobra.Command{
		Use:   "transform --out DIR GAMES",
		Short: "Replay games into a dataset of positions",
		Args:  exactly(1, "a dataset of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if p.Every > 1 && p.Sample < 1 {
				return usagef("--every and --sample exclude each other")
			}
			if p.Sample <= 0 || p.Sample > 1 {
				return usagef("--sample %v: want a share above 0 and up to 1", p.Sample)
			}
			if p.Every < 1 {
				return usagef("--every %d: want 1 or more", p.Every)
			}
			if p.MinPly < 0 || p.MaxPly < 0 || p.MinElo < 0 {
				return usagef("--min-ply, --max-ply and --min-elo are not negative")
			}
			if p.MaxPly > 0 && p.MaxPly < p.MinPly {
				return usagef("--max-ply %d is below --min-ply %d: no position is left", p.MaxPly, p.MinPly)
			}
			in, err := a.open(args[0], "games")
			if err != nil {
				return err
			}
			g, err := gameOf(in)
			if err != nil {
				return err
			}
			if without != "" {
				args = append(args, without)
			}
			return a.build(cmd.Context(), out, datasets.Step{
				Stage: "transform", Output: "positions/v1", Params: p, Inputs: args,
				Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
					o := transform.Options{Workers: a.workers}
					if without != "" {
						o.Without = in[1]
					}
					return g.transform(ctx, p, o, in[0], b)
				},
			}, "positions")
		},
	}
	outFlag(cmd, &out)
	flags := cmd.Flags()
	flags.IntVar(&p.MinPly, "min-ply", 0, "leave out positions before ply `N` (0 is the start)")
	flags.IntVar(&p.MaxPly, "max-ply", 0, "leave out positions after ply `N` (0: no limit)")
	flags.IntVar(&p.Every, "every", 1, "keep each `N`th ply")
	flags.Float64Var(&p.Sample, "sample", 1, "keep the share `P` of the positions, drawn by --seed")
	flags.Uint64Var(&p.Seed, "seed", 1, "draw the sample by seed `S`")
	flags.BoolVar(&p.Dedup, "dedup", false, "one row a distinct position, with counts of wins, draws and losses")
	flags.BoolVar(&p.LegalMoves, "legal-moves", false, "add the column legal_moves: how many moves can be played")
	flags.StringSliceVar(&p.ExcludeTermination, "exclude-termination", nil, "leave out games whose termination contains one of the `TEXT`s: time,abandoned,rules")
	flags.StringVar(&without, "without", "", "leave out the duplicates that the dataset `DIR` of kifu duplicates names")
	flags.IntVar(&p.MinElo, "min-elo", 0, "keep games in which both ratings are known and at least `N`")
	return cmd
}

// open opens a dataset and refuses one of another kind.
func (a *app) open(path, want string) (*datasets.Dir, error) {
	d, err := datasets.Open(path)
	if err != nil {
		return nil, err
	}
	return d, d.Want(want)
}

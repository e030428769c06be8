package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/ingest"
	"kifu/schemas"
)

func (a *app) ingestCommand() *cobra.Command {
	var out, gameName string
	var verbose bool
	cmd := &cobra.Command{
		Use:   "ingest --out DIR FILE|DIR|-...",
		Short: "Read record files into a dataset of games",
		Long: `Read record files (PGN; plain, .zst, .gz or .bz2, told by their content) into a
dataset of games. A directory stands for all record files in it; - is the standard
input. A game that cannot be read or whose moves are not legal is rejected, counted
by reason and, with -v, shown with file and line; its neighbours are kept.`,
		Example: "  kifu ingest --out games my.pgn.zst\n  zcat more.pgn.gz | kifu ingest --out games -\n  kifu ingest -v --out games archive/",
		Args:    atLeast(1, "record files, directories of them, or - for the standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := findGame(gameName)
			if err != nil {
				return err
			}
			log := io.Discard
			if verbose {
				log = a.stderr
			}
			ctx := cmd.Context()
			keys, err := ingest.InputKeys(ctx, g.ingest, args)
			if err != nil {
				return err
			}
			params := ingest.Params{Game: g.name}
			return a.build(ctx, out, datasets.Step{
				Stage: "ingest", Output: schemas.Games.ID(), Params: params, InputKeys: keys,
				Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
					return ingest.Run(ctx, g.ingest, params, ingest.Options{Inputs: args, Stdin: a.stdin, Workers: a.workers, Log: log, Warn: a.stderr}, b)
				},
			}, "games")
		},
	}
	outFlag(cmd, &out)
	cmd.Flags().StringVar(&gameName, "game", "chess", "the records are of `GAME`")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "show each rejected game with file, line and reason")
	return cmd
}

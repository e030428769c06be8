package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/ingest"
	"kifu/schemas"
)

func (a *app) ingestCommand() *cobra.Command {
	var out, gameName string
	var verbose, add, count bool
	var params ingest.Params
	cmd := &cobra.Command{
		Use:   "ingest --out DIR FILE|DIR|-...",
		Short: "Read record files into a dataset of games",
		Long: `Read record files (PGN; plain, .zst, .gz, .bz2 or .xz, or in a .zip, .7z or .tar,
told by their content) into a dataset of games. A directory stands for all record
files and archives in it; - is the standard input. A game that cannot be read or
whose moves are not legal is rejected, counted by reason and, with -v, shown with
file and line; its neighbours are kept.

With --append the files are added to the dataset that is there; those whose content
it has already, under whatever name, are left out, so the same command twice adds
nothing. What is there keeps its game_id.

--where is an SQL condition over the columns that the tags fill (the players, their
ratings, event, site, round, date, time_control, opening, variant, result, tags, …,
as kifu query shows them). The moves of other games are not read. Dates compare as
text: date >= '2010' takes all of 2010 and later. A null is not true: games
without a rating fail first_elo >= 2300. Other tags are lists: tags['Annotator'][1] = 'x'.

--count reads the syntax alone, counts games and moves by file, and writes nothing.`,
		Example: `  kifu ingest --out games my.pgn.zst
  zcat more.pgn.gz | kifu ingest --out games -
  kifu ingest -v --out games archive/
  kifu ingest --append --out games new.pgn
  kifu ingest --out masters --where "least(first_elo, second_elo) >= 2300 and date >= '2010'" my.pgn.zst
  kifu ingest --count archive/`,
		Args: atLeast(1, "record files, directories of them, or - for the standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := findGame(gameName)
			if err != nil {
				return err
			}
			if err := ingest.CheckEncoding(params.Encoding); err != nil {
				return usagef("--encoding: %v", err)
			}
			params.Game = g.name
			o := ingest.Options{Inputs: args, Stdin: a.stdin, Workers: a.workers, Warn: a.stderr}
			if verbose {
				o.Log = a.stderr
			}
			ctx := cmd.Context()
			if count {
				return a.countGames(ctx, g, params, o)
			}
			if out == "" {
				return usagef("--out DIR is missing (or --count)")
			}
			if add && a.force {
				return usagef("--append keeps what is there and --force replaces it: choose one")
			}
			keys, err := ingest.InputKeys(ctx, g.ingest, args)
			if err != nil {
				return err
			}
			return a.buildOr(ctx, out, datasets.Step{
				Stage: "ingest", Output: schemas.Games.ID(), Params: params, InputKeys: keys,
				Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
					return ingest.Run(ctx, g.ingest, params, o, b)
				},
			}, datasets.Options{Force: a.force, Append: add}, "games")
		},
	}
	cmd.Annotations = map[string]string{buildsDataset: ""}
	cmd.Flags().StringVar(&out, "out", "", "write the dataset to directory `DIR` (required but for --count)")
	cmd.Flags().StringVar(&gameName, "game", "chess", "the records are of `GAME`")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "show each rejected game with file, line and reason")
	cmd.Flags().BoolVar(&add, "append", false, "add the files to the dataset that is there")
	cmd.Flags().StringVar(&params.Where, "where", "", "keep only the games whose tags fulfil the `CONDITION`")
	cmd.Flags().StringVar(&params.Encoding, "encoding", "", "texts that are not UTF-8 are in `ENCODING`: "+strings.Join(ingest.Encodings(), ", ")+" (default: told game by game)")
	cmd.Flags().BoolVar(&params.KeepPrefix, "keep-prefix", false, "keep a game up to its first illegal move, marked in the column cut, instead of rejecting it")
	cmd.Flags().BoolVar(&count, "count", false, "only count games and moves")
	return cmd
}

// countGames prints what each file holds.
func (a *app) countGames(ctx context.Context, g game, p ingest.Params, o ingest.Options) error {
	watch := startWatch()
	files, sums, err := ingest.Count(ctx, g.ingest, p, o)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "games\tmoves\tdamaged\tleft out\t  file")
	var total ingest.FileCount
	for _, f := range files {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t  %s\n", number(f.Games), number(f.Plies), number(f.Damaged), number(f.LeftOut), f.File)
		total.Games += f.Games
		total.Plies += f.Plies
		total.Damaged += f.Damaged
		total.LeftOut += f.LeftOut
	}
	if len(files) > 1 {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t  in %d files\n", number(total.Games), number(total.Plies), number(total.Damaged), number(total.LeftOut), len(files))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if r := reasons(sums.Rejected); r != "" {
		fmt.Fprintf(a.stdout, "damaged: %s\n", r)
	}
	if r := reasons(sums.Noted); r != "" {
		fmt.Fprintf(a.stdout, "noted: %s\n", r)
	}
	fmt.Fprintln(a.stderr, watch.rate(sums.Read))
	return nil
}

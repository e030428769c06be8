package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/chosen"
	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/report/player"
)

// playerFlags are the flags of kifu player.
type playerFlags struct {
	out, value, against string
	sql                 bool
}

func playerCommand(mk *command.Maker) *cobra.Command {
	rp := &reporter{Maker: mk}
	var f playerFlags
	cmd := &cobra.Command{
		Use:   "player NAME GAMES [LABELS] [MOTIFS] [MODEL]",
		Short: "Show a player's games in numbers",
		Args:  command.AtLeast(2, "the name of a player and a dataset of games"),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.playerReport(rp, cmd, args[0], args[1:]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "also write a report to directory `DIR`")
	flags.StringVar(&f.against, "against", "", "only the games against `NAME`, in full or in part")
	flags.StringVar(&f.value, "value", "", "take losses from `COLUMN` of the labels (default: the last search's)")
	flags.BoolVar(&f.sql, "sql", false, "print the query instead of the numbers")
	rp.paper.declare(flags)
	endsWithPage(mk, cmd)
	return cmd
}

// playerReport prints the report of a player, and makes it if a directory is named.
func (f playerFlags) playerReport(rp *reporter, cmd *cobra.Command, name string, inputs []string) error {
	ctx := cmd.Context()
	p := player.Params{Player: name, Sources: baseNames(inputs), Value: f.value, Workers: rp.Workers}
	var in []*datasets.Dir
	for _, path := range inputs {
		d, err := rp.OpenAny(path)
		if err != nil {
			return err
		}
		if d.Table.Name == "games" && p.Names == nil {
			names, err := playerNames(ctx, rp.Maker, d, chosen.Players{Player: name, Against: f.against}.Typed()...)
			if err != nil {
				return err
			}
			if p.Names, p.Player = names[0], names[0][0]; f.against != "" {
				p.Against = names[1]
			}
		}
		in = append(in, d)
	}
	if p.Names == nil {
		return command.Usagef("%s holds no games: name a dataset of games after the player", inputs[0])
	}
	if f.out != "" {
		return printReport(rp, cmd, "player", destination{f.out, f.sql}, p, inputs, "player.txt", player.Make)
	}
	r, err := player.Read(ctx, p, in)
	if err != nil {
		return err
	}
	text := r.Text()
	if f.sql {
		text = r.SQL
	}
	_, err = fmt.Fprint(rp.Stdout, text)
	return err
}

// playerNames returns the names that typed ones take, those with the most games first.
func playerNames(ctx context.Context, mk *command.Maker, in *datasets.Dir, typed ...string) (names [][]string, err error) {
	choices, err := chosen.Names(ctx, mk, in, typed...)
	for _, choice := range choices {
		chosen.SayAlso(mk.Console, choice)
		names = append(names, choice.Spellings())
	}
	return names, err
}

package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/internal/human"
)

func perftCommand(mk *command.Maker) *cobra.Command {
	var gameName, fen string
	cmd := &cobra.Command{
		Use:   "perft [--game chess] [--fen FEN] DEPTH",
		Short: "Count the leaves of the game tree, move by move",
		Args:  command.Exactly(1, "DEPTH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			depth, err := strconv.Atoi(args[0])
			if err != nil || depth < 0 || depth > 20 {
				return command.Usagef("depth %q: want a number of plies from 0 to 20", args[0])
			}
			g, err := command.FindGame(gameName)
			if err != nil {
				return err
			}
			begun := time.Now()
			var total uint64
			counted := make(chan error, 1)
			go func() { // the rules take no context
				total, err = g.Perft(fen, depth, func(move string, nodes uint64) {
					fmt.Fprintf(mk.Stdout, "%s %d\n", move, nodes)
				})
				counted <- err
			}()
			select {
			case err := <-counted:
				if err != nil {
					return err
				}
			case <-cmd.Context().Done():
				return cmd.Context().Err()
			}
			elapsed := time.Since(begun)
			fmt.Fprintf(mk.Stdout, "total %d\n", total)
			fmt.Fprintf(mk.Stderr, "%v, %s leaves/s\n", elapsed.Round(time.Millisecond), human.Grouped(int64(float64(total)/elapsed.Seconds())))
			return nil
		},
	}
	cmd.Flags().StringVar(&gameName, "game", gametable.All[0].Name, "count for `GAME`")
	cmd.Flags().StringVar(&fen, "fen", "", "start from position `FEN`")
	return cmd
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/match"
	"kifu/schemas"
)

func (a *app) matchCommand() *cobra.Command {
	var out, gameName, openings, resign, limit, sprt string
	var players [2]string
	p := match.Params{}
	cmd := &cobra.Command{
		Use:   "match --out DIR --first PLAYER --second PLAYER",
		Short: "Let two players play, into a dataset of games",
		Long: `Let two players play each other, in pairs of games with the same opening and changed
sides. The games are a dataset as ingest makes it, with the players' values; the table
of results is printed and kept beside the parts (result.txt, result.json). Equal seeds
give equal games, whatever the number of workers.

A player is one of

  random                  any legal move
  quiescence              the move to the best value by quiescence; the same as depth=1
  depth=N                 N plies, then quiescence
  uci:PROGRAM depth=N     a program that speaks UCI, with depth=, nodes= or movetime= and
                          options of its own, as Hash=16

and behind those that search: eval=FILE (weights), zero=GROUP,... (terms that weigh
nothing), random=SHARE (of its moves that are drawn); behind any name=NAME, which the
games call it instead of its words. Among equally good moves the seed decides.

--openings is the usual start; plies:N, every line of N plies; two-move and three-move, the
43 and 144 ballots of English draughts; or a file with moves or a position (FEN, EPD) on each line. Pairs
take them one after the other. --random-plies draws moves behind them.

Points: Elo and the likelihood of superiority are those of whole pairs (pentanomial).
Values repeat themselves where players do: give a match openings enough.`,
		Example: "  kifu match --out games --first depth=2 --second depth=1 --games 1000 --random-plies 6\n" +
			"  kifu match --game checkers --out ballots --first depth=5 --second 'depth=5 eval=fit/weights.toml' --games 86 --openings two-move\n" +
			"  kifu match --out blind --first depth=2 --second 'depth=2 zero=king_safety' --games 400 --openings book.epd\n" +
			"  kifu match --out outside --first depth=3 --second 'uci:stockfish depth=1' --games 100 --random-plies 8",
		Args: exactly(0, "no argument: players and openings are flags"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			g, err := findGame(gameName)
			if err != nil {
				return err
			}
			for i, text := range players {
				if p.Players[i], err = a.player(cmd.Context(), g, text); err != nil {
					return err
				}
			}
			random := p.Openings.RandomPlies
			if p.Openings, err = readOpenings(g.name, openings); err != nil {
				return err
			}
			p.Openings.RandomPlies = random
			if err := parseEnds(&p.Ends, resign, limit); err != nil {
				return err
			}
			if p.SPRT, err = parseSPRT(sprt); err != nil {
				return err
			}
			if err := p.Validate(); err != nil {
				return usageError{err}
			}
			if err := a.build(cmd.Context(), out, datasets.Step{
				Stage: "match", Output: schemas.Games.ID(), Params: matchParams{g.name, p},
				Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
					return g.match(ctx, p, a.workers, b)
				},
			}, "games of "+g.name); err != nil || a.plan != nil {
				return err
			}
			text, err := os.ReadFile(filepath.Join(out, match.ResultText))
			if err == nil {
				_, err = a.stdout.Write(text)
			}
			return err
		},
	}
	outFlag(cmd, &out)
	flags := cmd.Flags()
	flags.StringVar(&gameName, "game", "chess", "play `GAME`: "+strings.Join(gameNames(), ", "))
	flags.StringVar(&players[0], "first", "", "the `PLAYER` who moves first in the first game of each pair")
	flags.StringVar(&players[1], "second", "", "the other `PLAYER`")
	flags.IntVar(&p.Games, "games", 100, "play `N` games")
	flags.Uint64Var(&p.Seed, "seed", 1, "draw from `SEED`")
	flags.StringVar(&p.Variant, "variant", "", "play the `VARIANT` of the game")
	flags.StringVar(&openings, "openings", "start", "begin with `OPENINGS`: start, plies:N, two-move, three-move or a file")
	flags.IntVar(&p.Openings.RandomPlies, "random-plies", 0, "draw `N` plies behind the opening")
	flags.StringVar(&resign, "resign", "", "end a game when all values of the last PLIES plies are `VALUE:PLIES` or more for one side")
	flags.IntVar(&p.Ends.MaxPlies, "max-plies", 1000, "end a game after `N` plies")
	flags.StringVar(&limit, "at-limit", "unfinished", "a game that --max-plies ends is unfinished, or a draw")
	flags.StringVar(&sprt, "sprt", "", "tell the log likelihood ratio of two hypotheses in normalised Elo, `ELO0:ELO1`")
	return cmd
}

// matchParams are what the key of a match is made of.
type matchParams struct {
	Game  string       `json:"game"`
	Match match.Params `json:"match"`
}

// player reads a player and what its words name: weights, a program.
func (a *app) player(ctx context.Context, g game, text string) (p match.Player, err error) {
	if text == "" {
		return p, usagef("--first PLAYER and --second PLAYER are needed (random, quiescence, depth=N, uci:PROGRAM)")
	}
	if p, err = match.ParsePlayer(text); err != nil {
		return p, usageError{err}
	}
	switch {
	case p.Outside != nil:
		run, err := p.Outside.Start(ctx)
		if err != nil {
			return p, err
		}
		p.Outside.Name = run.Name()
		return p, run.Close()
	case p.Depth == 0:
		return p, nil
	}
	var weights []byte
	if p.EvalFile != "" {
		if weights, err = os.ReadFile(p.EvalFile); err != nil {
			return p, err
		}
	}
	model, err := g.model(weights)
	if err != nil {
		return p, fmt.Errorf("%s: %w", p.EvalFile, err)
	}
	a.noteDefaults(p.EvalFile, weights, model)
	if p.Eval, err = model.Zero(p.Zero...); err != nil {
		return p, usageError{err}
	}
	return p, nil
}

func readOpenings(game, name string) (o match.Openings, err error) {
	if name == "start" {
		return o, nil
	}
	if plies, ok := strings.CutPrefix(name, "plies:"); ok {
		if o.Plies, err = strconv.Atoi(plies); err != nil || o.Plies < 1 {
			return o, usagef("--openings %s: want a number of plies", name)
		}
		return o, nil
	}
	if o, known := match.Named(game, name); known {
		return o, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return o, fmt.Errorf("--openings is neither start, plies:N nor a set of %s: %w", game, err)
	}
	return match.Openings{Name: name, Text: string(text)}, nil
}

func parseEnds(e *match.Ends, resign, limit string) (err error) {
	if e.LimitDraw = limit == "draw"; !e.LimitDraw && limit != "unfinished" {
		return usagef("--at-limit %s: want unfinished or draw", limit)
	}
	if resign == "" {
		return nil
	}
	value, plies, _ := strings.Cut(resign, ":")
	var fault error
	e.ResignValue, err = strconv.ParseFloat(value, 64)
	if e.ResignPlies, fault = strconv.Atoi(plies); err != nil || fault != nil || e.ResignPlies < 1 {
		return usagef("--resign %s: want a value and a number of plies, as 800:6", resign)
	}
	return nil
}

func parseSPRT(text string) (*[2]float64, error) {
	if text == "" {
		return nil, nil
	}
	var h [2]float64
	low, high, _ := strings.Cut(text, ":")
	var err, fault error
	h[0], err = strconv.ParseFloat(low, 64)
	h[1], fault = strconv.ParseFloat(high, 64)
	if err != nil || fault != nil {
		return nil, usagef("--sprt %s: want two numbers, as 0:5", text)
	}
	return &h, nil
}

package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/cmd/kifu/machines"
	"kifu/cmd/kifu/models"
	"kifu/datasets"
	"kifu/export"
	"kifu/internal/bounded"
	"kifu/players/match"
	"kifu/players/match/pentanomial"
	"kifu/players/play"
	"kifu/schemas"
)

// matchFlags are the flags of kifu match.
type matchFlags struct {
	out, game, record     string
	first, second, list   string
	players               []string
	openings              string
	openingPlies          int
	order                 string
	resign, draw, limit   string
	syzygy                string
	sprt, scale, mistakes string
	from                  string
	patience              time.Duration
	shards                machines.Shards
	params                match.Params // what needs no reading
}

func matchCommand(e *command.Env) *cobra.Command {
	var f matchFlags
	cmd := &cobra.Command{
		Use:   "match --out DIR --player PLAYER --player PLAYER ...",
		Short: "Let players play each other, into a dataset of games",
		Args:  command.Exactly(0, "no argument: players and openings are flags"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.from != "" {
				return translateMatch(e.Maker, f.from, f.out)
			}
			return f.match(cmd.Context(), e)
		},
	}
	command.OutFlag(cmd, &f.out)
	needsOut := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if f.from != "" {
			return nil
		}
		return needsOut(cmd, args)
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *matchFlags) add(flags *pflag.FlagSet) {
	f.addPlay(flags)
	flags.StringArrayVar(&f.players, "player", nil, "add a `PLAYER`; repeatable")
	flags.StringVar(&f.list, "players", "", "add the players in `FILE`, one per line")
	flags.StringVar(&f.first, "first", "", "the `PLAYER` with the first move in each pair's first game")
	flags.StringVar(&f.second, "second", "", "the `PLAYER` that meets --first")
	flags.BoolVar(&f.params.Gauntlet, "gauntlet", false, "play the first player against all others, and no other pairs")
	flags.IntVar(&f.params.Games, "games", 100, "play `N` games per meeting")
	flags.StringVar(&f.params.Names.Event, "event", "", "write `NAME` as the games' event")
	flags.StringVar(&f.params.Names.Site, "site", "", "write `NAME` as the games' site")
	command.DeclareDate(flags, &f.params.Names.Date, "date", "write `DATE` as the games' date: 2026, 2026-11 or 2026-11-22 (default: none)")
	flags.StringVar(&f.sprt, "sprt", "", "stop when a sequential test decides between `ELO0:ELO1`")
	flags.StringVar(&f.scale, "sprt-scale", "normalised", "`SCALE` of the hypotheses: normalised or logistic (usual) Elo")
	flags.StringVar(&f.mistakes, "sprt-errors", "0.05:0.05", "error rates of the test, `ALPHA:BETA`")
	flags.IntVar(&f.params.Orders, "orders", 5000, "rate the games in `N` random orders (0: no ratings)")
	flags.StringVar(&f.from, "from", "", "translate a `COMMAND` line of fastchess or cutechess-cli; play nothing")
	flags.StringVar(&f.record, "record", "", "also write records to `FILE` (PGN, PDN, GGF, SGF)")
	f.shards.Declare(flags)
}

// addPlay adds the flags for how games begin and end.
func (f *matchFlags) addPlay(flags *pflag.FlagSet) {
	flags.StringVar(&f.game, "game", gametable.All[0].Name, "play `GAME`: "+strings.Join(gametable.Names(), ", "))
	flags.Uint64Var(&f.params.Seed, "seed", 1, "`SEED` of random choices")
	flags.StringVar(&f.params.Variant, "variant", "", "play the `VARIANT` of the game")
	flags.StringVar(&f.openings, "openings", "start", "start from `OPENINGS`: start, plies:N, two-move, three-move, a file or games")
	flags.IntVar(&f.openingPlies, "opening-plies", 0, "take the first `N` plies of each game of --openings (0: all)")
	flags.StringVar(&f.order, "opening-order", "sequential", "`ORDER` of the openings: sequential, or random by --seed")
	flags.IntVar(&f.params.Openings.RandomPlies, "random-plies", 0, "play `N` random plies after the opening")
	flags.StringVar(&f.resign, "resign", "", "end a lost game: `VALUE:PLIES`, or 'movecount=N score=V [twosided=true]'")
	flags.StringVar(&f.draw, "draw", "", "end a game as a draw: `MOVE:COUNT:VALUE`, or 'movenumber=N movecount=N score=V'")
	flags.StringVar(&f.syzygy, "syzygy", "", "end games by the Syzygy tables (.rtbw) in `DIRS` (chess)")
	flags.IntVar(&f.params.Ends.MaxPlies, "max-plies", 1000, "end a game after `N` plies")
	flags.StringVar(&f.limit, "at-limit", "unfinished", "`RESULT` of games that --max-plies ends: unfinished or draw")
	flags.DurationVar(&f.patience, "engine-timeout", time.Minute, "stop waiting for a program after `TIME` beyond its movetime=")
}

// match plays the games of a match, and prints its result.
func (f matchFlags) match(ctx context.Context, e *command.Env) error {
	g, err := command.FindGame(f.game)
	if err != nil {
		return err
	}
	if f.record != "" {
		if err := e.MayReplace(f.record); err != nil {
			return err
		}
	}
	p := f.params
	if err := f.readMatch(ctx, e.Maker, g, &p); err != nil {
		return err
	}
	if p.Players[0].Text == p.Players[1].Text && !e.Quiet {
		fmt.Fprintf(e.Stderr, "both players are called %q: the games do not show which is which (name=NAME gives one another name)\n", p.Players[0].Text)
	}
	step := datasets.Step{
		Stage: "match", Output: schemas.Games.ID(), Params: matchParams{g.Name, p},
		Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			return g.Match(ctx, p, e.Workers, b)
		},
	}
	build := f.shards.Build
	if p.Asks() && f.shards.Shard == "" && !f.shards.Finish {
		build = f.shards.Queue.Ask
	}
	if err := build(ctx, e, f.out, step, "games of "+g.Name); err != nil || e.Plan != nil || e.Session != nil || f.shards.Shard != "" {
		return err
	}
	if err := e.PrintFile(f.out, match.ResultText); err != nil || f.record == "" {
		return err
	}
	return f.recordMatch(ctx, e.Maker, g)
}

// matchParams has everything that goes into the key of a match.
type matchParams struct {
	Game  string       `json:"game"`
	Match match.Params `json:"match"`
}

// readMatch reads the flags into p.
func (f *matchFlags) readMatch(ctx context.Context, mk *command.Maker, g command.Game, p *match.Params) (err error) {
	if p.Players, err = f.matchPlayers(ctx, mk, g); err != nil {
		return err
	}
	if err := f.readPlay(ctx, mk, g, p); err != nil {
		return err
	}
	if p.SPRT, err = parseSPRT(f); err != nil {
		return err
	}
	if err := p.Validate(); err != nil {
		return command.Misused(err)
	}
	return nil
}

// readPlay reads how games begin and end into p.
func (f *matchFlags) readPlay(ctx context.Context, mk *command.Maker, g command.Game, p *match.Params) (err error) {
	random := p.Openings.RandomPlies
	if p.Openings, err = readOpenings(ctx, mk, g, f.openings, f.openingPlies); err != nil {
		return err
	}
	p.Openings.RandomPlies = random
	if p.Openings.Shuffled = f.order == "random"; !p.Openings.Shuffled && f.order != "sequential" {
		return command.Usagef("--opening-order %s: want sequential or random", f.order)
	}
	if err := openEndings(mk.Files, g, f.syzygy, p); err != nil {
		return err
	}
	return parseEnds(&p.Ends, f.limit, f.resign, f.draw)
}

// matchPlayers reads the players of all flags.
func (f *matchFlags) matchPlayers(ctx context.Context, mk *command.Maker, g command.Game) (players []play.Player, err error) {
	if (f.first == "") != (f.second == "") {
		return nil, command.Usagef("--first and --second go together (or --player for each)")
	}
	type words struct{ text, from string }
	var list []words
	for _, text := range append([]string{f.first, f.second}, f.players...) {
		if text != "" {
			list = append(list, words{text: text})
		}
	}
	if f.list != "" {
		text, err := bounded.ReadFile(mk.Path(f.list), bounded.Weights)
		if err != nil {
			return nil, err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if line, _, _ = strings.Cut(line, "#"); strings.TrimSpace(line) != "" {
				list = append(list, words{line, fmt.Sprintf("%s:%d: ", f.list, i+1)})
			}
		}
	}
	if len(list) < 2 {
		return nil, command.Usagef("want two or more players, each with --player: %s", play.Words)
	}
	for _, w := range list {
		p, err := models.Player(ctx, mk, g, w.text, f.patience, nil)
		if err != nil {
			return nil, fmt.Errorf("%s%w", w.from, err)
		}
		players = append(players, p)
	}
	return players, nil
}

// recordMatch writes the games of a match as records.
func (f matchFlags) recordMatch(ctx context.Context, mk *command.Maker, g command.Game) error {
	in, err := mk.OpenAny(f.out)
	if err != nil {
		return err
	}
	return writeRecords(ctx, mk, g, []export.Source{{Params: export.Params{Format: g.Formats.Record.Name(), AllTags: true}, In: in}}, f.record)
}

func parseSPRT(f *matchFlags) (*pentanomial.Test, error) {
	if f.sprt == "" {
		return nil, nil
	}
	t := &pentanomial.Test{Logistic: f.scale == "logistic"}
	if !t.Logistic && f.scale != "normalised" {
		return nil, command.Usagef("--sprt-scale %s: want normalised or logistic", f.scale)
	}
	for _, pair := range []struct {
		flag, text, example string
		low, high           *float64
	}{
		{"--sprt", f.sprt, "0:5", &t.Elo0, &t.Elo1},
		{"--sprt-errors", f.mistakes, "0.05:0.05", &t.Alpha, &t.Beta},
	} {
		low, high, _ := strings.Cut(pair.text, ":")
		var err, fault error
		*pair.low, err = strconv.ParseFloat(low, 64)
		*pair.high, fault = strconv.ParseFloat(high, 64)
		if err != nil || fault != nil {
			return nil, command.Usagef("%s %s: want two numbers, as %s", pair.flag, pair.text, pair.example)
		}
	}
	return t, nil
}

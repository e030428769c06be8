package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/models"
	"kifu/datasets"
	"kifu/internal/bounded"
	"kifu/internal/ordered"
	"kifu/players/match"
	"kifu/players/play"
	"kifu/players/tune"
	"kifu/report/chart"
	"kifu/schemas"
	"kifu/search/engine"
)

// tuneFlags are the flags of kifu tune.
type tuneFlags struct {
	out, player, list string
	parameters        []string
	games             int
	params            tune.Params
	match             matchFlags // how games begin and end
}

func tuneCommand(mk *command.Maker) *cobra.Command {
	f := tuneFlags{params: tune.Params{Schedule: tune.Usual, Pairs: 8}}
	cmd := &cobra.Command{
		Use:   "tune --out DIR --player uci:PROGRAM --param NAME ...",
		Short: "Find values of a program's options by games against itself (SPSA)",
		Args:  command.Exactly(0, "no argument: the program and its options are flags"),
		RunE:  func(cmd *cobra.Command, _ []string) error { return f.tune(cmd.Context(), mk) },
	}
	command.OutFlag(cmd, &f.out)
	f.add(cmd.Flags())
	return cmd
}

func (f *tuneFlags) add(flags *pflag.FlagSet) {
	p := &f.params
	f.match.addPlay(flags)
	flags.StringVar(&f.player, "player", "", "`PLAYER` to tune: uci:PROGRAM or usi:PROGRAM with limits and options (required)")
	flags.StringArrayVar(&f.parameters, "param", nil, "tune the option `NAME` or 'NAME, int|float, START, MIN, MAX, C_END, R_END'; repeatable")
	flags.StringVar(&f.list, "params", "", "also tune the options in `FILE`, one per line")
	flags.IntVar(&f.games, "games", 16000, "play `N` games in all")
	flags.IntVar(&p.Pairs, "pairs", p.Pairs, "play `N` pairs of games in each iteration")
	flags.Float64Var(&p.Share, "a-share", p.Share, "SPSA's A, as a `SHARE` of the iterations")
	flags.Float64Var(&p.Alpha, "alpha", p.Alpha, "shrink SPSA's steps with exponent `POWER`")
	flags.Float64Var(&p.Gamma, "gamma", p.Gamma, "shrink SPSA's perturbations with exponent `POWER`")
}

// tune plays the games and prints the values.
func (f tuneFlags) tune(ctx context.Context, mk *command.Maker) error {
	g, err := command.FindGame(f.match.game)
	if err != nil {
		return err
	}
	m, p := f.match.params, f.params
	m.Games = 2
	if err := f.match.readPlay(ctx, mk, g, &m); err != nil {
		return err
	}
	if err := f.readTuned(ctx, mk, g, &m, &p); err != nil {
		return err
	}
	if err := p.Validate(); err != nil {
		return command.Misused(err)
	}
	step := datasets.Step{Stage: "tune", Output: schemas.Trajectory.ID(), Params: tuneParams{g.Name, m, p},
		Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			return runTune(ctx, mk, g, m, p, b)
		}}
	if err := mk.Build(ctx, f.out, step, "steps of options"); err != nil || mk.Plan != nil {
		return err
	}
	if err := mk.PrintFile(f.out, tune.Text); err != nil {
		return err
	}
	fmt.Fprintf(mk.Stdout, "to test whether they are better: kifu match --player '%s' with and without the options of %s/%s, --sprt 0:5\n", f.player, f.out, tune.Options)
	return nil
}

// tuneParams has everything that goes into the key of a run.
type tuneParams struct {
	Game  string       `json:"game"`
	Match match.Params `json:"match"`
	Tune  tune.Params  `json:"tune"`
}

// readTuned reads the program and the parameters, and reports missing ones.
func (f *tuneFlags) readTuned(ctx context.Context, mk *command.Maker, g command.Game, m *match.Params, p *tune.Params) error {
	if f.player == "" {
		return command.Usagef("--player is missing: name a program, as in 'uci:./engine nodes=20000'")
	}
	lines := f.parameters
	if f.list != "" {
		text, err := bounded.ReadFile(mk.Path(f.list), bounded.Weights)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(line, "#")
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line)
			}
		}
	}
	for _, line := range lines {
		q, err := tune.ParseParameter(line)
		if err != nil {
			return command.Misused(err)
		}
		p.Parameters = append(p.Parameters, q)
	}
	announced := false
	player, err := models.Player(ctx, mk, g, f.player, f.match.patience, func(program string, options []engine.OptionInfo) error {
		announced = true
		for i := range p.Parameters {
			if err := p.Parameters[i].Complete(program, options); err != nil {
				return command.Misused(err)
			}
		}
		if len(p.Parameters) == 0 {
			return command.Usagef("no option to tune: add --param NAME; %s has %s", program, spins(options))
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case player.Outside == nil:
		return command.Usagef("--player %s: kifu tune sets options of a program, uci:PROGRAM or usi:PROGRAM (kifu fit finds weights of kifu's own)", f.player)
	case !announced:
		return command.Usagef("the options of %s cannot be changed between games: want a program that speaks UCI or USI", player.Outside.Name)
	}
	p.Seed = m.Seed
	if p.Pairs < 1 || f.games < 2*p.Pairs {
		return command.Usagef("--games %d: want at least %d, the pairs of an iteration (--pairs)", f.games, 2*max(1, p.Pairs))
	}
	p.Iterations = f.games / (2 * p.Pairs)
	m.Players = []play.Player{player}
	return nil
}

// spins lists the options that have numbers.
func spins(options []engine.OptionInfo) string {
	var names []string
	for _, o := range options {
		if o.Type == "spin" {
			names = append(names, o.Name)
		}
	}
	if len(names) == 0 {
		return "none with numbers"
	}
	return strings.Join(names, ", ")
}

// runTune tunes and draws the trajectory.
func runTune(ctx context.Context, mk *command.Maker, g command.Game, m match.Params, p tune.Params, b *datasets.Builder) error {
	workers := min(ordered.Workers(mk.Workers), p.Pairs)
	duels, err := g.Duels(m, workers)
	if err != nil {
		return err
	}
	defer duels.Close()
	b.SetMeta("game", g.Name)
	t, err := tune.Run(ctx, p, duels.Pair, workers, b)
	if err != nil {
		return err
	}
	picture, err := tuneChart(t, m.Players[0].Outside.Name).Print(chart.Look{})
	if err != nil {
		return err
	}
	for _, f := range []struct {
		end  string
		data []byte
	}{{"svg", picture.SVG}, {"png", picture.PNG}, {"pdf", picture.PDF}} {
		if err := b.AddFile("trajectory."+f.end, f.data); err != nil {
			return err
		}
	}
	return nil
}

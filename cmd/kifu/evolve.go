package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/cmd/kifu/machines"
	"kifu/cmd/kifu/models"
	"kifu/datasets"
	"kifu/players/evolve"
	"kifu/schemas"
)

// evolveFlags are the flags of kifu evolve.
type evolveFlags struct {
	out, game       string
	evaluator, eval string
	params          evolve.Params // what needs no reading
	cluster         machines.Queue
}

func evolveCommand(e *command.Env) *cobra.Command {
	f := evolveFlags{params: evolve.Params{Generations: 20, Population: 30, Depth: 2, Games: 5, MaxPlies: 200, Seed: 1}}
	cmd := &cobra.Command{
		Use:   "evolve --out DIR",
		Short: "Evolve evaluators by letting them play each other",
		Args:  command.Exactly(0, "no argument: the population begins at random"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.evolve(cmd.Context(), e, cmd.Flags().Changed("keep"))
		},
	}
	command.OutFlag(cmd, &f.out)
	f.add(cmd.Flags())
	return cmd
}

func (f *evolveFlags) add(flags *pflag.FlagSet) {
	p := &f.params
	flags.StringVar(&f.game, "game", gametable.FirstWithNetwork(), "play `GAME`: "+strings.Join(gametable.Names(), ", "))
	flags.StringVar(&f.evaluator, "evaluator", "linear", "evolve a `KIND` of evaluator: linear or network")
	flags.IntVar(&p.Generations, "generations", p.Generations, "play `N` generations")
	flags.IntVar(&p.Population, "population", p.Population, "evolve `N` strategies")
	flags.IntVar(&p.Depth, "depth", p.Depth, "search `N` plies deep")
	flags.BoolVar(&p.RoundRobin, "round-robin", false, "play a round robin, once with each side")
	flags.IntVar(&p.Games, "games", p.Games, "without --round-robin: play `N` games as the first player")
	flags.IntVar(&p.MaxPlies, "max-plies", p.MaxPlies, "end a game as a draw after `N` plies")
	flags.Uint64Var(&p.Seed, "seed", p.Seed, "`SEED` of random choices")
	flags.StringVar(&f.eval, "eval", "", "take the weights of --keep from `FILE`")
	flags.StringSliceVar(&p.Keep, "keep", nil, "do not evolve these terms and `GROUPS`, or none (default material)")
	f.cluster.Declare(flags)
}

// evolve plays the generations and prints the strategies; keeps: --keep was given.
func (f evolveFlags) evolve(ctx context.Context, e *command.Env, keeps bool) error {
	g, err := command.FindGame(f.game)
	if err != nil {
		return err
	}
	p := f.params
	if err := evolver(e.Maker, &p, g, f.evaluator, f.eval, keeps); err != nil {
		return err
	}
	if err := p.Validate(); err != nil {
		return command.Misused(err)
	}
	if err := f.cluster.Ask(ctx, e, f.out, datasets.Step{
		Stage: "evolve", Output: schemas.Generations.ID(), Params: evolveParams{g.Name, p},
		Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			return g.Evolve(ctx, p, e.Workers, b)
		},
	}, "strategies of "+g.Name); err != nil || e.Plan != nil || e.Session != nil {
		return err
	}
	return e.PrintFile(f.out, evolve.Text)
}

// evolveParams has everything that goes into the key of an evolution.
type evolveParams struct {
	Game   string        `json:"game"`
	Evolve evolve.Params `json:"evolve"`
}

// evolver sets what p evolves.
func evolver(mk *command.Maker, p *evolve.Params, g command.Game, evaluator, evalFile string, keeps bool) error {
	switch {
	case evaluator == "network" && g.Network == nil:
		return command.Usagef("--evaluator network: %s has none", g.Name)
	case evaluator == "network" && evalFile != "":
		return command.Usagef("--eval %s: a network starts with random weights: omit --eval", evalFile)
	case evaluator == "network":
		p.Network = g.Network
		return nil
	case evaluator != "linear":
		return command.Usagef("--evaluator %s: want linear or network", evaluator)
	}
	var err error
	if p.Eval, err = models.Evaluator(mk, g, evalFile); err != nil {
		return err
	}
	const material = "material"
	switch {
	case !keeps && slices.Contains(p.Eval.Groups(), material):
		p.Keep = []string{material}
	case slices.Equal(p.Keep, []string{"none"}):
		p.Keep = nil
	}
	for _, name := range p.Keep {
		if _, err := p.Eval.Match(name); err != nil {
			return command.Usagef("--keep: %v", err)
		}
	}
	return nil
}

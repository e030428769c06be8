package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/fit/computed"
	"kifu/fit/conjunctions"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/schemas"
)

// conjunctionsFlags are the flags of kifu conjunctions.
type conjunctionsFlags struct {
	out, test, memory string
	cuts, squares     []string
	columnsOnly       bool
	params            conjunctions.Params
	who               command.DependenceFlags
}

func conjunctionsCommand(mk *command.Maker) *cobra.Command {
	f := conjunctionsFlags{params: conjunctions.Defaults()}
	cmd := &cobra.Command{
		Use:   "conjunctions --out DIR LABELS|POSITIONS",
		Short: "Find combinations of squares that predict the winner, and fit their weights (GLEM, CMIM)",
		Args:  command.Exactly(1, "a dataset of labels or positions"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.params.Fewer = f.params.Most > 0 && !cmd.Flags().Changed("max-size")
			if err := f.read(); err != nil {
				return command.Misused(err)
			}
			return f.conjunctions(cmd.Context(), mk, args[0])
		},
	}
	command.OutFlag(cmd, &f.out)
	f.add(cmd.Flags())
	return cmd
}

func (f *conjunctionsFlags) add(flags *pflag.FlagSet) {
	p := &f.params
	flags.IntVar(&p.Support, "min-support", p.Support, "keep conjunctions true in at least `N` positions")
	flags.IntVar(&p.Size, "max-size", p.Size, "combine at most `K` atoms (0: any number; default: 3, or fewer if --most is exceeded)")
	flags.Lookup("max-size").DefValue = "0" // the text has it
	flags.IntVar(&p.Distance, "distance", 0, "combine squares at most `D` columns and rows apart (0: any)")
	flags.StringArrayVar(&f.squares, "squares", nil, "combine only squares of one `LIST`, such as a1,b1,c1,d1; repeatable")
	flags.StringArrayVar(&f.cuts, "cut", nil, "cut a column or expression into ranges: `COLUMN=POINT,…` or 'NAME: SQL=POINT,…'; repeatable")
	flags.BoolVar(&f.columnsOnly, "columns-only", false, "use only the ranges of --cut, no squares")
	flags.StringVar(&p.Side, "side", p.Side, "see boards and winners from `SIDE`: mover, or first (the first player)")
	flags.Float64Var(&p.Merge, "merge", p.Merge, "merge a conjunction with a part if it holds in the share `S` of the part's positions")
	flags.IntVar(&p.Most, "most", p.Most, "allow at most `N` conjunctions (0: any number)")
	flags.StringVar(&p.Select, "select", p.Select, "fit to `WHICH`: all, cmim:N (most informative), tree (its leaves) or rules (default: all of up to 20,000, else cmim:1000)")
	flags.StringVar(&p.Method, "method", p.Method, "fit by `METHOD`: mlm (maximum likelihood), ls (least squares), value (of --target) or bayes")
	flags.StringVar(&p.Target, "target", "", "fit to an `SQL` expression, from the first player's side (default: the result)")
	flags.StringVar(&p.Where, "where", "", "select positions by an SQL `CONDITION`")
	flags.StringVar(&p.Draws, "draws", p.Draws, "count draws by `RULE`: exclude, or half (half a win)")
	flags.Float64Var(&p.Ridge, "ridge", p.Ridge, "shrink weights like `N` extra uninformative positions")
	flags.Float64Var(&p.Prune, "prune", 0, "remove weights below `X` and refit, until all are larger")
	flags.IntVar(&p.Errors, "errors", p.Errors, "compute the standard errors of the `N` largest weights")
	flags.Float64Var(&p.Holdout, "holdout", 0, "hold out the share `P` of the games to test on")
	flags.Uint64Var(&p.Seed, "seed", p.Seed, "choose the held-out games by seed `S`")
	flags.StringVar(&f.test, "test", "", "test on `DATASET` instead of held-out games")
	f.who.Declare(flags, false)
	flags.StringVar(&f.memory, "memory", "4GB", "fail if the rows need more than `SIZE` of memory")
}

// read puts what has to be read into the parameters.
func (f *conjunctionsFlags) read() error {
	p := &f.params
	if err := f.who.Validate(); err != nil {
		return err
	}
	p.Board, p.Test, p.Cluster = !f.columnsOnly, f.test != "", f.who.Param()
	var err error
	if p.Cuts, err = lists.Try(f.cuts, conjunctions.ParseCut); err != nil {
		return fmt.Errorf("--cut %w", err)
	}
	for _, list := range f.squares {
		p.Squares = append(p.Squares, strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }))
	}
	return p.Validate()
}

// conjunctions makes the dataset and prints what was found.
func (f conjunctionsFlags) conjunctions(ctx context.Context, mk *command.Maker, path string) error {
	memory, err := human.ParseBytes(f.memory)
	if err != nil {
		return command.Misused(fmt.Errorf("--memory: %w", err))
	}
	_, g, err := mk.OpenGame(path, "")
	if err != nil {
		return err
	}
	inputs := []string{path}
	if f.test != "" {
		inputs = append(inputs, f.test)
	}
	games, err := command.NamesOf(mk.Files, path, f.who)
	if err != nil {
		return err
	}
	if games != "" && f.params.Errors > 0 {
		inputs = append(inputs, games)
	}
	if f.params.Aliases, err = command.SameNames(mk, f.who.Aliases, inputs[1:]...); err != nil {
		return err
	}
	means := conjunctions.Means{Workers: mk.Workers, Memory: memory, Columns: computed.SQL}
	err = mk.Build(ctx, f.out, datasets.Step{
		Stage: "conjunctions", Output: schemas.Conjunctions.ID(), Params: f.params, Inputs: inputs,
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			of := 1 // datasets of positions
			if f.test != "" {
				of = 2
			}
			if len(in) > of {
				if means.Players, means.Names, err = bygame.Named(ctx, in[of], mk.Workers, f.params.Aliases); err != nil {
					return err
				}
			}
			return g.Conjunctions(ctx, f.params, means, append(in[:of:of], nil)[:2], b)
		},
	}, "conjunctions")
	if err != nil || mk.Plan != nil {
		return err
	}
	d, err := mk.OpenAny(f.out)
	if err != nil {
		return err
	}
	return conjunctions.Print(mk.Stdout, d)
}

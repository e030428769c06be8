package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/machines"
	"kifu/datasets"
	"kifu/fit"
	"kifu/fit/computed"
	"kifu/fit/constraints"
	"kifu/fit/fitted"
	"kifu/fit/method"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/scratch"
	"kifu/query"
	"kifu/schemas"
)

func fitCommand(e *command.Env) *cobra.Command {
	var out string
	var f fitFlags
	cmd := &cobra.Command{
		Use:   "fit --out DIR --method METHOD LABELS|CHOICES",
		Short: "Fit evaluation weights to the winners, or to the moves played",
		Args:  command.Exactly(1, "a dataset of labels or choices, or a CSV or Parquet file of features"),
		RunE: func(cmd *cobra.Command, args []string) error {
			j, err := f.read(args[0])
			if err != nil {
				return command.Misused(err)
			}
			if f.check {
				return j.checkFit(cmd.Context(), e.Maker)
			}
			return j.fit(cmd.Context(), e, out)
		},
	}
	command.OutFlag(cmd, &out)
	needOut := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if f.check {
			return nil
		}
		return needOut(cmd, args)
	}
	f.declare(cmd.Flags())
	return cmd
}

// fitFlags are the flags of kifu fit: those that need reading, and the job that the
// others fill in.
type fitFlags struct {
	job                       fitJob
	method, phases, losses    string
	lambda, alpha, traces     string
	add, priors, bounds, ties []string
	check                     bool
}

// read returns the job that the flags and the dataset of labels ask for.
func (f *fitFlags) read(labels string) (fitJob, error) {
	j := f.job
	p := &j.p
	if err := j.cluster.Validate(); err != nil {
		return j, err
	}
	p.Cluster, j.cluster.Games = j.cluster.Param(), j.games
	named, err := query.ParseNamed(f.add)
	if err != nil {
		return j, fmt.Errorf("--add: %w", err)
	}
	for _, n := range named {
		p.Add = append(p.Add, computed.Feature{Name: n.Name, SQL: n.SQL})
	}
	for _, text := range f.ties {
		p.Tie = append(p.Tie, strings.Split(text, ","))
	}
	if err := f.own(&j.own); err != nil {
		return j, err
	}
	j.labels, p.Test = labels, j.test != ""
	if err := selected(p, j.games, f.losses); err != nil {
		return j, err
	}
	j.methods = strings.Split(f.method, ",")
	for i, m := range j.methods {
		if slices.Contains(j.methods[:i], m) {
			return j, fmt.Errorf("--method %s: %s is given twice", f.method, m)
		}
		one, err := j.with(m)
		if err == nil {
			err = one.Validate()
		}
		if err != nil {
			return j, err
		}
	}
	return j, nil
}

// declare adds the flags to a command's.
func (f *fitFlags) declare(flags *pflag.FlagSet) {
	j, p, own := &f.job, &f.job.p, &f.job.own
	flags.BoolVar(&f.check, "check", false, "list terms that never occur, separate the outcomes or are collinear; fit nothing")
	flags.StringVar(&f.method, "method", "mlm", "fit by `METHOD`, or compare several: mlm, ls, ordered, value, choice, pairs, td, lstd")
	flags.StringSliceVar(&p.Free, "free", nil, "fit each `TERM|GROUP`, or all (default, without --add: the terms of label --zero)")
	flags.StringArrayVar(&f.add, "add", nil, "fit a new feature `NAME=SQL`")
	flags.BoolVar(&own.Intercept, "intercept", false, "fit a bonus for the first player")
	flags.BoolVar(&own.SideToMove, "side-to-move", false, "fit a bonus for the side to move")
	flags.StringVar(&p.Where, "where", "", "select positions by an SQL `CONDITION` over label columns")
	flags.StringVar(&own.Target, "target", "", "fit to another value: an `SQL` expression over label columns")
	flags.StringVar(&own.Expected, "expected", "", "replace results by an `SQL` expression from 0 (lost) to 1 (mlm, ls)")
	flags.Float64Var(&own.Blend, "blend", 0, "mix the share `P` of the target into the results (mlm, ls)")
	flags.Float64Var(&own.TargetScale, "target-scale", 0, "turn the target into win probability at scale `X` (0: fitted)")
	flags.StringVar(&p.Draws, "draws", "exclude", "count draws by `RULE`: exclude, or half (half a win)")
	flags.Float64Var(&own.L2, "l2", 0, "ridge penalty `X` toward the present weights")
	flags.Float64Var(&own.L1, "l1", 0, "lasso penalty `X`: keep weights that gain little")
	flags.StringArrayVar(&f.priors, "prior", nil, "normal prior at the present weights: `SD` for all, or NAME=SD; in the evaluator's unit")
	flags.StringArrayVar(&f.bounds, "bound", nil, "bound the weights of a term or group by `BOUNDS`: NAME>=X, NAME<=X, NAME=X or X<=NAME<=Y")
	flags.StringArrayVar(&f.ties, "tie", nil, "fit one weight for `TERM,TERM,…`; -TERM has the opposite sign")
	flags.StringSliceVar(&p.Untapered, "untapered", nil, "fit one weight for all stages of each `TERM|GROUP`")
	flags.StringVar(&f.lambda, "lambda", "", "λ of td and lstd: `NUMBER` from 0 (next position) to 1 (result); td takes one per epoch (default 0.7)")
	flags.StringVar(&f.alpha, "alpha", "", "step size of td: a `NUMBER` below 1, or one per epoch (default: from 0.5, halved as needed)")
	flags.StringVar(&f.traces, "traces", "accumulating", "traces of td: `accumulating` or replacing")
	flags.IntVar(&own.Epochs, "epochs", 0, "pass over the games at most `N` times with td (0: 40)")
	flags.StringVar(&j.choices, "choices", "", "fit choice and pairs to `DATASET` (kifu choices), other methods to the labels")
	flags.StringVar(&own.ScaleBy, "scale-by", "", "fit a separate w_0 for each value of an `SQL` expression over --games or the labels")
	flags.StringVar(&f.phases, "phases", "", "fit weights to each range of `PHASES`: a width, or first phases, 0,10,14,20")
	flags.IntVar(&own.Neighbours, "neighbours", 0, "fit each range of --phases also to `N` ranges on either side")
	flags.StringVar(&j.games, "games", "", "read players and columns from `DATASET`, the labels' games (default: in the same folder)")
	j.cluster.Declare(flags, true)
	flags.StringVar(&p.GamesWhere, "games-where", "", "select games by an SQL `CONDITION` over columns of --games")
	flags.StringVar(&f.losses, "losses-of", "", "fit to games that `NAME` lost or drew")
	flags.Float64Var(&own.WithoutBlunders, "without-blunders", 0, "skip positions where the loser made a move that cost more than `X` (0: none)")
	flags.IntVar(&own.MaxPerGame, "max-per-game", 0, "sample at most `N` positions (or decisions) per game (0: all)")
	flags.StringVar(&own.Weight, "weight", "", "by `game`: all games weigh the same, however long")
	flags.StringVar(&j.test, "test", "", "test on the labels `DATASET` instead of held-out games")
	flags.BoolVar(&p.LearningCurve, "learning-curve", false, "also fit to 1/16, 1/8, … of the games and test")
	flags.BoolVar(&own.Ratios, "ratios", false, "test groups of terms by likelihood ratios, with a fit each")
	flags.IntVar(&p.Folds, "folds", 0, "cross-validate by `N` parts of the games")
	flags.Float64Var(&p.Holdout, "holdout", 0, "hold out the share `P` of the games to test on")
	flags.Uint64Var(&p.Seed, "seed", 1, "choose the held-out games, folds and positions by seed `S`")
	flags.StringVar(&j.memory, "memory", "4GB", "use a temporary file above `SIZE` of memory")
	flags.IntVar(&p.MinGames, "min-games", 0, "do not change weights seen in fewer than `N` games (0: 10)")
	flags.Float64Var(&own.Scale, "scale", 0, "fix the scale w_0 at `X` (0: fit it)")
	j.queue.Declare(flags)
	j.features.declare(flags, "for a CSV or Parquet file: ")
}

// own reads the flags of single methods that need reading.
func (f *fitFlags) own(c *method.Choices) (err error) {
	if f.phases != "" {
		if c.Phases, err = fit.ParsePhases(f.phases); err != nil {
			return fmt.Errorf("--phases: %w", err)
		}
	}
	if c.Prior, err = lists.Try(f.priors, constraints.ParsePrior); err != nil {
		return fmt.Errorf("--prior: %w", err)
	}
	if c.Bounds, err = lists.Try(f.bounds, constraints.ParseBound); err != nil {
		return fmt.Errorf("--bound: %w", err)
	}
	if f.lambda != "" {
		if c.Lambda, err = fit.ParseSchedule(f.lambda); err != nil {
			return fmt.Errorf("--lambda %w", err)
		}
	}
	if f.alpha != "" {
		if c.Alpha, err = fit.ParseSchedule(f.alpha); err != nil {
			return fmt.Errorf("--alpha %w", err)
		}
	}
	switch f.traces {
	case "accumulating":
	case "replacing":
		c.Replacing = true
	default:
		return fmt.Errorf("--traces %q: want accumulating or replacing", f.traces)
	}
	return nil
}

// selected puts the flags into p that select games.
func selected(p *fit.Params, games, losses string) error {
	if losses != "" {
		who := query.QuoteText(losses)
		lost := fmt.Sprintf("(first_player = %s and result <> 'first') or (second_player = %s and result <> 'second')", who, who)
		if p.GamesWhere != "" {
			lost = fmt.Sprintf("(%s) and (%s\n)", lost, p.GamesWhere)
		}
		p.GamesWhere = lost
	}
	switch {
	case games == "" && losses != "":
		return errors.New("--losses-of finds names in the games: add --games DIR")
	case games == "" && p.GamesWhere != "":
		return errors.New("--games-where needs --games DIR")
	}
	return nil
}

// fitJob is the work that the flags ask for: a fit by one method or several.
type fitJob struct {
	p                   fit.Params
	own                 method.Choices // of the methods
	methods             []string
	labels, test, games string // datasets; test and games may be empty
	choices             string // dataset for the methods that fit to moves; "": labels is one
	inputs              []string
	memory              string
	cluster             command.DependenceFlags
	queue               machines.Queue
	features            featureFlags // of a file instead of labels
	names               bool         // the last input has the games for the names of players
}

// means returns what the flags let a fit use.
func (j *fitJob) means(workers int) (fit.Means, error) {
	memory, err := human.ParseBytes(j.memory)
	if err != nil {
		return fit.Means{}, command.Misused(fmt.Errorf("--memory: %w", err))
	}
	return fit.Means{Workers: workers, Memory: memory}, nil
}

// with returns the parameters of one of the methods.
func (j *fitJob) with(name string) (p fit.Params, err error) {
	p = j.p
	p.Method, err = j.own.Of(name, j.methods...)
	return p, err
}

// rows is the dataset that method fits to.
func (j *fitJob) rows(method string) string {
	if j.choices != "" && fit.Moves(method) {
		return j.choices
	}
	return j.labels
}

// kinds rejects methods whose datasets would have equal names, or cannot be compared.
func (j *fitJob) kinds(disk *command.Files) error {
	moves := 0
	for _, m := range j.methods {
		if fit.Moves(m) {
			moves++
		}
	}
	switch {
	case j.choices != "" && moves == 0:
		return command.Usagef("--choices is for --method choice and pairs")
	case moves == 0 || moves == len(j.methods):
		return nil
	case j.choices == "":
		return command.Usagef("--method %s: choice and pairs need moves, the others labels: give labels, and moves with --choices DATASET", strings.Join(j.methods, ","))
	case j.test != "":
		return command.Usagef("--test is one dataset, but these methods fit to two kinds: use --holdout")
	}
	labels, err := disk.Open(j.labels, "labels")
	if err != nil {
		return err
	}
	choices, err := disk.Open(j.choices, "choices")
	if err != nil {
		return err
	}
	return fit.Alike(labels, choices)
}

// perMethod returns the job of each method, with its inputs.
func (j fitJob) perMethod(mk *command.Maker) (jobs []fitJob, err error) {
	disk := mk.Files
	if err := j.kinds(disk); err != nil {
		return nil, err
	}
	var players []string
	for _, name := range j.methods {
		one := j
		if one.inputs, err = one.openInputs(disk, name); err != nil {
			return nil, err
		}
		if one.p, err = one.with(name); err != nil {
			return nil, err
		}
		names, err := command.NamesOf(disk, one.rows(name), one.cluster)
		if err != nil {
			return nil, err
		}
		if one.names = names != ""; one.names {
			one.inputs, players = append(one.inputs, names), []string{names}
		}
		jobs = append(jobs, one)
	}
	aliases, err := command.SameNames(mk, j.cluster.Aliases, players...)
	for i := range jobs {
		jobs[i].p.Aliases = aliases
	}
	return jobs, err
}

// openInputs are the datasets of the job of one method, which must be there.
func (j *fitJob) openInputs(disk *command.Files, method string) ([]string, error) {
	path := j.rows(method)
	rows, err := disk.OpenAny(path)
	if err != nil {
		return nil, err
	}
	if err := fit.Wants(method, rows); err != nil {
		return nil, err
	}
	if err := foreignFeatures(&j.p, &j.own, rows); err != nil {
		return nil, err
	}
	inputs := []string{path}
	for _, more := range []struct{ path, kind string }{{j.test, rows.Table.Name}, {j.games, "games"}} {
		if more.path == "" {
			continue
		}
		d, err := disk.Open(more.path, more.kind)
		if err == nil && more.path == j.games {
			err = datasets.CheckTogether(rows, d)
		}
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, more.path)
	}
	return inputs, nil
}

// sources are the opened inputs.
func (j fitJob) sources(in []*datasets.Dir) fit.Sources {
	from := fit.Sources{Labels: in[0]}
	if j.test != "" {
		from.Test = in[1]
	}
	if j.names {
		from.Names, in = in[len(in)-1], in[:len(in)-1]
	}
	if j.games != "" {
		from.Games = in[len(in)-1]
	}
	return from
}

// fit makes the fits and prints what they found. Several go to directories of their own
// below out.
func (j fitJob) fit(ctx context.Context, e *command.Env, out string) error {
	var err error
	if j.labels, err = j.features.labelsOf(ctx, e.Maker, j.labels, command.Below(out, "")+"-labels"); err != nil {
		return err
	}
	if e.Unmade() {
		return nil // the labels of a file are to be made first
	}
	jobs, err := j.perMethod(e.Maker)
	if err != nil {
		return err
	}
	// What lives long here are large arrays without pointers: collecting often is cheap,
	// and halves the memory.
	defer debug.SetGCPercent(debug.SetGCPercent(30))
	means, err := j.means(e.Workers)
	if err != nil {
		return err
	}
	var outs []string
	for _, j := range jobs {
		dir := out
		if len(jobs) > 1 {
			dir = command.Below(out, j.p.Method.Name())
		}
		err := j.queue.Ask(ctx, e, dir, datasets.Step{
			Stage: "fit", Output: schemas.Weights.ID(), Params: j.p, Inputs: j.inputs,
			Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
				return fit.Run(ctx, j.p, means, j.sources(in), b)
			},
		}, "weights")
		if err != nil {
			return err
		}
		outs = append(outs, dir)
	}
	if e.Plan != nil || e.Session != nil {
		return nil // nothing was made here that could be printed
	}
	return printFits(e.Maker, outs)
}

// printFits prints what fits found.
func printFits(mk *command.Maker, dirs []string) error {
	var fits []*fitted.Result
	for _, dir := range dirs {
		d, err := mk.OpenAny(dir)
		if err != nil {
			return err
		}
		r, err := fitted.Read(d)
		if err != nil {
			return err
		}
		fits = append(fits, r)
	}
	return fitted.Print(mk.Stdout, fits)
}

// checkFit prints what hinders the fits, and fails if something does.
func (j fitJob) checkFit(ctx context.Context, mk *command.Maker) (err error) {
	temp := scratch.New("", "labels")
	defer func() { err = errors.Join(err, temp.Remove()) }()
	if err := temp.Make(); err != nil {
		return err
	}
	if j.labels, err = j.features.labelsOf(ctx, mk, j.labels, temp.Path()); err != nil {
		return err
	}
	jobs, err := j.perMethod(mk)
	if err != nil {
		return err
	}
	means, err := j.means(mk.Workers)
	if err != nil {
		return err
	}
	problems := 0
	for _, j := range jobs {
		in, err := lists.Try(j.inputs, mk.OpenAny)
		if err != nil {
			return err
		}
		profile, err := fit.Check(ctx, j.p, means, j.sources(in))
		if err != nil {
			return err
		}
		profile.Print(mk.Stdout)
		problems += len(profile.Problems)
	}
	if problems > 0 {
		return errors.New("the fit is not determined: see above")
	}
	return nil
}

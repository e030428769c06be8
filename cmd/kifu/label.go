package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/eval"
	"kifu/label"
	"kifu/schemas"
)

func (a *app) labelCommand() *cobra.Command {
	var out, evalFile string
	var outside engineFlags
	p := label.Params{Search: []string{"static", "quiescence"}}
	var choices label.Choices
	var choose bool
	cmd := &cobra.Command{
		Use:   "label --out DIR POSITIONS",
		Short: "Evaluate positions, or the moves in them: values, term group scores, features",
		Long: `Evaluate each position by the searches named: static (the evaluator's value of the
position itself), quiescence (captures and check evasions to a quiet end), depth:N (1 to
N plies, then quiescence: a value for each depth). Group scores and features are those of the last search's
leaf. All values are from the first player's side.

--eval takes the weights of a file, by the names of the terms; a term that the file
leaves out keeps its default weight. To take one out, set it to 0 or use --zero.

--zero takes terms or whole groups out of the values, as if their weights were 0; the
group columns still show what they would have said, so that curves can be conditioned
on them.

--adjudicate gives games a result, by the first of the rules named that decides:
rules (the game's last position in the dataset is won, lost or drawn by itself: mate,
stalemate, bare kings; whatever the record says), and for games whose record has no
result win:V:K (the value of the last search is at least V in each of the game's last K
positions in the dataset, or at most -V) and draw:V:K (it is within ±V). What was changed
is noted.

--solve N plays the last N empty squares of Othello out (solve_value): the difference of
discs at the end under the best play of both sides, with the empty squares that are left
counted for the winner. 12 take some four milliseconds a position, each two more ten
times as long.

--choices makes a dataset of another kind (choices/v1): a row for every legal move of
each position, with the values and features behind it and whether it was played, for
kifu fit --method choice and pairs. --alternatives 10 draws ten of the moves that were
not played, which saves room and time; fits to a draw come out the same but for its
chance. Positions with one legal move are left out and counted.

--engine has a program that speaks UCI or, for go, GTP value each position besides:
engine_value, from the first player's side; by UCI in hundredths of a pawn, with mates in
n plies as ±(32000-n), by GTP in points. One process a worker; one that dies, hangs or
answers nonsense is started again, and a position that it cannot value in three attempts
has no value (noted). The engine forgets its hash table between games, so that equal
limits in plies or nodes give equal values whatever the number of workers; a limit in
time does not. The dataset's key has the engine's own name, its arguments, options and
limits. Parts are small: an interrupted run goes on where it was. Positions are sent
without move counters or history; for Chess960 set UCI_Chess960=true.

A GTP engine is given the stones of a position and then --engine-command, which has to
answer as B+3.4 or W+7.5: estimate_score or final_score of GNU Go. Of the two bounds of an
estimate that of the side to move is the value. Stones that were taken are made up for in
the komi if the engine counts territory, which shows on a small board when it starts. A
ko that may not be retaken is opened by the last of these moves; of the moves before the
engine is told nothing. GTP has no limits of its own: an option is a command that is given
at the start (--engine-option level=1).`,
		Example: "  kifu label --out labels positions\n  kifu label --out off --zero king_safety positions\n  kifu label --out fitted --eval fit/weights.toml positions\n  kifu label --out deep --search static,quiescence,depth:3 positions\n  kifu label --out choices --choices --alternatives 10 positions\n  kifu label --out outside --engine stockfish --engine-depth 8 --engine-option Hash=16 positions\n  kifu label --out estimates --engine 'gnugo --mode gtp' --engine-option level=1 positions-of-go",
		Args:    exactly(1, "a dataset of positions"),
		RunE: func(cmd *cobra.Command, args []string) error {
			table, unit := "labels/v2", "labels"
			switch {
			case choose:
				p.Choices, table, unit = &choices, schemas.Choices(schemas.Table{}, nil).ID(), "moves"
			case cmd.Flags().Changed("alternatives"), cmd.Flags().Changed("seed"):
				return usagef("--alternatives and --seed are for --choices")
			}
			if err := p.Validate(); err != nil {
				return usageError{err}
			}
			in, err := a.open(args[0], "positions")
			if err != nil {
				return err
			}
			g, err := gameOf(in)
			if err != nil {
				return err
			}
			if p.Eval, err = a.readModel(g, evalFile); err != nil {
				return err
			}
			if p.Engine, err = outside.open(cmd.Context(), g); err != nil {
				return err
			}
			return a.build(cmd.Context(), out, datasets.Step{
				Stage: "label", Output: table, Params: p, Inputs: args,
				Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
					return g.label(ctx, p, a.workers, in[0], b)
				},
			}, unit)
		},
	}
	outFlag(cmd, &out)
	flags := cmd.Flags()
	flags.StringVar(&evalFile, "eval", "", "evaluate with the weights in `FILE` (weights.toml), not the default ones")
	flags.StringSliceVar(&p.Search, "search", p.Search, "`SEARCHES` to run: static, quiescence, depth:N")
	flags.StringSliceVar(&p.Zero, "zero", nil, "`TERM|GROUP`s to take out of the values")
	flags.StringSliceVar(&p.Adjudicate, "adjudicate", nil, "settle results by `RULES`: rules, win:VALUE:POSITIONS, draw:VALUE:POSITIONS")
	flags.BoolVar(&p.Variations, "pv", false, "write the principal variations of the searches, too, and the positions at their ends")
	flags.IntVar(&p.Solve, "solve", 0, "write the exact values of positions with at most `N` empty squares (Othello)")
	flags.BoolVar(&choose, "choices", false, "write the moves that could be played in each position, not the positions")
	flags.IntVar(&choices.Alternatives, "alternatives", 0, "with --choices: write at most `N` moves beside the one played, drawn by --seed (0: all)")
	flags.Uint64Var(&choices.Seed, "seed", 1, "with --choices: draw by seed `S`")
	outside.add(flags)
	return cmd
}

// readModel is the default evaluator of a game, with the weights of the file if one is named.
func (a *app) readModel(g game, file string) (*eval.Model, error) {
	if file == "" {
		return g.model(nil)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m, err := g.model(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	a.noteDefaults(file, text, m)
	return m, nil
}

// noteDefaults says which terms a weights file leaves to the default weights: a whole
// group that is missing might be a mistake.
func (a *app) noteDefaults(file string, text []byte, m *eval.Model) {
	written, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil {
		return // the model was read from the same text
	}
	if n := len(m.Terms) - len(written.Terms); n > 0 {
		fmt.Fprintf(a.stderr, "kifu: note: %s has weights for %d of the %d terms; the other %d keep their defaults: %s\n", file, len(written.Terms), len(m.Terms), n, missingGroups(m, written))
	}
}

// missingGroups names the groups of which written lacks terms, in m's order.
func missingGroups(m, written *eval.Model) string {
	has := map[string]bool{}
	for _, t := range written.Terms {
		has[t.Name] = true
	}
	var groups []string
	all, lacks := map[string]int{}, map[string]int{}
	for _, t := range m.Terms {
		if all[t.Group]++; !has[t.Name] {
			if lacks[t.Group]++; lacks[t.Group] == 1 {
				groups = append(groups, t.Group)
			}
		}
	}
	for i, g := range groups {
		if groups[i] = "all of " + g; lacks[g] < all[g] {
			groups[i] = fmt.Sprintf("%d of %s's %d", lacks[g], g, all[g])
		}
	}
	return strings.Join(groups, ", ")
}

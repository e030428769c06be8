package conjunctions

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kifu/fit/losses"
	"kifu/internal/dyads"
)

// The sides that squares and winners are seen from.
const (
	sideMover = "mover" // the side to move: mine, theirs, empty; the board is turned for the second player
	sideFirst = "first" // the first player: pieces by their names
)

// bayes is the naive Bayesian classifier of winners, a method as MLM, LS and Value of package losses are.
const bayes = "bayes"

// The ways in which draws count for winners.
const (
	drawsExclude = "exclude"
	drawsHalf    = "half"
)

// The selections of the leaves of a decision tree (Tree), and of rules made of them (Rules).
const (
	selectTree  = "tree"
	selectRules = "rules"
)

// More conjunctions than manyFound are too many to fit all by default: that takes long, and follows noise.
const (
	manyFound  = 20_000
	selectMany = "cmim:1000"
)

// selectAll fits all conjunctions.
const selectAll = "all"

// Params are the choices that determine the conjunctions.
type Params struct {
	Method   string     `json:"method"`
	Side     string     `json:"side"`
	Board    bool       `json:"board"` // the contents of squares are atoms
	Cuts     []Cut      `json:"cuts,omitempty"`
	Squares  [][]string `json:"squares,omitempty"`  // each conjunction keeps to one of these lists
	Distance int        `json:"distance,omitempty"` // of the squares of a conjunction, at most; 0: any
	Support  int        `json:"min_support"`
	Size     int        `json:"max_size"` // 0: any
	Merge    float64    `json:"merge"`
	Most     int        `json:"most"`
	Fewer    bool       `json:"fewer,omitempty"`  // Size is a default: beyond Most, conjunctions of fewer atoms
	Select   string     `json:"select,omitempty"` // "all", "cmim:N", selectTree or selectRules; empty: all, or selectMany if there are more than manyFound
	Target   string     `json:"target,omitempty"`
	Where    string     `json:"where,omitempty"`
	Draws    string     `json:"draws"`
	Ridge    float64    `json:"ridge"`
	Prune    float64    `json:"prune,omitempty"`
	Errors   int        `json:"errors"` // of this many of the strongest weights
	// Cluster is how they let games depend on each other, one of dyads.Ways; empty: both. Aliases are names of players to replace.
	Cluster string        `json:"cluster,omitempty"`
	Aliases []dyads.Alias `json:"aliases,omitempty"`
	Holdout float64       `json:"holdout"`
	Seed    uint64        `json:"seed"`
	Test    bool          `json:"test"` // on a dataset of its own
}

// Defaults returns the default parameters.
func Defaults() Params {
	return Params{Method: losses.MLM, Side: sideMover, Board: true, Support: 100, Size: 3, Merge: 1, Most: 2_000_000, Draws: drawsExclude, Ridge: 10, Seed: 1}
}

// Validate returns an error for the first parameter that is invalid whatever the positions.
func (p Params) Validate() error {
	switch {
	case p.Method != losses.MLM && p.Method != losses.LS && p.Method != losses.Value && p.Method != bayes:
		return fmt.Errorf("--method %s: want mlm, ls, value or bayes", p.Method)
	case p.Side != sideMover && p.Side != sideFirst:
		return fmt.Errorf("--side %s: want mover or first", p.Side)
	case p.Draws != drawsExclude && p.Draws != drawsHalf:
		return fmt.Errorf("--draws %s: want exclude or half", p.Draws)
	case p.Draws == drawsHalf && p.Method == bayes:
		return errors.New("--method bayes has no draws: omit --draws half")
	case p.Method == losses.Value && p.Target == "":
		return errors.New("--method value needs --target SQL, as in --target solve_value")
	case p.Support < 1:
		return fmt.Errorf("--min-support %d: want 1 or more positions", p.Support)
	case p.Size < 0 || p.Distance < 0 || p.Most < 0 || p.Errors < 0:
		return errors.New("--max-size, --distance, --most and --errors: want 0 or more")
	case !(p.Merge > 0 && p.Merge <= 1):
		return fmt.Errorf("--merge %v: want a share of positions above 0, at most 1", p.Merge)
	case !(p.Ridge >= 0) || !(p.Prune >= 0) || p.Ridge-p.Ridge != 0 || p.Prune-p.Prune != 0:
		return errors.New("--ridge and --prune: want 0 or more")
	case p.Method == bayes && p.Prune > 0:
		return errors.New("--prune is not for --method bayes, whose weights do not depend on each other")
	case !(p.Holdout >= 0 && p.Holdout < 1):
		return fmt.Errorf("--holdout %v: want a share of the games from 0, below 1", p.Holdout)
	case p.Holdout > 0 && p.Test:
		return errors.New("--holdout and --test exclude each other")
	case !p.Board && len(p.Cuts) == 0:
		return errors.New("--columns-only without a column: give --cut COLUMN=POINT,…")
	case !p.Board && (p.Distance > 0 || len(p.Squares) > 0):
		return errors.New("--columns-only excludes squares: --distance and --squares have no effect")
	case p.grown() && (p.Distance > 0 || len(p.Squares) > 0 || p.Merge < 1 || p.Prune > 0 || p.Method == losses.Value):
		return fmt.Errorf("--select %s predicts winners: omit --distance, --squares, --merge, --prune and --method value", p.Select)
	case len(p.Squares) > 64:
		return fmt.Errorf("%d lists of --squares: at most 64", len(p.Squares))
	}
	_, err := p.choose()
	return err
}

// grown reports whether the conjunctions are of a tree.
func (p Params) grown() bool { return p.Select == selectTree || p.Select == selectRules }

// choose returns how many conjunctions CMIM selects, 0 without it.
func (p Params) choose() (int, error) {
	if p.Select == "" || p.Select == selectAll || p.grown() {
		return 0, nil
	}
	number, ok := strings.CutPrefix(p.Select, "cmim:")
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 1 {
		return 0, fmt.Errorf("--select %s: want all, tree, rules, or cmim:N for the N best, as in cmim:2000", p.Select)
	}
	return n, nil
}

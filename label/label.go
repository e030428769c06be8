// Package label turns positions into labels: a dataset of positions goes in, the same
// rows with values, term group scores and features come out.
//
// Each position is unpacked from its board column and searched in the ways named:
//
//	static       the evaluator's value of the position itself   static_value
//	quiescence   search.Quiescence                              quiescence_value
//	depth:N      search.Deepen to N plies                       depth_1_value … depth_N_value
//
// Values are from the first player's side in the evaluator's unit. A position that has
// ended by itself (mate, stalemate) has the value of its outcome by every search: ±32000
// for a win, 0 for a draw; a forced win in n plies is ±(32000-n).
//
// Group scores, leaf_phase and features belong to the leaf of the last search's
// principal variation, the manifest's meta "leaf" names its column. There the weights
// times the features are the value (within the rounding to hundredths), unless the
// value comes from the end of the game: |value| > 31000, or a stalemate's 0. A
// position in check at the root has a static value too, but nobody should trust it.
//
// Terms named by Zero weigh nothing in the searches, so the values are those of an
// evaluator that lacks them; the group scores show what they would have said at the
// leaf. The labels directory holds the weights that were used, zeroes and all, as
// weights.toml: the features' indices are the places of its terms.
//
// Beside these an outside program can value the positions (Engine: engine_value, null
// where it gave none), whose values nothing else depends on; and games whose result is
// missing, or contradicted by the board, can be given one (Params.Adjudicate).
//
// With Params.Choices the rows are not positions but the moves that could be played in
// them, each labelled by the position behind it (see Choices).
//
// The package knows no game, reads no records, and fits nothing.
package label

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kifu/eval"
	"kifu/search"
	"kifu/search/engine"
)

// Params are all that decides the labels of given positions.
type Params struct {
	// Search names the searches, in the order of their columns; the leaf is the last
	// one's.
	Search []string
	// Zero names terms and groups that weigh nothing.
	Zero []string
	// Eval is the evaluator's model; nil is the game's default. A command sets it in any
	// case (eval.Game.Model), so that the dataset's key changes with the default weights.
	Eval *eval.Model
	// Adjudicate are the rules by which a game gets a result, the first that decides:
	//
	//	rules     its last position here is won, lost or drawn by the rules of the game,
	//	          without its history (mate, stalemate, bare kings); whatever the record says
	//	win:V:K   the record has no result, and the value of the last search is at least V
	//	          in each of the last K positions here, or at most -V in each
	//	draw:V:K  likewise, and the value is from -V to V in each
	Adjudicate []string
	// Variations adds the principal variations of the searches, and their leaves.
	Variations bool
	// Solve adds the exact values of positions in which at most so many moves are left;
	// 0: of none.
	Solve int
	// Engine is an outside program that values the positions, too; nil: none.
	Engine *Engine
	// Choices asks for the moves that could be played in the place of the positions; nil:
	// labels.
	Choices *Choices
}

// Engine is an outside program whose values label writes.
type Engine struct {
	Name      string        `json:"name"`                // that the program gives itself
	Arguments []string      `json:"arguments,omitempty"` // behind the program
	Options   []string      `json:"options,omitempty"`   // Name=value, as they were set
	Scoring   string        `json:"scoring,omitempty"`   // the command of GTP that values a position
	Limits    engine.Limits `json:"limits"`              // of each search
	Static    bool          `json:"static,omitempty"`    // ask for its static values as well
	// Start starts the program. It does not change what is labelled: a program is known
	// by its name.
	Start func(ctx context.Context) (engine.Engine, error) `json:"-"`
}

// MarshalJSON gives what is hashed into the dataset's key: the model by its name and
// the checksum of its weights.toml.
func (p Params) MarshalJSON() ([]byte, error) {
	evaluator, err := p.Eval.Key()
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Search     []string `json:"search"`
		Zero       []string `json:"zero,omitempty"`
		Evaluator  string   `json:"evaluator"`
		Adjudicate []string `json:"adjudicate,omitempty"`
		Variations bool     `json:"variations,omitempty"`
		Solve      int      `json:"solve,omitempty"`
		Engine     *Engine  `json:"engine,omitempty"`
		Choices    *Choices `json:"choices,omitempty"`
	}{p.Search, p.Zero, evaluator, p.Adjudicate, p.Variations, p.Solve, p.Engine, p.Choices})
}

// Validate reports what is wrong with the searches, the adjudication and the solving.
func (p Params) Validate() error {
	if p.Solve < 0 || p.Solve > MaxSolve {
		return fmt.Errorf("solve the last %d moves: the number is from 0 to %d", p.Solve, MaxSolve)
	}
	if _, err := parseSearches(p.Search); err != nil {
		return err
	}
	if _, err := parseVerdicts(p.Adjudicate); err != nil {
		return err
	}
	return p.validateChoices()
}

type kind uint8

const (
	static kind = iota
	quiescence
	fixedDepth
)

// how is one search that was asked for, with its value columns: one, or of a search to
// a depth one a depth.
type how struct {
	kind    kind
	columns []string
}

func parseSearches(names []string) ([]how, error) {
	if len(names) == 0 {
		return nil, errors.New("no search: name static, quiescence or depth:N")
	}
	var hows []how
	for _, name := range names {
		h, err := parseSearch(name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(hows, func(o how) bool { return o.kind == h.kind }) {
			if h.kind == fixedDepth {
				return nil, fmt.Errorf("search %q: one depth:N is enough, it has a column for every depth up to N", name)
			}
			return nil, fmt.Errorf("search %q is named twice", name)
		}
		hows = append(hows, h)
	}
	return hows, nil
}

func parseSearch(name string) (how, error) {
	switch name {
	case "static":
		return how{static, []string{"static_value"}}, nil
	case "quiescence":
		return how{quiescence, []string{"quiescence_value"}}, nil
	}
	text, ok := strings.CutPrefix(name, "depth:")
	if !ok {
		return how{}, fmt.Errorf("no search %q: there are static, quiescence and depth:N", name)
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > search.MaxDepth {
		return how{}, fmt.Errorf("search %q: the depth is a number from 1 to %d", name, search.MaxDepth)
	}
	h := how{kind: fixedDepth}
	for d := 1; d <= n; d++ {
		h.columns = append(h.columns, fmt.Sprintf("depth_%d_value", d))
	}
	return h, nil
}

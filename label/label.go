// Package label turns positions into labels: a dataset of positions goes in; the same rows
// come out with values, term group scores and features.
//
// Each position is unpacked from its board column and searched in the ways named:
//
//	static       the evaluator's value of the position itself   static_value
//	quiescence   search.Quiescence                              quiescence_value
//	depth:N      search.Deepen to N plies                       depth_1_value … depth_N_value
//
// Values are from the first player's side in the evaluator's unit. A finished position (mate, stalemate) has
// the value of its outcome by every search: ±32000 for a win, 0 for a draw. A forced win in n plies is
// ±(32000-n).
//
// Group scores, leaf_phase and features belong to the leaf of the last search's principal
// variation, whose column the manifest's meta "leaf" names. There the weights times the features
// equal the value, rounded to hundredths. The exceptions are values from the end of the game:
// |value| > 31000, or a stalemate's 0. A position in check at the root has a static value too, but
// it is unreliable.
//
// Terms named by Zero have weight 0 in the searches, so the values come from an evaluator without
// them. The group scores still show their contribution at the leaf. The labels directory holds the
// weights that were used, zeros included, as weights.toml: the features' indices are the positions
// of its terms.
//
// Three kinds of values need no evaluator, or more than this one: exact values of the last positions (Solve),
// outcomes of random games (Rollouts), and values worked back from the end of the game by stretches of phases
// (Backward). The caller fits the evaluator between two stretches.
//
// An outside program can also value the positions (Engine: engine_value, null if it gave none); nothing else
// depends on it. Params.Adjudicate sets results that are missing or contradict the board.
//
// With Params.Choices the rows are not positions but the moves that could be played in
// them, each labelled by the position after it (see Choices).
//
// docs/performance.md lists what was tried to label faster, and why it was rejected.
//

// The package depends on no game, reads no records, and fits nothing.
package label

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kifu/eval"
	"kifu/games"
	"kifu/search"
	"kifu/search/engine"
)

// Params are the parameters that determine the labels of given positions. Their JSON is hashed into the
// dataset's key.
type Params struct {
	// Search names the searches, in the order of their columns; the leaf is the last
	// one's.
	Search []string `json:"search"`
	// Zero names terms and groups that get weight 0.
	Zero []string `json:"zero,omitempty"`
	// Eval is the evaluator's model; nil means the game's default. A command always sets it
	// (eval.Game.Model), so that the dataset's key changes with the default weights.
	Eval *eval.Model `json:"evaluator"`
	// ValuesAlone leaves out what belongs to the leaf of the last search: group scores, phase and features.
	ValuesAlone bool `json:"values_alone,omitempty"`
	// Adjudicate are the rules by which a game gets a result; the first that applies
	// decides:
	//
	//	rules     its last position here is won, lost or drawn by the rules of the game,
	//	          without its history (mate, stalemate, bare kings); whatever the record has
	//	win:V:K   the record has no result, and the value of the last search is at least V
	//	          in each of the last K positions here, or at most -V in each
	//	draw:V:K  likewise, and the value is from -V to V in each
	//	mate:WHEN its side to move can force a mate, found by a search of Mate nodes, or
	//	          adjudicationNodes without Mate: WHEN is first or last, for the first or the last
	//	          such position here, whatever the record has; or unfinished, the last one of a
	//	          game without a result
	//	declare:WHEN  likewise, and its side to move may declare that it has won
	Adjudicate []string `json:"adjudicate,omitempty"`
	// Variations adds the principal variations of the searches, and their leaves.
	Variations bool `json:"variations,omitempty"`
	// Solve adds exact values of positions with at most this many moves left, or pieces in games with endgame
	// tables (games.Tabled); 0: of none.
	Solve int `json:"solve,omitempty"`
	// Endings adds the exact values of positions that tables of endings have, instead of
	// Solve; nil: of none.
	Endings *Endings `json:"endings,omitempty"`
	// Rollouts adds the outcomes of random games from each position; nil: not.
	Rollouts *Rollouts `json:"rollouts,omitempty"`
	// Backward adds values that come from the end of the game, of a stretch of phases; nil: not.
	Backward *Backward `json:"backward,omitempty"`
	// Mate adds whether the side to move can force a mate, found by a search of at most so
	// many nodes; 0: not.
	Mate int `json:"mate,omitempty"`
	// Engine is an outside program that also values the positions; nil: none.
	Engine *Engine `json:"engine,omitempty"`
	// Choices requests the moves that could be played instead of the positions; nil:
	// labels.
	Choices *Choices `json:"choices,omitempty"`
}

// Endings are tables of endings, which the key of the dataset has by name.
type Endings struct {
	Names  []string `json:"names"`
	Tables Tables   `json:"-"`
}

// Tables know how positions of few men end. They are for any number of goroutines.
type Tables interface {
	// Outcome returns the result of a packed board with best play; false if it is not known.
	Outcome(board []byte) (games.Outcome, bool)
}

// Engine is an outside program whose values label writes.
type Engine struct {
	Name      string        `json:"name"`                // name that the program reports
	Arguments []string      `json:"arguments,omitempty"` // arguments of the program
	Options   []string      `json:"options,omitempty"`   // Name=value, as set
	Scoring   string        `json:"scoring,omitempty"`   // the command of GTP that values a position
	Limits    engine.Limits `json:"limits"`              // of each search
	Static    bool          `json:"static,omitempty"`    // ask for its static values as well
	Mate      time.Duration `json:"mate_ns,omitempty"`   // have it look for mates for so long; 0: not
	// Start starts the program. It does not affect the labels' key: a program is identified
	// by its name.
	Start func(ctx context.Context) (engine.Engine, error) `json:"-"`
}

// Validate returns an error for invalid searches, adjudication or solving.
func (p Params) Validate() error {
	if p.Solve < 0 || p.Solve > maxSolve {
		return fmt.Errorf("solve the last %d moves: want a number from 0 to %d", p.Solve, maxSolve)
	}
	if p.Endings != nil && (p.Solve > 0 || p.Backward != nil) {
		return errors.New("--syzygy excludes --solve and backward values: choose one")
	}
	if r := p.Rollouts; r != nil && (r.Games < 1 || r.Games > maxRollouts) {
		return fmt.Errorf("%d random games: want a number from 1 to %d", r.Games, maxRollouts)
	}
	if p.Mate < 0 || p.Mate > maxMateNodes {
		return fmt.Errorf("mates by %d nodes: want a number from 0 to %d", p.Mate, maxMateNodes)
	}
	if _, err := parseSearches(p.Search); err != nil {
		return err
	}
	if _, err := parseVerdicts(p.Adjudicate); err != nil {
		return err
	}
	if err := p.validateBackward(); err != nil {
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

// how is one requested search, with its value columns: one, or for a search to a depth one
// per depth.
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
				return nil, fmt.Errorf("search %q: give one depth:N, which makes a column for every depth up to N", name)
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
		return how{}, fmt.Errorf("no search %q: want static, quiescence or depth:N", name)
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > search.MaxDepth {
		return how{}, fmt.Errorf("search %q: want a depth from 1 to %d", name, search.MaxDepth)
	}
	h := how{kind: fixedDepth}
	for d := 1; d <= n; d++ {
		h.columns = append(h.columns, fmt.Sprintf("depth_%d_value", d))
	}
	return h, nil
}

// Package performance rates performances by the values of moves (internal/skill): a player's, an event's, a year's. Its command is
// kifu performance.
//
// In: games, and perhaps choices, labels or positions of them. Out: a page, a table of performances, and the calibration as
// model.json. It values no moves, and never decides how a player found moves.
package performance

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/internal/skill"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
)

// Params is everything that changes a report of performances.
type Params struct {
	Sources   []string `json:"sources"`         // names of the datasets: games, then perhaps the values
	By        []string `json:"by"`              // what makes a performance: player, event, year, game
	Value     string   `json:"value,omitempty"` // column of the values; empty: the last search, or the records' values
	Pawn      float64  `json:"pawn"`            // value of a pawn, in the evaluator's unit
	Within    float64  `json:"within"`          // positions whose best value is beyond ± are left out
	SkipPlies int      `json:"skip_plies"`      // of every game
	MinMoves  int      `json:"min_moves"`       // of a performance that is listed
	FDR       float64  `json:"fdr"`
	Model     *Model   `json:"model,omitempty"` // from another report; nil: calibrate on these games
	Workers   int      `json:"-"`               // 0: one a processor; the output does not depend on it
}

// Model is a calibration with what it holds for.
type Model struct {
	Game      string  `json:"game"`
	Value     string  `json:"value"`
	Pawn      float64 `json:"pawn"`
	Within    float64 `json:"within"`
	SkipPlies int     `json:"skip_plies"`
	skill.Model
}

// modelFile is the name of the calibration among the files of a report.
const modelFile = "model.json"

// ways lists what performances may be grouped by.
func ways() []string { return []string{"player", "event", "year", "game"} }

// Validate reports the first parameter that makes no sense whatever the games.
func (p Params) Validate() error {
	switch {
	case len(p.By) == 0:
		return fmt.Errorf("nothing to rate by: want %s", strings.Join(ways(), ", "))
	case !(p.Pawn > 0) || math.IsInf(p.Pawn, 0):
		return fmt.Errorf("a pawn of %v: want a value above 0", p.Pawn)
	case !(p.Within > 0):
		return fmt.Errorf("within %v: want a value above 0", p.Within)
	case p.SkipPlies < 0 || p.MinMoves < 1:
		return fmt.Errorf("%d plies skipped, %d moves: want at least 0 and 1", p.SkipPlies, p.MinMoves)
	case !(p.FDR > 0 && p.FDR < 1):
		return fmt.Errorf("false discovery rate %v: want a share between 0 and 1", p.FDR)
	}
	for i, by := range p.By {
		if !slices.Contains(ways(), by) || slices.Contains(p.By[:i], by) {
			return fmt.Errorf("by %q: want %s, each once", by, strings.Join(ways(), ", "))
		}
	}
	return nil
}

// report holds the contents of the page.
type report struct {
	Params Params
	Model  Model
	SQL    string
	Inputs []string
	Read   int64
	names  []string // of players by number
	turns  []turn   // of moves.Turns, in their order
	moves  *skill.Moves
	Shown  []performance
	Tested int // performances with a z
}

// Make rates performances: in has the games, and perhaps one dataset with values.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	if err := p.Validate(); err != nil {
		return err
	}
	r, err := sheet.Ask(ctx, p.Workers, func(db *query.DB) (*report, error) {
		r := &report{Params: p}
		return r, r.read(ctx, db, in)
	})
	if err != nil {
		return err
	}
	if err := r.rate(ctx); err != nil {
		return sheet.About(p.Sources, err)
	}
	text, err := json.MarshalIndent(r.Model, "", "  ")
	if err != nil {
		return err
	}
	if err := out.AddFile(modelFile, append(text, '\n')); err != nil {
		return err
	}
	return r.Sheet().Write(out)
}

// ReadModel reads the model.json of a report.
func ReadModel(text []byte) (*Model, error) {
	var m Model
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	if len(m.Weights) == 0 || m.Players == 0 {
		return nil, sheet.Errorf("no calibration: want the %s that kifu performance writes", modelFile)
	}
	return &m, nil
}

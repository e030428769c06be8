// Package features makes labels from another program's features. It reads a CSV or Parquet file with one row
// per position: the game, its result, and a number for each feature. Fit, report and query read its dataset
// like one made by label.
//
// The columns of the file are recognised by their names (Params.Columns maps others):
//
//	game           number or name of the game: errors are clustered by it; without it each row
//	               counts as a game, and the labels have the meta schemas.NoGames
//	result         of the game: 1-0, 0-1, 1/2-1/2; 1, 0, 0.5; first, second, draw; * for none
//	value          the program's own evaluation, first player's side; may be missing
//	expected_result  from 0 to 1, instead of result or next to it; may be missing
//	ply, phase     whole numbers; may be missing
//	first_to_move  1 or 0, true or false; may be missing
//	fen            the position as text, which is kept unchanged; may be missing
//
// All others are features: numbers, the first player's less the second's. Features of whole
// numbers within ±32767 become counts of terms, which can have one weight per stage. Others
// stay columns of numbers (meta "reals"), which have one weight.
//
// A file is read twice. The first pass reports missing cells and invalid numbers before anything is
// written; the second writes. Memory holds a block of rows and the names of the games.
package features

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/eval"
	"kifu/schemas"
)

// eloScale is w_0 = ln(10)/400, at which an evaluation e means that the first player wins
// with probability 1/(1+10^(-e/400)). Without a column of values nothing else defines the
// unit of a weight.
const eloScale = math.Ln10 / 400

// Params are the parameters that determine the labels of a given file.
type Params struct {
	// Columns maps the package's standard names to other names of columns in the file: "game" to the column
	// with the game, and so on.
	Columns map[string]string
	// Keep are columns that are not features but kept for conditions; Ignore are columns
	// that are left out.
	Keep, Ignore []string
	// Stages give the terms one weight each; none: one weight for all phases.
	Stages []Stage
	// Unit is the unit of the values; empty means centipawns, or without values Elo.
	Unit string
	// Model has the terms' groups and current weights; nil: one group, weights of 0.
	Model *eval.Model
	// Wide makes columns of the counts, too, for conditions. Valued wants a column of values, and
	// needs no features.
	Wide, Valued bool
}

// Stage is a stage of the game with the phase at which it applies alone.
type Stage struct {
	Name string `json:"name"`
	Knot int    `json:"knot"`
}

// ParseStages reads "opening=24,endgame=0".
func ParseStages(text string) (stages []Stage, err error) {
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, knot, _ := strings.Cut(part, "=")
		n, err := strconv.Atoi(strings.TrimSpace(knot))
		if name = strings.TrimSpace(name); err != nil || name == "" {
			return nil, fmt.Errorf("%q: want NAME=PHASE for each stage, as in opening=24,endgame=0", text)
		}
		stages = append(stages, Stage{name, n})
	}
	return stages, nil
}

// MarshalJSON returns the JSON that is hashed into the dataset's key: the model by the
// checksum of its weights.toml.
func (p Params) MarshalJSON() ([]byte, error) {
	weights := ""
	if p.Model != nil {
		var err error
		if weights, err = p.Model.Checksum(); err != nil {
			return nil, err
		}
	}
	return json.Marshal(struct {
		Columns map[string]string `json:"columns,omitempty"`
		Keep    []string          `json:"keep,omitempty"`
		Ignore  []string          `json:"ignore,omitempty"`
		Stages  []Stage           `json:"stages,omitempty"`
		Unit    string            `json:"unit,omitempty"`
		Weights string            `json:"weights,omitempty"`
		Wide    bool              `json:"wide,omitempty"`
		Valued  bool              `json:"valued,omitempty"`
	}{p.Columns, p.Keep, p.Ignore, p.Stages, p.Unit, weights, p.Wide, p.Valued})
}

// Validate returns an error for the first invalid parameter.
func (p Params) Validate() error {
	for word := range p.Columns {
		if _, ok := roles[word]; !ok {
			return fmt.Errorf("%q is not a standard column: there are game, result, value, ply, phase, first_to_move, fen and expected_result", word)
		}
	}
	if p.Model != nil && len(p.Stages) > 0 {
		return errors.New("the weights file defines the stages: give one or the other")
	}
	return p.emptyModel().Validate()
}

// emptyModel returns the model without terms.
func (p Params) emptyModel() *eval.Model {
	m := &eval.Model{Game: schemas.OtherGame, Name: "present", Unit: p.Unit, Stages: []string{"all"}, Knots: []int{0}}
	if len(p.Stages) > 0 {
		m.Stages, m.Knots = nil, nil
	}
	for _, s := range p.Stages {
		m.Stages, m.Knots = append(m.Stages, s.Name), append(m.Knots, s.Knot)
	}
	return m
}

// IsTable reports whether Run can read a file of this name.
func IsTable(path string) bool {
	name := strings.ToLower(path)
	for _, compressed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, compressed)
	}
	ext := filepath.Ext(name)
	return ext == ".csv" || ext == ".tsv" || strings.ToLower(filepath.Ext(path)) == ".parquet"
}

// Run makes labels of the file. Errors name the file, line (for Parquet: row) and column.
func Run(ctx context.Context, p Params, path string, out *datasets.Builder) error {
	if err := p.Validate(); err != nil {
		return err
	}
	s, err := look(ctx, p, path)
	if err != nil {
		return err
	}
	plan, err := newPlan(p, path, s)
	if err != nil {
		return err
	}
	return plan.write(ctx, out)
}

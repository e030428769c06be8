package label

import (
	"fmt"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/games"
	"kifu/schemas"
)

// verdict is one rule of adjudication.
type verdict struct {
	name  string  // rules, win or draw
	value float32 // in the evaluator's unit
	rows  int     // number of positions
}

// parseVerdicts reads rules of adjudication: "rules", "win:V:K", "draw:V:K".
func parseVerdicts(texts []string) ([]verdict, error) {
	var all []verdict
	for _, text := range texts {
		v := verdict{name: text}
		if text != "rules" {
			parts := strings.Split(text, ":")
			if len(parts) != 3 || parts[0] != "win" && parts[0] != "draw" {
				return nil, fmt.Errorf("adjudication %q: want rules, win:VALUE:POSITIONS or draw:VALUE:POSITIONS", text)
			}
			value, err := strconv.ParseFloat(parts[1], 32)
			rows, err2 := strconv.Atoi(parts[2])
			if err != nil || err2 != nil || !(value >= 0 && value < schemas.Win) || rows < 1 {
				return nil, fmt.Errorf("adjudication %q: want a value from 0 to %d and at least 1 position", text, schemas.Win)
			}
			v = verdict{parts[0], float32(value), rows}
		}
		all = append(all, v)
	}
	return all, nil
}

// adjudicator sets the results of games. The rows of a game are adjacent.
type adjudicator[P games.Position[P]] struct {
	rules    games.Rules[P]
	replay   games.Replay[P]
	verdicts []verdict
	result   datasets.Vec // the new column
}

func newAdjudicator[P games.Position[P]](rules games.Rules[P], verdicts []verdict) *adjudicator[P] {
	return &adjudicator[P]{rules: rules, replay: rules.NewReplay(), verdicts: verdicts}
}

// settle replaces the result column of a batch whose values are in the column value, and
// counts the rows whose result differs from the record's.
func (a *adjudicator[P]) settle(b *datasets.Batch, value *datasets.Vec, counts *datasets.Counts) error {
	column, ids, boards := b.Col("result"), b.Col("game_id").Int64, b.Col("board")
	a.result = datasets.Vec{Column: column.Column}
	for from, to := 0, 0; from < b.Rows; from = to {
		for to = from + 1; to < b.Rows && ids[to] == ids[from]; to++ {
		}
		last, err := a.rules.UnpackBoard(boards.Value(to - 1))
		if err != nil {
			return err
		}
		result, rule := a.of(last, value.Float32[from:to], column.IsNull(from))
		for row := from; row < to; row++ {
			switch {
			case result == games.Undecided || !column.IsNull(row) && string(column.Value(row)) == result.String():
				a.result.AppendFrom(column, row)
			default:
				a.result.AppendString(result.String())
				counts.Note("result adjudicated: "+rule, 1)
			}
		}
	}
	*column = a.result
	return nil
}

// of returns the result of the first rule that decides, Undecided if none does, for a game
// that ended in last, with the values of its positions; open: the record has no result.
func (a *adjudicator[P]) of(last P, values []float32, open bool) (result games.Outcome, rule string) {
	for _, v := range a.verdicts {
		switch {
		case v.name == "rules":
			a.replay.Reset(last)
			result, _ = a.replay.Outcome()
		case open && len(values) >= v.rows:
			result = v.judge(values[len(values)-v.rows:])
		}
		if result != games.Undecided {
			return result, v.name
		}
	}
	return games.Undecided, ""
}

// judge returns the result that the last values of a game imply.
func (v verdict) judge(values []float32) games.Outcome {
	low, high := values[0], values[0]
	for _, x := range values {
		low, high = min(low, x), max(high, x)
	}
	switch {
	case v.name == "draw" && low >= -v.value && high <= v.value:
		return games.Drawn
	case v.name == "win" && low >= v.value:
		return games.FirstWins
	case v.name == "win" && high <= -v.value:
		return games.SecondWins
	}
	return games.Undecided
}

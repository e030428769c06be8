package label

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/schemas"
)

// verdict is one rule of adjudication.
type verdict struct {
	name  string  // rules, win, draw, mate or declare
	value float32 // in the evaluator's unit
	rows  int     // number of positions
	when  string  // of mates and declarations: first, last or unfinished
}

// claimed reports whether the rule goes by what the sides to move can claim.
func (v verdict) claimed() bool { return v.when != "" }

// anyOf reports whether one of the rules has that name.
func anyOf(verdicts []verdict, name string) bool {
	return slices.ContainsFunc(verdicts, func(v verdict) bool { return v.name == name })
}

// parseVerdicts reads rules of adjudication: "rules", "win:V:K", "draw:V:K", "mate:WHEN" and
// "declare:WHEN".
func parseVerdicts(texts []string) ([]verdict, error) {
	var all []verdict
	for _, text := range texts {
		v := verdict{name: text}
		if name, when, _ := strings.Cut(text, ":"); name == "mate" || name == "declare" {
			if when != "first" && when != "last" && when != "unfinished" {
				return nil, fmt.Errorf("adjudication %q: want %s:first, %s:last or %s:unfinished", text, name, name, name)
			}
			v = verdict{name: name, when: when}
		} else if text != "rules" {
			parts := strings.Split(text, ":")
			if len(parts) != 3 || parts[0] != "win" && parts[0] != "draw" {
				return nil, fmt.Errorf("adjudication %q: want rules, win:VALUE:POSITIONS, draw:VALUE:POSITIONS, mate:WHEN or declare:WHEN", text)
			}
			value, err := strconv.ParseFloat(parts[1], 32)
			rows, err2 := strconv.Atoi(parts[2])
			if err != nil || err2 != nil || !(value >= 0 && value < schemas.Win) || rows < 1 {
				return nil, fmt.Errorf("adjudication %q: want a value from 0 to %d and at least 1 position", text, schemas.Win)
			}
			v = verdict{name: parts[0], value: float32(value), rows: rows}
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
	claims   []claim     // of the rows
	result   columns.Vec // the new column
}

// claim is an outcome that the side to move of a position can claim.
type claim struct {
	mover         games.Side
	mate, declare bool
}

// holds reports whether the claim is one of the rule of that name.
func (c claim) holds(name string) bool {
	return name == "mate" && c.mate || name == "declare" && c.declare
}

func newAdjudicator[P games.Position[P]](rules games.Rules[P], verdicts []verdict) *adjudicator[P] {
	return &adjudicator[P]{rules: rules, replay: rules.NewReplay(), verdicts: verdicts}
}

// settle replaces the result column of a batch whose values are in the column value, and
// counts the rows whose result differs from the record's.
func (a *adjudicator[P]) settle(b *columns.Batch, value *columns.Vec, counts *manifest.Counts) error {
	column, ids, boards := b.Col("result"), b.Col("game_id").Int64, b.Col("board")
	a.result = columns.Vec{Column: column.Column}
	for from, to := 0, 0; from < b.Rows; from = to {
		for to = from + 1; to < b.Rows && ids[to] == ids[from]; to++ {
		}
		last, err := a.rules.UnpackBoard(boards.Value(to - 1))
		if err != nil {
			return err
		}
		claims := a.claims[min(from, len(a.claims)):min(to, len(a.claims))]
		result, rule := a.decide(last, value.Float32[from:to], claims, column.IsNull(from))
		a.note(column, from, result, rule, counts)
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

// note counts the games whose results rules by claims confirm, change or find. One that ended with a
// result is no matter of rules for unfinished games.
func (a *adjudicator[P]) note(column *columns.Vec, row int, result games.Outcome, rule string, counts *manifest.Counts) {
	open := column.IsNull(row)
	if !slices.ContainsFunc(a.verdicts, func(v verdict) bool { return v.claimed() && (open || v.when != "unfinished") }) {
		return
	}
	switch {
	case result == games.Undecided && open:
		counts.Note("games without a result that no rule decides", 1)
	case result == games.Undecided:
		counts.Note("games that no rule decides", 1)
	case open:
		counts.Note("games without a result decided by "+rule, 1)
	case string(column.Value(row)) == result.String():
		counts.Note("games whose result is confirmed by "+rule, 1)
	default:
		counts.Note("games whose result is changed by "+rule, 1)
	}
}

// decide returns the result of the first rule that decides, or Undecided. last is the last position
// of the game, values are the values of its positions, claims what can be claimed in them.
// open: the record has no result.
func (a *adjudicator[P]) decide(last P, values []float32, claims []claim, open bool) (result games.Outcome, rule string) {
	for _, v := range a.verdicts {
		switch {
		case v.name == "rules":
			a.replay.Reset(last)
			result, _ = a.replay.Outcome()
		case v.claimed():
			result = v.claim(claims, open)
		case open && len(values) >= v.rows:
			result = v.judge(values[len(values)-v.rows:])
		}
		if result != games.Undecided {
			return result, v.name
		}
	}
	return games.Undecided, ""
}

// claim returns the win of the side that can claim one, in the first or the last such position; in the
// last of an unfinished game.
func (v verdict) claim(claims []claim, open bool) games.Outcome {
	result := games.Undecided
	if v.when == "unfinished" && !open {
		return result
	}
	for _, c := range claims {
		if c.holds(v.name) {
			result = games.WinFor(c.mover)
			if v.when == "first" {
				break
			}
		}
	}
	return result
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

package label

import (
	"fmt"

	"kifu/datasets/columns"
	"kifu/eval"
	"kifu/games"
	"kifu/label/rollout"
)

// maxSolve is the largest Params.Solve. In Othello, a position with 20 empty squares takes
// a minute or more.
const maxSolve = 20

// ending writes the exact values of the last positions of games.
type ending[P games.Position[P]] struct {
	solver games.Solver[P]
	left   int
	column *columns.Vec // nil if not requested
}

// solverOf returns the rules' solver of the last moves, or one of the last pieces, or an error if
// they have none. Tables take time: the solver is shared by all workers.
func solverOf[P games.Position[P]](rules games.Rules[P], left int) (games.Solver[P], error) {
	switch s := rules.(type) {
	case games.Solver[P]:
		return s, nil
	case games.Tabled[P]:
		tables, err := s.Tables(left)
		if err != nil {
			return nil, fmt.Errorf("--solve: %w", err)
		}
		return tables, nil
	}
	return nil, fmt.Errorf("endings of %s cannot be solved: omit --solve", rules.Name())
}

// tabled is the solver of positions that tables of endings have.
type tabled[P games.Position[P]] struct {
	rules  games.Rules[P]
	tables Tables
}

// Solve implements games.Solver; ok reports whether the tables have the position.
func (t *tabled[P]) Solve(p P, _ int) (value int32, ok bool) {
	outcome, ok := t.tables.Outcome(t.rules.AppendBoard(nil, p))
	switch {
	case !ok || outcome == games.Drawn:
		return 0, ok
	case outcome == games.WinFor(games.First):
		return eval.Grain, true
	}
	return -eval.Grain, true
}

// append writes the value of p, or null.
func (e *ending[P]) append(p P) {
	if e.column == nil {
		return
	}
	value, ok := e.solver.Solve(p, e.left)
	e.column.AppendFloat32If(float32(value)/eval.Grain, ok)
}

// Rollouts asks for random games from each position (Abramson 1990; package rollout).
type Rollouts struct {
	Games int    `json:"games"` // from each position, at most maxRollouts
	Seed  uint64 `json:"seed"`
}

// maxRollouts is the largest Rollouts.Games.
const maxRollouts = 1_000_000

// outcomes writes what becomes of random games.
type outcomes[P games.Position[P]] struct {
	Rollouts
	roller      *rollout.Roller[P] // nil if not requested
	wins, value *columns.Vec
}

// append plays random games from p.
func (o *outcomes[P]) append(p P) {
	if o.roller == nil {
		return
	}
	t := o.roller.Roll(p, o.Games, o.Seed)
	o.wins.AppendFloat32(float32(t.First) / float32(o.Games))
	o.value.AppendFloat32(100 * float32(t.First-t.Second) / float32(o.Games))
}

package label

import (
	"kifu/datasets/columns"
	"kifu/games"
	"kifu/search/rollout"
)

// Rollouts asks for random games from each position (Abramson 1990; package rollout).
type Rollouts struct {
	Games int    `json:"games"` // from each position, at most MaxRollouts
	Seed  uint64 `json:"seed"`
}

// MaxRollouts is the largest Rollouts.Games.
const MaxRollouts = 1_000_000

// outcomes writes what becomes of random games.
type outcomes[P games.Position[P]] struct {
	Rollouts
	roller      *rollout.Roller[P] // nil if not requested
	wins, value *columns.Vec
}

// columns finds the columns in out.
func (o *outcomes[P]) columns(out *columns.Batch) {
	o.wins, o.value = out.Col("rollout_wins"), out.Col("rollout_value")
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

package fit

import (
	"context"
	"fmt"

	"kifu/datasets"
	"kifu/fit/rows"
	"kifu/schemas"
)

// blunder is who, if anybody, blundered in a position.
type blunder uint8

const (
	nobody blunder = iota
	byFirst
	bySecond
)

// unseen counts the positions whose next one is not in the labels, so that nobody knows
// what the move in them cost.
type unseen struct{ positions, of int }

// findBlunders returns for every row of dir whether the move played there cost more
// than limit: what the value of the next position is worse for the player who moved.
// Both values are those of the labels' own search, so that a reply on the principal
// variation, which keeps the value, is none.
//
// LBNB (Mańdziuk, Knowledge-Free and Learning-Based Methods in Intelligent Game Playing,
// 2010, 9.2.3), learning from wins and losses without blunders, drops in games that the
// learner won the step over a reply of the opponent by which the learner's value rose,
// unless the reply was foreseen. The results of a record are anybody's, so that every
// winner is a learner here: lost says which rows are dropped.
func findBlunders(ctx context.Context, dir *datasets.Dir, leaf string, limit float64, columns columnReader) ([]blunder, *unseen, error) {
	for _, name := range []string{"ply", "first_to_move"} {
		if dir.Table.Index(name) < 0 {
			return nil, nil, fmt.Errorf("%s has no column %q: --without-blunders follows the moves of a game", dir.Path, name)
		}
	}
	value := fmt.Sprintf("CASE WHEN isfinite(%s) THEN %s ELSE %g END", leaf, leaf, absent)
	all, err := columns(ctx, dir, []Feature{{Name: "game_id", SQL: "game_id"}, {Name: "ply", SQL: "ply"}, {Name: "first_to_move", SQL: "first_to_move"}, {Name: leaf, SQL: value}})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir.Path, err)
	}
	game, ply, turn, values := all[0], all[1], all[2], all[3]
	out, missing := make([]blunder, len(game)), &unseen{of: len(game)}
	for i := range out {
		if i+1 == len(out) || game[i+1] != game[i] || ply[i+1] != ply[i]+1 {
			if i+1 < len(out) && game[i+1] == game[i] {
				missing.positions++
			}
			continue
		}
		if values[i] == absent || values[i+1] == absent {
			continue
		}
		switch loss := values[i] - values[i+1]; {
		case turn[i] != 0 && loss > limit:
			out[i] = byFirst
		case turn[i] == 0 && -loss > limit:
			out[i] = bySecond
		}
	}
	if missing.positions*2 > len(out) {
		return nil, nil, fmt.Errorf("%s: %d of %d positions are not followed by the next one of their game, as in a sample or after --dedup: --without-blunders needs games whose plies were all labelled", dir.Path, missing.positions, len(out))
	}
	return out, missing, nil
}

// lost says that the row is one in which the player who lost all games it stands for
// blundered.
func (x *computed) lost(at int64, won rows.Results) bool {
	if x.blunders == nil || won.Draws > 0 {
		return false
	}
	switch x.blunders[at] {
	case byFirst:
		return won.First == 0 && won.Second > 0
	case bySecond:
		return won.Second == 0 && won.First > 0
	}
	return false
}

// note says how many blunders may have been missed.
func (u *unseen) note() []schemas.FitNote {
	if u == nil || u.positions == 0 {
		return nil
	}
	return []schemas.FitNote{{Kind: "blunders", Text: fmt.Sprintf("%d of %d positions are not followed by the next one of their game: what was played there may be a blunder that --without-blunders does not see", u.positions, u.of)}}
}

package match

import (
	"errors"
	"fmt"

	"kifu/games"
	"kifu/players/play"
	"kifu/search"
)

// Ends are the ways in which a game ends in addition to its rules'.
type Ends struct {
	// A game is lost for a side that is at least ResignValue behind, in the evaluator's
	// unit, in all values of the last ResignPlies plies. A move without a value restarts
	// the count. No plies: never.
	ResignValue float64 `json:"resign_value,omitempty"`
	ResignPlies int     `json:"resign_plies,omitempty"`
	// ResignOneSided takes the values of the losing side alone: of its last ResignPlies moves.
	ResignOneSided bool  `json:"resign_one_sided,omitempty"`
	Draw           *Draw `json:"draw,omitempty"` // nil: none
	// MaxPlies ends a game after this number of plies, as a draw or as unfinished.
	MaxPlies  int  `json:"max_plies"`
	LimitDraw bool `json:"limit_draw,omitempty"`
	// Tables are the names of the endgame tables (Params.Tables). A game ends after an irreversible move if
	// the tables have its result.
	Tables []string `json:"tables,omitempty"`
}

// Draw ends a game as a draw when neither player sees an advantage. After From moves of each side,
// the values of the last Count moves of both must be within Value of 0, in hundredths of a pawn,
// man, disc or point. In games that count moves without progress (chess), a capture or a pawn's
// move restarts the count.
type Draw struct {
	From  int     `json:"from"`
	Count int     `json:"count"`
	Value float64 `json:"value"`
}

func (e Ends) validate() error {
	switch {
	case e.MaxPlies < 1:
		return fmt.Errorf("a limit of %d plies: want at least one", e.MaxPlies)
	case e.ResignPlies < 0 || !(e.ResignValue >= 0):
		return errors.New("resigning needs a value of 0 or more and at least one ply")
	case e.Draw != nil && (e.Draw.From < 0 || e.Draw.Count < 1 || !(e.Draw.Value >= 0)):
		return errors.New("a draw needs a value of 0 or more, a move number and at least one move of each side")
	}
	return nil
}

// adjudication is the rule of a game that was ended by values.
const adjudication = "adjudication"

// judge ends a game by the players' values.
type judge struct {
	ends  Ends
	grain int32         // steps of values in a hundredth of a pawn, man, disc or point
	ahead games.Outcome // the side that is ahead by the values of both, and for how many plies
	since int
	lost  [2]int // moves in a row in which a side saw itself behind
	quiet int    // plies in a row in which neither player saw a side ahead
}

func (j *judge) reset(ends Ends) { *j = judge{ends: ends, grain: j.grain} }

// see takes the move of a side; progress means that earlier positions cannot recur.
func (j *judge) see(c play.Choice, mover games.Side, progress bool) {
	limit := j.ends.ResignValue * search.Grain
	switch by := leader(c, limit); {
	case by == games.Undecided:
		j.ahead, j.since = by, 0
	case by == j.ahead:
		j.since++
	default:
		j.ahead, j.since = by, 1
	}
	if c.Valued && float64(c.Value*mover.Sign()) <= -limit {
		j.lost[mover]++
	} else {
		j.lost[mover] = 0
	}
	if d := j.ends.Draw; d != nil {
		if progress || !c.Valued || max(c.Value, -c.Value) > int32(d.Value*float64(j.grain)) {
			j.quiet = 0
		}
		if c.Valued && max(c.Value, -c.Value) <= int32(d.Value*float64(j.grain)) {
			j.quiet++
		}
	}
}

// leader returns the side that would win if c were final.
func leader(c play.Choice, limit float64) games.Outcome {
	switch {
	case !c.Valued:
		return games.Undecided
	case float64(c.Value) >= limit:
		return games.FirstWins
	case float64(c.Value) <= -limit:
		return games.SecondWins
	}
	return games.Undecided
}

// verdict returns how a game of so many plies ends, with the kind of an adjudication; no rule
// if it goes on.
func (j *judge) verdict(plies int) (o games.Outcome, rule, kind string) {
	e := &j.ends
	if e.ResignPlies > 0 {
		switch {
		case !e.ResignOneSided && j.since >= e.ResignPlies:
			return j.ahead, adjudication, "resign"
		case e.ResignOneSided && j.lost[games.First] >= e.ResignPlies:
			return games.SecondWins, adjudication, "resign"
		case e.ResignOneSided && j.lost[games.Second] >= e.ResignPlies:
			return games.FirstWins, adjudication, "resign"
		}
	}
	if e.Draw != nil && plies/2 >= e.Draw.From && j.quiet >= 2*e.Draw.Count {
		return games.Drawn, adjudication, "draw"
	}
	if plies < e.MaxPlies {
		return games.Undecided, "", ""
	}
	if e.LimitDraw {
		return games.Drawn, "move limit", ""
	}
	return games.Undecided, "move limit", ""
}

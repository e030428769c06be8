package clean

import (
	"slices"
	"strings"

	"kifu/datasets/columns"
	"kifu/games"
)

// finalFunc returns what the last position of the game of a row decides by itself. It is for one
// goroutine.
type finalFunc func(in *columns.Batch, row int) games.Outcome

// finals returns what makes finalFuncs.
func finals[P games.Position[P]](rules games.Rules[P]) func() finalFunc {
	return func() finalFunc {
		u := games.NewUnroller(rules)
		return func(in *columns.Batch, row int) games.Outcome {
			start, err := u.Start(in.Col("variant").Value(row), in.Col("start_position").Value(row))
			if err != nil {
				return games.Undecided
			}
			last, err := u.Play(start, in.Col("moves").Value(row), func(P, games.Move) {})
			if err != nil {
				return games.Undecided
			}
			return last.Outcome()
		}
	}
}

// blackFirst reports whether records of the game call the first player Black.
func blackFirst(rules any) bool {
	b, is := rules.(games.BlackFirst)
	return is && b.BlackMovesFirst()
}

// repairResult sets the result from the last position where that decides the game, and an unknown one
// from other fields of the record.
func (e *edit) repairResult(final finalFunc, blackFirst bool) {
	own := string(e.text("result"))
	if e.in.Col("cut").IsNull(e.row) {
		if o := final(e.in, e.row); o != games.Undecided {
			if o.String() != own {
				e.put("result", []byte(o.String()), changeResult, "the final position decides the game", -1)
			}
			return
		}
	}
	if own != "" {
		return
	}
	if o, _ := games.ReadResult(e.tag("Result"), blackFirst); o != games.Undecided {
		e.put("result", []byte(o.String()), changeResult, "read from the tag Result", -1)
		return
	}
	if o := e.ended(blackFirst); o != games.Undecided {
		e.put("result", []byte(o.String()), changeResult, "from the termination", -1)
	}
}

// sideOf returns that the player of a colour has won.
func sideOf(black, blackFirst bool) games.Outcome {
	if black == blackFirst {
		return games.FirstWins
	}
	return games.SecondWins
}

// ended reads who won from the termination: "Carlsen won by resignation", "White mates", "Game
// drawn by repetition".
func (e *edit) ended(blackFirst bool) games.Outcome {
	text := strings.ToLower(string(e.text("termination")))
	if text == "" {
		return games.Undecided
	}
	wins := []string{" won", " wins", " mates"}
	for side, column := range []string{"first_player", "second_player"} {
		if name := strings.ToLower(string(e.text(column))); name != "" && startsWith(text, name, wins) {
			return games.WinFor(games.Side(side))
		}
	}
	switch {
	case startsWith(text, "white", wins):
		return sideOf(false, blackFirst)
	case startsWith(text, "black", wins):
		return sideOf(true, blackFirst)
	case strings.HasPrefix(text, "game drawn"), strings.HasPrefix(text, "drawn by"), strings.HasPrefix(text, "draw by"):
		return games.Drawn
	}
	return games.Undecided
}

func startsWith(text, name string, then []string) bool {
	rest, is := strings.CutPrefix(text, name)
	return slices.ContainsFunc(then, func(t string) bool { return is && strings.HasPrefix(rest, t) })
}

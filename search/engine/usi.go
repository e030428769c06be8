package engine

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// usi is an engine that speaks the Universal Shogi Interface (Romstad, 2007, with the time
// controls and the mate command of Shogidokoro). It is UCI but for what is here. Positions
// are SFENs, moves as 7g7f, 8h2b+ and P*5e.
type usi struct{ uci }

// certain is the score, in hundredths of a pawn, of a mate of unknown length, a resignation
// and a declared win: callers cut it to the largest value that is no mate.
const certain = 1e6

// StartUSI starts a program that speaks USI and sets its options. An option that the
// program does not announce is an error, but for USI_Hash and USI_Ponder, which all have.
// A time is sent as byoyomi, the only limit that every program knows.
func StartUSI(ctx context.Context, c Config) (Engine, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return begin(ctx, c, func(p *process) introduced {
		return &usi{uci{process: p, config: c, text: "sfen", search: goCommand("", usiTime, c.Limits), value: parseUSIInfo}}
	})
}

// usiTime names a time for each move.
const usiTime = "btime 0 wtime 0 byoyomi"

func (u *usi) handshake(ctx context.Context) error {
	if err := u.introduce(ctx, "usi", "usi_hash", "usi_ponder"); err != nil {
		return err
	}
	return u.NewGame(ctx)
}

// NewGame waits until the program is ready and sends usinewgame, in the order of the
// protocol, which differs from UCI.
func (u *usi) NewGame(ctx context.Context) error {
	if err := u.ready(ctx, "isready"); err != nil {
		return err
	}
	u.send("usinewgame")
	return nil
}

// Search takes the last exact score of the first variation. A program that resigns, or
// declares a win, without a score has lost, or won.
func (u *usi) Search(ctx context.Context, position string) (Value, error) {
	a, err := u.Move(ctx, position, nil)
	if err == nil && !a.Scored {
		switch {
		case a.Resigned:
			a.Score = -certain
		case a.Declared:
			a.Score = certain
		default:
			err = fmt.Errorf("engine %s: bestmove %s without a score (a move of its book?)", u.id, a.Best)
		}
	}
	return a.Value, err
}

// Move sends the game to the program and asks it for a move.
func (u *usi) Move(ctx context.Context, start string, moves []string) (Answer, error) {
	return u.answer(u.move(ctx, u.position(start, moves), u.search, u.patient()))
}

// MoveTimed sends the program the clocks; see timed.
func (u *usi) MoveTimed(ctx context.Context, start string, moves []string, c Clock) (Answer, error) {
	search := goTimed("b", "w", u.config.Limits, c)
	if u.config.Limits.Strict {
		search = u.search
	}
	return u.answer(u.move(ctx, u.position(start, moves), search, u.timely(c)))
}

// answer reads the words for a resignation and a declared win.
func (u *usi) answer(a Answer, err error) (Answer, error) {
	if err != nil {
		return a, err
	}
	switch strings.ToLower(a.Best) {
	case "resign":
		a.Best, a.Resigned = "", true
	case "win":
		a.Best, a.Declared = "", true
	}
	return a, nil
}

// parseUSIInfo is parseInfo, but that lengths of mates are in plies and may be unknown:
// mate 7, mate -4, mate +, mate -.
func parseUSIInfo(line string) (v Value, ok bool) {
	before, rest, found := strings.Cut(line, " score mate ")
	if !found {
		return parseInfo(line)
	}
	word, after, _ := strings.Cut(rest, " ")
	plies, err := strconv.Atoi(word)
	switch {
	case word == "+" || word == "-":
		v, ok = parseInfo(before + " score cp " + word + strconv.Itoa(certain) + " " + after)
	case err != nil:
		return Value{}, false
	case plies == 0: // no move is left
		v, ok = parseInfo(before + " score cp " + strconv.Itoa(-certain) + " " + after)
	case plies > 0:
		v, ok = parseInfo(before + " score mate " + strconv.Itoa(plies-plies/2) + " " + after)
	default:
		v, ok = parseInfo(before + " score mate " + strconv.Itoa(min(plies/2, -1)) + " " + after)
	}
	return v, ok
}

// mateFinder is an Engine that looks for mates by itself.
type mateFinder interface {
	Engine
	// FindMate looks for a mate by the side to move for at most so long.
	FindMate(ctx context.Context, position string, limit time.Duration) (FoundMate, error)
}

// FoundMate is a program's answer about a mate.
type FoundMate struct {
	Known bool     // false: the time did not suffice
	Line  []string // the mate, as the protocol writes moves; empty without a mate
}

// FindMate sends "go mate". A program that has no search for mates is an error.
func (u *usi) FindMate(ctx context.Context, position string, limit time.Duration) (found FoundMate, err error) {
	u.send(u.position(position, nil), fmt.Sprintf("go mate %d", limit.Milliseconds()))
	last := ""
	err = u.await(ctx, u.config.patience()+limit, "checkmate", func(line string) bool {
		last = line
		return line == "checkmate" || strings.HasPrefix(line, "checkmate ") || strings.HasPrefix(line, "bestmove ")
	})
	if err != nil {
		return found, err
	}
	found, ok := parseCheckmate(last)
	if !ok {
		return found, fmt.Errorf("engine %s: %q to go mate: it has no search for mates", u.id, last)
	}
	return found, nil
}

// parseCheckmate reads "checkmate G*5b", "checkmate nomate" and "checkmate timeout"; ok is
// false for any other answer.
func parseCheckmate(line string) (found FoundMate, ok bool) {
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != "checkmate" || words[1] == "notimplemented" {
		return found, false
	}
	switch words[1] {
	case "timeout":
		return found, true
	case "nomate":
		return FoundMate{Known: true}, true
	}
	return FoundMate{Known: true, Line: words[1:]}, true
}

// FindMate calls mateFinder.FindMate. The error is the last attempt's.
func (k *Keeper) FindMate(ctx context.Context, position string, limit time.Duration) (found FoundMate, err error) {
	err = k.try(ctx, func(e Engine) (err error) {
		m, ok := e.(mateFinder)
		if !ok {
			return fmt.Errorf("engine %s cannot search for mates", e.Name())
		}
		found, err = m.FindMate(ctx, position, limit)
		return err
	})
	return found, err
}

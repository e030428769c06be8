package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// uci is an engine that speaks the Universal Chess Interface (Meyer-Kahlen and Huber,
// 2006). Positions are FENs.
type uci struct {
	*process
	config Config
	id     string
	text   string // the word before a position
	search string // the go command
	// announced are the options that the program has.
	announced []OptionInfo
	value     func(info string) (Value, bool)
}

// StartUCI starts a program that speaks UCI and sets its options. An option that the
// program does not announce is an error.
func StartUCI(ctx context.Context, c Config) (Engine, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return begin(ctx, c, func(p *process) introduced {
		return &uci{process: p, config: c, text: "fen", search: goCommand("", "movetime", c.Limits), value: parseInfo}
	})
}

// goCommand returns the command to search within l, after words about clocks; time names a time
// for each move.
func goCommand(clocks, time string, l Limits) string {
	command := "go" + clocks
	if l.Depth > 0 {
		command += fmt.Sprintf(" depth %d", l.Depth)
	}
	if l.Nodes > 0 {
		command += fmt.Sprintf(" nodes %d", l.Nodes)
	}
	if l.MoveTime > 0 {
		command += fmt.Sprintf(" %s %d", time, l.MoveTime.Milliseconds())
	}
	return command
}

func (u *uci) handshake(ctx context.Context) error {
	if err := u.introduce(ctx, "uci"); err != nil {
		return err
	}
	return u.NewGame(ctx)
}

// introduce sends the protocol's name, reads the program's introduction and sets the
// options; always are options that need not be announced.
func (u *uci) introduce(ctx context.Context, protocol string, always ...string) error {
	for _, name := range always {
		u.announced = append(u.announced, OptionInfo{Name: name})
	}
	u.send(protocol)
	err := u.await(ctx, u.config.patience(), protocol+"ok", func(line string) bool {
		if name, ok := strings.CutPrefix(line, "id name "); ok {
			u.id = strings.TrimSpace(name)
		}
		if rest, ok := strings.CutPrefix(line, "option name "); ok && len(u.announced) < mostOptions {
			u.announced = append(u.announced, parseOptionInfo(rest))
		}
		return line == protocol+"ok"
	})
	if err != nil {
		return err
	}
	if u.id == "" {
		return fmt.Errorf("engine %s does not report its name (id name)", u.config.Command[0])
	}
	if u.config.Announced != nil {
		if err := u.config.Announced(u.id, u.announced); err != nil {
			return err
		}
	}
	return u.setOptions(u.config.Options)
}

// Name returns the name that the program gives after "id name".
func (u *uci) Name() string { return u.id }

// NewGame sends ucinewgame and waits until the program is ready.
func (u *uci) NewGame(ctx context.Context) error {
	return u.ready(ctx, "ucinewgame", "isready")
}

// ready sends commands, the last of them isready, and waits for the answer.
func (u *uci) ready(ctx context.Context, commands ...string) error {
	u.send(commands...)
	return u.await(ctx, u.config.patience(), "readyok", func(line string) bool { return line == "readyok" })
}

// Search takes the last exact score of the first variation.
func (u *uci) Search(ctx context.Context, position string) (Value, error) {
	a, last, err := u.think(ctx, u.position(position, nil), u.search, u.patient())
	if err == nil && !a.Scored {
		err = fmt.Errorf("engine %s: %q without a score", u.id, last)
	}
	return a.Value, err
}

// Move sends the game to the program and asks it for a move.
func (u *uci) Move(ctx context.Context, start string, moves []string) (Answer, error) {
	return u.move(ctx, u.position(start, moves), u.search, u.patient())
}

// MoveTimed sends the program the clocks; see timed.
func (u *uci) MoveTimed(ctx context.Context, start string, moves []string, c Clock) (Answer, error) {
	return u.move(ctx, u.position(start, moves), goTimed("w", "b", u.config.Limits, c), u.timely(c))
}

func (u *uci) position(start string, moves []string) string {
	command := "position " + u.text + " " + start
	if len(moves) > 0 {
		command += " moves " + strings.Join(moves, " ")
	}
	return command
}

// move asks for a move. An answer may lack one.
func (u *uci) move(ctx context.Context, position, search string, t timing) (Answer, error) {
	a, _, err := u.think(ctx, position, search, t)
	return a, err
}

// timing is how long a program is waited for, and whether it is then told to stop.
type timing struct {
	wait time.Duration
	stop bool
}

func (u *uci) patient() timing { return timing{wait: u.config.patience() + u.config.Limits.MoveTime} }

// timely waits for as long as a move may take, and half a second more: who is late by less
// shall answer by itself.
func (u *uci) timely(c Clock) timing {
	const late = 500 * time.Millisecond
	return timing{u.config.Limits.allowed(c) + late, true}
}

// allowed returns the time after which a move loses.
func (l Limits) allowed(c Clock) time.Duration {
	if l.Strict {
		return l.MoveTime + l.Margin
	}
	return c.allowed() + l.Margin
}

// think searches the position that command sets up; last is the line with the move.
func (u *uci) think(ctx context.Context, command, search string, t timing) (a Answer, last string, err error) {
	begun := time.Now()
	u.send(command, search)
	take := func(line string) bool {
		if v, ok := u.value(line); ok {
			a.Value, a.Scored = v, true
		}
		if move, p, ok := parsePolicy(line); ok && len(a.Policy) < mostMoves {
			if a.Policy == nil {
				a.Policy = map[string]float64{}
			}
			a.Policy[move] = p
		}
		last = line
		return line == "bestmove" || strings.HasPrefix(line, "bestmove ")
	}
	err = u.await(ctx, t.wait, "bestmove", take)
	if t.stop && errors.Is(err, errSilent) {
		u.lost = false
		u.send("stop")
		if err = u.await(ctx, stopGrace, "bestmove", take); errors.Is(err, errSilent) {
			err, a.Overdue = nil, true
		}
	}
	if t.stop {
		a.Elapsed = time.Since(begun)
	}
	if words := strings.Fields(last); err == nil && len(words) > 1 && words[1] != "(none)" {
		a.Best = words[1]
	}
	return a, last, err
}

// parseInfo reads the exact score of an info line of the first variation.
func parseInfo(line string) (v Value, ok bool) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "info" {
		return v, false
	}
	for i := 1; i+1 < len(words); i++ {
		var n int
		var err error
		switch words[i] {
		case "string", "pv":
			return v, ok
		case "lowerbound", "upperbound":
			return v, false
		case "multipv":
			if words[i+1] != "1" {
				return v, false
			}
		case "depth":
			if v.Depth, err = strconv.Atoi(words[i+1]); err != nil {
				return v, false
			}
		case "score":
			if i+2 >= len(words) {
				return v, false
			}
			if n, err = strconv.Atoi(words[i+2]); err != nil {
				return v, false
			}
			switch words[i+1] {
			case "cp":
				v.Score, ok = float64(n), true
			case "mate":
				v.Mate, ok = n, n != 0
			}
			i += 2
		}
	}
	if words[len(words)-1] == "lowerbound" || words[len(words)-1] == "upperbound" {
		return v, false
	}
	return v, ok
}

// mostMoves bounds the moves of a position whose chances are kept.
const mostMoves = 1 << 10

// parsePolicy reads the chance of a move from an info string of lc0 and its relatives: "info string e2e4 … (P: 12.34%) …".
func parsePolicy(line string) (move string, p float64, ok bool) {
	line, ok = strings.CutPrefix(line, "info string ")
	if !ok {
		return "", 0, false
	}
	_, percent, _ := strings.Cut(line, "(P:")
	percent, _, ok = strings.Cut(percent, "%)")
	words := strings.Fields(line)
	if !ok || len(words) == 0 {
		return "", 0, false
	}
	p, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
	return words[0], p / 100, err == nil && p >= 0 && p <= 100
}

// Static uses the eval command, which is not part of the protocol but exists in Stockfish
// and its relatives: they print "Final evaluation" (older ones "Total evaluation") in pawns
// from White's side, Fairy-Stockfish by USI from the side of the player who moves first in the usual start.
func (u *uci) Static(ctx context.Context, position string) (score float64, ok bool, err error) {
	u.send(u.position(position, nil), "eval", "isready")
	err = u.await(ctx, u.config.patience(), "readyok", func(line string) bool {
		if s, found := parseEval(line); found {
			score, ok = s, true
		}
		return line == "readyok"
	})
	return score, ok && err == nil, err
}

func parseEval(line string) (score float64, ok bool) {
	words := strings.Fields(strings.NewReplacer(":", " ", "(", " ", ")", " ").Replace(line))
	if len(words) < 3 || words[1] != "evaluation" || words[0] != "Final" && words[0] != "Total" {
		return 0, false
	}
	pawns, err := strconv.ParseFloat(words[2], 64)
	if err != nil || pawns != pawns || pawns > 1e4 || pawns < -1e4 {
		return 0, false
	}
	return pawns * 100, true
}

// Close asks the program to quit and waits for it a moment.
func (u *uci) Close() error {
	u.send("quit")
	u.close()
	return nil
}

package engine

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// EstimateScore is the command by which GNU Go scores a position in the middle of a game.
const EstimateScore = "estimate_score"

// gtp is an engine that speaks the Go Text Protocol, version 2 (Farnebäck, 2002). Positions
// are texts as written by kifu's game of Go: see board.
type gtp struct {
	*process
	config    Config
	scoring   string // the command; empty for a program that only plays
	id        string
	number    int             // of the last command
	commands  map[string]bool // that the program has
	prisoners bool            // it counts territory, so that stones that were taken matter
	wait      time.Duration   // for an answer
	begun     bool            // the program has a game on its board: the moves sent, from start
	start     string
	told      []string
}

// StartGTP starts a program that speaks GTP. An option is a command that is sent once, at
// the beginning: level=1 is "level 1". scoring is the command whose answer is the value of
// a position, as B+3.4 or W+7.5 (EstimateScore, "final_score"); values are in points. A
// program that only plays needs none: Search is then not called. The protocol has no
// limits, so the Config must have none.
func StartGTP(ctx context.Context, c Config, scoring string) (Engine, error) {
	switch {
	case len(c.Command) == 0:
		return nil, fmt.Errorf("no engine command")
	case c.Limits.Depth != 0 || c.Limits.Nodes != 0 || c.Limits.MoveTime != 0 && !c.Limits.Strict:
		return nil, fmt.Errorf("programs that speak GTP take no depth, nodes or time: use the program's own setting as an option (level=1)")
	case c.Limits.Clock.Increment != 0:
		return nil, fmt.Errorf("GTP has no increment: want a time for all moves (tc=300) or for some (tc=25/600)")
	case c.Limits.MoveTime%time.Second != 0 || c.Limits.Clock.Base%time.Second != 0:
		return nil, fmt.Errorf("GTP counts time in whole seconds")
	}
	return begin(ctx, c, func(p *process) introduced {
		return &gtp{process: p, config: c, scoring: scoring, commands: map[string]bool{}, wait: c.patience()}
	})
}

func (g *gtp) handshake(ctx context.Context) error {
	name, err := g.ask(ctx, "name")
	if err != nil {
		return err
	}
	version, err := g.ask(ctx, "version")
	if err != nil {
		return err
	}
	if g.id = strings.Join(append(name, version...), " "); len(name) == 0 {
		return fmt.Errorf("engine %s does not report its name", g.config.Command[0])
	}
	list, err := g.ask(ctx, "list_commands")
	if err != nil {
		return err
	}
	for _, command := range list {
		g.commands[command] = true
	}
	needed := g.scoring
	if needed == "" && !g.commands["reg_genmove"] {
		needed = "genmove"
	}
	if needed != "" {
		if err := g.has(needed); err != nil {
			return err
		}
	}
	if g.config.Limits.Timed() {
		for _, command := range []string{"time_settings", "time_left"} {
			if err := g.has(command); err != nil {
				return err
			}
		}
	}
	for _, o := range g.config.Options {
		if err := g.has(o.Name); err != nil {
			return err
		}
		if _, err := g.ask(ctx, strings.TrimSpace(o.Name+" "+o.Value)); err != nil {
			return err
		}
	}
	if g.scoring != "" {
		if err := g.learnCounting(ctx); err != nil {
			return err
		}
	}
	return g.NewGame(ctx)
}

// has returns an error if the program lacks the command.
func (g *gtp) has(command string) error {
	if word, _, _ := strings.Cut(command, " "); !g.commands[word] {
		return fmt.Errorf("engine %s has no command %q (list_commands shows its commands)", g.id, word)
	}
	return nil
}

// ask sends commands and returns the words of the last answer. The first command that fails
// is the error.
func (g *gtp) ask(ctx context.Context, commands ...string) (answer []string, err error) {
	first := g.number + 1
	lines := make([]string, len(commands))
	for i, command := range commands {
		g.number++
		lines[i] = strconv.Itoa(g.number) + " " + command
	}
	g.send(lines...)
	last := commands[len(commands)-1]
	var failed error
	answered := 0 // the number of the answer that is being read
	err = g.await(ctx, g.wait, "answer to "+last, func(line string) bool {
		n, text, begins := response(line)
		if begins = begins && n >= first && n <= g.number; begins {
			answered = n
			if line[0] == '?' && failed == nil {
				failed = fmt.Errorf("engine %s: %s: %s", g.id, commands[n-first], text)
			}
			line = text
		}
		if answered == g.number {
			answer = append(answer, strings.Fields(line)...)
		}
		return answered == g.number && !begins && line == ""
	})
	if err == nil {
		err = failed
	}
	return answer, err
}

// response reads the first line of an answer: "=12 B+3.4", or "?12 unknown command".
func response(line string) (number int, text string, ok bool) {
	if line == "" || line[0] != '=' && line[0] != '?' {
		return 0, "", false
	}
	digits, text, _ := strings.Cut(line[1:], " ")
	number, err := strconv.Atoi(digits)
	return number, strings.TrimSpace(text), err == nil
}

// learnCounting finds out whether the program counts area or territory, which no command
// reports: it scores a board with a wall of each side and nine stones of Black inside Black's
// wall. By area it is even except for the points in the middle, by territory White is nine
// points ahead.
func (g *gtp) learnCounting(ctx context.Context) error {
	walls := strings.TrimSuffix(strings.Repeat("1X1X1O3/", 9), "/")
	lead, err := g.score(ctx, board{rows: walls, size: 9})
	if err != nil {
		return err
	}
	g.prisoners = lead < -4.5
	return nil
}

// Name returns the program's answers to name and version.
func (g *gtp) Name() string { return g.id }

// NewGame clears the board, and the caches of programs that support it.
func (g *gtp) NewGame(ctx context.Context) error {
	g.begun = false
	commands := []string{"clear_board"}
	if g.commands["clear_cache"] {
		commands = append(commands, "clear_cache")
	}
	if g.config.Limits.Timed() {
		commands = append(commands, g.config.Limits.timeSettings())
	}
	_, err := g.ask(ctx, commands...)
	return err
}

// Search sends the stones of a position to the program, one by one, and asks for the score.
// Moves that superko forbids because of earlier boards are not sent.
func (g *gtp) Search(ctx context.Context, position string) (Value, error) {
	b, err := parseBoard(position)
	if err != nil {
		return Value{}, err
	}
	lead, err := g.score(ctx, b)
	if b.whiteToMove {
		lead = -lead
	}
	return Value{Score: lead}, err
}

// score returns Black's lead on b.
func (g *gtp) score(ctx context.Context, b board) (lead float64, err error) {
	g.begun = false
	answer, err := g.ask(ctx, append(b.commands(g.prisoners), g.scoring)...)
	if err != nil {
		return 0, err
	}
	lead, ok := parseScore(answer, b.whiteToMove)
	if !ok {
		return 0, fmt.Errorf("engine %s: %s: %q is not a score: want B+3.5, W+3.5 or 0", g.id, g.scoring, strings.Join(answer, " "))
	}
	return lead, nil
}

// parseScore reads an answer as Black's lead in points: its first word, or, since GNU Go's
// estimate continues "(upper bound: 4.0, lower: -7.5)", White's lead when White is to move
// and when Black is. The first word is the mean of the two.
func parseScore(answer []string, whiteToMove bool) (lead float64, ok bool) {
	if len(answer) == 0 {
		return 0, false
	}
	if len(answer) == 6 && answer[1] == "(upper" && answer[4] == "lower:" {
		bound := answer[5]
		if whiteToMove {
			bound = answer[3]
		}
		lead, err := strconv.ParseFloat(strings.TrimRight(bound, ",)"), 64)
		return 0 - lead, err == nil && math.Abs(lead) <= maxLead
	}
	text, sign := answer[0], 1.0
	if winner, points, won := strings.Cut(text, "+"); won {
		switch text = points; winner {
		case "B", "b":
		case "W", "w":
			sign = -1
		default:
			return 0, false
		}
	} else if text != "0" {
		return 0, false
	}
	points, err := strconv.ParseFloat(text, 64)
	return sign * points, err == nil && points >= 0 && points <= maxLead
}

// maxLead exceeds any score, in points.
const maxLead = 1000

// Static returns false: the protocol has no static values.
func (g *gtp) Static(context.Context, string) (score float64, ok bool, err error) {
	return 0, false, nil
}

// Close asks the program to quit and waits for it a moment.
func (g *gtp) Close() error {
	g.send("quit")
	g.close()
	return nil
}

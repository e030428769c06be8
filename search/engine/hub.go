package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// hub is an engine that speaks Hub, version 2 (Letouzey, protocol.txt of Scan 3), the
// protocol of programs of draughts. Positions are FENs of draughts, moves from, to and the
// squares of all men taken: 28x19x23.
type hub struct {
	*process
	config Config
	id     string
	level  string // the command that limits a search
}

// StartHub starts a program that speaks Hub and sets its parameters. A parameter that the
// program does not announce is an error. The protocol limits depth or time, not nodes.
func StartHub(ctx context.Context, c Config) (Engine, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.Limits.Nodes > 0 {
		return nil, fmt.Errorf("programs that speak Hub are limited by depth or time, not by nodes")
	}
	return begin(ctx, c, func(p *process) introduced { return &hub{process: p, config: c, level: levelCommand(c.Limits)} })
}

func levelCommand(l Limits) string {
	command := "level"
	if l.Depth > 0 {
		command += fmt.Sprintf(" depth=%d", l.Depth)
	}
	if l.MoveTime > 0 {
		command += fmt.Sprintf(" move-time=%g", l.MoveTime.Seconds())
	}
	return command
}

func (h *hub) handshake(ctx context.Context) error {
	known := map[string]bool{}
	h.send("hub")
	err := h.await(ctx, h.config.patience(), "wait", func(line string) bool {
		command, values := parseHub(line)
		switch command {
		case "id":
			h.id = strings.TrimSpace(values["name"] + " " + values["version"])
		case "param":
			known[values["name"]] = true
		}
		return command == "wait"
	})
	if err != nil {
		return err
	}
	if h.id == "" {
		return fmt.Errorf("engine %s does not report its name (id name=)", h.config.Command[0])
	}
	for _, o := range h.config.Options {
		if !known[o.Name] {
			return fmt.Errorf("engine %s has no parameter %q", h.id, o.Name)
		}
		h.send(fmt.Sprintf("set-param name=%s value=%s", o.Name, hubQuote(o.Value)))
	}
	h.send("init")
	return h.await(ctx, h.config.patience(), "ready", func(line string) bool {
		command, _ := parseHub(line)
		return command == "ready"
	})
}

// hubQuote puts a value into quotes where it needs them.
func hubQuote(value string) string {
	if value == "" || strings.Contains(value, "=") || strings.ContainsFunc(value, unicode.IsSpace) {
		return `"` + value + `"`
	}
	return value
}

// parseHub reads a line: done move=32-28 ponder="17-22".
func parseHub(line string) (command string, values map[string]string) {
	command, rest, _ := strings.Cut(line, " ")
	values = map[string]string{}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		end := strings.IndexAny(rest, "= ")
		if end < 0 || rest[end] == ' ' {
			name, more, _ := strings.Cut(rest, " ")
			values[name], rest = "", more
			continue
		}
		name, value := rest[:end], rest[end+1:]
		if quoted, ok := strings.CutPrefix(value, `"`); ok {
			values[name], rest, _ = strings.Cut(quoted, `"`)
		} else {
			values[name], rest, _ = strings.Cut(value, " ")
		}
	}
	return command, values
}

// Name returns the name that the program gives after "id name=" and "version=".
func (h *hub) Name() string { return h.id }

// NewGame sends new-game and waits until the program is ready.
func (h *hub) NewGame(ctx context.Context) error {
	h.send("new-game", "ping")
	return h.await(ctx, h.config.patience(), "pong", func(line string) bool {
		command, _ := parseHub(line)
		return command == "pong"
	})
}

// Search takes the last score, in hundredths of a man.
func (h *hub) Search(ctx context.Context, position string) (Value, error) {
	a, err := h.Move(ctx, position, nil)
	if err == nil && !a.Scored {
		err = fmt.Errorf("engine %s: a move without a score", h.id)
	}
	return a.Value, err
}

// Move sends the game to the program and asks it for a move. The men taken are sorted in
// ascending order.
func (h *hub) Move(ctx context.Context, start string, moves []string) (a Answer, err error) {
	return h.move(ctx, start, moves, h.level, h.config.patience()+h.config.Limits.MoveTime)
}

// MoveTimed sends the program its own clock; see timed. A program that is late is not asked to
// stop, and lost.
func (h *hub) MoveTimed(ctx context.Context, start string, moves []string, c Clock) (a Answer, err error) {
	level := h.level
	if h.config.Limits.Clock != (TimeControl{}) {
		level = "level"
		if c.Moves > 0 {
			level += fmt.Sprintf(" moves=%d", c.Moves)
		}
		level += fmt.Sprintf(" time=%g", c.allowed().Seconds())
		if inc := h.config.Limits.Clock.Increment; inc > 0 {
			level += fmt.Sprintf(" inc=%g", inc.Seconds())
		}
	}
	begun := time.Now()
	a, err = h.move(ctx, start, moves, level, h.config.Limits.allowed(c)+stopGrace)
	if errors.Is(err, errSilent) {
		a, err = Answer{Overdue: true}, nil
	}
	a.Elapsed = time.Since(begun)
	return a, err
}

func (h *hub) move(ctx context.Context, start string, moves []string, level string, wait time.Duration) (a Answer, err error) {
	position, err := hubPosition(start)
	if err != nil {
		return a, err
	}
	command := "pos pos=" + position
	if len(moves) > 0 {
		command += ` moves="` + strings.Join(moves, " ") + `"`
	}
	h.send(command, level, "go think")
	complaint := ""
	err = h.await(ctx, wait, "done", func(line string) bool {
		command, values := parseHub(line)
		switch command {
		case "error":
			complaint = values["message"]
		case "info":
			a.readInfo(values)
		case "done":
			a.Best = sortTaken(values["move"])
			return true
		}
		return complaint != ""
	})
	if err == nil && complaint != "" {
		h.lost = true
		err = fmt.Errorf("engine %s: %s", h.id, complaint)
	}
	return a, err
}

// readInfo copies the score, depth and mate of an info line.
func (a *Answer) readInfo(values map[string]string) {
	men, err := strconv.ParseFloat(values["score"], 64)
	if err != nil || men != men || men > 1e4 || men < -1e4 {
		return
	}
	a.Score, a.Scored = 100*men, true
	if depth, err := strconv.Atoi(values["depth"]); err == nil {
		a.Depth = depth
	}
}

// Static returns false: the protocol has no static values.
func (h *hub) Static(context.Context, string) (score float64, ok bool, err error) {
	return 0, false, nil
}

// Close asks the program to quit and waits for it a moment.
func (h *hub) Close() error {
	h.send("quit")
	h.close()
	return nil
}

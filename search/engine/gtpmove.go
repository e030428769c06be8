package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Move plays the moves that are not yet on the program's board and asks it for the next.
// Commands that do not play the move (reg_genmove) are preferred: the next call sends it.
func (g *gtp) Move(ctx context.Context, start string, moves []string) (a Answer, err error) {
	return g.move(ctx, start, moves)
}

// MoveTimed sends the program the time left on both clocks, in whole seconds; see timed. GTP
// has no command to stop.
func (g *gtp) MoveTimed(ctx context.Context, start string, moves []string, c Clock) (a Answer, err error) {
	var clocks []string
	if g.config.Limits.Clock != (TimeControl{}) {
		for i, colour := range []string{"black", "white"} {
			clocks = append(clocks, fmt.Sprintf("time_left %s %d %d", colour, int(c.Left[i].Seconds()), c.Moves))
		}
	}
	begun := time.Now()
	g.wait = g.config.Limits.allowed(c) + stopGrace
	a, err = g.move(ctx, start, moves, clocks...)
	g.wait = g.config.patience()
	if errors.Is(err, errSilent) {
		a, err = Answer{Overdue: true}, nil
	}
	a.Elapsed = time.Since(begun)
	return a, err
}

// timeSettings returns the command that sets the time control: main time, then a time for
// some stones.
func (l Limits) timeSettings() string {
	seconds := func(d time.Duration) int { return int(d.Seconds()) }
	switch {
	case l.Strict:
		return fmt.Sprintf("time_settings 0 %d 1", seconds(l.MoveTime))
	case l.Clock.Moves > 0:
		return fmt.Sprintf("time_settings 0 %d %d", seconds(l.Clock.Base), l.Clock.Moves)
	}
	return fmt.Sprintf("time_settings %d 0 0", seconds(l.Clock.Base))
}

func (g *gtp) move(ctx context.Context, start string, moves []string, clocks ...string) (a Answer, err error) {
	b, err := parseBoard(start)
	if err != nil {
		return a, err
	}
	commands := append(g.catchUp(b, start, moves), clocks...)
	toMove := "black"
	if b.whiteToMove != (len(moves)%2 == 1) {
		toMove = "white"
	}
	genmove := "genmove"
	if g.commands["reg_genmove"] {
		genmove = "reg_genmove"
	}
	answer, err := g.ask(ctx, append(commands, genmove+" "+toMove)...)
	if err != nil {
		g.begun = false
		return a, err
	}
	if len(answer) == 0 {
		g.begun = false
		return a, nil // no move
	}
	g.begun, g.start, g.told = true, start, slices.Clone(moves)
	a.Best = answer[0]
	if a.Resigned = strings.EqualFold(a.Best, "resign"); genmove == "genmove" && !a.Resigned {
		g.told = append(g.told, a.Best)
	}
	return a, nil
}

// catchUp returns the commands that bring the game to the program's board: only the new
// moves, if it has the others.
func (g *gtp) catchUp(b board, start string, moves []string) []string {
	var commands []string
	known := len(g.told)
	if !g.begun || g.start != start || known > len(moves) || !slices.EqualFunc(g.told, moves[:known], strings.EqualFold) {
		commands, known = b.commands(g.prisoners), 0
	}
	for i := known; i < len(moves); i++ {
		side := "black"
		if b.whiteToMove != (i%2 == 1) {
			side = "white"
		}
		commands = append(commands, "play "+side+" "+moves[i])
	}
	return commands
}

// Package engine talks to outside programs that evaluate positions: texts of positions go
// in, values come out. It knows protocols and no game's rules.
//
// An Engine is one running program. StartUCI speaks UCI, StartUSI USI, StartGTP GTP, StartHub
// Hub; another protocol is another function that returns an Engine. A Keeper keeps one
// running: a program that dies, hangs or answers nonsense is killed and started again, and
// the position is sent again.
//
// A program's answers can depend on its earlier searches. NewGame makes it forget them;
// callers that need values independent of the order of the work call it where the work is
// divided.
package engine

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Value is a program's evaluation of a position, from the side to move.
type Value struct {
	Score float64 // in the program's unit: hundredths of a pawn by UCI and USI, points by GTP
	// Mate is the number of moves to mate, negative when the side to move is mated,
	// and 0 when Score holds.
	Mate  int
	Depth int // as reported by the program, 0 when not reported
	// Best is the move that the program would play, as the protocol writes it; empty when
	// it names none.
	Best string
}

// Engine is a running program. It must not be shared by goroutines.
type Engine interface {
	// Name returns the name and version that the program reports.
	Name() string
	// NewGame makes the program forget earlier searches.
	NewGame(ctx context.Context) error
	// Search evaluates a position within the limits of the engine's Config.
	Search(ctx context.Context, position string) (Value, error)
	// Static returns the program's static value of a position, from the first player's
	// side; ok is false when the program has none for it (a position in check).
	Static(ctx context.Context, position string) (score float64, ok bool, err error)
	// Close ends the program.
	Close() error
}

// Config describes how a program is started and how long it may search.
type Config struct {
	Command []string // program and arguments
	Dir     string   // working directory; empty: the current one
	Options []Option // set before the first position
	Limits  Limits
	// Patience is the longest time for an answer, beyond Limits.MoveTime, before the
	// program counts as hanging; 0: a minute.
	Patience time.Duration
	// Announced, unless nil, checks the name and the options that a UCI or USI program announces, before
	// the program gets ready. Its error ends the program.
	Announced func(name string, options []OptionInfo) error `json:"-"`
}

// Option is a setting of the program by its own name.
type Option struct{ Name, Value string }

// Limits bound a search; all that are set apply. UCI and USI need at least one.
type Limits struct {
	Depth    int           `json:"depth,omitempty"`       // plies
	Nodes    int64         `json:"nodes,omitempty"`       // as the program counts them
	MoveTime time.Duration `json:"movetime_ns,omitempty"` // values then differ from run to run
	// Clock is the time for a game, for a program that plays.
	Clock TimeControl `json:"clock,omitzero"`
	// Strict makes a move that takes longer than MoveTime a loss, as one beyond Clock is;
	// Margin is forgiven of either.
	Strict bool          `json:"strict,omitempty"`
	Margin time.Duration `json:"margin_ns,omitempty"`
}

// ParseOption reads "Name=value".
func ParseOption(text string) (Option, error) {
	name, value, ok := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !ok || name == "" {
		return Option{}, fmt.Errorf("engine option %q: want Name=value", text)
	}
	if strings.ContainsAny(text, "\r\n") {
		return Option{}, fmt.Errorf("engine option %q: it has a line break", text)
	}
	return Option{name, strings.TrimSpace(value)}, nil
}

// String returns what ParseOption reads.
func (o Option) String() string { return o.Name + "=" + o.Value }

// Validate returns the first error in c.
func (c Config) Validate() error {
	l := c.Limits
	switch {
	case len(c.Command) == 0:
		return fmt.Errorf("no engine command")
	case l.Depth < 0 || l.Nodes < 0 || l.MoveTime < 0 || l.Margin < 0:
		return fmt.Errorf("an engine's limits must not be negative")
	case l == Limits{}:
		return fmt.Errorf("an engine needs a limit: depth, nodes or time")
	case l.MoveTime > 0 && l.MoveTime < time.Millisecond:
		return fmt.Errorf("an engine's time must be at least a millisecond")
	case l.Clock != TimeControl{} && l.MoveTime > 0:
		return fmt.Errorf("an engine has a clock or a time for each move, not both")
	case l.Margin > 0 && !l.Timed():
		return fmt.Errorf("a margin is for a clock or a strict time for each move")
	}
	return nil
}

func (c Config) patience() time.Duration {
	if c.Patience <= 0 {
		return time.Minute
	}
	return c.Patience
}

// Mover is an Engine that plays.
type Mover interface {
	Engine
	// Move finds a move in the position that moves have led to from start, within the
	// limits of the engine's Config. It receives the whole game, so that the program can
	// recognise repetitions; the moves are in coordinates, as the protocol writes them.
	Move(ctx context.Context, start string, moves []string) (Answer, error)
}

// Answer is a move that a program found.
type Answer struct {
	Value       // Best is the move, empty if it resigned or declared; the score only if Scored
	Scored bool // the program reported the move's value
	// Policy is the chance that the program gives each move without search, as its info strings have it (lc0's VerboseMoveStats);
	// nil if it prints none.
	Policy   map[string]float64
	Resigned bool // it resigns instead
	Declared bool // it declares that it has won
	// Elapsed is the time from the question to the answer, of MoveTimed alone; Overdue reports
	// that no answer came within the time and a grace.
	Elapsed time.Duration
	Overdue bool
}

// Move calls Mover.Move. The error is the last attempt's.
func (k *Keeper) Move(ctx context.Context, start string, moves []string) (a Answer, err error) {
	err = k.try(ctx, func(e Engine) (err error) {
		m, ok := e.(Mover)
		if !ok {
			return fmt.Errorf("engine %s only evaluates positions", e.Name())
		}
		a, err = m.Move(ctx, start, moves)
		return err
	})
	return a, err
}

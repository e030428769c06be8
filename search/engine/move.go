package engine

import (
	"context"
	"fmt"
	"time"
)

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
	Value         // Best is the move, empty if it resigned or declared; the score only if Scored
	Scored   bool // the program reported the move's value
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

// Package hands lets a stage have questions answered by workers, here or on other machines,
// without knowing how they are reached: the command puts them into the context.
//
// The coordinator asks by Hands. A worker runs the same stage with the same parameters, which
// finds the other side in its context, prepares what the questions are about, and serves.
package hands

import (
	"bytes"
	"context"
	"encoding/gob"
)

// Hands are workers that answer.
type Hands interface {
	// Ask has questions 0 to n-1 answered, and take gets the answers in this order. Some
	// questions are sent ahead of their turn; an error of take ends all and is returned.
	// With section workers keep what the questions are about, and section(i) is the number of what
	// question i has: questions of one number go, round after round, to the same workers, as
	// long as these are there, and each process gets as many numbers as is its share by
	// slots. The numbers ascend with i, from 0. Nil: nothing is kept.
	Ask(ctx context.Context, n int, section func(i int) int, question func(i int) []byte, take func(i int, answer []byte) error) error
	// Room is how many bytes a question may have.
	Room() int
}

// Desk is where a worker gets its questions.
type Desk interface {
	// Serve answers until the questions end.
	Serve(ctx context.Context, answer func(question []byte) ([]byte, error)) error
}

type (
	handsKey struct{}
	deskKey  struct{}
)

// With returns a context for a stage that may ask h.
func With(ctx context.Context, h Hands) context.Context { return context.WithValue(ctx, handsKey{}, h) }

// Of returns the workers that a stage may ask; nil: there are none.
func Of(ctx context.Context) Hands {
	h, _ := ctx.Value(handsKey{}).(Hands)
	return h
}

// Serving returns a context for a stage that is to answer the questions to d.
func Serving(ctx context.Context, d Desk) context.Context {
	return context.WithValue(ctx, deskKey{}, d)
}

// DeskOf returns where a stage gets its questions; nil: it does its work itself.
func DeskOf(ctx context.Context) Desk {
	d, _ := ctx.Value(deskKey{}).(Desk)
	return d
}

// Pack returns values as bytes, for Unpack in a process of the same build.
func Pack(values ...any) ([]byte, error) {
	var out bytes.Buffer
	e := gob.NewEncoder(&out)
	for _, v := range values {
		if err := e.Encode(v); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// Unpack reads what Pack returned into values of the same types.
func Unpack(text []byte, into ...any) error {
	d := gob.NewDecoder(bytes.NewReader(text))
	for _, v := range into {
		if err := d.Decode(v); err != nil {
			return err
		}
	}
	return nil
}

// Package ingest turns files of game records into the games dataset: one row a game, with moves resolved by
// the rules and packed.
//
// In: files, plain or compressed, in the record formats of one game (PGN for chess). Out: parts of
// schemas.Games. A record that cannot be read, or has an illegal move, is counted by reason and on
// request named by file and line. Other games are unaffected. Oddities of a game that is kept are
// counted as notes.
//
// One goroutine decompresses and cuts the stream at game boundaries, in jobs of about two
// megabytes; workers read the jobs' syntax, play the moves and fill batches, which are numbered in
// the order of the files, encoded in parallel and written in order. So the bytes do not depend on
// the number of workers, nor memory on the size of the input. A killed run resumes after the last
// complete part.
//
// The package does not deduplicate, sort or judge games.
package ingest

import (
	"context"

	"kifu/datasets"
	"kifu/ingest/legal"
)

// Run reads the inputs, in their order, into out.
func Run(ctx context.Context, g legal.Game, p Params, o Options, out *datasets.Builder) error {
	r, err := newRun(g, p, o, true)
	if err != nil {
		return err
	}
	if err := r.into(out); err != nil {
		return err
	}
	return r.run(ctx)
}

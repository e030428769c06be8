package ingest

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"kifu/datasets/manifest"
	"kifu/ingest/legal"
	"kifu/ingest/source"
	"kifu/internal/progress"
)

// CountSame counts the inputs, if the records of all of them are of one of o.Games, as Detect and Count do,
// but reads them once. Otherwise, and on any error of these, ok is false and nothing has been reported.
func CountSame(ctx context.Context, p Params, o Options) (files []FileCount, sums manifest.Counts, ok bool) {
	warn := o.Warn
	var said bytes.Buffer
	if warn != nil {
		o.Warn = &said
	}
	r, err := newSame(ctx, p, o)
	if err != nil {
		return nil, sums, false
	}
	if files, sums, err = r.count(ctx); err != nil || !r.same.met {
		return nil, sums, false
	}
	if warn != nil {
		_, err = warn.Write(said.Bytes())
	}
	return files, sums, err == nil
}

// newSame returns the run of the game that the beginning of the first file is of.
func newSame(ctx context.Context, p Params, o Options) (*run, error) {
	set := legal.Formats(o.Games).Holding(false)
	files, err := list(set, o.Inputs, true, o.Games, o.Held, progress.Shown(ctx))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 || slices.ContainsFunc(files, func(f file) bool { return f.path == "-" || set.IsTable(f.path) }) {
		return nil, errOther
	}
	s := &sameGame{detector: detector{formats: set, all: legal.Formats(o.Games), known: o.Games}}
	s.opener = newOpener(set, o.Games, nil, o.Held)
	s.opener.Cut = true
	of := s.first(files[0])
	if of == nil {
		return nil, errOther
	}
	p.Game, s.game = of.Name(), of.Name()
	r, err := newRun(of, p, o, progress.Shown(ctx))
	if err != nil {
		return nil, err
	}
	if len(r.files) != len(files) { // some are of formats that the game does not come in
		return nil, errOther
	}
	s.takes, r.same = r.formats.Takes, s
	return r, nil
}

// errOther: not all records are of the one game.
var errOther = errors.New("records of another game")

// sameGame looks whether all records are of one game. It is for one goroutine.
type sameGame struct {
	detector
	game  string
	takes func(name string) bool // whether a member's name has an extension of the game's formats
	met   bool                   // a record was seen, or a file that may have some
}

// first returns the game that the first stream of a file is of; nil if that is not one game.
func (s *sameGame) first(f file) legal.Game {
	src, err := s.opener.open(f, nil)
	if err != nil {
		return nil
	}
	defer src.Close()
	st, err := src.Next(0)
	if err != nil {
		return nil
	}
	defer st.Close()
	names, err := s.gamesOf(st, 0)
	if err != nil || len(names) != 1 {
		return nil
	}
	i := slices.IndexFunc(s.known, func(g legal.Game) bool { return g.Name() == names[0] })
	if i < 0 {
		return nil
	}
	return s.known[i]
}

// look returns an error if a stream, which is the member of that number, holds records of another game, or
// the error of Detect. A nil s checks nothing.
func (s *sameGame) look(st *source.Stream, member int) error {
	if s == nil {
		return nil
	}
	if st.Member && !s.takes(st.Name) && !source.MayHold(st.Name) {
		return errOther
	}
	names, err := s.gamesOf(st, member)
	if err != nil {
		return err
	}
	for _, name := range names {
		if name == s.game {
			s.met = true
		} else if isKnown(s.known, name) {
			return errOther
		}
	}
	return nil
}

package ingest

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"kifu/ingest/record"
)

// Detect returns the names of those of the known games that the inputs hold records of,
// told by the formats of the files and by what the files begin with, in the order in which
// they are met. Of the standard input, the input "-", head is what it begins with.
func Detect(known []Game, inputs []string, head []byte) ([]string, error) {
	formats := formatsOf(known)
	files, err := formats.list(inputs, true, formats)
	if err != nil {
		return nil, err
	}
	var found []string
	add := func(names ...string) {
		for _, name := range names {
			if isKnown(known, name) && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	o := opener{takes: formats.takes, count: func(int64) {}, stdin: bytes.NewReader(head)}
	for _, f := range files {
		if formats.isTable(f) {
			continue
		}
		names, err := gamesIn(&o, f, formats, known)
		if err != nil {
			return nil, err
		}
		add(names...)
	}
	return found, nil
}

// isKnown reports whether one of the games has that name.
func isKnown(known []Game, name string) bool {
	return slices.ContainsFunc(known, func(g Game) bool { return g.Name() == name })
}

// gamesIn looks into the streams of one file. Its faults are reported by the run.
func gamesIn(o *opener, f file, formats formatSet, known []Game) ([]string, error) {
	src, err := o.open(f, nil)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	var names []string
	for member := 0; ; member++ {
		s, err := src.next(member)
		if err != nil {
			return names, nil
		}
		of := formats.of(s.name, s.head)
		if member == 0 && !s.member {
			if of, err = recognise(s, known); err != nil {
				s.close()
				return nil, err
			}
		}
		names = append(names, guess(of, known, s.head)...)
		s.close()
	}
}

// guess returns the games of which a stream of the format that begins with head has
// records; if it has none, the game that a record without tags and moves would be of.
func guess(of *record.Format, known []Game, head []byte) []string {
	if of.GameOf == nil {
		return []string{onlyGame(of, known)}
	}
	var names []string
	reader := of.NewReader(record.Options{})
	reader.Reset(record.Block{Data: head, Line: 1})
	var g record.Game
	for {
		err := reader.Read(&g)
		if err == io.EOF && len(names) == 0 {
			return []string{of.GameByMoves(&record.Game{})}
		}
		if err == io.EOF {
			return names
		}
		var fault *record.SyntaxError
		if errors.As(err, &fault) {
			continue
		}
		if name := recordGame(of, &g); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
}

// onlyGame returns the game whose records come in a format of one game.
func onlyGame(of *record.Format, known []Game) string {
	for _, g := range known {
		for _, f := range g.formats() {
			if f.Name == of.Name {
				return g.Name()
			}
		}
	}
	return ""
}

// recordGame returns the game that a record is of: by its tag, else by its moves.
func recordGame(of *record.Format, g *record.Game) string {
	if value := g.Tag(of.VariantTag); !unknown(bytes.TrimSpace(value)) {
		return of.GameOf(value)
	}
	return of.GameByMoves(g)
}

package ingest

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"kifu/ingest/record"
)

// Detect says which games the inputs hold records of, by the formats of the files and
// by what they begin with, in the order in which they are met. The standard input is
// not looked at and counts as the first of known. known are the words of --game.
func Detect(known, inputs []string) ([]string, error) {
	files, err := formatSet(formats).list(inputs, true)
	if err != nil {
		return nil, err
	}
	var found []string
	add := func(names []string) {
		for _, name := range names {
			if slices.Contains(known, name) && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	for _, f := range files {
		if f.path == "-" {
			add(known[:1])
			continue
		}
		if isNames(f) {
			continue
		}
		names, err := gamesIn(f)
		if err != nil {
			return nil, err
		}
		add(names)
	}
	return found, nil
}

// gamesIn looks into the streams of one file. What is wrong with it the run will say.
func gamesIn(f file) ([]string, error) {
	src, err := open(f, formatSet(formats).takes, nil, nil, func(int64) {})
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
		f := formatSet(formats).of(s.name, s.head)
		names = append(names, f.guess(s.head)...)
		s.close()
	}
}

// guess says which games a stream of the format holds that begins with head: of one
// without games, the format's first.
func (f *format) guess(head []byte) []string {
	if f.gameOf == nil {
		return f.games[:1]
	}
	var names []string
	reader := f.reader(nil, nil)
	reader.Reset(record.Block{Data: head, Line: 1})
	var g record.Game
	for {
		err := reader.Read(&g)
		if err == io.EOF && len(names) == 0 {
			return f.games[:1]
		}
		if err == io.EOF {
			return names
		}
		var fault *record.SyntaxError
		if errors.As(err, &fault) {
			continue
		}
		if name := f.recordGame(&g); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
}

// recordGame says which game a record is of: by its tag, else by its moves.
func (f *format) recordGame(g *record.Game) string {
	if value := g.Tag(f.variantTag); !unknown(bytes.TrimSpace(value)) {
		return f.gameOf(value, "")
	}
	return f.byMoves(g)
}

// draughtsByMoves tells the variants of draughts apart by the squares of the moves:
// letters are Russian, numbers above 32 are of the board with a hundred squares.
func draughtsByMoves(g *record.Game) string {
	name := "checkers"
	for i := range g.Moves {
		number := 0
		for _, c := range g.Moves[i].Text {
			switch {
			case c >= 'a' && c <= 'h':
				return "russian"
			case c >= '0' && c <= '9':
				number = 10*number + int(c-'0')
			default:
				number = 0
			}
			if number > 32 && number <= 50 {
				name = "draughts"
			}
		}
	}
	return name
}

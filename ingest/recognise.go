package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kifu/ingest/formats"
	"kifu/ingest/legal"
	"kifu/ingest/record"
	"kifu/ingest/rows"
	"kifu/ingest/source"
)

// Recognise returns an error for the first input file that has neither the name nor the content of
// records of these games. The error reports what the file looks like. Directories and archives are
// searched by the names of their files, and the standard input is looked at by Run. held may be
// nil.
func Recognise(games []legal.Game, inputs []string, positions bool, held *Held) error {
	set := legal.Formats(games).Holding(positions)
	files, err := list(set, inputs, true, games, held, false)
	if err != nil {
		return err
	}
	o := newOpener(set, games, nil, held)
	for _, f := range files {
		if f.path == "-" || set.IsTable(f.path) || f.format != "" || set.Takes(f.name) {
			continue // and crowds of small files are not opened again
		}
		src, err := o.open(f, nil)
		if err != nil {
			return err
		}
		err = recogniseFirst(src, legal.Formats(games), games)
		src.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// recogniseFirst checks the format of a file that is no archive. Run reports all other faults.
func recogniseFirst(src *source.Source, all formats.Set, games []legal.Game) error {
	s, err := src.Next(0)
	if err != nil || s.Member {
		return nil
	}
	defer s.Close()
	_, err = recognise(s, all, games)
	return err
}

// recognise returns the format of a stream, one of set, the formats of all games. If its name and
// beginning leave it open, it is the format in which most of its beginning can be read; it is an error if
// none can.
func recognise(s *source.Stream, set formats.Set, games []legal.Game) (*record.Format, error) {
	ext := source.Extension(s.Name)
	for _, of := range set {
		if of.Recognize != nil && of.Recognize(s.Head) || slices.Contains(of.Extensions, ext) {
			return set.Find(s.Name, s.Head), nil
		}
	}
	var best *record.Format
	most := 0
	for _, of := range set {
		if of.Recognize != nil {
			continue // its beginning would have told
		}
		if n := seen(of, games, s.Head, enough); n > most {
			best, most = of, n
		}
	}
	if best == nil {
		return nil, fmt.Errorf("%s: no games found: %s (records end in %s; --force-game GAME reads it in any case)", s.Name, looksLike(s.Head), strings.Join(set.Extensions(), ", "))
	}
	return best, nil
}

// enough records of a beginning are looked at.
const enough = 50

// seen returns how many of the first games that a format reads in head, at most so many, are such:
// their header has two tags that columns are made of, or the rules of a game know the first move.
func seen(of *record.Format, games []legal.Game, head []byte, most int) (n int) {
	reader := of.NewReader(record.Options{})
	reader.Reset(record.Block{Data: head, Line: 1})
	var g record.Game
	for range most {
		err := reader.Read(&g)
		var fault *record.SyntaxError
		if err != nil && !errors.As(err, &fault) {
			break
		}
		tags, h := 0, rows.Header{}
		for i := range g.Tags {
			if h.Place(g.Tags[i].Name, of.VariantTag, false) != nil {
				tags++
			}
		}
		if tags >= 2 || err == nil && legal.Playable(of, games, &g, 1) {
			n++
		}
	}
	return n
}

// looksLike describes in a few words a file that begins with head.
func looksLike(head []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	fields := bytes.Fields(line)
	switch {
	case len(head) == 0:
		return "the file is empty"
	case bytes.HasPrefix(head, []byte("PAR1")):
		return "it looks like Parquet, as kifu query reads it"
	case bytes.HasPrefix(head, []byte("%PDF")):
		return "it looks like PDF"
	case bytes.HasPrefix(head, []byte("SQLite format 3")):
		return "it looks like a database of SQLite"
	case bytes.IndexByte(head, 0) >= 0 || !utf8.Valid(head[:min(len(head), 512)]) && bytes.IndexByte(head, '\n') < 0:
		return "it looks like binary data"
	case len(fields) > 3 && bytes.Count(fields[0], []byte("/")) >= 3 && (string(fields[1]) == "w" || string(fields[1]) == "b"):
		return "it looks like a list of positions (FEN or EPD)"
	case bytes.HasPrefix(bytes.ToLower(line), []byte("<!doctype")), bytes.HasPrefix(line, []byte("<")):
		return "it looks like HTML or XML"
	case bytes.HasPrefix(line, []byte("{")):
		return "it looks like JSON"
	case string(line) == "startpos" || string(line) == "position startpos":
		return "a start without moves may be of any game"
	}
	return fmt.Sprintf("it looks like text, %q", legal.Clip(string(bytes.ToValidUTF8(line, []byte("?")))))
}

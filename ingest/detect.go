package ingest

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"kifu/ingest/formats"
	"kifu/ingest/legal"
	"kifu/ingest/record"
	"kifu/ingest/rows"
	"kifu/ingest/source"
)

// Detect returns the names of the known games that the inputs hold, in the order in which they are met. It
// recognises them by the formats of the files and by their beginnings; head is the beginning of the
// standard input, which is the input "-". With positions it considers only formats that are read as
// positions. held may be nil.
func Detect(known []legal.Game, inputs []string, head []byte, positions bool, held *Held) ([]string, error) {
	set := legal.Formats(known).Holding(positions)
	files, err := list(set, inputs, true, known, held, true)
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
	d := detector{formats: set, all: legal.Formats(known), known: known}
	d.opener = newOpener(set, known, bytes.NewReader(head), held)
	for _, f := range files {
		if set.IsTable(f.path) {
			continue
		}
		names, err := d.gamesIn(f)
		if err != nil {
			return nil, err
		}
		add(names...)
	}
	return found, nil
}

// HoldPositions reports whether the inputs that are files, not archives, hold positions of no known game:
// these are read into a dataset of positions. Directories and archives are searched for games unless asked
// requests positions. It is an error if one file holds positions, or asked is set, and another file holds
// games. held may be nil.
func HoldPositions(known []legal.Game, inputs []string, head []byte, asked bool, held *Held) (bool, error) {
	set := legal.Formats(known)
	files, err := recordFiles(set, inputs)
	if err != nil {
		return false, err
	}
	o := newOpener(set, known, bytes.NewReader(head), held)
	var games, positions string
	for _, f := range files {
		switch holds, err := holdsOf(&o, f, set, known); {
		case err != nil:
			return false, err
		case holds == record.Positions:
			positions = cmp.Or(positions, f.name)
		case holds == record.Games:
			games = cmp.Or(games, f.name)
		}
	}
	switch {
	case games != "" && positions != "":
		return false, fmt.Errorf("%s holds games and %s positions without games: ingest them into separate datasets", games, positions)
	case games != "" && asked:
		return false, fmt.Errorf("%s holds games: kifu transform makes positions of them (--positions is for records that are positions)", games)
	}
	return asked || positions != "", nil
}

// recordFiles returns the inputs that are files of records and no archives.
func recordFiles(set formats.Set, inputs []string) (files []file, err error) {
	for _, input := range inputs {
		f := file{name: source.TextName(filepath.Base(input)), path: input}
		if input != "-" {
			if f.info, err = os.Stat(input); err != nil {
				return nil, err
			}
			if f.info.IsDir() || source.IsArchive(input) {
				continue
			}
			f.size = f.info.Size()
		}
		if !set.IsTable(f.path) {
			files = append(files, f)
		}
	}
	return files, nil
}

// holdsOf returns what a file holds, Stretches if that is unknown.
func holdsOf(o *opener, f file, all formats.Set, known []legal.Game) (record.Holds, error) {
	src, err := o.open(f, nil)
	if err != nil {
		return record.Stretches, err
	}
	defer src.Close()
	s, err := src.Next(0)
	if err != nil || s.Member {
		return record.Stretches, nil // the run reports what is wrong
	}
	defer s.Close()
	of, err := recognise(s, all, known)
	if err != nil {
		return record.Stretches, nil // likewise
	}
	return of.Holds, nil
}

// detector detects the games of files. It keeps the memory for a record, because a directory may have
// thousands of files.
type detector struct {
	opener  opener
	formats formats.Set
	all     formats.Set // of the known games
	known   []legal.Game
	readers readers
	game    record.Game
}

// gamesIn looks into the streams of one file. Its faults are reported by the run.
func (d *detector) gamesIn(f file) ([]string, error) {
	if text, ok := d.opener.held.text(f); ok && source.Plain(text) {
		return d.gamesOf(&source.Stream{Name: f.name, Head: text}, 0)
	}
	src, err := d.opener.open(f, nil)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	var names []string
	for member := 0; ; member++ {
		s, err := src.Next(member)
		if err != nil {
			return names, nil
		}
		found, err := d.gamesOf(s, member)
		s.Close()
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
}

// gamesOf looks into the beginning of one stream, which is the member of that number.
func (d *detector) gamesOf(s *source.Stream, member int) (names []string, err error) {
	if (member > 0 || s.Member) && !source.MayHold(s.Name) {
		return d.guess(d.formats.Find(s.Name, s.Head), s.Head), nil
	}
	of, err := recognise(s, d.all, d.known)
	if err != nil {
		return nil, err
	}
	return d.guess(of, s.Head), nil
}

// guess returns the games of which a stream of the format that begins with head has
// records; if it has none, the game that a record without tags and moves would be of.
func (d *detector) guess(of *record.Format, head []byte) []string {
	if of.GameOf == nil {
		return []string{onlyGame(of, d.known)}
	}
	if of.SureGame != nil {
		if name := of.SureGame(head); name != "" {
			return []string{name}
		}
	}
	names, usual := d.readers.gamesIn(of, d.known, head, &d.game)
	if len(names) == 0 {
		names = append(names, usual)
	}
	return names
}

// gamesIn returns the known games that records in text surely belong to, each once, and the game that the
// other records are taken for: the only sure one, or the one whose rules allow most of their moves, or the
// format's usual one. g is memory.
func (r *readers) gamesIn(of *record.Format, known []legal.Game, text []byte, g *record.Game) (names []string, usual string) {
	const enough = 50 // records are tried
	usual, _ = of.GameByMoves(&record.Game{})
	fits, tried := make([]int, len(known)), 0
	reader := r.reader(of)
	reader.Reset(record.Block{Data: text, Line: 1})
	for {
		err := reader.Read(g)
		if err == io.EOF {
			break
		}
		if faultOf(err) != nil {
			continue
		}
		switch name, sure := recordGame(of, g); {
		case sure && isKnown(known, name) && !slices.Contains(names, name):
			names = append(names, name)
		case !sure && tried < enough:
			tried++
			for i := range known {
				if legal.Playable(of, known[i:i+1], g, len(g.Moves)) {
					fits[i]++
				}
			}
		}
	}
	if len(names) == 1 {
		return names, names[0]
	}
	best := slices.IndexFunc(known, func(g legal.Game) bool { return g.Name() == usual })
	for i, n := range fits {
		if best < 0 || n > fits[best] {
			best = i
		}
	}
	if best >= 0 && fits[best] > 0 {
		usual = known[best].Name()
	}
	if len(names) > 0 && !slices.Contains(names, usual) {
		usual = names[0]
	}
	return names, usual
}

// onlyGame returns the game whose records come in a format of one game.
func onlyGame(of *record.Format, known []legal.Game) string {
	for _, g := range known {
		if g.Formats().Has(of.Name) {
			return g.Name()
		}
	}
	return ""
}

// recordGame returns the game that a record is of, by its tag, else by its moves, and whether
// that is sure.
func recordGame(of *record.Format, g *record.Game) (name string, sure bool) {
	if value := g.Tag(of.VariantTag); !rows.Unknown(bytes.TrimSpace(value)) {
		return of.GameOf(value), true
	}
	return of.GameByMoves(g)
}

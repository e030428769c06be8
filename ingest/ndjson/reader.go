// Package ndjson reads chess games that are JSON objects into record.Games: an object a line
// (lichess), or objects in an array (monthly archives of chess.com). It knows syntax only; texts in
// PGN, which objects may have, are read by package pgn.
//
// An object's member pgn is the game, if it has one. In others the tags are those of the game's PGN at
// lichess, and clocks and analysis become the clocks and values of moves.
package ndjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"kifu/ingest/pgn"
	"kifu/ingest/record"
	"kifu/ingest/record/comments"
)

// reader reads the games of objects.
type reader struct {
	keep   func(*record.Game) bool
	text   *pgn.BlockReader // of the member pgn
	movers *pgn.BlockReader // of the member moves
	moves  record.Game
}

func (r *reader) read(g *record.Game, text []byte) (reason, detail string) {
	var read object
	if err := json.Unmarshal(text, &read); err != nil {
		return "not an object of a game", err.Error()
	}
	return r.fill(g, &read), ""
}

// fill makes g of what was read; the reason explains why it cannot be.
func (r *reader) fill(g *record.Game, read *object) (reason string) {
	if read.PGN != "" {
		reason = reasonOf(readText(r.text, read.PGN, g))
		if v := read.Rules; reason == "" && v != "" && g.Tag(record.TagVariant) == nil {
			tag(g, record.TagVariant, v)
		}
		return reason
	}
	if read.Moves == nil {
		return "no game in the object"
	}
	read.tags(g)
	g.Result = read.result()
	g.Open = len(g.Result) == 0
	if r.keep != nil && !r.keep(g) {
		g.Skipped = true
		return ""
	}
	if reason = reasonOf(readText(r.movers, *read.Moves, &r.moves)); reason != "" {
		return reason
	}
	g.Moves = append(g.Moves, r.moves.Moves...)
	read.comments(g)
	return ""
}

// readText reads the game that a text in PGN holds; one without moves may be empty.
func readText(r *pgn.BlockReader, text string, g *record.Game) error {
	r.Reset(record.Block{Data: []byte(text), Line: 1})
	if err := r.Read(g); err != io.EOF {
		return err
	}
	return nil
}

// reasonOf returns the reason of a fault.
func reasonOf(err error) string {
	if fault := (*record.SyntaxError)(nil); errors.As(err, &fault) {
		return fault.Reason
	}
	return ""
}

// comments gives the moves of g their clocks and values, and g the rest of the analysis.
func (o *object) comments(g *record.Game) {
	for i := range g.Moves {
		m := &g.Moves[i]
		if i < len(o.Clocks) && o.Clocks[i] >= 0 && o.Clocks[i] < 1<<31/10 {
			m.Clock, m.HasClock = int32(10*o.Clocks[i]), true
		}
		if i >= len(o.Analysis) {
			continue
		}
		switch a := &o.Analysis[i]; {
		case a.Mate != nil:
			m.Value, m.HasValue = comments.Mate(max(*a.Mate, -*a.Mate), *a.Mate < 0), true
		case a.Eval != nil:
			m.Value, m.HasValue = max(min(*a.Eval, comments.MaxValue), -comments.MaxValue), true
		}
		a := &o.Analysis[i]
		for _, of := range []record.Annotation{{Glyph: glyphs[a.Judgment.Name]}, {Comment: a.Judgment.Comment}, {Variation: a.Variation}} {
			if of.Ply = int32(i + 1); of.Kind() != "" {
				g.Annotations = append(g.Annotations, of)
			}
		}
	}
}

// Format returns the description of games in JSON.
func Format() *record.Format {
	return &record.Format{
		Name: "JSON", Extensions: []string{".ndjson", ".jsonl"},
		Recognize:   recognize,
		NewSplitter: record.ObjectCuts(8<<20, "longer than 8 MiB").Splitter,
		Whole:       true,
		NewReader: func(o record.Options) record.BlockReader {
			r := &reader{keep: o.Keep, text: pgn.NewBlockReader(o), movers: pgn.NewBlockReader(record.Options{})}
			return record.NewObjectReader(r.read)
		},
		VariantTag: record.TagVariant,
	}
}

// recognize reports whether head begins with objects that have a game in PGN, or players and moves.
func recognize(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\uFEFF")), " \t\r\n")
	if head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("[")), " \t\r\n"); !bytes.HasPrefix(head, []byte("{")) {
		return false
	}
	has := func(member string) bool { return bytes.Contains(head, []byte(`"`+member+`"`)) }
	return has("pgn") || has("players") && has("moves") && has("variant")
}

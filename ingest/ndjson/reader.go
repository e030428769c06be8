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

// BlockReader reads the games of blocks that a Splitter has cut.
type BlockReader struct {
	record.Cursor
	keep   func(*record.Game) bool
	text   *pgn.BlockReader // of the member pgn
	movers *pgn.BlockReader // of the member moves
	moves  record.Game
}

// Read fills g with the next game. An object that is none is a *record.SyntaxError; reading goes
// on after it, or after one that does not end at the next line that begins with one.
func (r *BlockReader) Read(g *record.Game) error {
	g.Reset()
	r.Pass(record.BeforeObject(r.Rest()))
	rest := r.Rest()
	if len(rest) == 0 {
		return io.EOF
	}
	at, line := r.Offset(), r.Line
	fault := &record.SyntaxError{Offset: at, Line: line, Reason: "cut off in the middle"}
	n, whole, _ := record.NextObject(rest)
	r.Pass(n)
	switch {
	case rest[0] != '{':
		fault.Reason = "not an object"
	case whole:
		var read object
		if err := json.Unmarshal(rest[:n], &read); err != nil {
			fault.Reason, fault.Detail = "not an object of a game", err.Error()
		} else if fault.Reason = r.fill(g, &read); fault.Reason == "" {
			g.Offset, g.Line = at, line
			return nil
		}
	}
	g.Moves, g.Offset, g.Line = g.Moves[:0], at, line
	return fault
}

// fill makes g of what was read; the reason explains why it cannot be.
func (r *BlockReader) fill(g *record.Game, read *object) (reason string) {
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
			return &BlockReader{keep: o.Keep, text: pgn.NewBlockReader(o), movers: pgn.NewBlockReader(record.Options{})}
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

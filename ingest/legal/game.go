// Package legal plays written games by the rules.
//
// In go the rules of a game, and games as readers give them: tags, and moves as texts. Out come rows: packed
// moves, variant, start and final position, or the positions of a list; or a Reject, which gives the reason. Reads
// no file, and writes no dataset.
package legal

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"kifu/games"
	"kifu/ingest/formats"
	"kifu/ingest/record"
	"kifu/ingest/rows"
	"kifu/schemas"
)

// Game is a game as ingest sees it: its rules, without the type of its positions, and
// the formats of its records. Bind makes one.
type Game interface {
	Name() string
	Formats() formats.Set
	Positions(soft bool) schemas.Table // of those that are read as such
	Takes(name string) bool            // records that name that game are read as this one's
	BlackFirst() bool                  // the first player is Black in records
	NewResolver(keepPrefix bool) Resolver
}

// Resolver plays written games. It is for one goroutine.
type Resolver interface {
	// Resolve plays g and fills r, whose memory is reused. The error is a *Reject. When
	// prefixes are kept, g is cut before the first move that cannot be played.
	Resolve(g *record.Game, h rows.Header, r *rows.Row) error
	// Begin fills r from the tags alone: the variant and the start position.
	Begin(g *record.Game, h rows.Header, r *rows.Row) error
	// Positions appends the positions of g to t, a table of positions, and returns how many
	// stretches they began. The error is a *Reject: why those from a certain one on are left out.
	Positions(g *record.Game, t *rows.Table) (stretches int, err error)
	// Filled completes the columns of a table that got all its positions.
	Filled(t *rows.Table)
	// Part forgets the position before, since the next game is in another file.
	Part()
}

// Reject is why a game is left out.
type Reject struct {
	Reason string // constant, for counting
	Detail string // may be empty
}

func (e *Reject) Error() string {
	if e.Detail == "" {
		return e.Reason
	}
	return e.Reason + ": " + e.Detail
}

// RejectOf returns an error of a Resolver as a Reject.
func RejectOf(err error) *Reject {
	if r, ok := errors.AsType[*Reject](err); ok {
		return r
	}
	return &Reject{Reason: err.Error()}
}

// Bind makes a Game of rules and of the formats of its records, at least one. also are other games whose
// name records of this one bear: records of giveaway name checkers.
func Bind[P games.Position[P]](r games.Rules[P], formats []*record.Format, also ...string) Game {
	return bound[P]{r, formats, also}
}

type bound[P games.Position[P]] struct {
	rules games.Rules[P]
	in    formats.Set
	also  []string
}

func (b bound[P]) Name() string { return b.rules.Name() }

func (b bound[P]) Formats() formats.Set { return b.in }

func (b bound[P]) Positions(soft bool) schemas.Table {
	suites := slices.ContainsFunc(b.in, func(f *record.Format) bool { return f.Opcodes })
	return positionsTable(b.rules, soft, suites)
}

func (b bound[P]) Takes(name string) bool {
	return name == b.rules.Name() || slices.Contains(b.also, name)
}

func (b bound[P]) BlackFirst() bool {
	r, ok := b.rules.(games.BlackFirst)
	return ok && r.BlackMovesFirst()
}

func (b bound[P]) NewResolver(keepPrefix bool) Resolver {
	p := &player[P]{rules: b.rules, keepPrefix: keepPrefix, starts: map[string]usual[P]{}, shown: map[string]int{}}
	p.dialects, _ = b.rules.(games.Dialects)
	p.passer, _ = b.rules.(games.Passer[P])
	p.others, _ = b.rules.(games.OtherStart[P])
	p.scorer, _ = b.rules.(games.Scorer[P])
	p.openings, _ = b.rules.(games.OpeningNames[P])
	p.listed, _ = b.rules.(games.ListedOpenings[P])
	p.list.bind(b.rules)
	if r, ok := b.rules.(games.Repeater); ok {
		p.repeats = &repeats[P]{occurrences: r.Occurrences(), replay: b.rules.NewReplay()}
	}
	return p
}

// player is the resolver of one game.
type player[P games.Position[P]] struct {
	rules      games.Rules[P]
	dialects   games.Dialects  // nil if the game has none
	passer     games.Passer[P] // nil if the game has none
	others     games.OtherStart[P]
	scorer     games.Scorer[P]         // nil if the game counts no points
	openings   games.OpeningNames[P]   // nil if the game's openings have no names
	listed     games.ListedOpenings[P] // nil if they are not listed
	coding     bool                    // the record names no opening
	shown      map[string]int          // positions of the game by the opening that they show, where none are listed
	repeats    *repeats[P]             // nil if no repetition ends the game
	keepPrefix bool
	starts     map[string]usual[P] // by variant as written
	text       []byte              // a translated move
	list       listed[P]
	at         listedAt[P] // the position that list gets
}

// usual is the start of a variant without a start position.
type usual[P any] struct {
	start     P
	canonical string
	text      string
}

// maxStarts bounds the memory for the spellings of variants.
const maxStarts = 64

func (p *player[P]) Resolve(g *record.Game, h rows.Header, r *rows.Row) error {
	if len(g.Moves) == 0 && len(g.Result) == 0 {
		return &Reject{Reason: "no moves and no result"}
	}
	start, err := p.start(g, h, r)
	if err != nil {
		return err
	}
	p.coding = p.openings != nil && rows.Unknown(rows.TagValue(g, h.ECO)) && rows.Unknown(rows.TagValue(g, h.Opening))
	l := p.play(usualNotation, start, g.Moves, r.Moves[:0])
	if l.err != nil && p.others != nil && h.FEN < 0 {
		l = p.playOther(g, h, r, l)
	}
	if l.err != nil && p.dialects != nil {
		var others []string
		if l, others = p.playForeign(start, g.Moves, l); len(others) > 1 && l.err == nil {
			return &Reject{"ambiguous notation", strings.Join(others, " or ")}
		} else if len(others) > 0 {
			r.Dialect = others[0]
		}
	}
	r.Moves, r.Opening, r.Final, r.Scored = l.codes, l.opening, games.Undecided, false
	r.Repetition, r.GoesOn = games.Undecided, false
	if p.repeats != nil {
		r.Repetition, r.GoesOn = p.repeats.find(p.rules, start, l.codes)
	}
	putPasses(g, l.passes)
	if l.err == nil {
		r.Final = l.end.Outcome()
		if p.scorer != nil {
			r.Score, r.Scored = p.scorer.Score(l.end)
		}
		return nil
	}
	n := len(l.codes) / 2
	fault := Reject{reasonOf(l.err, "unreadable move"), p.where(l.end, g, n)}
	if !p.keepPrefix {
		return &fault
	}
	g.Moves, r.Cut, r.Fault = g.Moves[:n], fault.Reason, fault.Error()
	return nil
}

// Begin fills r from the tags alone: the variant and the start position.
func (p *player[P]) Begin(g *record.Game, h rows.Header, r *rows.Row) error {
	_, err := p.start(g, h, r)
	return err
}

// start finds the position that g begins with.
func (p *player[P]) start(g *record.Game, h rows.Header, r *rows.Row) (P, error) {
	variant := strings.TrimSpace(string(rows.TagValue(g, h.Variant)))
	r.Start, r.Other, r.Dialect, r.Cut = r.Start[:0], false, "", ""
	u, err := p.usual(variant)
	if err != nil {
		return u.start, &Reject{Reason: Clip(reasonOf(err, "unknown variant"))}
	}
	r.Variant = u.canonical
	fen := strings.TrimSpace(string(rows.TagValue(g, h.FEN)))
	if rows.Unknown([]byte(fen)) {
		return u.start, nil
	}
	start, canonical, err := p.rules.Start(variant, fen)
	if err != nil {
		return start, &Reject{reasonOf(err, "unreadable start position"), fmt.Sprintf("%q", fen)}
	}
	r.Variant, r.Start = canonical, p.rules.AppendPosition(r.Start, start)
	if u, err := p.usual(canonical); err == nil && canonical == u.canonical && string(r.Start) == u.text {
		r.Start = r.Start[:0] // what has a name needs no position
	}
	return start, nil
}

// usual returns the start of a variant.
func (p *player[P]) usual(variant string) (u usual[P], err error) {
	u, known := p.starts[variant]
	if known {
		return u, nil
	}
	if u.start, u.canonical, err = p.rules.Start(variant, ""); err != nil {
		return u, err
	}
	u.text = string(p.rules.AppendPosition(nil, u.start))
	if len(p.starts) < maxStarts {
		p.starts[variant] = u
	}
	return u, nil
}

// Clip keeps a name that a record gave to itself from being too long or too odd to be
// a reason.
func Clip(reason string) string {
	const longest = 80
	reason = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, reason)
	for i := range reason {
		if i > longest {
			return reason[:i] + "…"
		}
	}
	return reason
}

// where describes move i of g at position pos: "move 12... Nf3".
func (p *player[P]) where(pos P, g *record.Game, i int) string {
	black := int(pos.ToMove())
	number := (i+(int(pos.ToMove())^i)&1)/2 + 1
	dots := "."
	if black == 1 {
		dots = "..."
	}
	text := g.Moves[i].Text
	return "move " + strconv.Itoa(number) + dots + " " + strconv.QuoteToGraphic(string(text[:min(len(text), 20)]))
}

// reasonOf is the countable reason of err.
func reasonOf(err error, otherwise string) string {
	if reason, ok := errors.AsType[games.Reason](err); ok {
		return string(reason)
	}
	return otherwise
}

// Formats returns the formats of all the games, each once.
func Formats(games []Game) formats.Set {
	var set formats.Set
	for _, g := range games {
		for _, f := range g.Formats() {
			if !set.Has(f.Name) {
				set = append(set, f)
			}
		}
	}
	return set
}

// Playable reports whether the first n moves of a record are legal in one of the games.
func Playable(of *record.Format, games []Game, g *record.Game, n int) bool {
	if len(g.Moves) == 0 {
		return false
	}
	var r rows.Row
	first := *g
	first.Moves = slices.Clone(g.Moves[:n])
	for _, game := range games {
		if !game.Formats().Has(of.Name) {
			continue
		}
		h := rows.ReadHeader(&first, of.VariantTag, game.BlackFirst())
		if game.NewResolver(false).Resolve(&first, h, &r) == nil {
			return true
		}
	}
	return false
}

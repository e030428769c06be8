package match

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"kifu/games"
	"kifu/internal/checksum"
	"kifu/internal/splitmix"
	"kifu/players/play"
)

// Openings are the starts of the pairs of a match, used cyclically: the usual start if
// nothing is set.
type Openings struct {
	// Text has one opening per line: moves from the start, as records write them, or a
	// position; # begins a remark. Name is its source, for errors.
	Name, Text string
	// Plies makes every line of this many plies from the start an opening; not with Text.
	Plies int
	// Shuffled takes the openings in a random order, by the seed, instead of their own.
	Shuffled bool
	// RandomPlies is the number of random plies after the opening, sampled for each pair.
	RandomPlies int
}

// MarshalJSON returns the JSON of everything the openings depend on: for the text its
// checksum.
func (o Openings) MarshalJSON() ([]byte, error) {
	form := struct {
		Sum         string `json:"sha256,omitempty"`
		Plies       int    `json:"plies,omitempty"`
		Shuffled    bool   `json:"shuffled,omitempty"`
		RandomPlies int    `json:"random_plies,omitempty"`
	}{"", o.Plies, o.Shuffled, o.RandomPlies}
	if o.Text != "" {
		form.Sum = checksum.Bytes([]byte(o.Text))
	}
	return json.Marshal(form)
}

//go:embed openings
var named embed.FS

// Named returns the openings of a game with a name, from openings/GAME-NAME.txt.
func Named(game, name string) (o Openings, known bool) {
	text, err := named.ReadFile("openings/" + game + "-" + name + ".txt")
	return Openings{Name: name, Text: string(text)}, err == nil
}

// mostLines bounds the openings that Plies makes.
const mostLines = 1 << 20

// opener sets up games.
type opener[P games.Position[P]] struct {
	rules   games.Rules[P]
	variant string
	usual   P
	lines   []line[P]
	random  int
	seed    uint64
}

// line is an opening: a position and moves from there.
type line[P any] struct {
	start   P
	variant string // of start, which by the rules of some games is its own
	text    string // of start, empty if it is the usual one
	name    []byte // the moves
	moves   []games.Move
}

func newOpener[P games.Position[P]](rules games.Rules[P], p Params) (*opener[P], error) {
	o := &opener[P]{rules: rules, random: p.Openings.RandomPlies, seed: p.Seed}
	var err error
	if o.usual, o.variant, err = rules.Start(p.Variant, ""); err != nil {
		return nil, err
	}
	switch text := p.Openings.Text; {
	case text != "" && p.Openings.Plies > 0:
		return nil, fmt.Errorf("%s or all openings of %d plies: choose one", p.Openings.Name, p.Openings.Plies)
	case text != "":
		err = o.read(p.Openings.Name, text)
	default:
		err = o.grow(o.usualLine(), o.usual, p.Openings.Plies)
	}
	if p.Openings.Shuffled {
		rng := splitmix.Stream(p.Seed, forOrder, 0)
		rng.Shuffle(len(o.lines), func(i, j int) { o.lines[i], o.lines[j] = o.lines[j], o.lines[i] })
	}
	return o, err
}

// grow makes every continuation of l, which has led to p, by the given number of plies an
// opening. A game that ends on the way has none.
func (o *opener[P]) grow(l line[P], p P, plies int) error {
	if plies == 0 {
		if len(o.lines) == mostLines {
			return fmt.Errorf("more than %d openings: use fewer plies, or --random-plies", mostLines)
		}
		o.lines = append(o.lines, l)
		return nil
	}
	for _, m := range p.AppendMoves(nil) {
		if err := o.grow(o.extend(l, p, m), p.Play(m), plies-1); err != nil {
			return err
		}
	}
	return nil
}

// extend returns l, which has led to p, with one more move.
func (o *opener[P]) extend(l line[P], p P, m games.Move) line[P] {
	name := append([]byte(nil), l.name...)
	if len(name) > 0 {
		name = append(name, ' ')
	}
	l.name = o.rules.AppendMove(name, p, m)
	l.moves = append(append([]games.Move(nil), l.moves...), m)
	return l
}

func (o *opener[P]) read(name, text string) error {
	for i, row := range strings.Split(text, "\n") {
		row, _, _ = strings.Cut(row, "#")
		if row = strings.TrimSpace(row); row == "" {
			continue
		}
		l, err := o.parse(row)
		if err != nil && len(o.lines) == 0 && strings.HasPrefix(row, "[") {
			return fmt.Errorf("%s:%d: %.20q begins a game record: end the file's name with its format, as in book.pgn.zst", name, i+1, row)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		o.lines = append(o.lines, l)
	}
	if len(o.lines) == 0 {
		return fmt.Errorf("%s has no opening: want moves from the start or a position on a line", name)
	}
	return nil
}

// parse reads an opening: moves, a position with any EPD operations after it, or a position and
// moves as UCI and USI write them ("startpos moves e2e4").
func (o *opener[P]) parse(text string) (l line[P], err error) {
	if before, after, found := strings.Cut(text, " moves "); found {
		if l, err = o.position(strings.Fields(before)); err != nil {
			return l, err
		}
		return o.parseMoves(l, strings.Fields(after))
	}
	words := strings.Fields(text)
	l, err = o.parseMoves(o.usualLine(), words)
	if err == nil || len(l.moves) > 0 {
		return l, err
	}
	if p, fault := o.position(words); fault == nil {
		return p, nil
	}
	return l, fmt.Errorf("%q is neither a position nor moves from the start: %w", text, err)
}

func (o *opener[P]) usualLine() line[P] { return line[P]{start: o.usual, variant: o.variant} }

// position reads a position (readPosition).
func (o *opener[P]) position(words []string) (l line[P], err error) {
	start, variant, usual, err := play.ReadPosition(o.rules, o.variant, words)
	if err != nil || usual {
		return o.usualLine(), err
	}
	return line[P]{start: start, variant: variant, text: string(o.rules.AppendPosition(nil, start))}, nil
}

// parseMoves plays moves after l.
func (o *opener[P]) parseMoves(l line[P], words []string) (line[P], error) {
	p := l.start
	for _, word := range words {
		m, err := o.rules.ParseMove(p, []byte(word))
		if err != nil {
			return l, fmt.Errorf("%s: %w", word, err)
		}
		l, p = o.extend(l, p, m), p.Play(m)
	}
	return l, nil
}

// attempts is the number of attempts to sample random plies that do not end the game.
const attempts = 100

// open sets t up for g and plays the opening of its pair.
func (t *table[P]) open(g *record) error {
	pair := g.index / 2
	l := &t.lines[pair%len(t.lines)]
	rng := splitmix.Stream(t.seed, forOpenings, pair)
	g.Variant, g.Opening = l.variant, l.name
	if l.text != "" {
		g.Start = []byte(l.text)
	}
	for range attempts {
		g.Moves, g.Plies, g.Values, g.Valued = g.Moves[:0], 0, g.Values[:0], g.Valued[:0]
		g.Depths, g.Times, g.Left = g.Depths[:0], g.Times[:0], g.Left[:0]
		t.replay.Reset(l.start)
		t.history.Reset(l.start, l.start.Hash())
		for _, m := range l.moves {
			t.put(g, play.Choice{Move: m})
		}
		if t.random == 0 || t.sample(g, rng.IntN) {
			g.Booked, g.Begun = g.Plies, uint32(t.replay.Position().Hash())
			return nil
		}
	}
	return fmt.Errorf("%d random plies after opening %d always end the game: use fewer", t.random, pair%len(t.lines)+1)
}

// sample plays random plies and reports whether the game is still open after them.
func (t *table[P]) sample(g *record, n func(int) int) bool {
	for range t.random {
		p := t.replay.Position()
		if t.moves = p.AppendMoves(t.moves[:0]); len(t.moves) == 0 {
			return false
		}
		t.put(g, play.Choice{Move: t.moves[n(len(t.moves))]})
	}
	o, _ := t.replay.Outcome()
	return o == games.Undecided && len(t.replay.Position().AppendMoves(t.moves[:0])) > 0
}

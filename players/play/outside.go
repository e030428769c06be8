package play

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"kifu/games"
	"kifu/search"
	"kifu/search/engine"
)

// Outside is a player that is an outside program.
type Outside struct {
	Protocol string // "uci", "usi", "gtp" or "hub"
	Config   engine.Config
	Name     string // name that the program reports
	// Start starts the program. It does not affect the games' key: a program is identified
	// by its name.
	Start func(ctx context.Context) (engine.Engine, error)
}

// capturer is implemented by Rules of games whose moves Hub writes by the men taken.
type capturer[P any] interface {
	// AppendCaptures appends m as from, to and the squares of the men taken, ascending.
	AppendCaptures(dst []byte, p P, m games.Move) []byte
}

// mostIllegal bounds what is kept of an answer that is no legal move, in bytes.
const mostIllegal = 20

// outside lets a program find the moves. It sends the whole game each time, so that the
// program may be restarted in the middle of one.
type outside[P games.Position[P]] struct {
	rules  games.Rules[P]
	write  func(dst []byte, p P, m games.Move) []byte // as the protocol does
	name   string
	keeper *engine.Keeper
	timed  bool
	start  string   // start of the game
	told   []string // moves of the game
	at     P        // the position after them
	text   []byte
	moves  []games.Move
}

func newOutside[P games.Position[P]](rules games.Rules[P], p Player) *outside[P] {
	o := &outside[P]{rules: rules, name: p.Text, write: rules.AppendCoordinates, keeper: engine.Keep(p.Outside.Start), timed: p.Outside.Config.Limits.Timed()}
	if c, ok := rules.(capturer[P]); ok && p.Outside.Protocol == "hub" {
		o.write = c.AppendCaptures
	}
	return o
}

func (o *outside[P]) Begin(ctx context.Context) error {
	o.start, o.told = "", o.told[:0]
	return o.keeper.NewGame(ctx)
}

func (o *outside[P]) Close() { o.keeper.Close() }

// Set implements Setter.
func (o *outside[P]) Set(ctx context.Context, options []engine.Option) error {
	return o.keeper.Set(ctx, options)
}

func (o *outside[P]) Choose(ctx context.Context, p P, h *History[P], _ *rand.Rand) (c Choice, err error) {
	if len(o.told) == 0 {
		o.start, o.at = string(o.rules.AppendPosition(o.text[:0], h.start)), h.start
	}
	for _, m := range h.Moves[len(o.told):] {
		o.told = append(o.told, string(o.write(o.text[:0], o.at, m)))
		o.at = o.at.Play(m)
	}
	v, err := o.ask(ctx, h)
	if err != nil {
		return c, fmt.Errorf("player %q: %w", o.name, err)
	}
	c = Choice{Resigned: v.Resigned, Declared: v.Declared, Overdue: v.Overdue, Took: v.Elapsed, Depth: v.Depth}
	if v.Resigned || v.Declared || v.Overdue {
		return c, nil
	}
	o.moves = p.AppendMoves(o.moves[:0])
	for _, m := range o.moves {
		if o.text = o.write(o.text[:0], p, m); strings.EqualFold(string(o.text), v.Best) {
			c.Move, c.Valued = m, v.Scored
			if v.Scored {
				c.Value = score(v.Value) * p.ToMove().Sign()
			}
			return c, nil
		}
	}
	c.Illegal = strings.ToValidUTF8(v.Best[:min(len(v.Best), mostIllegal)], "\uFFFD")
	c.Illegal = cmp.Or(c.Illegal, "nothing")
	return c, nil
}

// ask asks the program for a move.
func (o *outside[P]) ask(ctx context.Context, h *History[P]) (engine.Answer, error) {
	if o.timed {
		return o.keeper.MoveTimed(ctx, o.start, o.told, h.Clock)
	}
	return o.keeper.Move(ctx, o.start, o.told)
}

// score converts v to a search's value.
func score(v engine.Value) int32 {
	switch {
	case v.Mate > 0:
		return search.Win - int32(2*v.Mate-1)*search.Grain
	case v.Mate < 0:
		return -search.Win - int32(2*v.Mate)*search.Grain
	}
	const most = search.Decisive / search.Grain
	return int32(max(-most, min(most, v.Score)) * search.Grain)
}

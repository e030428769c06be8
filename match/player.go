package match

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kifu/engine"
	"kifu/eval"
	"kifu/search"
)

// Player is a player as data: how it finds its moves.
type Player struct {
	Text string // its name in the games: the words that ParsePlayer read, or what they say
	// Depth is that of its search, with quiescence at the leaves; 0 for a player that
	// does not search.
	Depth int
	// Random is the share of its moves that are drawn from all legal ones; 1 for a
	// random player.
	Random float64
	// EvalFile is where its weights are from, empty for the default ones, and Zero the
	// terms and groups that weigh nothing. Eval is the model with all of that; nil: the
	// game's default.
	EvalFile string
	Zero     []string
	Eval     *eval.Model
	// Outside is a program that finds its moves, nil for none.
	Outside *Outside
}

// Outside is a player that is another program.
type Outside struct {
	Config engine.Config
	Name   string // that the program gives itself
	// Start starts the program. It does not change what is played: a program is known by
	// its name.
	Start func(ctx context.Context) (engine.Engine, error)
}

// MarshalJSON gives what a player's moves depend on, and its name.
func (p Player) MarshalJSON() ([]byte, error) {
	form := struct {
		Name      string         `json:"name"`
		Depth     int            `json:"depth,omitempty"`
		Random    float64        `json:"random,omitempty"`
		Evaluator string         `json:"evaluator,omitempty"`
		Program   string         `json:"program,omitempty"`
		Limits    *engine.Limits `json:"limits,omitempty"`
		Options   []string       `json:"options,omitempty"`
	}{Name: p.Text, Depth: p.Depth, Random: p.Random}
	if p.Eval != nil {
		text, err := p.Eval.TOML()
		if err != nil {
			return nil, err
		}
		form.Evaluator = fmt.Sprintf("%s sha256:%x", p.Eval.Name, sha256.Sum256(text))
	}
	if o := p.Outside; o != nil {
		form.Program, form.Limits = o.Name, &o.Config.Limits
		for _, option := range o.Config.Options {
			form.Options = append(form.Options, option.Name+"="+option.Value)
		}
	}
	return json.Marshal(form)
}

// ParsePlayer reads a player: words with settings behind them.
//
//	random                     any legal move
//	quiescence                 the move to the best value by quiescence: depth=1
//	depth=3                    fixed-depth alpha-beta with quiescence
//	uci:stockfish depth=1      an outside program, with depth=, nodes= or movetime= and
//	                           options of its own, Hash=16
//
// and for players that search: eval=FILE (weights), zero=GROUP,… (terms that weigh
// nothing), random=P (the share of moves that are drawn). Every player takes name=NAME,
// by which the games call it instead of by its words.
func ParsePlayer(text string) (Player, error) {
	words := strings.Fields(text)
	p := Player{Text: strings.Join(words, " ")}
	if len(words) == 0 {
		return p, fmt.Errorf("no player: want random, quiescence, depth=N or uci:PROGRAM")
	}
	if program, ok := strings.CutPrefix(words[0], "uci:"); ok {
		return p, p.parseOutside(program, words[1:])
	}
	for _, word := range words {
		if err := p.parseWord(word); err != nil {
			return p, fmt.Errorf("player %q: %w", text, err)
		}
	}
	if p.Depth == 0 && p.Random < 1 {
		return p, fmt.Errorf("player %q: it needs a depth (depth=N)", text)
	}
	if p.Depth == 0 && (p.EvalFile != "" || p.Zero != nil) {
		return p, fmt.Errorf("player %q: a random player values nothing", text)
	}
	return p, nil
}

func (p *Player) parseWord(word string) (err error) {
	name, value, _ := strings.Cut(word, "=")
	switch {
	case word == "random":
		p.Random = 1
	case word == "quiescence":
		p.Depth = 1
	case name == "depth":
		if p.Depth, err = strconv.Atoi(value); err != nil || p.Depth < 1 || p.Depth > search.MaxDepth {
			return fmt.Errorf("depth %q: a number from 1 to %d", value, search.MaxDepth)
		}
	case name == "random":
		if p.Random, err = strconv.ParseFloat(value, 64); err != nil || !(p.Random >= 0 && p.Random <= 1) {
			return fmt.Errorf("random %q: a share from 0 to 1", value)
		}
	case name == "name" && value != "":
		p.Text = value
	case name == "eval" && value != "":
		p.EvalFile = value
	case name == "zero" && value != "":
		p.Zero = strings.Split(value, ",")
	default:
		return fmt.Errorf("%q is none of random, quiescence, depth=N, random=SHARE, eval=FILE, zero=GROUP,…, name=NAME", word)
	}
	return nil
}

func (p *Player) parseOutside(program string, words []string) error {
	c := engine.Config{Command: []string{program}}
	for _, word := range words {
		var err error
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "depth":
			c.Limits.Depth, err = strconv.Atoi(value)
		case "nodes":
			c.Limits.Nodes, err = strconv.ParseInt(value, 10, 64)
		case "name":
			p.Text = value
		case "movetime":
			c.Limits.MoveTime, err = time.ParseDuration(value)
		default:
			var o engine.Option
			o, err = engine.ParseOption(word)
			c.Options = append(c.Options, o)
		}
		if err != nil {
			return fmt.Errorf("player %q: %q: %w", p.Text, word, err)
		}
	}
	if err := c.Validate(); err != nil {
		return fmt.Errorf("player %q: %w (depth=, nodes= or movetime=)", p.Text, err)
	}
	p.Outside = &Outside{Config: c, Start: func(ctx context.Context) (engine.Engine, error) {
		return engine.StartUCI(ctx, c)
	}}
	return nil
}

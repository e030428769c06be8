package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/internal/lists"
	"kifu/internal/step"
	"kifu/label"
	"kifu/players/play"
	"kifu/search/engine"
)

// engineFlags are the flags of an outside engine.
type engineFlags struct {
	words   string // the value of --engine
	config  engine.Config
	options []string
	former  formerEngine

	protocol string
	scoring  string
	static   bool
	mate     time.Duration
}

// formerEngine has the flags that 0.1 had for the words of --engine, which was the command alone.
type formerEngine struct {
	protocol, scoring string
	options           []string
	static            bool
	mate              time.Duration
	limits            engine.Limits
}

func (e *engineFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&e.words, "engine", "", "add values of `PROGRAM`: 'uci:stockfish depth=8', usi: or gtp:, with its options")
	flags.DurationVar(&e.config.Patience, "engine-timeout", time.Minute, "restart an engine without an answer after `TIME`")
	f := &e.former
	flags.StringVar(&f.scoring, "engine-command", "", "")
	flags.BoolVar(&f.static, "engine-eval", false, "")
	flags.DurationVar(&f.mate, "engine-mate", 0, "")
	flags.StringVar(&f.protocol, "engine-protocol", "", "")
	flags.IntVar(&f.limits.Depth, "engine-depth", 0, "")
	flags.Int64Var(&f.limits.Nodes, "engine-nodes", 0, "")
	flags.DurationVar(&f.limits.MoveTime, "engine-movetime", 0, "")
	flags.StringArrayVar(&f.options, "engine-option", nil, "")
	for _, name := range []string{"command", "eval", "mate", "protocol", "depth", "nodes", "movetime", "option"} {
		flags.Lookup("engine-" + name).Hidden = true
	}
}

// given reports whether a flag is set.
func (f formerEngine) given() bool {
	return f.limits != engine.Limits{} || len(f.options) > 0 || f.static || f.mate != 0 || f.protocol != "" || f.scoring != ""
}

// read reads --engine: the words of a program (readWords), or its command alone, with the former flags.
func (e *engineFlags) read(g command.Game) error {
	f := e.former
	if protocol, _, ok := strings.Cut(strings.Trim(strings.TrimSpace(e.words), `"`), ":"); ok && slices.Contains([]string{"uci", "usi", "gtp", "hub"}, protocol) {
		if f.given() {
			return command.Usagef("--engine %s: its words take the place of the other --engine- flags, as depth=8 and Hash=16", e.words)
		}
		return e.readWords()
	}
	e.config.Command, e.config.Limits = strings.Fields(e.words), f.limits
	e.protocol, e.scoring, e.options, e.static, e.mate = f.protocol, f.scoring, f.options, f.static, f.mate
	if e.protocol == "" {
		e.protocol = "uci"
		if g.Protocol == "gtp" || g.Protocol == "usi" {
			e.protocol = g.Protocol
		}
	}
	return nil
}

// readWords reads the words of a player of kifu match, and those of label: eval, mate= and score=.
func (e *engineFlags) readWords() (err error) {
	words, _ := step.Split(e.words, `"`)
	var player []string
	for _, word := range words {
		switch name, value, _ := strings.Cut(word, "="); {
		case word == "eval":
			e.static = true
		case name == "score":
			e.scoring = value
		case name == "mate":
			if e.mate, err = time.ParseDuration(value); err != nil {
				return command.Usagef("--engine: %s: want a time such as mate=100ms", word)
			}
		case strings.ContainsAny(word, " \t"):
			player = append(player, `"`+word+`"`)
		default:
			player = append(player, word)
		}
	}
	p, err := play.Parse(strings.Join(player, " "))
	if err != nil {
		return command.Misused(fmt.Errorf("--engine: %w", err))
	}
	c := p.Outside.Config
	if c.Limits.Timed() || p.Outside.Protocol == "hub" {
		return command.Usagef("--engine %s: want uci:, usi: or gtp:, with depth=, nodes= or movetime=", e.words)
	}
	e.protocol, e.config.Command, e.config.Limits = p.Outside.Protocol, c.Command, c.Limits
	e.options = lists.Of(c.Options, engine.Option.String)
	return nil
}

// open starts the engine once, to learn its name and whether it takes the options. nil:
// no engine was named.
func (e *engineFlags) open(ctx context.Context, g command.Game, disk *command.Files) (*label.Engine, error) {
	if e.words == "" {
		if e.former.given() {
			return nil, command.Usagef("the engine flags need --engine PROGRAM")
		}
		return nil, nil
	}
	if err := e.read(g); err != nil {
		return nil, err
	}
	config := e.config
	config.Dir = disk.Dir
	if err := disk.MayStart(strings.Join(config.Command, " ")); err != nil {
		return nil, err
	}
	var err error
	if config.Options, err = lists.Try(e.options, engine.ParseOption); err != nil {
		return nil, command.Misused(err)
	}
	start, err := e.starter(config, g)
	if err != nil {
		return nil, err
	}
	run, err := start(ctx)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	return &label.Engine{
		Name: run.Name(), Arguments: config.Command[1:], Options: e.options, Scoring: e.scoring,
		Limits: config.Limits, Static: e.static, Mate: e.mate, Start: start,
	}, nil
}

// starter returns how the engine is started. By GTP scoring becomes the command that scores positions.
func (e *engineFlags) starter(c engine.Config, g command.Game) (start func(context.Context) (engine.Engine, error), err error) {
	protocol := e.protocol
	switch {
	case e.mate < 0 || e.mate > 0 && e.mate < time.Millisecond:
		err = command.Usagef("--engine: mate=%v: want at least a millisecond", e.mate)
	case e.mate > 0 && protocol != "usi":
		err = command.Usagef("--engine: mate= is for programs that speak USI")
	case len(c.Command) == 0:
		err = command.Usagef("--engine names no program")
	case (protocol == "uci" || protocol == "usi") && e.scoring != "":
		err = command.Usagef("--engine: score= is for programs that speak GTP")
	case protocol == "usi" && g.Protocol != "usi":
		err = command.Usagef("USI is for %s, not for %s", gametable.Speaking("usi"), g.Name)
	case protocol == "uci" && g.Protocol == "usi":
		err = command.Usagef("programs of %s speak USI: want usi:PROGRAM", g.Name)
	case protocol == "uci" || protocol == "usi":
		if err = c.Validate(); err != nil {
			err = command.Misused(fmt.Errorf("--engine: %w: want %s:PROGRAM with depth=, nodes= or movetime=", err, protocol))
		}
		open := engine.StartUCI
		if protocol == "usi" {
			open = engine.StartUSI
		}
		start = func(ctx context.Context) (engine.Engine, error) { return open(ctx, c) }
	case protocol != "gtp":
		err = command.Usagef("no engine protocol %q: want uci, usi or gtp", protocol)
	case g.Protocol != "gtp":
		err = command.Usagef("GTP is for %s, not for %s", gametable.Speaking("gtp"), g.Name)
	case c.Limits != engine.Limits{}:
		err = command.Usagef("GTP has no depth, nodes or time: add the program's own command (level=1)")
	case e.static:
		err = command.Usagef("GTP has no static values: omit eval")
	default:
		e.scoring = cmp.Or(e.scoring, engine.EstimateScore)
		start = func(ctx context.Context) (engine.Engine, error) { return engine.StartGTP(ctx, c, e.scoring) }
	}
	return start, err
}

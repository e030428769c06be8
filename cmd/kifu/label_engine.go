package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/internal/lists"
	"kifu/label"
	"kifu/search/engine"
)

// engineFlags are the flags of an outside engine.
type engineFlags struct {
	command  string
	protocol string
	scoring  string
	options  []string
	static   bool
	mate     time.Duration
	config   engine.Config
}

func (e *engineFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&e.scoring, "engine-command", "", "ask a GTP engine for values by `COMMAND` (default: "+engine.EstimateScore+")")
	flags.BoolVar(&e.static, "engine-eval", false, "also ask the engine for static values (eval)")
	flags.DurationVar(&e.mate, "engine-mate", 0, "also let a USI engine search for mates for `TIME` (100ms)")
	flags.StringVar(&e.command, "engine", "", "add values of the UCI, USI or GTP engine `COMMAND`")
	flags.StringVar(&e.protocol, "engine-protocol", "", "engine's `PROTOCOL`: uci, usi or gtp (default: by the game)")
	flags.IntVar(&e.config.Limits.Depth, "engine-depth", 0, "limit the engine to `N` plies")
	flags.Int64Var(&e.config.Limits.Nodes, "engine-nodes", 0, "limit the engine to `N` nodes")
	flags.DurationVar(&e.config.Limits.MoveTime, "engine-movetime", 0, "limit the engine to `TIME` per position (100ms); not reproducible")
	flags.StringArrayVar(&e.options, "engine-option", nil, "set an engine option, `NAME=VALUE` (GTP: a command); repeatable")
	flags.DurationVar(&e.config.Patience, "engine-timeout", time.Minute, "restart an engine without an answer after `TIME`")
}

// open starts the engine once, to learn its name and whether it takes the options. nil:
// no engine was named.
func (e *engineFlags) open(ctx context.Context, g command.Game, dir string) (*label.Engine, error) {
	if e.command == "" {
		if (e.config.Limits != engine.Limits{}) || len(e.options) > 0 || e.static || e.mate != 0 || e.protocol != "" || e.scoring != "" {
			return nil, command.Usagef("the engine flags need --engine COMMAND")
		}
		return nil, nil
	}
	config := e.config
	config.Dir = dir
	config.Command = strings.Fields(e.command)
	var err error
	if config.Options, err = lists.Try(e.options, engine.ParseOption); err != nil {
		return nil, command.Misused(err)
	}
	start, scoring, err := e.starter(config, g)
	if err != nil {
		return nil, err
	}
	run, err := start(ctx)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	return &label.Engine{
		Name: run.Name(), Arguments: config.Command[1:], Options: e.options, Scoring: scoring,
		Limits: config.Limits, Static: e.static, Mate: e.mate, Start: start,
	}, nil
}

// starter returns how the engine is started, by the named protocol or the game's, with the command that
// scores positions by GTP.
func (e *engineFlags) starter(c engine.Config, g command.Game) (start func(context.Context) (engine.Engine, error), scoring string, err error) {
	protocol := e.protocol
	if protocol == "" {
		protocol = "uci"
		if g.Protocol == "gtp" || g.Protocol == "usi" {
			protocol = g.Protocol
		}
	}
	switch {
	case e.mate < 0 || e.mate > 0 && e.mate < time.Millisecond:
		err = command.Usagef("--engine-mate %v: want at least a millisecond", e.mate)
	case e.mate > 0 && protocol != "usi":
		err = command.Usagef("--engine-mate is for engines that speak USI")
	case len(c.Command) == 0:
		err = command.Usagef("--engine names no program")
	case (protocol == "uci" || protocol == "usi") && e.scoring != "":
		err = command.Usagef("--engine-command is for engines that speak GTP")
	case protocol == "usi" && g.Protocol != "usi":
		err = command.Usagef("USI is for %s, not for %s", gametable.Speaking("usi"), g.Name)
	case protocol == "uci" && g.Protocol == "usi":
		err = command.Usagef("engines of %s speak USI: omit --engine-protocol", g.Name)
	case protocol == "uci" || protocol == "usi":
		if err = c.Validate(); err != nil {
			err = command.Misused(fmt.Errorf("%w (--engine-depth, --engine-nodes, --engine-movetime)", err))
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
		err = command.Usagef("GTP has no depth, nodes or time: set what the engine has for it (--engine-option level=1)")
	case e.static:
		err = command.Usagef("GTP has no static values: omit --engine-eval")
	default:
		if scoring = e.scoring; scoring == "" {
			scoring = engine.EstimateScore
		}
		start = func(ctx context.Context) (engine.Engine, error) { return engine.StartGTP(ctx, c, scoring) }
	}
	return start, scoring, err
}

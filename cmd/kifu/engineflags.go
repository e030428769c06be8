package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"kifu/engine"
	"kifu/label"
)

// engineFlags are the flags of an outside engine.
type engineFlags struct {
	command string
	options []string
	static  bool
	config  engine.Config
}

func (e *engineFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&e.command, "engine", "", "value the positions by the UCI engine that `COMMAND` starts, too")
	flags.IntVar(&e.config.Limits.Depth, "engine-depth", 0, "let the engine search `N` plies")
	flags.Int64Var(&e.config.Limits.Nodes, "engine-nodes", 0, "let the engine search `N` nodes")
	flags.DurationVar(&e.config.Limits.MoveTime, "engine-movetime", 0, "let the engine search for `TIME` (100ms); values then differ from run to run")
	flags.StringArrayVar(&e.options, "engine-option", nil, "set an option of the engine, `NAME=VALUE`; may be repeated")
	flags.BoolVar(&e.static, "engine-eval", false, "ask the engine for its static values, too (eval; not every engine has it)")
	flags.DurationVar(&e.config.Patience, "engine-timeout", time.Minute, "start the engine again when it has not answered for `TIME`")
}

// open starts the engine once, to learn its name and whether it takes the options. nil:
// no engine was named.
func (e *engineFlags) open(ctx context.Context) (*label.Engine, error) {
	if e.command == "" {
		if (e.config.Limits != engine.Limits{}) || len(e.options) > 0 || e.static {
			return nil, usagef("the engine flags need --engine COMMAND")
		}
		return nil, nil
	}
	e.config.Command = strings.Fields(e.command)
	e.config.Options = nil
	for _, text := range e.options {
		o, err := engine.ParseOption(text)
		if err != nil {
			return nil, usageError{err}
		}
		e.config.Options = append(e.config.Options, o)
	}
	if err := e.config.Validate(); err != nil {
		return nil, usageError{fmt.Errorf("%w (--engine-depth, --engine-nodes, --engine-movetime)", err)}
	}
	config := e.config
	run, err := engine.StartUCI(ctx, config)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	return &label.Engine{
		Name: run.Name(), Options: e.options, Limits: config.Limits, Static: e.static,
		Start: func(ctx context.Context) (engine.Engine, error) { return engine.StartUCI(ctx, config) },
	}, nil
}

package engine

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// mostOptions is how many options of a program are kept.
const mostOptions = 4096

// OptionInfo mirrors a program's announcement of an option.
type OptionInfo struct {
	Name string
	Type string // "spin", "check", "combo", "string" or "button"; empty if unknown
	// Default, and of a spin the least and the greatest value; Bounded means that it has both.
	Default  string
	Min, Max int64
	Bounded  bool
}

// Setter is an Engine whose options can be changed between games.
type Setter interface {
	Engine
	// Set sets options. One that the program does not have is an error.
	Set(ctx context.Context, options []Option) error
}

// parseOptionInfo reads what follows "option name": "Hash type spin default 16 min 1 max 1024".
func parseOptionInfo(text string) OptionInfo {
	name, rest, _ := strings.Cut(text, " type ")
	o := OptionInfo{Name: strings.TrimSpace(name)}
	words := strings.Fields(rest)
	if len(words) == 0 {
		return o
	}
	o.Type = words[0]
	low, high := false, false
	for i := 1; i+1 < len(words); i++ {
		n, err := strconv.ParseInt(words[i+1], 10, 64)
		switch words[i] {
		case "default":
			o.Default = words[i+1]
		case "min":
			o.Min, low = n, err == nil
		case "max":
			o.Max, high = n, err == nil
		}
	}
	o.Bounded = low && high
	return o
}

// Set sets options and waits until the program is ready.
func (u *uci) Set(ctx context.Context, options []Option) error {
	if err := u.setOptions(options); err != nil {
		return err
	}
	return u.ready(ctx, "isready")
}

// setOptions sends options that the program has announced.
func (u *uci) setOptions(options []Option) error {
	for _, o := range options {
		known := u.option(o.Name)
		if known == nil {
			return fmt.Errorf("engine %s has no option %q", u.id, o.Name)
		}
		command := "setoption name " + o.Name
		if known.Type != "button" {
			command += " value " + o.Value
		}
		u.send(command)
	}
	return nil
}

// option returns what was announced of an option, nil if it was not; upper and lower case are
// alike.
func (u *uci) option(name string) *OptionInfo {
	for i := range u.announced {
		if strings.EqualFold(u.announced[i].Name, name) {
			return &u.announced[i]
		}
	}
	return nil
}

// Set sets options of the running program, and of those that are started after it.
func (k *Keeper) Set(ctx context.Context, options []Option) error {
	k.options = options
	if k.engine == nil {
		return nil // try sets them
	}
	return k.try(ctx, func(e Engine) error { return set(ctx, e, options) })
}

func set(ctx context.Context, e Engine, options []Option) error {
	s, ok := e.(Setter)
	if !ok {
		return fmt.Errorf("engine %s: its options cannot be changed between games", e.Name())
	}
	return s.Set(ctx, options)
}

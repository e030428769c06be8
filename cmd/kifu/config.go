package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/internal/edits"
	"kifu/internal/human"
)

// configName is the file of defaults that is looked for in the working directory.
const configName = "kifu.toml"

// startsPrograms are the flags that may name programs: those of a file that lies in the
// working directory, which may be anybody's, are not started.
var startsPrograms = []string{"engine", "engine-command", "engine-option", "player", "players", "first", "second"}

// configure gives the flags of cmd that the command line does not have the values of
// the files of defaults, exactly as if they had been typed: a value that changes a
// dataset changes its key. What was taken is said on the standard error.
//
// A file of defaults has the flags of every command at its top and those of a command
// in a table of its name:
//
//	workers = 2
//	[transform]
//	min-ply = 16
//	[report.curve]
//	draws = "half"
//
// With --config FILE it is that file alone. Otherwise kifu.toml in the working directory
// goes before config.toml in the user's directory of configurations.
func (a *app) configure(cmd *cobra.Command) error {
	paths, named := []string{configName, userConfig()}, cmd.Flags().Changed("config")
	if named {
		paths = []string{a.config}
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if path == "" && !named || errors.Is(err, fs.ErrNotExist) && !named {
			continue
		}
		if err != nil {
			return fmt.Errorf("--config: %w", err)
		}
		values := map[string]any{}
		if err := toml.Unmarshal(text, &values); err != nil {
			return usagef("%s: %w", path, err)
		}
		if err := a.take(path, values, cmd.Root(), cmd); err != nil {
			return usagef("%s: %w", path, err)
		}
	}
	return nil
}

// userConfig is $XDG_CONFIG_HOME/kifu/config.toml, empty when there is no such place.
func userConfig() string {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "kifu", "config.toml")
}

// take checks the values for the command at and those below it, and gives cmd those
// that are its own.
func (a *app) take(path string, values map[string]any, at, cmd *cobra.Command) error {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if table, isTable := values[key].(map[string]any); isTable {
			below := slices.IndexFunc(at.Commands(), func(c *cobra.Command) bool { return c.Name() == key })
			if below < 0 {
				return fmt.Errorf("no command %s%s", strings.TrimSpace(at.CommandPath()+" "+key), edits.Meant(key, commandNames(at)))
			}
			if err := a.take(path, table, at.Commands()[below], cmd); err != nil {
				return err
			}
			continue
		}
		flags := at.LocalFlags()
		f := flags.Lookup(key)
		if f == nil || key == "config" || key == "help" {
			return fmt.Errorf("%s has no flag --%s%s", at.CommandPath(), key, edits.Meant(key, flagNames(flags)))
		}
		if at != cmd && at.HasParent() || cmd.Flags().Changed(key) {
			if err := tryValue(at, f, values[key]); err != nil {
				return err
			}
			continue
		}
		if err := setValue(cmd.Flags(), cmd.Flags().Lookup(key), values[key]); err != nil {
			return fmt.Errorf("%s: %s: %w", at.CommandPath(), key, err)
		}
		if path == configName && a.config == "" && slices.Contains(startsPrograms, key) {
			a.barred = configName + " names it: name it on the command line, or take the file with --config " + configName
		}
		fmt.Fprintf(a.stderr, "%s: --%s %s\n", path, key, human.Printable(strings.Join(texts(values[key]), ",")))
	}
	return nil
}

// tryValue sees that a value of another command's flag, or of one that the command line
// has, has a form that the flag can take, and changes nothing.
func tryValue(at *cobra.Command, f *pflag.Flag, value any) error {
	_, many := f.Value.(pflag.SliceValue)
	if _, list := value.([]any); list && !many {
		return fmt.Errorf("%s: %s: one value, not a list", at.CommandPath(), f.Name)
	}
	return nil
}

// setValue sets a flag; a list replaces the default of a flag that can be repeated.
func setValue(flags *pflag.FlagSet, f *pflag.Flag, value any) error {
	all := texts(value)
	if many, ok := f.Value.(pflag.SliceValue); ok {
		if err := many.Replace(all); err != nil {
			return err
		}
		f.Changed = true
		return nil
	}
	if len(all) != 1 {
		return errors.New("one value, not a list")
	}
	return flags.Set(f.Name, all[0])
}

// texts are the values of a key as they would be typed.
func texts(value any) []string {
	list, ok := value.([]any)
	if !ok {
		return []string{fmt.Sprint(value)}
	}
	var all []string
	for _, v := range list {
		all = append(all, fmt.Sprint(v))
	}
	return all
}

func commandNames(at *cobra.Command) []string {
	var names []string
	for _, c := range at.Commands() {
		names = append(names, c.Name())
	}
	return names
}

func flagNames(flags *pflag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name != "config" && f.Name != "help" {
			names = append(names, f.Name)
		}
	})
	return names
}

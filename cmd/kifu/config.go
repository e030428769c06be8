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

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/suggest"
	"kifu/internal/bounded"
	"kifu/internal/edits"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/tomldoc"
)

// configName is the file of defaults that is looked for in the working directory.
const configName = "kifu.toml"

// harmless are the flags, by command, that a kifu.toml may set which is in the working directory and may be
// another person's: formatting, workers, memory and progress. Any other flag is refused there: it may
// start, listen, connect, write or permit. The --memory of explore is a wall against its visitors.
var harmless = map[string][]string{
	"kifu":              {"workers", "progress", "quiet"},
	"kifu run":          {"jobs"},
	"kifu query":        {"format", "memory"},
	"kifu names":        {"format"},
	"kifu export":       {"format"},
	"kifu fit":          {"memory"},
	"kifu conjunctions": {"memory"},
	"kifu find":         {"letters"},
	"kifu show":         {"letters", "plain", "rows", "size"},
	"kifu report":       pictures,
	"kifu player":       pictures,
}

// pictures are the flags of how reports look.
var pictures = []string{"size", "font", "palette", "bands", "legend", "xlim", "ylim", "tex-columns", "longtable", "label-prefix"}

// configure gives the flags of cmd that the command line lacks the values of the files of defaults, exactly
// as if they had been typed: a value that changes a dataset changes its key. It reports these values on
// standard error.
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
// goes before config.toml in the user's directory of configurations; it may set harmless
// flags alone.
func configure(e *command.Env, cmd *cobra.Command) error {
	paths, named := []string{configName, userConfig()}, cmd.Flags().Changed("config")
	if named {
		paths = []string{e.Config}
	}
	for _, path := range paths {
		text, err := readConfig(path)
		if path == "" && !named || errors.Is(err, fs.ErrNotExist) && !named {
			continue
		}
		if err != nil {
			return fmt.Errorf("--config: %w", err)
		}
		d := defaults{path: path, found: path == configName && !named}
		if err := d.takeAll(e.Console, text, cmd); err != nil {
			return command.Usagef("%s: %w", path, err)
		}
	}
	return nil
}

// takeAll checks the text of a file of defaults, and gives cmd the values that are its own.
func (d defaults) takeAll(con *command.Console, text []byte, cmd *cobra.Command) error {
	values := map[string]any{}
	err := toml.Unmarshal(text, &values)
	if err == nil {
		d.keys, err = tomldoc.Read(text)
	}
	if err != nil {
		return err
	}
	return d.setDefaults(con, nil, values, cmd.Root(), cmd)
}

// readConfig reads a file of defaults, and /dev/null as an empty one.
func readConfig(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil || path == os.DevNull {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: want a file, not a folder, pipe or device", path)
	}
	return bounded.ReadFile(path, bounded.Settings)
}

// defaults is a file of defaults.
type defaults struct {
	path  string
	found bool            // it is in the working directory, and was not named
	keys  []tomldoc.Entry // in their order
}

// refuses returns an error that names the line of a key which a found file may not set for the command at.
func (d defaults) refuses(key []string, at *cobra.Command) error {
	name := key[len(key)-1]
	if !d.found || slices.Contains(harmless[at.CommandPath()], name) {
		return nil
	}
	return fmt.Errorf("line %d: %s: %s: a %s in the working directory may set only formatting, workers, memory and progress; type --%s, or name the file by --config %s",
		d.line(key), at.CommandPath(), name, configName, name, configName)
}

// line returns the line of a key, or of the inline table that has it.
func (d defaults) line(key []string) int {
	var table []string
	line := 0
	for _, e := range d.keys {
		if e.Kind != tomldoc.KeyValue {
			table = e.Key
			continue
		}
		if whole := slices.Concat(table, e.Key); len(whole) <= len(key) && slices.Equal(whole, key[:len(whole)]) {
			line = e.Line
		}
	}
	return line
}

// userConfig is $XDG_CONFIG_HOME/kifu/config.toml, empty when there is no such place. By the
// specification a relative $XDG_CONFIG_HOME counts as none.
func userConfig() string {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "kifu", "config.toml")
}

// setDefaults checks the values for the command at and those below it, and gives cmd those
// that are its own. within is the key of the table of values.
func (d defaults) setDefaults(con *command.Console, within []string, values map[string]any, at, cmd *cobra.Command) error {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		whole := append(slices.Clip(within), key)
		if table, isTable := values[key].(map[string]any); isTable {
			below := slices.IndexFunc(at.Commands(), func(c *cobra.Command) bool { return c.Name() == key })
			if below < 0 {
				return fmt.Errorf("no command %s%s", strings.TrimSpace(at.CommandPath()+" "+key), edits.Meant(key, commandNames(at)))
			}
			if err := d.setDefaults(con, whole, table, at.Commands()[below], cmd); err != nil {
				return err
			}
			continue
		}
		flags := at.LocalFlags()
		f := flags.Lookup(key)
		if f == nil || key == "config" || key == "help" {
			return fmt.Errorf("%s has no flag --%s%s", at.CommandPath(), key, edits.Meant(key, flagNames(flags)))
		}
		if err := d.refuses(whole, at); err != nil {
			return err
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
		fmt.Fprintf(con.Stderr, "%s: --%s %s\n", d.path, key, human.Printable(strings.Join(texts(values[key]), ",")))
	}
	return nil
}

// tryValue sees that a value of another command's flag, or of one that the command line
// has, has a form that the flag can take, and changes nothing.
func tryValue(at *cobra.Command, f *pflag.Flag, value any) error {
	_, many := f.Value.(pflag.SliceValue)
	if _, list := value.([]any); list && !many {
		return fmt.Errorf("%s: %s: want one value, not a list", at.CommandPath(), f.Name)
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
		return errors.New("want one value, not a list")
	}
	return suggest.ValueError(flags.Set(f.Name, all[0]))
}

// texts are the values of a key as they would be typed.
func texts(value any) []string {
	list, ok := value.([]any)
	if !ok {
		return []string{fmt.Sprint(value)}
	}
	return lists.Of(list, func(v any) string { return fmt.Sprint(v) })
}

func commandNames(at *cobra.Command) []string { return lists.Of(at.Commands(), (*cobra.Command).Name) }

func flagNames(flags *pflag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name != "config" && f.Name != "help" {
			names = append(names, f.Name)
		}
	})
	return names
}

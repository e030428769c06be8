package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// former has the names that flags had in 0.1, with what they are called today. A command that has
// the new flag takes the old name too, without showing it; the first that fits counts.
var former = []struct{ was, is string }{
	{"cluster", "dependence"},
	{"cluster", "on"},
	{"queue", "on"},
}

// TakeFormer lets cmd take the former names of its flags.
func TakeFormer(cmd *cobra.Command) {
	names := map[string]string{}
	for _, f := range former {
		if _, taken := names[f.was]; !taken && cmd.Flags().Lookup(f.is) != nil && cmd.Flags().Lookup(f.was) == nil {
			names[f.was] = f.is
		}
	}
	if len(names) == 0 {
		return
	}
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if is, was := names[name]; was {
			name = is
		}
		return pflag.NormalizedName(name)
	})
}

// modes has the flags that made another job of a command in 0.1, with the commands that do it
// today and what flags are called there; a flag without a name is gone.
var modes = []struct {
	command, flag, is string
	names             map[string]string
}{
	{"label", "choices", "choices", map[string]string{"choices": ""}},
	{"label", "backward", "backward", map[string]string{"backward": "phases", "backward-depth": "depth", "backward-end": "end"}},
	{"learn", "identify", "identify", map[string]string{"identify": "model"}},
	{"learn", "chunks", "chunks", map[string]string{"chunks": "model"}},
	{"fit", "patterns", "tables", nil},
}

// Moved returns the command that does what command did in 0.1 with these flags, and the flags that
// have another name there: "" for a flag that is gone.
func Moved(command string, flags []string) (is string, names map[string]string) {
	for _, m := range modes {
		if m.command == command && slices.Contains(flags, m.flag) {
			return m.is, m.names
		}
	}
	return command, nil
}

// TakeMoved returns the words of a command line with the command that does today what it asks for.
func TakeMoved(root *cobra.Command, args []string) []string {
	cmd, rest, err := root.Find(args)
	if err != nil || cmd == root {
		return args
	}
	end := slices.Index(rest, "--")
	if end < 0 {
		end = len(rest)
	}
	given := map[string]string{} // the words that are flags
	for _, word := range rest[:end] {
		if name, is := strings.CutPrefix(word, "--"); is {
			name, _, _ = strings.Cut(name, "=")
			given[word] = name
		}
	}
	is, names := Moved(Path(cmd), slices.Collect(maps.Values(given)))
	if is == Path(cmd) {
		return args
	}
	words := []string{is}
	for _, word := range rest {
		name, renamed := names[given[word]]
		if renamed && name == "" {
			continue
		}
		if renamed {
			word = "--" + name + strings.TrimPrefix(word, "--"+given[word])
		}
		words = append(words, word)
	}
	return words
}

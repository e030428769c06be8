package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/internal/edits"
	"kifu/internal/pattern"
)

// groups are the headings of kifu --help, with the commands below them.
var groups = []struct {
	title    string
	commands []string
}{
	{"The stages", []string{"ingest", "transform", "label", "choices", "backward", "fit", "tables", "conjunctions", "report"}},
	{"Look", []string{"show", "find", "query", "explore", "player", "patterns", "motifs"}},
	{"Players", []string{"performance", "match", "tune", "learn", "human", "identify", "chunks", "evolve"}},
	{"Databases", []string{"datasets", "clean", "duplicates", "names", "sort", "tree", "export", "publish", "features", "check"}},
	{"Studies and tools", []string{"run", "worker", "cluster", "demo", "bench", "perft", "paper", "cite", "completion", "man", "version", "help"}},
}

// group puts the commands below root under the headings.
func group(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, cmd := range root.Commands() {
			if slices.Contains(g.commands, cmd.Name()) {
				cmd.GroupID = g.title
			}
		}
	}
}

// otherWords are words that people try, with the commands that do what they mean.
var otherWords = map[string]string{
	"rate": "report ratings", "rating": "report ratings", "ordo": "report ratings", "bayeselo": "report ratings", "blunders": "report mistakes", "mistakes": "report mistakes", "traps": "report mistakes", "endgames": "report endgame", "endings": "report endgame",
	"head": "show", "cat": "show", "board": "show", "view": "show", "print": "show",
	"info": "report database", "stats": "report database", "summary": "report database", "describe": "report database",
	"search": "find", "position": "find", "grep": "find",
	"sql": "query", "select": "query", "white": "player", "black": "player", "event": "query", "result": "query",
	"browse": "explore", "gui": "explore", "web": "explore", "serve": "explore", "server": "explore", "open": "explore",
	"import": "ingest", "read": "ingest", "load": "ingest", "parse": "ingest", "pgn": "ingest", "count": "ingest --count",
	"convert": "export", "write": "export", "save": "export", "iceberg": "publish",
	"replay": "transform", "positions": "transform",
	"eval": "label", "evaluate": "label", "analyse": "label", "analyze": "label", "annotate": "label",
	"fastchess": "match --from", "cutechess": "match --from", "cutechess-cli": "match --from", "sprt": "match", "gauntlet": "match", "epd": "ingest", "fen": "find", "nnue": "export",
	"spsa": "tune", "texel": "fit", "tuner": "fit", "train": "fit", "regress": "fit", "optimise": "fit", "optimize": "fit",
	"glem": "conjunctions", "cmim": "conjunctions", "itemsets": "conjunctions", "combinations": "conjunctions",
	"plot": "report curve", "graph": "report curve", "book": "tree", "openings": "report opening", "elo": "report ratings", "play": "match", "tournament": "match",
	"dedup": "duplicates", "dedupe": "duplicates", "aliases": "names", "repair": "clean", "normalize": "clean", "normalise": "clean",
	"bibtex": "cite", "citation": "cite", "diff": "report diff", "compare": "report diff",
	"validate": "check", "verify": "check", "download": "datasets get", "fetch": "datasets get", "sample": "datasets sample", "samples": "datasets list",
}

// suggest returns the commands that a word below cmd may have meant, written after its path: one that does
// it, one spelt alike, or one of that name elsewhere.
func suggest(cmd *cobra.Command, word string) []string {
	if other, known := otherWords[strings.ToLower(word)]; known && !cmd.HasParent() {
		return []string{other}
	}
	cmd.SuggestionsMinimumDistance = 2
	near := slices.Compact(cmd.SuggestionsFor(word)) // that begins with the word and is spelt like it
	if len(near) > 0 || cmd.HasParent() {
		return near
	}
	for _, below := range cmd.Commands() {
		for _, c := range below.Commands() {
			if c.IsAvailableCommand() && strings.EqualFold(c.Name(), word) {
				near = append(near, below.Name()+" "+c.Name())
			}
		}
	}
	return near
}

// helpOrSuggest is the action of a command that only has commands below it.
func helpOrSuggest(what string) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		hint := ""
		if near := suggest(cmd, args[0]); len(near) > 0 {
			hint = fmt.Sprintf("; did you mean %s?", strings.Join(near, " or "))
		} else if !cmd.HasParent() {
			hint = "; kifu ingest reads games, and kifu demo shows what can be made of them"
		}
		return command.Usagef("no %s %q%s", what, args[0], hint)
	}
}

// otherFlags are flags that people try, with those that do what they mean.
var otherFlags = map[string]string{
	"port": "listen", "host": "listen", "address": "listen", "bind": "listen", "addr": "listen",
	"output": "out", "threads": "workers", "jobs": "workers", "concurrency": "workers", "overwrite": "force",
	"engine": "player", "each": "from", "rounds": "games", "elo0": "sprt", "elo1": "sprt", "tb": "syzygy", "pgnout": "record", "srand": "seed", "maxmoves": "max-plies", "tournament": "gauntlet",
	"K": "scale", "k": "scale", "depth": "search", "nodes": "engine", "movetime": "engine",
}

var (
	unknownFlag = pattern.Of(`^unknown flag: --([^=]+)`)
	// longWord is a flag of several letters behind one hyphen, as match managers have them, or the K of tuners.
	longWord = pattern.Of(`^unknown shorthand flag: '.' in -([A-Za-z0-9]{2,}|[Kk])`)
	// wants are the values that flags take, by the names of their types.
	wants = map[string]string{
		"int": "want a whole number", "int16": "want a whole number", "int64": "want a whole number", "uint64": "want a whole number from 0",
		"intSlice": "want whole numbers, with commas between", "float64": "want a number", "bool": "want true or false",
		"duration": "want a time such as 90s or 2h",
	}
)

// havingFlag returns the commands below root that have a flag of their own of that name, by their
// words after kifu.
func havingFlag(root *cobra.Command, name string) (all []string) {
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() && cmd.LocalNonPersistentFlags().Lookup(name) != nil {
			all = append(all, strings.TrimPrefix(cmd.CommandPath(), "kifu "))
		}
		all = append(all, havingFlag(cmd, name)...)
	}
	return all
}

// flagsLike returns the flags of a command of which a word is spelt like name, in hyphens: of
// --timeout there is --engine-timeout.
func flagsLike(cmd *cobra.Command, name string) (all []string) {
	if len(name) < 4 {
		return nil
	}
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		like := func(word string) bool { return edits.Distance(word, name) < 2 }
		if !f.Hidden && slices.ContainsFunc(strings.Split(f.Name, "-"), like) {
			all = append(all, "--"+f.Name)
		}
	})
	return all
}

// havingLike returns the commands below root that have flags like name, with these flags.
func havingLike(root *cobra.Command, name string) (all []string) {
	for _, cmd := range root.Commands() {
		if like := flagsLike(cmd, name); cmd.IsAvailableCommand() && len(like) > 0 {
			all = append(all, cmd.CommandPath()+" has "+strings.Join(like, ", "))
		}
		all = append(all, havingLike(cmd, name)...)
	}
	return all
}

// flagElsewhere leads from a flag that cmd does not have, nor one spelt so, to others.
func flagElsewhere(cmd *cobra.Command, name string) string {
	if like := flagsLike(cmd, name); len(like) > 0 {
		return ": did you mean " + strings.Join(like, " or ") + "?"
	}
	const named, common = 5, 20 // a flag of more commands than common is no hint
	if others := havingFlag(cmd.Root(), name); len(others) > 0 {
		more := ""
		switch n := len(others); {
		case n > common:
			return ""
		case n > named+1:
			others, more = others[:named], fmt.Sprintf(" and %d more commands", n-named)
		}
		return ": it is a flag of kifu " + strings.Join(others, ", kifu ") + more
	}
	if others := havingLike(cmd.Root(), name); len(others) > 0 {
		return ": " + strings.Join(others, ", ")
	}
	return ""
}

// plainFlagError names the flag that was meant, or the kind of value a flag takes.
func plainFlagError(cmd *cobra.Command, err error) error {
	if m := longWord().FindStringSubmatch(err.Error()); m != nil {
		return plainFlagError(cmd, fmt.Errorf("unknown flag: --%s", m[1]))
	}
	if words := cmd.Flags().Args(); cmd.HasSubCommands() && len(words) > 0 { // the flag is one of the command that was meant
		if err := cmd.Args(cmd, words); err != nil {
			return err
		}
		return cmd.RunE(cmd, words)
	}
	if m := unknownFlag().FindStringSubmatch(err.Error()); m != nil {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		hint := ""
		if near, ok := edits.Nearest(m[1], names); ok {
			hint = ": did you mean --" + near + "?"
		}
		if cmd.Flags().Lookup(m[1]) != nil {
			hint = fmt.Sprintf(": write --%s, with two hyphens", m[1])
		} else if other := otherFlags[m[1]]; cmd.Flags().Lookup(other) != nil {
			hint = fmt.Sprintf(": did you mean --%s?", other)
			if value, _ := pflag.UnquoteUsage(cmd.Flags().Lookup(other)); strings.Contains(value, ":") {
				hint = fmt.Sprintf(": did you mean --%s %s?", other, value)
			}
		}
		hint = cmp.Or(hint, flagElsewhere(cmd, m[1]))
		return command.Misused(errors.New(err.Error() + hint))
	}
	return command.Misused(plainValueError(err))
}

// plainValueError names the kind of value a flag takes, not the function that refused it; other errors are unchanged.
func plainValueError(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) || wants[invalid.GetFlag().Value.Type()] == "" {
		return err
	}
	want := wants[invalid.GetFlag().Value.Type()]
	if errors.Is(err, strconv.ErrRange) {
		want = "the number is out of range"
	}
	return errors.New(strings.TrimSuffix(err.Error(), invalid.Unwrap().Error()) + want)
}

// finite refuses infinite numbers and NaN, which package strconv reads, in all flags.
func finite(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if x, fault := strconv.ParseFloat(f.Value.String(), 64); f.Value.Type() == "float64" && fault == nil && x-x != 0 {
			err = command.Usagef("--%s %s: want a finite number", f.Name, f.Value)
		}
	})
	return err
}

// typedFlags returns the flags of the command line.
func typedFlags(cmd *cobra.Command) (typed []*pflag.Flag) {
	cmd.Flags().Visit(func(f *pflag.Flag) { typed = append(typed, f) })
	return typed
}

// condition is how the text of a flag begins that does nothing without others.
var (
	condition = pattern.Of(`^with (--[a-z-]+(?:(?:, | or )--[a-z-]+)*): `)
	flagName  = pattern.Of(`--([a-z-]+)`)
)

// conditions returns an error for a typed flag whose text names others that it needs, if none of them is given.
func conditions(cmd *cobra.Command, typed []*pflag.Flag) error {
	for _, f := range typed {
		found := condition().FindStringSubmatch(f.Usage)
		if found == nil {
			continue
		}
		needs := flagName().FindAllStringSubmatch(found[1], -1)
		if !slices.ContainsFunc(needs, func(name []string) bool { return cmd.Flags().Changed(name[1]) }) {
			return command.Usagef("--%s is for %s", f.Name, found[1])
		}
	}
	return nil
}

// Package suggest leads from a mistyped word or flag to the one that was meant.
//
// In: the words of a command line, and errors of package pflag. Out: errors with a hint. Its tables have the words and
// flags that users of other programs try.
package suggest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
)

// Words are words that people try, with the commands that do what they mean.
var Words = map[string]string{
	"rate": "report ratings", "rating": "report ratings", "ordo": "report ratings", "bayeselo": "report ratings", "blunders": "report mistakes", "mistakes": "report mistakes", "traps": "report mistakes", "endgames": "report endgame", "endings": "report endgame",
	"eco": "report opening", "winrate": "report curve", "calibrate": "report calibration", "cheat": "performance", "cheating": "performance",
	"tactics": "motifs", "puzzles": "motifs", "puzzle": "motifs", "mates": "motifs", "syzygy": "label --syzygy", "tablebase": "label --syzygy",
	"filter": "find", "merge": "ingest", "list": "datasets list", "ui": "explore",
	"schema": "show", "columns": "show", "head": "show", "cat": "show", "board": "show", "view": "show", "print": "show",
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

// For returns the commands that a word below cmd may have meant, written after its path: one that does
// it, one spelt alike, or one of that name elsewhere.
func For(cmd *cobra.Command, word string) []string {
	if other, known := Words[strings.ToLower(word)]; known && !cmd.HasParent() {
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

// HelpOr is the action of a command that only has commands below it.
func HelpOr(what string) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		hint := ""
		if near := For(cmd, args[0]); len(near) > 0 {
			hint = fmt.Sprintf("; did you mean %s?", strings.Join(near, " or "))
		} else if !cmd.HasParent() {
			hint = "; kifu ingest reads games, and kifu demo shows what can be made of them"
		}
		return command.Usagef("no %s %q%s", what, args[0], hint)
	}
}

// Package cli is the common part of kifu's commands: the sections of their flags, their help, and the
// steps that they run as data.
//
// In: the commands, as cobra has them. Out: texts for people, steps for studies, shards and workers. It
// is independent of what a command does; cmd/kifu has a file for each.
package cli

import (
	"slices"
	"strings"
)

// Section is a heading for a group of a command's flags in its help.
type Section string

// The sections, in the order of the help. MostUsed has the few flags of a command that most
// people need first.
const (
	MostUsed   Section = "Most used"
	Input      Section = "Input"
	Method     Section = "Method"
	Statistics Section = "Statistics"
	Output     Section = "Output"
	Machines   Section = "Machines"
)

var sections = []Section{MostUsed, Input, Method, Statistics, Output, Machines}

// named has the flags of each section. A name means the same in every command, with few exceptions.
var named = map[Section]string{
	Input: `add against aliases annotations any append bands board book choices colour column columns count encoding exclude-termination expected fen first
		font force-game from game games games-target games-where ignore in-place keep-prefix labels like losses-of mark material max-elo max-games
		max-per-game max-ply max-size min-elo min-ply model moves mover openings part-games pattern patterns player players positions
		record reference replies rows sample scale-by second set skip-plies soft sql square stages target test to value verbose wide
		without without-blunders where ids ply when min-clock test-from condition phases programs then same-side`,
	Method: `a-share adjudicate alpha at-limit blend bound bin bins by compare cut deep dedup depth distance draw
		draws end engine engine-timeout epochs epsilon eval evaluator every expectation features free gamma gauntlet generations intercept interval
		l1 l2 lambda learning-curve legal-moves level library match max-decisions max-plies max-tested mate merge method min-confidence min-count min-moves next pawn
		min-games min-played min-prefix min-support most neighbours opening-order opening-plies orders pairs param params population prior prune pv
		quiescence random-plies range ratings resign ridge rollouts round-robin scale search seed select shallow shapes side side-to-move size sizes
		solve squares syzygy tapered target-scale thorough tie tolerance traces trials untapered variant weight within zero
		alternatives anchor average bonus cap columns-only fit game-decisions least model-value`,
	Statistics: `check dependence errors fdr folds holdout ratios sprt sprt-errors sprt-scale`,
	Output: `as date decimals dry-run event explain explore flip format json keep label-prefix legend letters licence list longtable opcodes out palette plain print patch
		site svg template tex-columns times title top undo unique unit weights xlim ylim repo location`,
	Machines: `ca finish idle-exit jobs listen memory on replicas shard shards time token token-file trust`,
}

// exceptions has the flags that mean something else in one command.
var exceptions = map[string]Section{
	"match games": Method, "tune games": Method, "evolve games": Method, "match first": Method, "match second": Method, "match players": Method,
	"match game": Method, "tune game": Method, "evolve game": Method, "tune player": Method, "perft game": Method,
	"report players size": Output, "player size": Output, "report size": Output, "player font": Output, "report font": Output,
	"sort by": Method, "show moves": Input, "features weights": Input, "features format": Input,
	"features column": Input, "features unit": Input, "fit unit": Input, "fit weights": Input, "fit keep": Input, "features keep": Input, "report weights labels": Input,
	"match from": Method, "match openings": Method, "tune openings": Method, "tune params": Input, "find within": Input,
}

// running has the flags for how a command runs and not what it makes; a step has none of them.
var running = []string{"workers", "progress", "quiet", "force", "verify", "config", "on", "token-file", "ca", "replicas", "shard", "finish"}

// first has the flags of commands that most people need first.
var first = map[string]string{
	"ingest":             "out game where append count",
	"transform":          "out dedup sample min-ply without",
	"label":              "out search eval engine zero",
	"choices":            "out alternatives search eval",
	"backward":           "phases depth solve out eval",
	"tables":             "patterns method out target holdout",
	"identify":           "model player library out sizes",
	"chunks":             "model out",
	"fit":                "out method free where holdout",
	"match":              "out player games openings sprt",
	"learn":              "out player max-depth free holdout",
	"tune":               "out player params games openings",
	"conjunctions":       "out method max-size min-support holdout",
	"performance":        "out by model min-moves value",
	"report endgame":     "out value phase min-games plies",
	"report event":       "out when by match next",
	"report split":       "out value columns where top",
	"report curve":       "out value draws by bin",
	"report opening":     "out player colour from min-games",
	"report calibration": "out value by bins where",
	"export":             "out format player where",
	"find":               "fen pattern when then player",
	"clean":              "out dedup names keep undo",
	"explore":            "listen memory",
	"evolve":             "out game generations population eval",
	"patterns":           "out holdout max-size min-played",
	"human":              "out min-elo max-elo test-from holdout",
}

// rare has the flags that --help leaves to --help=all, in the commands that have many.
var rare = map[string]string{
	"fit": `alpha blend bound epochs expected intercept l1 l2 lambda learning-curve losses-of max-per-game neighbours phases ratios scale-by
		side-to-move target-scale tie traces untapered weight without-blunders ca replicas token-file games-where stages keep unit
		wide weights`,
	"match": `adjudicate at-limit ca date draw event engine-timeout finish opening-order orders random-plies record replicas shard site
		sprt-errors sprt-scale token-file`,
	"label": `adjudicate ca engine-timeout finish replicas shard token-file`,
	"learn": `compare epsilon max-decisions tapered thorough`,
}

// SectionOf returns the section of a command's flag; ok is false for a flag in none.
func SectionOf(command, flag string) (s Section, ok bool) {
	if slices.Contains(strings.Fields(first[command]), flag) {
		return MostUsed, true
	}
	s, ok = exceptions[command+" "+flag]
	if ok {
		return s, true
	}
	for s, names := range named {
		if slices.Contains(strings.Fields(names), flag) {
			return s, true
		}
	}
	return Method, false
}

// Rare reports whether --help leaves the flag of a command to --help=all.
func Rare(command, flag string) bool { return slices.Contains(strings.Fields(rare[command]), flag) }

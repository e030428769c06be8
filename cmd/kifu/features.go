package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/datasets/part"
	"kifu/eval"
	"kifu/fit"
	"kifu/fit/computed"
	"kifu/fit/method"
	"kifu/internal/bounded"
	"kifu/label/features"
	"kifu/query"
	"kifu/schemas"
)

// featureFlags describe a CSV or Parquet file of another program.
type featureFlags struct {
	columns         []string
	stages, weights string
	p               features.Params
}

func (f *featureFlags) declare(flags *pflag.FlagSet, of string) {
	flags.StringArrayVar(&f.columns, "column", nil, of+"read the column NAME as WORD, `WORD=NAME`: game, result, value, ply, phase, first_to_move, fen, expected_result")
	flags.StringSliceVar(&f.p.Keep, "keep", nil, of+"keep `COLUMNS` for conditions, not as features")
	flags.StringSliceVar(&f.p.Ignore, "ignore", nil, of+"ignore `COLUMNS`")
	flags.StringVar(&f.stages, "stages", "", of+"weight counts by stage, `NAME=PHASE,…`: opening=24,endgame=0, interpolated by phase")
	flags.StringVar(&f.p.Unit, "unit", "", of+"the `UNIT` of the values (default centipawns)")
	flags.BoolVar(&f.p.Wide, "wide", false, of+"also write counts as columns, for conditions")
	flags.StringVar(&f.weights, "weights", "", of+"read present weights, groups and stages from `FILE`, weights.toml of a fit")
}

// params returns what the flags ask for.
func (f *featureFlags) params(disk *command.Files) (p features.Params, err error) {
	p = f.p
	if p.Columns, err = namedColumns(f.columns); err != nil {
		return p, command.Misused(err)
	}
	if p.Stages, err = features.ParseStages(f.stages); err != nil {
		return p, command.Misused(fmt.Errorf("--stages: %w", err))
	}
	if f.weights != "" {
		if p.Model, err = readWeights(disk, f.weights); err != nil {
			return p, err
		}
	}
	if err := p.Validate(); err != nil {
		return p, command.Misused(err)
	}
	return p, nil
}

// set reports whether a flag was given.
func (f *featureFlags) set() bool {
	return len(f.columns)+len(f.p.Keep)+len(f.p.Ignore) > 0 || f.stages+f.p.Unit+f.weights != "" || f.p.Wide
}

func featuresCommand(mk *command.Maker) *cobra.Command {
	var out string
	var f featureFlags
	cmd := &cobra.Command{
		Use:   "features --out DIR FILE",
		Short: "Read features of another program into labels, for fit",
		Args:  command.Exactly(1, "a CSV or Parquet file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := f.params(mk.Files)
			if err != nil {
				return err
			}
			return makeFeatures(cmd.Context(), mk, out, p, args[0], false)
		},
	}
	command.OutFlag(cmd, &out)
	f.declare(cmd.Flags(), "")
	return cmd
}

// namedColumns reads WORD=NAME arguments.
func namedColumns(args []string) (map[string]string, error) {
	named := map[string]string{}
	for _, arg := range args {
		word, name, _ := strings.Cut(arg, "=")
		if word == "" || name == "" {
			return nil, fmt.Errorf("--column %q: want WORD=NAME, as in game=id", arg)
		}
		if named[word] != "" {
			return nil, fmt.Errorf("--column: %s is given twice", word)
		}
		named[word] = name
	}
	return named, nil
}

func readWeights(disk *command.Files, path string) (*eval.Model, error) {
	text, err := disk.ReadFile(path, bounded.Weights)
	if err != nil {
		return nil, err
	}
	m, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// makeFeatures makes labels of a file; replace also overwrites another file's labels, as reports do.
func makeFeatures(ctx context.Context, mk *command.Maker, out string, p features.Params, path string, replace bool) error {
	if !features.IsTable(path) {
		return command.Usagef("%s: want a file named .csv, .tsv (or these with .gz or .zst) or .parquet", path)
	}
	key, err := command.FileKey(mk.Files, filepath.Base(path), path)
	if err != nil {
		return err
	}
	if features.ByGameID(p, mk.Path(path)) {
		columns := map[string]string{"game": part.GameID}
		maps.Copy(columns, p.Columns)
		p.Columns = columns
		if !mk.Quiet {
			fmt.Fprintf(mk.Stderr, "%s: column %s is taken for the game of each row (--ignore %[2]s leaves it out)\n", path, part.GameID)
		}
	}
	err = mk.BuildOr(ctx, out, datasets.Step{
		Stage: "features", Output: schemas.Labels(schemas.Table{}, nil, nil, "").ID(), Params: p, InputKeys: []manifest.Input{key},
		Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			return features.Run(ctx, p, mk.Path(path), b)
		},
	}, datasets.Options{Force: mk.Force, Replace: replace}, "labels")
	if err != nil || mk.Plan != nil {
		return err
	}
	made, err := mk.OpenAny(out)
	if err != nil {
		return err
	}
	if made.Manifest.Meta[schemas.NoGames] != "" && !mk.Quiet {
		fmt.Fprintf(mk.Stderr, "%s: no column game (--column game=NAME names one): each row counts as a game, so errors are too small where several rows come from one game\n", path)
	}
	return nil
}

// labelsOf makes labels in dir if path is a file instead of a dataset, and returns the path of the labels.
func (f *featureFlags) labelsOf(ctx context.Context, mk *command.Maker, path, dir string) (string, error) {
	if !isFeatures(mk.Files, path) {
		if f.set() {
			return "", command.Usagef("--column, --keep, --ignore, --stages, --unit, --wide and --weights are for a CSV or Parquet file instead of labels")
		}
		return path, nil
	}
	p, err := f.params(mk.Files)
	if err != nil {
		return "", err
	}
	return dir, makeFeatures(ctx, mk, dir, p, path, false)
}

// isFeatures reports whether path is a file of features, and no dataset.
func isFeatures(disk *command.Files, path string) bool {
	if !features.IsTable(path) {
		return false
	}
	info, err := os.Stat(disk.Path(path))
	return err != nil || !info.IsDir()
}

// foreignFeatures completes p for labels that stage features made. Features that are no counts are columns
// of the labels, which --free names like terms; when nothing is named all are free. Without values any
// scale would do: it is the labels'.
func foreignFeatures(p *fit.Params, own *method.Choices, labels *datasets.Dir) error {
	if labels.Manifest.Stage != "features" {
		return nil
	}
	scale := labels.Manifest.Meta["scale"]
	free := p.Free
	if len(free)+len(p.Add) == 0 {
		free = []string{"all"}
	}
	wanted, terms := map[string]bool{}, []string{}
	reals := strings.FieldsFunc(labels.Manifest.Meta["reals"], func(r rune) bool { return r == '\n' })
	for _, name := range free {
		real := false
		for _, r := range reals {
			if name == r || name == "all" {
				wanted[r], real = true, real || name == r
			}
		}
		if !real {
			terms = append(terms, name)
		}
	}
	for _, r := range reals {
		if wanted[r] {
			p.Add = append(p.Add, computed.Feature{Name: r, SQL: query.QuoteName(r)})
		}
	}
	p.Free = terms
	if scale == "" || own.Scale != 0 {
		return nil
	}
	var err error
	own.Scale, err = strconv.ParseFloat(scale, 64)
	return err
}

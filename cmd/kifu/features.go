package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/eval"
	"kifu/fit"
	"kifu/internal/bounded"
	"kifu/label/features"
	"kifu/query"
	"kifu/schemas"
)

func featuresCommand(mk *maker) *cobra.Command {
	var out, stages, weights string
	var columns []string
	var p features.Params
	cmd := &cobra.Command{
		Use:   "features --out DIR FILE",
		Short: "Read features of another program into labels, for fit",
		Args:  exactly(1, "a CSV or Parquet file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if p.Columns, err = namedColumns(columns); err != nil {
				return usageError{err}
			}
			if p.Stages, err = features.ParseStages(stages); err != nil {
				return usageError{fmt.Errorf("--stages: %w", err)}
			}
			if weights != "" {
				if p.Model, err = readWeights(mk.files, weights); err != nil {
					return err
				}
			}
			if err := p.Validate(); err != nil {
				return usageError{err}
			}
			return makeFeatures(cmd.Context(), mk, out, p, args[0], false)
		},
	}
	outFlag(cmd, &out)
	flags := cmd.Flags()
	flags.StringArrayVar(&columns, "column", nil, "take another column for `WORD=NAME`: game, result, value, ply, phase, first_to_move, fen or expected_result")
	flags.StringSliceVar(&p.Keep, "keep", nil, "keep the `COLUMNS` for conditions (fit --where, report --when), not as features")
	flags.StringSliceVar(&p.Ignore, "ignore", nil, "leave the `COLUMNS` out")
	flags.StringVar(&stages, "stages", "", "give each count a weight per stage: `NAME=PHASE,…`, as in opening=24,endgame=0, with the column phase between")
	flags.StringVar(&p.Unit, "unit", "", "the `UNIT` of the values (default centipawns)")
	flags.BoolVar(&p.Wide, "wide", false, "counts are also columns, for conditions (fit --where, report split)")
	flags.StringVar(&weights, "weights", "", "the present weights, groups and stages of the counts are in `FILE` (as weights.toml of fit); without a column value they make the values")
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
			return nil, fmt.Errorf("--column: %s is named twice", word)
		}
		named[word] = name
	}
	return named, nil
}

func readWeights(disk *files, path string) (*eval.Model, error) {
	text, err := disk.readFile(path, bounded.Weights)
	if err != nil {
		return nil, err
	}
	m, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// makeFeatures makes labels of a file; replace those of another, too, as a report's are.
func makeFeatures(ctx context.Context, mk *maker, out string, p features.Params, path string, replace bool) error {
	if !features.IsTable(path) {
		return usagef("%s: want a file named .csv, .tsv (or these with .gz or .zst) or .parquet", path)
	}
	key, err := features.InputKey(ctx, mk.path(path))
	if err != nil {
		return err
	}
	return mk.buildOr(ctx, out, datasets.Step{
		Stage: "features", Output: schemas.Labels(schemas.Table{}, nil, nil, "").ID(), Params: p, InputKeys: []datasets.Input{key},
		Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			return features.Run(ctx, p, mk.path(path), b)
		},
	}, datasets.Options{Force: mk.force, Replace: replace}, "labels")
}

// labelsOf makes labels of the file that stands in the place of a dataset in j, in dir.
func (j *fitJob) labelsOf(ctx context.Context, mk *maker, dir string) error {
	if !features.IsTable(j.labels) {
		return nil
	}
	if info, err := os.Stat(mk.path(j.labels)); err == nil && info.IsDir() {
		return nil
	}
	path := j.labels
	j.labels = dir
	return makeFeatures(ctx, mk, dir, features.Params{}, path, false)
}

// foreignFeatures completes p for labels that stage features made. Features that are no
// counts are columns of the labels, which --free names like terms; when nothing is named
// all is free. Without values any scale would do: it is that of the labels.
func foreignFeatures(p *fit.Params, labels *datasets.Dir) error {
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
			p.Add = append(p.Add, fit.Feature{Name: r, SQL: query.QuoteName(r)})
		}
	}
	p.Free = terms
	if scale == "" || p.Scale != 0 {
		return nil
	}
	var err error
	p.Scale, err = strconv.ParseFloat(scale, 64)
	return err
}

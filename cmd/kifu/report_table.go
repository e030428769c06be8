package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/label/features"
)

// tableFlags describe a CSV or Parquet file instead of labels.
type tableFlags struct {
	columns, ignore []string
	unit            string
}

func (f *tableFlags) declare(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.columns, "column", nil, "with a CSV or Parquet file: read its column NAME as WORD, `WORD=NAME` (kifu features)")
	flags.StringSliceVar(&f.ignore, "ignore", nil, "for a CSV or Parquet file: ignore `COLUMNS`")
	flags.StringVar(&f.unit, "unit", "", "for a CSV or Parquet file: `UNIT` of the values (required)")
}

// tables makes labels, next to out, of those of args that are files of another program's features, and
// returns args with the labels in their places.
func (f tableFlags) tables(ctx context.Context, mk *command.Maker, out string, args []string) ([]string, error) {
	var files []int
	for i, arg := range args {
		if isFeatures(mk.Files, arg) {
			files = append(files, i)
		}
	}
	if len(files) == 0 {
		if f.unit != "" || len(f.columns)+len(f.ignore) > 0 {
			return nil, command.Usagef("--unit, --column and --ignore are for a CSV or Parquet file instead of labels")
		}
		return args, nil
	}
	columns, err := namedColumns(f.columns)
	if err != nil {
		return nil, command.Misused(err)
	}
	p := features.Params{Columns: columns, Ignore: f.ignore, Unit: f.unit, Wide: true, Valued: true}
	if err := p.Validate(); err != nil {
		return nil, command.Misused(err)
	}
	if f.unit == "" {
		return nil, command.Usagef("%s has values of unknown unit: give --unit centipawns, or pawns, discs, points, percent, …", args[files[0]])
	}
	args = append([]string(nil), args...)
	for _, i := range files {
		dir := command.Below(out, "") + "-labels"
		if len(files) > 1 {
			dir += fmt.Sprintf("-%d", i+1)
		}
		if err := makeFeatures(ctx, mk, dir, p, args[i], true); err != nil {
			return nil, err
		}
		args[i] = dir
	}
	return args, nil
}

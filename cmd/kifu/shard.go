package main

import (
	"context"

	"github.com/spf13/pflag"

	"kifu/datasets"
)

// shardFlags are the flags of the commands that make their parts one by one, which can be
// made on many machines.
type shardFlags struct {
	shard  string
	finish bool
}

func (f *shardFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.shard, "shard", "", "make every Nth part from part I on, `I/N`, beside others who make the rest, here or on other machines")
	flags.BoolVar(&f.finish, "finish", false, "make no part: put those of all shards together, or say which are missing")
}

// build runs a step, of which the flags may ask for a share.
func (f *shardFlags) build(ctx context.Context, a *app, out string, s datasets.Step, unit string) error {
	o := datasets.Options{Force: a.force, Finish: f.finish}
	if f.shard != "" {
		var err error
		if o.Shard, err = datasets.ParseShard(f.shard); err != nil {
			return usagef("--%v", err)
		}
	}
	if asked := f.shard != ""; (asked || f.finish) && a.force || asked && f.finish {
		return usagef("--shard, --finish and --force exclude one another")
	}
	return a.buildOr(ctx, out, s, o, unit)
}

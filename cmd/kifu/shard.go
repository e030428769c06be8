package main

import (
	"context"

	"github.com/spf13/pflag"

	"kifu/datasets"
)

// shardFlags are the flags of the commands that make their parts one by one, which can be
// made on many machines.
type shardFlags struct {
	shard   string
	finish  bool
	cluster queueFlags
}

func (f *shardFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.shard, "shard", "", "make share `I/N` of the parts: every Nth from part I")
	flags.BoolVar(&f.finish, "finish", false, "assemble the parts of all shards, or list missing parts")
	f.cluster.add(flags)
}

// build runs a step, of which the flags may ask for a share.
func (f *shardFlags) build(ctx context.Context, e *env, out string, s datasets.Step, unit string) error {
	o := datasets.Options{Force: e.force, Finish: f.finish}
	if f.shard != "" {
		var err error
		if o.Shard, err = datasets.ParseShard(f.shard); err != nil {
			return usagef("--%v", err)
		}
	}
	if asked := f.shard != ""; (asked || f.finish) && e.force || asked && f.finish {
		return usagef("--shard, --finish and --force exclude one another")
	}
	if e.session != nil {
		o.Lease = e.session
		return e.buildOr(ctx, out, s, o, unit)
	}
	if f.cluster.url != "" && (f.shard != "" || f.finish) {
		return usagef("--on excludes --shard and --finish")
	}
	leave, err := f.cluster.join(ctx, e)
	if err != nil {
		return err
	}
	defer leave()
	if e.cluster != nil && e.plan == nil && f.shard == "" && !f.finish && !whole(e.work) {
		return spread(ctx, e, out, s, unit)
	}
	return e.buildOr(ctx, out, s, o, unit)
}

package main

import (
	"context"

	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
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
func (f *shardFlags) build(ctx context.Context, e *command.Env, out string, s datasets.Step, unit string) error {
	o := datasets.Options{Force: e.Force, Finish: f.finish}
	if f.shard != "" {
		var err error
		if o.Shard, err = datasets.ParseShard(f.shard); err != nil {
			return command.Usagef("--%v", err)
		}
	}
	if asked := f.shard != ""; (asked || f.finish) && e.Force || asked && f.finish {
		return command.Usagef("--shard, --finish and --force exclude one another")
	}
	if (f.shard != "" || f.finish) && whole(e.Work) {
		return command.Usagef("--shard and --finish exclude --dedup, --sprt and players that relearn: their parts depend on each other")
	}
	if e.Session != nil {
		o.Lease = e.Session
		return e.BuildOr(ctx, out, s, o, unit)
	}
	if f.cluster.url != "" && (f.shard != "" || f.finish) {
		return command.Usagef("--on excludes --shard and --finish")
	}
	leave, err := f.cluster.join(ctx, e)
	if err != nil {
		return err
	}
	defer leave()
	if e.Cluster != nil && e.Plan == nil && f.shard == "" && !f.finish && !whole(e.Work) {
		return spread(ctx, e, out, s, unit)
	}
	return e.BuildOr(ctx, out, s, o, unit)
}

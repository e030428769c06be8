package machines

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/internal/step"
)

// Shards has the flags of the commands that make their parts one by one, which can be
// made on many
type Shards struct {
	Shard  string
	Finish bool
	Queue  Queue
}

// Declare adds the flags.
func (f *Shards) Declare(flags *pflag.FlagSet) {
	flags.StringVar(&f.Shard, "shard", "", "make share `I/N` of the parts: every Nth from part I")
	flags.BoolVar(&f.Finish, "finish", false, "assemble the parts of all shards, or list missing parts")
	f.Queue.Declare(flags)
}

// Build runs a step, of which the flags may ask for a share.
func (f *Shards) Build(ctx context.Context, e *command.Env, out string, s datasets.Step, unit string) error {
	o := datasets.Options{Force: e.Force, Finish: f.Finish}
	if f.Shard != "" {
		var err error
		if o.Shard, err = datasets.ParseShard(f.Shard); err != nil {
			return command.Usagef("--%v", err)
		}
	}
	if asked := f.Shard != ""; (asked || f.Finish) && e.Force || asked && f.Finish {
		return command.Usagef("--shard, --finish and --force exclude one another")
	}
	if (f.Shard != "" || f.Finish) && Whole(e.Work) {
		return command.Usagef("--shard and --finish exclude --dedup, --sprt and players that relearn: their parts depend on each other")
	}
	if e.Session != nil {
		o.Lease = e.Session
		return e.BuildOr(ctx, out, s, o, unit)
	}
	if f.Queue.URL != "" && (f.Shard != "" || f.Finish) {
		return command.Usagef("--on excludes --shard and --finish")
	}
	leave, err := f.Queue.Join(ctx, e)
	if err != nil {
		return err
	}
	defer leave()
	if e.Cluster != nil && e.Plan == nil && f.Shard == "" && !f.Finish && !Whole(e.Work) {
		return spread(ctx, e, out, s, unit)
	}
	return e.BuildOr(ctx, out, s, o, unit)
}

// Whole reports whether the parts of a step depend on one another.
func Whole(s step.Step) bool {
	return s.Has("dedup") || s.Has("sprt") || slices.ContainsFunc(s.Parameters, func(p step.Parameter) bool {
		return slices.ContainsFunc(p.Values, func(v string) bool { return strings.Contains(v, "relearn=") })
	})
}

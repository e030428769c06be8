package machines

import (
	"context"
	"fmt"
	"io"
	"os"

	"kifu/cmd/kifu/command"
	"kifu/internal/hands"
	"kifu/internal/progress"
	"kifu/study/cluster"
)

// Worker does what coordinators hand out; programs: outside programs, too.
func Worker(e *command.Env, programs bool) *cluster.Worker {
	all, together := e.Stages(), &common{all: map[string]*holding{}}
	return &cluster.Worker{
		Slots: e.Workers,
		Log: func(format string, args ...any) {
			fmt.Fprintf(e.Stderr, "kifu: "+format+"\n", args...)
		},
		Do: func(ctx context.Context, s cluster.Step, session *cluster.Session) error {
			if !all.Distributes(s.Work.Stage) {
				return fmt.Errorf("%q cannot run on a cluster", s.Work.Stage)
			}
			if _, err := os.Stat(s.Base); err != nil {
				return fmt.Errorf("the directory of the work is not on this machine: %w", err)
			}
			run := func(desk hands.Desk) error {
				sub := e.Sub(nil, io.Discard, nil)
				sub.Dir, sub.Session, sub.Desk, sub.Work = s.Base, session, desk, s.Work
				if !programs {
					sub.Barred = "kifu worker --programs starts it"
				}
				return sub.Inside(progress.Within(progress.With(ctx, progress.Notes, e.Stderr), "kifu", true), s.Work.With("workers", "1"))
			}
			if s.Seats && s.Work.Stage == "fit" {
				return together.share(ctx, s, session, run)
			}
			return run(session)
		},
	}
}

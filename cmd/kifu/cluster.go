package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/machines"
	"kifu/cmd/kifu/suggest"
	"kifu/internal/human"
	"kifu/study/cluster"
)

func workerCommand(e *command.Env) *cobra.Command {
	var f machines.Server
	var idle time.Duration
	var programs bool
	cmd := &cobra.Command{
		Use:   "worker --on URL",
		Short: "Do the work that kifu run --on distributes",
		Args:  command.Exactly(0, "no argument: the work comes from the cluster"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			e.Silent() // it waits, and its steps show nothing
			c, err := f.Dial(cmd.Context(), e.Console, cmp.Or(idle, math.MaxInt64))
			if err != nil {
				return err
			}
			defer c.Close()
			w := machines.Worker(e, programs)
			w.Idle = idle
			fmt.Fprintf(e.Stderr, "kifu: %s at a time, from %s\n", human.Plural(int64(w.Slots), "task", "tasks"), f.URL)
			began := time.Now()
			err = w.Run(cmd.Context(), c)
			made, failed := w.Totals()
			fmt.Fprintf(e.Stderr, "kifu: %s done, %d failed, in %v\n", human.Plural(int64(made), "task", "tasks"), failed, time.Since(began).Round(time.Second))
			return err
		},
	}
	f.Declare(cmd.Flags(), "take work from the server at `URL`, nats://HOST or tls://HOST (required)")
	cmd.Flags().DurationVar(&idle, "idle-exit", 0, "exit after `TIME` without work, such as 10m (default: never)")
	cmd.Flags().BoolVar(&programs, "programs", false, "allow steps to start outside programs (engines)")
	return cmd
}

func clusterCommand(mk *command.Maker) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cluster status|failed|retry|drain",
		Short: "Show the progress of a cluster, retry failed parts, or stop the work",
		Args:  cobra.ArbitraryArgs,
		RunE:  suggest.HelpOr("word"),
	}
	for _, sub := range []struct {
		name, short string
		do          func(context.Context, *command.Console, *cluster.Cluster) error
	}{
		{"status", "Print the progress of each step, and the workers", clusterStatus},
		{"failed", "Print the parts that failed, with their errors", clusterFailed},
		{"retry", "Retry the parts that failed", func(_ context.Context, _ *command.Console, c *cluster.Cluster) error { return c.Retry() }},
		{"drain", "Stop distributing work: workers finish their current parts", func(_ context.Context, _ *command.Console, c *cluster.Cluster) error { return c.Drain() }},
	} {
		var f machines.Server
		one := &cobra.Command{Use: sub.name + " --on URL", Short: sub.short, Args: command.Exactly(0, "no argument"), RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := f.Dial(cmd.Context(), mk.Console, 0)
			if err != nil {
				return err
			}
			defer c.Close()
			return sub.do(cmd.Context(), mk.Console, c)
		}}
		f.Declare(one.Flags(), "use the server at `URL`, nats://HOST or tls://HOST (required)")
		cmd.AddCommand(one)
	}
	return cmd
}

func clusterStatus(ctx context.Context, con *command.Console, c *cluster.Cluster) error {
	s, err := c.Status(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(con.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "step\tqueued\tin work\tdone\tfailed\toldest in work\tcoordinator")
	for _, s := range s.Steps {
		oldest := "–"
		if !s.Oldest.IsZero() {
			oldest = time.Since(s.Oldest).Round(time.Second).String()
		}
		head := human.Printable(s.Host)
		switch {
		case s.Ended():
			head = "ended"
		case s.Headless:
			head = "none, last news " + time.Since(s.News).Round(time.Second).String() + " ago"
		}
		queued := strconv.Itoa(s.Queued - s.InWork)
		if s.Seats {
			queued = "–" // they need no workers
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\t%s\n", human.Printable(s.Name), queued, s.InWork, s.Done, s.Failed, oldest, head)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(con.Stdout, "\n%s\n", human.Plural(int64(len(s.Workers)), "worker", "workers"))
	for _, w := range s.Workers {
		fmt.Fprintf(con.Stdout, "  %s: %d of %d slots busy, build %s\n", human.Printable(w.Host), len(w.Leases), w.Slots, human.Printable(w.Program))
	}
	return nil
}

func clusterFailed(ctx context.Context, con *command.Console, c *cluster.Cluster) error {
	s, err := c.Status(ctx)
	if err != nil {
		return err
	}
	printFailures(con.Stdout, s)
	return nil
}

func printFailures(to io.Writer, s cluster.Status) {
	n := 0
	for _, s := range s.Steps {
		for _, r := range s.Failures {
			fmt.Fprintf(to, "%s: %s\n", human.Printable(s.Name), machines.Failure(r))
		}
		if more := s.Failed - len(s.Failures); more > 0 {
			fmt.Fprintf(to, "%s: … and %d more\n", human.Printable(s.Name), more)
		}
		n += s.Failed
	}
	if n == 0 {
		fmt.Fprintln(to, "nothing failed")
	}
}

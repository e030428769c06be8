package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/suggest"
	"kifu/datasets"
	"kifu/internal/hands"
	"kifu/internal/human"
	"kifu/internal/progress"
	"kifu/study/cluster"
)

// join gives the app the cluster that the flags name, if they name one; leave ends it.
func (f queueFlags) join(ctx context.Context, e *command.Env) (leave func(), err error) {
	if f.url == "" {
		return func() {}, nil
	}
	if f.replicas != 1 && f.replicas != 3 {
		return nil, command.Usagef("--replicas %d: want 1 or 3", f.replicas)
	}
	if e.Force {
		return nil, command.Usagef("--on makes missing parts only: remove the dataset instead of using --force")
	}
	o, err := f.options()
	if err != nil {
		return nil, err
	}
	o.Replicas = f.replicas
	address, here := strings.CutPrefix(f.url, "here")
	if !here {
		if err := f.checkURL(); err != nil {
			return nil, err
		}
		c, err := cluster.Dial(f.url, o)
		if err != nil {
			return nil, err
		}
		e.Cluster = c
		return c.Close, nil
	}
	return host(ctx, e, strings.TrimPrefix(address, ":"), o)
}

// host starts a server in this process, and work on this machine.
func host(ctx context.Context, e *command.Env, address string, o cluster.Options) (leave func(), err error) {
	address = cmp.Or(address, "127.0.0.1:4222")
	name, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, command.Usagef("--on here:%s: want here:HOST:PORT", address)
	}
	ip := net.ParseIP(name)
	if o.TokenFile == "" && name != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, command.Usagef("--on here:%s is open to other machines: add --token-file FILE (created if missing)", address)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "kifu", "cluster-"+port)
	o.TokenFile = cmp.Or(o.TokenFile, filepath.Join(dir, "token"))
	token, err := readToken(o.TokenFile)
	if err != nil {
		return nil, err
	}
	c, url, stop, err := cluster.Here(address, filepath.Join(dir, "queue"), token, o)
	if err != nil {
		return nil, err
	}
	if ip.IsUnspecified() { // no other machine can connect to that address
		if machine, err := os.Hostname(); err == nil {
			_, own, _ := net.SplitHostPort(strings.TrimPrefix(url, "tls://"))
			url = "tls://" + net.JoinHostPort(machine, own)
		}
	}
	known := ""
	if c.Fingerprint != "" {
		known = " --ca " + c.Fingerprint
	}
	fmt.Fprintf(e.Stderr, "kifu: workers join by: kifu worker --on %s --token-file %s%s\n", url, o.TokenFile, known)
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := worker(e, e.Barred == "").Run(ctx, c); err != nil {
			fmt.Fprintf(e.Stderr, "kifu: the worker here: %v\n", err)
		}
	}()
	e.Cluster = c
	return func() {
		cancel()
		<-ended
		c.Close()
		stop()
	}, nil
}

// worker does what coordinators hand out; programs: outside programs, too.
func worker(e *command.Env, programs bool) *cluster.Worker {
	study, all, together := &studyWorker{env: e}, e.Stages(), &common{all: map[string]*holding{}}
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
				return study.step(progress.Within(progress.With(ctx, progress.Notes, e.Stderr), "kifu", true), s.Work.With("workers", "1"), sub)
			}
			if s.Seats && s.Work.Stage == "fit" {
				return together.share(ctx, s, session, run)
			}
			return run(session)
		},
	}
}

// rounds is how often a dataset is put together in vain until it is given up.
const rounds = 5

// spread has the parts of a dataset made by the workers of the cluster, and puts them together.
func spread(ctx context.Context, e *command.Env, out string, s datasets.Step, unit string) error {
	s.Inputs = e.Paths(s.Inputs)
	watch := command.StartWatch()
	for round := 1; ; round++ {
		m, fresh, err := datasets.Build(progress.With(ctx, progress.None, io.Discard), e.Path(out), s, datasets.Options{Finish: true, Concurrent: true})
		var missing *datasets.Missing
		if !errors.As(err, &missing) || round > rounds {
			if err == nil {
				e.Announce(out, command.Summary(m, fresh, unit, watch))
			}
			return command.SayNothing(err, out, unit)
		}
		if err := makeParts(ctx, e, out, s.Stage, missing); err != nil {
			return err
		}
	}
}

// makeParts has the parts made that are missing.
func makeParts(ctx context.Context, e *command.Env, out, stage string, missing *datasets.Missing) error {
	step, err := workOf(e, missing.Key, stage+" "+out)
	if err != nil {
		return err
	}
	step.Done = missing.Done
	bar := progress.Start(ctx, stage, int64(missing.Done+len(missing.Parts)), "parts")
	defer bar.Done()
	bar.Skip(int64(missing.Done))
	asking, answered := context.WithCancel(ctx)
	go noteWork(asking, e.Cluster, step.Key, bar)
	defer answered()
	err = e.Cluster.Do(ctx, step, cluster.Work{
		Tasks: missing.Parts,
		Look: func() (func(int) bool, error) {
			made, whole, err := datasets.Made(ctx, missing.Dir, missing.Key)
			return func(i int) bool { return whole || made[i] }, err
		},
		Done: func(int) error { bar.Add(1); return nil },
		Failing: func(r cluster.Report) {
			progress.Note(ctx, stage+": "+failure(r)+"; 'kifu cluster failed' prints all failures")
		},
	})
	if failed, ok := errors.AsType[*cluster.Failed](err); ok {
		return partsFailed(failed)
	}
	return err
}

// askPause is the time between two questions to the workers what they have in work.
const askPause = 3 * time.Second

// noteWork shows what the workers have in work, of parts that may take long, until ctx ends.
func noteWork(ctx context.Context, c *cluster.Cluster, key string, bar *progress.Bar) {
	for progress.Shown(ctx) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(askPause):
		}
		note := "no connection to the server"
		if c.Connected() {
			tasks, workers, oldest := c.InWork(ctx, key)
			note = inWork(tasks, workers, time.Since(oldest))
		}
		if ctx.Err() == nil {
			bar.Note(note)
		}
	}
}

func inWork(parts, workers int, oldest time.Duration) string {
	if parts == 0 {
		return "no worker of this build has a part"
	}
	return fmt.Sprintf("%s in progress on %s, the oldest for %v", human.Plural(int64(parts), "part", "parts"), human.Plural(int64(workers), "worker", "workers"), oldest.Round(time.Second))
}

// partsFailed is the error of parts that cannot be made, with the first ten.
func partsFailed(f *cluster.Failed) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s failed; the others are done", f.Step, human.Plural(int64(len(f.Failures)), "part", "parts"))
	for _, r := range f.Failures[:min(10, len(f.Failures))] {
		fmt.Fprintf(&b, "\n  %s", failure(r))
	}
	if more := len(f.Failures) - 10; more > 0 {
		fmt.Fprintf(&b, "\n  … and %d more (kifu cluster failed)", more)
	}
	b.WriteString("\nFix the cause, and run the same command again.")
	return errors.New(b.String())
}

// failure names a part that could not be made, and why.
func failure(r cluster.Report) string {
	return fmt.Sprintf("part %d, %s, last on %s: %s", r.Task+1, human.Plural(int64(r.Times), "time", "times"), human.Printable(r.Host), human.Printable(r.Error))
}

func workerCommand(e *command.Env) *cobra.Command {
	var f joinFlags
	var idle time.Duration
	var programs bool
	cmd := &cobra.Command{
		Use:   "worker --on URL",
		Short: "Do the work that kifu run --on distributes",
		Args:  command.Exactly(0, "no argument: the work comes from the cluster"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			e.Silent() // it waits, and its steps show nothing
			c, err := f.dial(cmd.Context(), e.Console, cmp.Or(idle, math.MaxInt64))
			if err != nil {
				return err
			}
			defer c.Close()
			w := worker(e, programs)
			w.Idle = idle
			fmt.Fprintf(e.Stderr, "kifu: %s at a time, from %s\n", human.Plural(int64(w.Slots), "task", "tasks"), f.url)
			began := time.Now()
			err = w.Run(cmd.Context(), c)
			made, failed := w.Totals()
			fmt.Fprintf(e.Stderr, "kifu: %s done, %d failed, in %v\n", human.Plural(int64(made), "task", "tasks"), failed, time.Since(began).Round(time.Second))
			return err
		},
	}
	f.add(cmd.Flags(), "take work from the server at `URL`, nats://HOST or tls://HOST (required)")
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
		var f joinFlags
		one := &cobra.Command{Use: sub.name + " --on URL", Short: sub.short, Args: command.Exactly(0, "no argument"), RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := f.dial(cmd.Context(), mk.Console, 0)
			if err != nil {
				return err
			}
			defer c.Close()
			return sub.do(cmd.Context(), mk.Console, c)
		}}
		f.add(one.Flags(), "use the server at `URL`, nats://HOST or tls://HOST (required)")
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
			fmt.Fprintf(to, "%s: %s\n", human.Printable(s.Name), failure(r))
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

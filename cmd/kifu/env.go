package main

import (
	"context"
	"fmt"
	"io"

	"kifu/datasets"
	"kifu/internal/hands"
	"kifu/internal/step"
	"kifu/study"
	"kifu/study/cluster"
)

// env is the environment of one run of the program. A command takes the part that it needs.
type env struct {
	*maker
	work     step.Step        // of the command
	cluster  *cluster.Cluster // not nil: others do what can be divided
	session  *cluster.Session // not nil: this is a worker, which does the tasks that it is given
	desk     hands.Desk       // of a worker: where questions come in
	progress string
	verify   bool
	config   string
	within   bool   // progress is shown by the context
	silent   func() // ends the watch over silence
}

// newEnv returns the environment of a run with these streams.
func newEnv(stdin io.Reader, stdout, stderr io.Writer) *env {
	return &env{maker: &maker{files: new(files), console: &console{stdin: stdin, stdout: stdout, stderr: stderr}}}
}

// files leads from the names on a command line to files, and decides which may be written.
type files struct {
	ctx    context.Context // of the run: opening a dataset may have to wait for a server
	dir    string          // relative paths count from it; empty: from the working directory
	ground *study.Ground   // not nil: where a step of a study may write files
	nested bool            // a step of a study, which no file of defaults changes
	barred string          // why no outside program is started; empty: any may be
	force  bool
}

// console has the streams of a run.
type console struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	quiet          bool
	answer         *study.Answer // not nil: a study's, to which the command hands its data
	answerOf       string        // dataset of the study's run, which need not be named again
}

// maker makes datasets.
type maker struct {
	*files
	*console
	workers int
	plan    *plan // not nil: report what would be built, and build nothing
}

// plan describes what a command that builds a dataset would do.
type plan struct {
	current bool
	why     string
}

// unmade reports whether a plan has to make a dataset before it can go on.
func (mk *maker) unmade() bool { return mk.plan != nil && mk.plan.why != "" && !mk.plan.current }

// build runs a step and prints its summary line.
func (mk *maker) build(ctx context.Context, out string, s datasets.Step, unit string) error {
	return mk.buildOr(ctx, out, s, datasets.Options{Force: mk.force}, unit)
}

// buildOr is build with other options.
func (mk *maker) buildOr(ctx context.Context, out string, s datasets.Step, o datasets.Options, unit string) error {
	s.Inputs = mk.paths(s.Inputs)
	o.Replace = o.Replace || mk.ground != nil // what a study has made, or may write over
	if mk.ground != nil && !datasets.Remote(out) {
		if err := mk.ground.Within(mk.path(out)); err != nil {
			return err
		}
	}
	if mk.plan != nil {
		var err error
		mk.plan.current, mk.plan.why, err = datasets.Plan(ctx, mk.path(out), s)
		return err
	}
	o.Warn = func(text string) {
		if !mk.quiet {
			fmt.Fprintf(mk.stderr, "%s: %s\n", out, text)
		}
	}
	watch := startWatch()
	m, fresh, err := datasets.Build(ctx, mk.path(out), s, o)
	if err != nil {
		return sayNothing(err, out, unit)
	}
	text := summary(m, fresh, unit, watch)
	if o.Shard.Count > 0 {
		if text += "; shard " + o.Shard.String(); !fresh {
			text = "shard " + o.Shard.String() + ": all its parts are there; nothing done"
		}
	}
	mk.announce(out, text)
	return nil
}

// announce prints a line about an output, and hands it to the study.
func (con *console) announce(out, text string) {
	line := out + ": " + text
	if !con.quiet {
		fmt.Fprintln(con.stdout, line)
	}
	if con.answer == nil {
		return
	}
	con.answer.Said = line
	if out == con.answerOf {
		con.answer.Said = text
	}
}

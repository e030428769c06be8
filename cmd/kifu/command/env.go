// Package command is what the commands of kifu share. It has the streams and settings of a run, the files and
// datasets that a command line names, and the flags of several commands. It makes a dataset and prints what was made,
// and it executes a line or a step.
//
// In: words of a command line, by cobra. Out: open datasets, built ones, lines for people, exit codes. It has
// no command: package main has a file for each.
package command

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/cli"
	"kifu/datasets"
	"kifu/datasets/remote"
	"kifu/internal/hands"
	"kifu/internal/step"
	"kifu/study"
	"kifu/study/cluster"
)

// Env is the environment of one run of the program. A command takes the part that it needs.
type Env struct {
	*Maker
	Work     step.Step        // of the command
	Cluster  *cluster.Cluster // not nil: others do what can be divided
	Session  *cluster.Session // not nil: this is a worker, which does the tasks that it is given
	Desk     hands.Desk       // of a worker: where questions come in
	Progress string
	Verify   bool
	Config   string
	Within   bool   // progress is shown by the context
	Silent   func() // ends the watch over silence
}

// New returns the environment of a run with these streams, of the commands below a root, which tree makes.
func New(stdin io.Reader, stdout, stderr io.Writer, tree func(*Env) *cobra.Command) *Env {
	return &Env{Maker: &Maker{Files: new(Files), Console: &Console{Stdin: stdin, Stdout: stdout, Stderr: stderr}, tree: tree}}
}

// Sub returns the environment of another command in this run, with streams of its own.
func (mk *Maker) Sub(stdin io.Reader, stdout, stderr io.Writer) *Env {
	return New(stdin, stdout, stderr, mk.tree)
}

// Again returns the environment of another command in this run; its paths count from dir.
func (mk *Maker) Again(dir string) *Env {
	e := mk.Sub(mk.Stdin, mk.Stdout, mk.Stderr)
	e.Dir, e.Nested = dir, true
	return e
}

// Stages returns what the commands can do in steps.
func (mk *Maker) Stages() cli.Stages { return cli.StagesOf(mk.tree(mk.Sub(nil, nil, nil))) }

// Files leads from the names on a command line to files, and decides which may be written.
type Files struct {
	Ctx    context.Context // of the run: opening a dataset may have to wait for a server
	Dir    string          // relative paths count from it; empty: from the working directory
	Ground *study.Ground   // not nil: where a step of a study may write files
	Nested bool            // a step of a study, which no file of defaults changes
	Barred string          // why no outside program is started; empty: any may be
	Force  bool
}

// Console has the streams of a run.
type Console struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Quiet          bool
	Answer         *study.Answer // not nil: a study's, to which the command hands its data
	AnswerOf       string        // dataset of the study's run, which need not be named again
}

// Maker makes datasets.
type Maker struct {
	*Files
	*Console
	Workers int
	Plan    *Plan                     // not nil: report what would be built, and build nothing
	tree    func(*Env) *cobra.Command // makes the command kifu
}

// Plan describes what a command that builds a dataset would do.
type Plan struct {
	Current bool
	Why     string
}

// Unmade reports whether a plan has to make a dataset before it can go on.
func (mk *Maker) Unmade() bool { return mk.Plan != nil && mk.Plan.Why != "" && !mk.Plan.Current }

// Build runs a step and prints its summary line.
func (mk *Maker) Build(ctx context.Context, out string, s datasets.Step, unit string) error {
	return mk.BuildOr(ctx, out, s, datasets.Options{Force: mk.Force}, unit)
}

// BuildOr is Build with other options.
func (mk *Maker) BuildOr(ctx context.Context, out string, s datasets.Step, o datasets.Options, unit string) error {
	s.Inputs = mk.Paths(s.Inputs)
	o.Replace = o.Replace || mk.Ground != nil // what a study has made, or may write over
	if mk.Ground != nil && !remote.Is(out) {
		if err := mk.Ground.Within(mk.Path(out)); err != nil {
			return err
		}
	}
	if mk.Plan != nil {
		var err error
		mk.Plan.Current, mk.Plan.Why, err = datasets.Plan(ctx, mk.Path(out), s)
		return err
	}
	o.Warn = func(text string) {
		if !mk.Quiet {
			fmt.Fprintf(mk.Stderr, "%s: %s\n", out, text)
		}
	}
	watch := StartWatch()
	m, fresh, err := datasets.Build(ctx, mk.Path(out), s, o)
	if err != nil {
		return SayNothing(err, out, unit)
	}
	text := Summary(m, fresh, unit, watch)
	if o.Shard.Count > 0 {
		if text += "; shard " + o.Shard.String(); !fresh {
			text = "shard " + o.Shard.String() + ": all its parts are there; nothing done"
		}
	}
	mk.Announce(out, text)
	return nil
}

// Announce prints a line about an output, and hands it to the study.
func (con *Console) Announce(out, text string) {
	line := out + ": " + text
	if !con.Quiet {
		fmt.Fprintln(con.Stdout, line)
	}
	if con.Answer == nil {
		return
	}
	con.Answer.Said = line
	if out == con.AnswerOf {
		con.Answer.Said = text
	}
}

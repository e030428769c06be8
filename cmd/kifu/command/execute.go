package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/cli"
	"kifu/cmd/kifu/gametable"
	"kifu/datasets"
	"kifu/games/board"
	"kifu/internal/step"
	"kifu/query"
	"kifu/query/boards"
)

// The exit codes.
const (
	OK          = 0
	Failed      = 1
	Misuse      = 2
	Interrupted = 130 // as a shell has it of a program that SIGINT ended
)

// Run runs a command line.
func (e *Env) Run(ctx context.Context, args []string) int {
	return e.execute(ctx, func(ctx context.Context, root *cobra.Command) (*cobra.Command, error) {
		root.SetArgs(withoutHelp(root, cli.TakeMoved(root, args)))
		return root.ExecuteContextC(ctx)
	})
}

// withoutHelp leaves --help out of a line that names no command, so that the line ends with those that may be meant.
func withoutHelp(root *cobra.Command, args []string) []string {
	cmd, rest, err := root.Find(args)
	if err != nil || !cmd.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return args
	}
	return slices.DeleteFunc(slices.Clone(args), func(word string) bool { return word == "--help" || word == "-h" })
}

// Do runs a step.
func (e *Env) Do(ctx context.Context, s step.Step) int {
	return e.execute(ctx, func(ctx context.Context, root *cobra.Command) (*cobra.Command, error) {
		return cli.Run(ctx, root, s)
	})
}

// Inside runs a step as a part of another command; its error is its text on standard error.
func (e *Env) Inside(ctx context.Context, s step.Step) error {
	var said bytes.Buffer
	e.Stdin, e.Stderr, e.Nested, e.Within = strings.NewReader(""), &said, true, true
	if code := e.Do(ctx, s); code != OK {
		text := strings.TrimSpace(said.String())
		return errors.New(strings.TrimPrefix(text, "kifu: "))
	}
	return nil
}

// execute has a command below root executed, and returns the exit code.
func (e *Env) execute(ctx context.Context, start func(context.Context, *cobra.Command) (*cobra.Command, error)) int {
	e.Stdout, e.Stderr = AsOutlet(e.Stdout), AsOutlet(e.Stderr)
	stderr := e.Stderr
	root := e.tree(e)
	root.SetIn(e.Stdin)
	root.SetOut(e.Stdout)
	root.SetErr(stderr)
	e.Silent = func() {}
	cmd, err := start(board.With(query.With(ctx, boards.Of(gametable.Boards())), gametable.Boards()), root)
	e.Silent()
	if err == nil {
		return OK
	}
	if ctx.Err() != nil {
		text := "interrupted"
		if kept := (*datasets.Interrupted)(nil); errors.As(err, &kept) {
			text += "; " + kept.Error()
		}
		fmt.Fprintln(stderr, "kifu: "+text)
		return Interrupted
	}
	fmt.Fprintf(stderr, "kifu: %s\n", err)
	if _, ok := errors.AsType[usageError](err); ok {
		fmt.Fprintf(stderr, "See '%s --help'.\n", cmd.CommandPath())
		return Misuse
	}
	return Failed
}

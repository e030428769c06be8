package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"kifu/internal/step"
)

// toy is a program with a command that has a flag of each kind. What it gets goes to said, and the step to s.
func toy(said *string, s *step.Step) *cobra.Command {
	root := &cobra.Command{Use: "toy", SilenceErrors: true, SilenceUsage: true}
	var workers int
	root.PersistentFlags().IntVar(&workers, "workers", 1, "")
	root.PersistentPreRunE = func(*cobra.Command, []string) error { *said = "first "; return nil }
	var fast, off bool
	var name string
	var list, many []string
	var numbers []int
	cmd := &cobra.Command{Use: "make", Args: cobra.ExactArgs(1)}
	flags := cmd.Flags()
	flags.BoolVar(&fast, "fast", false, "")
	flags.BoolVar(&off, "off", true, "")
	flags.StringVar(&name, "name", "", "")
	flags.StringSliceVar(&list, "list", []string{"usual"}, "")
	flags.StringArrayVar(&many, "many", nil, "")
	flags.IntSliceVar(&numbers, "numbers", []int{1}, "")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		*s = Of(cmd, args)
		*said += fmt.Sprintf("%v %v %q %q %q %v %d %q", fast, off, name, list, many, numbers, workers, args)
		return nil
	}
	report := &cobra.Command{Use: "report"}
	report.AddCommand(cmd)
	root.AddCommand(report, &cobra.Command{Use: "worker", RunE: cmd.RunE})
	return root
}

// TestRun: a step that was read off a command line, and went through JSON, does what the line does.
func TestRun(t *testing.T) {
	for _, line := range [][]string{
		{"report", "make", "in"},
		{"report", "make", "--fast", "--off=false", "--name", "x y", "in"},
		{"report", "make", "--fast=false", "--name=", "in"},
		{"report", "make", "--list", "a,b", "--list", `"c,d"`, "--many", "a,b", "--many", `"`, "--", "-in"},
		{"report", "make", "--numbers", "3,4", "--numbers=5", "in"},
	} {
		var want, got string
		var s, again, ignored step.Step
		root := toy(&want, &s)
		root.SetArgs(line)
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(s)
		if err == nil {
			err = json.Unmarshal(text, &again)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Run(context.Background(), toy(&got, &ignored), again); err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", line, got, err, want)
		}
	}
	for want, s := range map[string]step.Step{
		"no such command":      {Stage: "bake", Inputs: []string{"in"}},
		"unknown flag: --by":   {Stage: "report make", Parameters: []step.Parameter{{Name: "by"}}, Inputs: []string{"in"}},
		"accepts 1 arg":        {Stage: "report make"},
		`invalid argument "x"`: {Stage: "report make", Parameters: []step.Parameter{{Name: "workers", Values: []string{"x"}}}, Inputs: []string{"in"}},
		`for --numbers`:        {Stage: "report make", Parameters: []step.Parameter{{Name: "numbers", Values: []string{"x"}}}, Inputs: []string{"in"}},
	} {
		var said string
		var ignored step.Step
		if _, err := Run(context.Background(), toy(&said, &ignored), s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", s, err, want)
		}
	}
}

// TestStages: what is no stage of a study is refused, and a flag's kind is that of its values.
func TestStages(t *testing.T) {
	var said string
	var s step.Step
	all := StagesOf(toy(&said, &s))
	for flag, want := range map[string]step.Kind{"fast": step.Switch, "name": step.Single, "list": step.Listed, "numbers": step.Listed, "many": step.Repeated} {
		if got, err := all.Flag("report make", flag); err != nil || got != want {
			t.Errorf("--%s: %v, %v; want %v", flag, got, err, want)
		}
	}
	for _, stage := range []string{"worker", "report", "bake", ""} {
		if _, err := all.Builds(stage); err == nil {
			t.Errorf("%q is a stage of studies", stage)
		}
	}
	if builds, err := all.Builds("report make"); builds || err != nil {
		t.Errorf("report make builds: %v, %v", builds, err)
	}
}

// TestStagesAtOnce: workers ask what a stage is while others do (for the race detector).
func TestStagesAtOnce(t *testing.T) {
	var said string
	var s step.Step
	all := StagesOf(toy(&said, &s))
	var g errgroup.Group
	for range 8 {
		g.Go(func() error {
			if all.Distributes("report make") || all.Divides("report make") {
				t.Error("report make has no flag of shards or replicas")
			}
			kind, err := all.Flag("report make", "name")
			if kind != step.Single {
				t.Errorf("--name: %v", kind)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
}

package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/internal/step"
)

// Stages are the commands of a program as the stages of steps, with their flags as parameters. The
// command line, studies, dry runs, shards and workers all go by them, several at a time.
type Stages struct {
	Root     *cobra.Command
	commands map[string]*cobra.Command // by their words below root
}

// StagesOf returns the stages of the commands below root. It looks them up once and for all: cobra's
// own look-up adds flags to the commands, which those that ask at the same time would trip over.
func StagesOf(root *cobra.Command) Stages {
	s := Stages{root, map[string]*cobra.Command{}}
	s.add(root)
	return s
}

func (s Stages) add(of *cobra.Command) {
	for _, cmd := range of.Commands() {
		switch {
		case cmd.Hidden:
		case cmd.HasSubCommands():
			s.add(cmd)
		default:
			s.commands[Path(cmd)] = cmd
		}
	}
}

// The marks of commands and flags.
const (
	builds   = "builds a dataset"
	personal = "no key of a study"
)

// MarkBuilds marks a command whose --out is a dataset.
func MarkBuilds(cmd *cobra.Command) { cmd.Annotations = map[string]string{builds: ""} }

// MarkPersonal marks the flags that whoever runs a study gives to kifu run: they connect, or name
// secrets.
func MarkPersonal(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		if err := flags.SetAnnotation(name, personal, nil); err != nil {
			panic(err) // a flag that is not there
		}
	}
}

// apart are the commands that no study runs: they hand out or take work, listen, or write next to their
// inputs.
var apart = []string{"run", "worker", "cluster", "demo", "explore", "publish", "man", "completion"}

// find returns the command of a stage.
func (s Stages) find(stage string) (*cobra.Command, error) {
	if cmd := s.commands[strings.Join(strings.Fields(stage), " ")]; cmd != nil {
		return cmd, nil
	}
	return nil, fmt.Errorf("run = %q: no such command for a study", stage)
}

// ofStudies returns the command of a stage that studies may have.
func (s Stages) ofStudies(stage string) (*cobra.Command, error) {
	cmd, err := s.find(stage)
	if err == nil && slices.Contains(apart, strings.Fields(stage)[0]) {
		err = fmt.Errorf("run = %q: no such command for a study", stage)
	}
	return cmd, err
}

// Builds reports whether a stage builds a dataset in the directory --out.
func (s Stages) Builds(stage string) (bool, error) {
	cmd, err := s.ofStudies(stage)
	if err != nil {
		return false, err
	}
	_, is := cmd.Annotations[builds]
	return is, nil
}

// Flag returns how the values of a stage's flag are given.
func (s Stages) Flag(stage, name string) (step.Kind, error) {
	cmd, err := s.ofStudies(stage)
	if err != nil {
		return 0, err
	}
	f := cmd.Flags().Lookup(name)
	if f == nil {
		return 0, fmt.Errorf("%s has no flag --%s", stage, name)
	}
	if _, is := f.Annotations[personal]; is || name == "help" {
		return 0, fmt.Errorf("--%s is for the command line of kifu run: no study has it", name)
	}
	if _, many := f.Value.(pflag.SliceValue); many {
		if strings.HasSuffix(f.Value.Type(), "Slice") {
			return step.Listed, nil
		}
		return step.Repeated, nil
	}
	if f.Value.Type() == "bool" {
		return step.Switch, nil
	}
	return step.Single, nil
}

// Divides reports whether shards can make the parts of a stage.
func (s Stages) Divides(stage string) bool {
	cmd, err := s.find(stage)
	return err == nil && cmd.Flags().Lookup("shard") != nil
}

// Distributes reports whether the workers of a cluster do the work of a stage.
func (s Stages) Distributes(stage string) bool {
	cmd, err := s.ofStudies(stage)
	return err == nil && cmd.Flags().Lookup("replicas") != nil
}

// Run runs a step, of which a command below root does the work, and returns that command.
func Run(ctx context.Context, root *cobra.Command, s step.Step) (*cobra.Command, error) {
	cmd, err := StagesOf(root).find(s.Stage)
	if err != nil {
		return root, err
	}
	cmd.InheritedFlags() // adds root's flags to its own
	for _, p := range s.Parameters {
		if err := set(cmd.Flags(), p); err != nil {
			return cmd, root.FlagErrorFunc()(cmd, err)
		}
	}
	cmd.SetContext(ctx)
	if err := cmd.ValidateArgs(s.Inputs); err != nil {
		return cmd, err
	}
	for _, run := range []func(*cobra.Command, []string) error{root.PersistentPreRunE, cmd.PreRunE, cmd.RunE} {
		if run != nil {
			if err := run(cmd, s.Inputs); err != nil {
				return cmd, err
			}
		}
	}
	return cmd, nil
}

// set gives a flag the values of a parameter.
func set(flags *pflag.FlagSet, p step.Parameter) error {
	f := flags.Lookup(p.Name)
	if f == nil {
		return fmt.Errorf("unknown flag: --%s", p.Name)
	}
	if many, is := f.Value.(pflag.SliceValue); is {
		f.Changed = true
		if err := many.Replace(p.Values); err != nil {
			return fmt.Errorf("invalid argument %q for --%s: %w", p.Values, p.Name, err)
		}
		return nil
	}
	if len(p.Values) == 0 {
		return flags.Set(p.Name, "true")
	}
	for _, v := range p.Values {
		if err := flags.Set(p.Name, v); err != nil {
			return err
		}
	}
	return nil
}

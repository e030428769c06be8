package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
)

// eachFlag calls f with every flag of every command, for the command that declares it.
func eachFlag(root *cobra.Command, f func(*cobra.Command, *pflag.Flag)) {
	_ = eachCommand(root, func(cmd *cobra.Command) error {
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) { f(cmd, flag) })
		return nil
	})
}

// parsed returns a command as it is when its flags are parsed.
func parsed(t *testing.T, e *command.Env, line ...string) *cobra.Command {
	cmd, _, err := kifuCommand(e).Find(line)
	if err == nil {
		err = cmd.ParseFlags(nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return cmd
}

// TestFoundConfigSetsHarmlessFlagsAlone: of all flags of all commands a kifu.toml that was found
// may set those of the list alone; a refusal names the line, command and flag. A flag that names a
// file, an address, a program or SQL, or is a switch that permits, is not on the list.
func TestFoundConfigSetsHarmlessFlagsAlone(t *testing.T) {
	root := newEnv(nil, nil, nil).Stages().Root
	allowed, all := map[string]bool{}, 0
	eachFlag(root, func(cmd *cobra.Command, flag *pflag.Flag) {
		if flag.Name == "config" || flag.Name == "help" {
			return
		}
		all++
		path := strings.Fields(cmd.CommandPath())[1:]
		text := "\n"
		if len(path) > 0 {
			text = "[" + strings.Join(path, ".") + "]\n"
		}
		text += flag.Name + " = []\n"
		e := newEnv(nil, nil, io.Discard)
		err := defaults{path: configName, found: true}.takeAll(e.Console, []byte(text), parsed(t, e, "version"))
		refused := err != nil && strings.Contains(err.Error(), "may set only")
		if want := slices.Contains(harmless[cmd.CommandPath()], flag.Name); refused == want {
			t.Errorf("%s --%s: harmless %v, and kifu.toml gives %v", cmd.CommandPath(), flag.Name, want, err)
		}
		if refused && !strings.HasPrefix(err.Error(), "line 2: "+cmd.CommandPath()+": "+flag.Name+": ") {
			t.Errorf("%s --%s: %v names no line", cmd.CommandPath(), flag.Name, err)
		}
		if refused {
			return
		}
		allowed[cmd.CommandPath()+" "+flag.Name] = true
		if kind, _ := pflag.UnquoteUsage(flag); slices.Contains([]string{"FILE", "DIR", "DIRS", "URL", "HOST:PORT", "PLAYER", "COMMAND", "DATASET", "GAMES", "SQL", "CONDITION", "TEXT"}, kind) {
			t.Errorf("%s --%s %s is no formatting", cmd.CommandPath(), flag.Name, kind)
		}
	})
	for command, names := range harmless {
		for _, name := range names {
			if !allowed[command+" "+name] {
				t.Errorf("%s has no flag --%s", command, name)
			}
		}
	}
	t.Logf("%d flags", all)
	if all < 300 {
		t.Errorf("%d flags were tried", all)
	}
}

// FuzzConfig: whatever a kifu.toml holds that was found, no command has another value of a flag
// that is not harmless, and nothing panics.
func FuzzConfig(f *testing.F) {
	for _, text := range []string{
		"workers = 2\n[query]\nformat = \"csv\"\n", "[run]\nprograms = true\n", "run = {programs = true}\n", "run.programs = true\n",
		"[worker]\ncluster = \"nats://h\"\n[explore]\nlisten = \"0.0.0.0\"\n", "[[label]]\nengine = \"sh\"\n", "label = [{engine = \"sh\"}]\n", "\"label\".\"engine\" = \"\"\"sh\"\"\"\n",
		"workers = [1, [2]]\n[report]\nsize = {a = 1}\npalette = 1979-05-27\n", "config = \"x\"\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, line := range [][]string{{"run"}, {"label"}, {"explore"}, {"query"}, {"report", "curve"}} {
			e := newEnv(nil, nil, io.Discard)
			cmd := parsed(t, e, line...)
			_ = defaults{path: configName, found: true}.takeAll(e.Console, []byte(text), cmd)
			cmd.Flags().VisitAll(func(flag *pflag.Flag) {
				for at := cmd; at != nil; at = at.Parent() {
					if slices.Contains(harmless[at.CommandPath()], flag.Name) {
						return
					}
				}
				if flag.Changed {
					t.Errorf("%s --%s is %s by %q", cmd.CommandPath(), flag.Name, flag.Value, text)
				}
			})
		}
	})
}

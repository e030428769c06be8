package study

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/internal/step"
)

// someJobs are a step in three shards, one that reads it, and one that prints to a file;
// all print what they were called with.
func someJobs(t *testing.T) Jobs {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "kifu")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nfor w; do printf '<%s>' \"$w\"; done >>calls; echo >>calls; echo printed\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	work := func(stage string, inputs ...string) step.Step { return step.Step{Stage: stage, Inputs: inputs} }
	named := func(name string) *Step { return &Step{Name: name, Run: "x"} }
	label := &Run{Step: named("label"), Dir: "o'ut/label", Work: work("label").With("out", "o'ut/label").With("when", "a b")}
	fit := &Run{Step: named("fit"), Dir: "o'ut/fit", Work: work("fit", "{x}"), Needs: []*Run{label}}
	query := &Run{Step: named("Query {1}\nx"), File: "o'ut/a b.csv", Work: work("query", "select 'it''s', $$1"), Needs: []*Run{label, fit}}
	return Jobs{Study: filepath.Join(dir, "s.toml"), Out: "o'ut", Set: []string{"a=b c"}, Kifu: program, Runs: []*Run{label, fit, query},
		Shards: func(r *Run) int {
			if r == label {
				return 3
			}
			return 1
		}}
}

func (j Jobs) text(t *testing.T, scheduler string) string {
	t.Helper()
	var b bytes.Buffer
	if err := j.Write(&b, scheduler); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wantCalls compares the calls of the program in the study's directory, in any order
// within a shard's array, and what came of the printing.
func (j Jobs) wantCalls(t *testing.T) {
	t.Helper()
	dir := filepath.Dir(j.Study)
	text, err := os.ReadFile(filepath.Join(dir, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	calls := strings.Split(strings.TrimSpace(string(text)), "\n")
	label := "<label><--out=o'ut/label><--when=a b>"
	want := []string{label + "<--shard=1/3>", label + "<--shard=2/3>", label + "<--shard=3/3>", label + "<--finish>",
		"<fit><{x}>", "<query><select 'it''s', $$1>", "<run><--out=o'ut><--set=a=b c><s.toml>"}
	if !slices.Equal(calls, want) {
		t.Errorf("calls\n%s\nwant\n%s", strings.Join(calls, "\n"), strings.Join(want, "\n"))
	}
	if printed, err := os.ReadFile(filepath.Join(dir, "o'ut/a b.csv")); err != nil || string(printed) != "printed\n" {
		t.Errorf("printed %q, %v", printed, err)
	}
}

// TestSlurm submits the jobs to an sbatch that runs each at once.
func TestSlurm(t *testing.T) {
	j := someJobs(t)
	script := filepath.Join(filepath.Dir(j.Study), "jobs.sh")
	if err := os.WriteFile(script, []byte(j.text(t, "slurm")), 0o666); err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	sbatch := `#!/bin/bash
tasks=x
for w; do case $w in --array=1-*) tasks=$(seq "${w#--array=1-}");; --wrap=*) run=${w#--wrap=};; --dependency=*) echo "${w#*=}" >>waits;; esac; done
for SLURM_ARRAY_TASK_ID in $tasks; do export SLURM_ARRAY_TASK_ID; sh -c "$run" >/dev/null; done
echo x >>submitted; wc -l <submitted
`
	if err := os.WriteFile(filepath.Join(bin, "sbatch"), []byte(sbatch), 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", script)
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	j.wantCalls(t)
	waits, err := os.ReadFile(filepath.Join(filepath.Dir(j.Study), "waits"))
	if err != nil || string(waits) != "afterany:1\nafterok:2\nafterok:2:3\nafterok:2:3:4\n" {
		t.Errorf("dependencies %q, %v", waits, err)
	}
}

// TestSnakemake: rules name their inputs and outputs, and braces of commands are doubled.
func TestSnakemake(t *testing.T) {
	text := someJobs(t).text(t, "snakemake")
	for _, want := range []string{
		`input: "o'ut/.jobs/step-1-1-of-3", "o'ut/.jobs/step-1-2-of-3", "o'ut/.jobs/step-1-3-of-3"` + "\n    output: \"o'ut/label/manifest.json\"",
		`output: touch("o'ut/.jobs/step-1-{shard}-of-3")`, `--shard={wildcards.shard}/3"`, `'{{x}}'`,
		"rule step_3: # \"Query {1}\\nx\"\n    input: \"o'ut/label/manifest.json\", \"o'ut/fit/manifest.json\"\n    output: \"o'ut/a b.csv\"",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if err := (Jobs{}).Write(nil, "cron"); err == nil {
		t.Error("a scheduler that there is not")
	}
}

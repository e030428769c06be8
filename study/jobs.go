package study

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"kifu/internal/lists"
	"kifu/internal/step"
)

// Jobs are the runs of a study as the jobs of a scheduler, each after those it needs.
type Jobs struct {
	Study string   // path of the study's file
	Set   []string // NAME=TEXT of kifu run
	Out   string   // directory of the study's output, from the study's own
	Runs  []*Run   // as Expand returns them
	Kifu  string   // the program, as a command
	// Shards returns the number of shards of a run; 1 or less for none. Such a run is an array of jobs
	// with --shard, and one with --finish.
	Shards func(*Run) int
}

// Schedulers lists the schedulers that Write knows.
var Schedulers = []string{"slurm", "snakemake"}

// Write writes the jobs for a scheduler: a script that submits them with sbatch, or a
// Snakefile.
func (j Jobs) Write(w io.Writer, scheduler string) error {
	switch scheduler {
	case "slurm":
		return j.slurm(w)
	case "snakemake":
		return j.snakemake(w)
	}
	return fmt.Errorf("%q: want %s", scheduler, strings.Join(Schedulers, ", "))
}

// command is the line of r for a shell, with more flags.
func (j Jobs) command(r *Run, more ...string) string {
	words := append([]string{j.Kifu}, lists.Of(r.Work.Words(more...), step.Quote)...)
	line := strings.Join(words, " ")
	if r.File != "" {
		tmp := step.Quote(r.File + ".tmp")
		line = fmt.Sprintf("mkdir -p %s && %s > %s && mv %s %s", step.Quote(filepath.Dir(r.File)), line, tmp, tmp, step.Quote(r.File))
	}
	return line
}

// page is the command that finds everything done and writes the page of the study.
func (j Jobs) page() string {
	words := []string{j.Kifu, "run", step.Quote("--out=" + j.Out)}
	words = append(words, lists.Of(j.Set, func(set string) string { return step.Quote("--set=" + set) })...)
	return strings.Join(append(words, step.Quote(filepath.Base(j.Study))), " ")
}

// base is the directory in which the jobs run.
func (j Jobs) base() (string, error) { return filepath.Abs(filepath.Dir(j.Study)) }

func (j Jobs) slurm(w io.Writer) error {
	base, err := j.base()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, `#!/usr/bin/env bash
# The steps of %q as jobs of Slurm, each after those that it needs. Run this script to
# submit them; run it again to make what is missing. Partition, time and memory come from
# Slurm's own variables (SBATCH_PARTITION, SBATCH_TIMELIMIT, SBATCH_MEM_PER_CPU, …).
set -euo pipefail
cd %s
submit() { # NAME DEPENDENCY COMMAND [OPTION...]
	sbatch --parsable --requeue --kill-on-invalid-dep=yes --job-name="$1" ${2:+--dependency="$2"} "${@:4}" --wrap="$3"
}
`, filepath.Base(j.Study), step.Quote(base))
	id := map[*Run]string{}
	var all []string
	for i, r := range j.Runs {
		needs := lists.Of(r.Needs, func(n *Run) string { return "$" + id[n] })
		after := waitFor("afterok", needs)
		id[r] = fmt.Sprintf("job%d", i+1)
		all = append(all, "$"+id[r])
		if n := j.Shards(r); n > 1 {
			shard := j.command(r) + fmt.Sprintf(" --shard=$SLURM_ARRAY_TASK_ID/%d", n)
			fmt.Fprintf(w, "shards=$(submit %s %s %s --array=1-%d)\n", step.Quote(r.Name()), after, step.Quote(shard), n)
			// After a shard failed, too: what is there is kept, and what is missing named.
			fmt.Fprintf(w, "%s=$(submit %s %s %s)\n", id[r], step.Quote(r.Name()), waitFor("afterany", []string{"$shards"}), step.Quote(j.command(r, "--finish")))
			continue
		}
		fmt.Fprintf(w, "%s=$(submit %s %s %s)\n", id[r], step.Quote(r.Name()), after, step.Quote(j.command(r)))
	}
	_, err = fmt.Fprintf(w, "submit page %s %s\n", waitFor("afterok", all), step.Quote(j.page()))
	return err
}

// waitFor is the dependency on jobs, as an argument of the shell.
func waitFor(kind string, jobs []string) string {
	if len(jobs) == 0 {
		return "''"
	}
	return `"` + kind + ":" + strings.Join(jobs, ":") + `"`
}

// output is the file that shows that r is done.
func (j Jobs) output(i int, r *Run) string {
	switch {
	case r.Dir != "":
		return filepath.Join(r.Dir, "manifest.json")
	case r.File != "":
		return r.File
	}
	return j.mark(fmt.Sprintf("step-%d", i+1))
}

// mark is a file that a job leaves where the program leaves none.
func (j Jobs) mark(name string) string { return filepath.Join(j.Out, ".jobs", name) }

func (j Jobs) snakemake(w io.Writer) error {
	outputs, at := map[*Run]string{}, map[*Run]int{}
	var all []string
	for i, r := range j.Runs {
		outputs[r], at[r] = j.output(i, r), i
		all = append(all, outputs[r])
	}
	base, err := j.base()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, `# The steps of %q as rules of Snakemake: snakemake --snakefile FILE --cores N.
workdir: %s

rule page:
    input: %s
    shell: %s
`, filepath.Base(j.Study), python(base), pythons(all), rule(j.page()))
	for i, r := range j.Runs {
		needs := lists.Of(r.Needs, func(n *Run) string { return outputs[n] })
		name := fmt.Sprintf("step_%d", i+1)
		line := j.command(r)
		if n := j.Shards(r); n > 1 {
			var marks []string
			for k := range n {
				marks = append(marks, j.mark(fmt.Sprintf("step-%d-%d-of-%d", i+1, k+1, n)))
			}
			fmt.Fprintf(w, "\nrule %s_shard: # %q\n    input: %s\n    output: touch(%s)\n    shell: %s\n", name, r.Name(), pythons(needs),
				python(j.mark(fmt.Sprintf("step-%d-{shard}-of-%d", i+1, n))), strings.Replace(rule(line+" --shard=SHARD"), "SHARD", fmt.Sprintf("{wildcards.shard}/%d", n), 1))
			needs, line = marks, j.command(r, "--finish")
		}
		output := python(outputs[r])
		if r.Dir == "" && r.File == "" {
			output = "touch(" + output + ")"
		}
		fmt.Fprintf(w, "\nrule %s: # %q\n    input: %s\n    output: %s\n    shell: %s\n", name, r.Name(), pythons(needs), output, rule(line))
	}
	return nil
}

// python writes a text as Python does.
func python(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string
	}
	return string(quoted)
}

func pythons(texts []string) string {
	all := lists.Of(texts, python)
	return strings.Join(all, ", ")
}

// rule writes a command for Snakemake, to which braces are its own.
func rule(line string) string {
	return python(strings.NewReplacer("{", "{{", "}", "}}").Replace(line))
}

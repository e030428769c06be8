package study

import (
	"bytes"
	"encoding/json"
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
	return Jobs{Study: filepath.Join(dir, "s.toml"), Out: "o'ut", Set: []string{"a=b c"}, Kifu: program, Pod: UsualPod, Runs: []*Run{label, fit, query},
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
		"<fit><{x}>", "<query><select 'it''s', $$1>", "<run><--set=a=b c><s.toml>"}
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

// kubeList is what is read of a List of Kubernetes.
type kubeList struct {
	Items []struct {
		Kind     string
		Metadata struct {
			Name                string
			Labels, Annotations map[string]string
		}
		Spec struct {
			Suspend        bool
			Completions    int
			CompletionMode string
			Template       struct{ Spec kubePod }
		}
	}
}

type kubePod struct {
	ServiceAccountName string
	SecurityContext    struct{ RunAsUser, RunAsGroup int }
	Containers         []struct {
		Image, WorkingDir string
		Command           []string
		Env               []struct{ Name, Value string }
		Resources         struct{ Requests, Limits map[string]string }
		VolumeMounts      []struct{ MountPath string }
	}
	Volumes []struct {
		PersistentVolumeClaim struct{ ClaimName string }
	}
}

func (j Jobs) kubeList(t *testing.T) (list kubeList) {
	t.Helper()
	if err := json.Unmarshal([]byte(j.text(t, "kubernetes")), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestKubernetes runs what the pods would run, one after the other, each Job after those it names.
func TestKubernetes(t *testing.T) {
	j := someJobs(t)
	j.Pod.Name = "mine"
	var names, done []string
	for _, item := range j.kubeList(t).Items {
		if item.Kind != "Job" {
			continue
		}
		pod := item.Spec.Template.Spec.Containers[0]
		if item.Metadata.Labels["app.kubernetes.io/component"] == "order" {
			if want := []string{"sh", "-ec", "exec " + j.Kifu + " cluster kubernetes mine"}; !slices.Equal(pod.Command, want) || item.Spec.Suspend {
				t.Errorf("%q, suspended %v; want %q", pod.Command, item.Spec.Suspend, want)
			}
			continue
		}
		names = append(names, item.Metadata.Name+" after "+item.Metadata.Annotations["kifu/after"])
		for _, n := range strings.Split(item.Metadata.Annotations["kifu/after"], ",") {
			if n != "" && !slices.Contains(done, n) {
				t.Errorf("%s needs %s, which is not done", item.Metadata.Name, n)
			}
		}
		if !item.Spec.Suspend {
			t.Errorf("%s begins at once", item.Metadata.Name)
		}
		done = append(done, item.Metadata.Name)
		for i := range max(1, item.Spec.Completions) {
			var words []string
			for _, w := range pod.Command {
				words = append(words, strings.ReplaceAll(w, "$$", "$")) // as the kubelet does
			}
			cmd := exec.Command(words[0], words[1:]...)
			cmd.Dir, cmd.Env = pod.WorkingDir, append(os.Environ(), "JOB_COMPLETION_INDEX="+string(rune('0'+i)))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", item.Metadata.Name, err, out)
			}
		}
	}
	want := []string{"mine-1-label-shards after ", "mine-1-label after mine-1-label-shards", "mine-2-fit after mine-1-label",
		"mine-3-query--1--x after mine-1-label,mine-2-fit", "mine-page after mine-1-label,mine-2-fit,mine-3-query--1--x"}
	if !slices.Equal(names, want) {
		t.Errorf("jobs\n%q, want\n%q", names, want)
	}
	j.wantCalls(t)
}

// TestPod: what --pod sets is what pods get, and no pod but the one that starts Jobs may ask the API server.
func TestPod(t *testing.T) {
	j := someJobs(t)
	for key, value := range map[string]string{"image": "registry.example.org/kifu:0.2.0", "claim": "records", "memory": "8Gi", "cpu": "3", "user": "1000:100",
		"mount": filepath.Dir(j.Study)} {
		if err := j.Pod.Put(key, value); err != nil {
			t.Fatal(err)
		}
	}
	for _, item := range j.kubeList(t).Items {
		if item.Kind != "Job" {
			continue
		}
		pod := item.Spec.Template.Spec
		if pod.SecurityContext.RunAsUser != 1000 || pod.SecurityContext.RunAsGroup != 100 || pod.Containers[0].Image != "registry.example.org/kifu:0.2.0" {
			t.Errorf("%s: %+v", item.Metadata.Name, pod)
		}
		c := pod.Containers[0]
		if item.Spec.Suspend != (pod.ServiceAccountName == "") || item.Spec.Suspend != (len(pod.Volumes) == 1) {
			t.Errorf("%s: account %q, volumes %v", item.Metadata.Name, pod.ServiceAccountName, pod.Volumes)
		}
		if !item.Spec.Suspend {
			continue
		}
		if c.Resources.Requests["memory"] != "8Gi" || c.Resources.Limits["memory"] != "8Gi" || c.Resources.Requests["cpu"] != "3" || c.Env[0].Name+c.Env[0].Value != "GOMAXPROCS3" ||
			pod.Volumes[0].PersistentVolumeClaim.ClaimName != "records" || c.VolumeMounts[0].MountPath != filepath.Dir(j.Study) {
			t.Errorf("%s: %+v", item.Metadata.Name, pod)
		}
	}
	for _, bad := range []string{"image=", "image=a b", "claim=A", "mount=here", "mount=/", "memory=much", "cpu=0", "cpu=1.5", "user=me", "name=Big", "name=" + strings.Repeat("a", 24), "node=1"} {
		key, value, _ := strings.Cut(bad, "=")
		if err := j.Pod.Put(key, value); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
	j.Pod.Mount = "/elsewhere"
	if err := j.Write(nil, "kubernetes"); err == nil || !strings.Contains(err.Error(), "mount=/elsewhere: the study is in ") {
		t.Error(err)
	}
}

// TestKubernetesNames: no name is longer than a host of a pod may be called, and other studies have other names.
func TestKubernetesNames(t *testing.T) {
	j := someJobs(t)
	j.Pod.Name = strings.Repeat("a", 23)
	for _, r := range j.Runs {
		r.Step.Name = strings.Repeat("Long-", 20)
	}
	for _, item := range j.kubeList(t).Items {
		if name := item.Metadata.Name + "-99999"; len(name) > 63 || strings.Contains(name, "--9") {
			t.Errorf("%s has %d characters", name, len(name))
		}
	}
	for file, want := range map[string]string{"/x/My_Chess.v2/study.toml": "my-chess-v2", "/x/y/go 2007.toml": "go-2007", "/x/1/study.toml": "study"} {
		if got := UsualPod.name(file, filepath.Dir(file)); got != want {
			t.Errorf("%s is called %s, want %s", file, got, want)
		}
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

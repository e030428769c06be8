package study

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Kubernetes has no order among jobs: each waits in its container for the files of those
// that it needs, which cost it next to nothing, and a job of its own finishes an array.
const (
	kubeWait   = 10 // seconds between two looks
	kubeClaim  = "kifu"
	kubeRetry  = 6
	kubeMemory = "4Gi"
)

type kubeObject map[string]any

// kubernetes writes a List of Jobs (batch/v1), as JSON, which kubectl takes like YAML. They
// share the volume of the claim kifu, mounted where the study lies here.
func (j Jobs) kubernetes(w io.Writer) error {
	base, err := j.base()
	if err != nil {
		return err
	}
	outputs := map[*Run]string{}
	var jobs []kubeObject
	var all []string
	for i, r := range j.Runs {
		outputs[r] = j.output(i, r)
		all = append(all, outputs[r])
		var needs []string
		for _, n := range r.Needs {
			needs = append(needs, outputs[n])
		}
		name := kubeName(i+1, r.Step.Name)
		line := j.command(r)
		if r.Dir == "" && r.File == "" {
			line += fmt.Sprintf(" && mkdir -p %s && touch %s", quote(filepath.Dir(outputs[r])), quote(outputs[r]))
		}
		if n := j.Shards(r); n > 1 {
			shard := waitLoop(needs) + j.command(r) + fmt.Sprintf(" --shard=$((JOB_COMPLETION_INDEX+1))/%d", n)
			jobs = append(jobs, kubeJob(name+"-shards", base, shard, n))
			line = fmt.Sprintf("until %s; do sleep %d; done", j.command(r, "--finish"), kubeWait)
		}
		jobs = append(jobs, kubeJob(name, base, waitLoop(needs)+line, 1))
	}
	jobs = append(jobs, kubeJob("page", base, waitLoop(all)+j.page(), 1))
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(kubeObject{"apiVersion": "v1", "kind": "List", "items": jobs})
}

// waitLoop is the shell's loop that ends when all files are there.
func waitLoop(files []string) string {
	var s strings.Builder
	for _, f := range files {
		fmt.Fprintf(&s, "until [ -e %s ]; do sleep %d; done; ", quote(f), kubeWait)
	}
	return s.String()
}

// kubeName makes a name of Kubernetes: at most 63 small letters, digits and hyphens.
func kubeName(number int, step string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(step))
	return strings.TrimRight(fmt.Sprintf("kifu-%d-%.40s", number, name), "-")
}

// kubeJob is a Job of n pods that run a command in the directory base.
func kubeJob(name, base, command string, n int) kubeObject {
	spec := kubeObject{
		"backoffLimit": kubeRetry,
		"template": kubeObject{"spec": kubeObject{
			"restartPolicy": "Never",
			"containers": []kubeObject{{
				"name": "kifu", "image": "kifu", "workingDir": base,
				"command":      []string{"sh", "-ec", command},
				"resources":    kubeObject{"requests": kubeObject{"cpu": "1", "memory": kubeMemory}},
				"volumeMounts": []kubeObject{{"name": "work", "mountPath": filepath.Dir(base)}},
			}},
			"volumes": []kubeObject{{"name": "work", "persistentVolumeClaim": kubeObject{"claimName": kubeClaim}}},
		}},
	}
	if n > 1 {
		spec["completionMode"], spec["completions"], spec["parallelism"] = "Indexed", n, n
		delete(spec, "backoffLimit")
		spec["backoffLimitPerIndex"] = kubeRetry
	}
	return kubeObject{"apiVersion": "batch/v1", "kind": "Job", "metadata": kubeObject{"name": name}, "spec": spec}
}

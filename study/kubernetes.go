package study

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"kifu/internal/kube"
)

// kubeRetry is how often a pod that failed is replaced, so that there are three attempts.
const kubeRetry = 2

// Pod says what the pods of Kubernetes get.
type Pod struct {
	Name   string // of the study there, with which all names begin; empty: the study's directory or file
	Image  string
	Claim  string // PersistentVolumeClaim of the volume
	Mount  string // where the volume is mounted; empty: the directory above the study's
	Memory string // requested, and the limit
	CPU    int    // processors, and what runs side by side in a pod
	User   string // UID or UID:GID to whom the files belong; empty: whoever prints; 0: root
}

// UsualPod is a Pod of one processor.
var UsualPod = Pod{Image: "kifu", Claim: "kifu", Memory: "4Gi", CPU: 1}

// podValues are what the fields of a Pod may be set to.
var podValues = map[string]*regexp.Regexp{
	"image":  regexp.MustCompile(`^\S+$`),
	"claim":  regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`),
	"mount":  regexp.MustCompile(`^/[^/:]+(/[^/:]+)*$`),
	"memory": regexp.MustCompile(`^[1-9][0-9]*(\.[0-9]+)?([kMGT]|[KMGT]i)?$`),
	"cpu":    regexp.MustCompile(`^[1-9][0-9]{0,4}$`),
	"user":   regexp.MustCompile(`^[0-9]{1,9}(:[0-9]{1,9})?$`),
	"name":   regexp.MustCompile(`^[a-z]([a-z0-9-]{0,21}[a-z0-9])?$`),
}

// Put sets a field by its name: image, claim, mount, memory, cpu, user or name.
func (p *Pod) Put(key, value string) error {
	want := ""
	switch key {
	case "image":
		p.Image, want = value, "the name of an image"
	case "claim":
		p.Claim, want = value, "the name of a PersistentVolumeClaim"
	case "mount":
		p.Mount, want = value, "a directory, from the root on"
	case "memory":
		p.Memory, want = value, "a size, as 8Gi"
	case "cpu":
		p.CPU, _ = strconv.Atoi(value) // 0 is refused below
		want = "a whole number of processors"
	case "user":
		p.User, want = value, "UID or UID:GID, in numbers"
	case "name":
		p.Name, want = value, "at most 23 small letters, digits and hyphens"
	default:
		return fmt.Errorf("%s: want image, claim, mount, memory, cpu, user or name", key)
	}
	if !podValues[key].MatchString(value) {
		return fmt.Errorf("%s=%s: want %s", key, value, want)
	}
	return nil
}

// name is that of the study, among others in a namespace.
func (p Pod) name(file, base string) string {
	if p.Name != "" {
		return p.Name
	}
	stem := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if stem == "study" {
		stem = filepath.Base(base)
	}
	return kubeName(stem, "study")
}

// kubeObject is an object of Kubernetes, or a part of one.
type kubeObject map[string]any

// kubeWriter makes the objects of one study.
type kubeWriter struct {
	Pod
	base, study string
	jobs        []kubeObject
}

// kubernetes writes a List of Jobs (batch/v1), as JSON, which kubectl takes like YAML. They
// share the volume of a claim, mounted where the study lies here. Kubernetes has no order
// among Jobs: all but one are suspended, which is to say without pods, and that one starts
// them (kube.Client.Start), for which it has a service account.
func (j Jobs) kubernetes(w io.Writer) error {
	base, err := j.base()
	if err != nil {
		return err
	}
	k := kubeWriter{Pod: j.Pod, base: base, study: j.Pod.name(j.Study, base)}
	if k.Mount == "" {
		if k.Mount = filepath.Dir(base); k.Mount == "/" {
			k.Mount = base
		}
	}
	if rel, err := filepath.Rel(k.Mount, base); err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return fmt.Errorf("mount=%s: the study is in %s, which is not below it", k.Mount, base)
	}
	names := map[*Run]string{}
	var all []string
	for i, r := range j.Runs {
		var needs []string
		for _, n := range r.Needs {
			needs = append(needs, names[n])
		}
		names[r] = fmt.Sprintf("%s-%d-%s", k.study, i+1, kubeName(r.Step.Name, "step"))
		line := j.command(r)
		if r.File == "" {
			line = "exec " + line // so that SIGTERM reaches it, which a shell as the first process ignores
		}
		if n := j.Shards(r); n > 1 {
			shards := names[r] + "-shards"
			k.step(shards, line+fmt.Sprintf(" --shard=$((JOB_COMPLETION_INDEX+1))/%d", n), n, needs)
			line, needs = line+" --finish", []string{shards}
		}
		k.step(names[r], line, 1, needs)
		all = append(all, names[r])
	}
	k.step(k.study+"-page", "exec "+j.page(), 1, all)
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(kubeObject{"apiVersion": "v1", "kind": "List", "items": append(k.order(j.Kifu), k.jobs...)})
}

// kubeName makes a part of a name of Kubernetes: at most 18 small letters, digits and
// hyphens, so that the whole is no longer than the name of a pod's host may be.
func kubeName(text, other string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(text))
	name = strings.Trim(fmt.Sprintf("%.18s", strings.TrimLeft(name, "-0123456789")), "-")
	if name == "" {
		return other
	}
	return name
}

// step adds a suspended Job of n pods that run a command of the shell in the study's directory.
func (k *kubeWriter) step(name, command string, n int, needs []string) {
	pod := k.pod(command, strconv.Itoa(k.CPU), k.Memory)
	pod["automountServiceAccountToken"] = false
	spec := kubeObject{"suspend": true, "backoffLimit": kubeRetry}
	if n > 1 {
		spec = kubeObject{"suspend": true, "completionMode": "Indexed", "completions": n, "parallelism": n, "backoffLimitPerIndex": kubeRetry}
	}
	job := k.job(name, kube.Step, spec, pod)
	if len(needs) > 0 {
		job["metadata"].(kubeObject)["annotations"] = kubeObject{kube.After: strings.Join(needs, ",")}
	}
	k.jobs = append(k.jobs, job)
}

// order returns the Job that starts the others, and its right to do so.
func (k *kubeWriter) order(kifu string) []kubeObject {
	name := k.study + "-order"
	pod := k.pod(fmt.Sprintf("exec %s cluster kubernetes %s", kifu, k.study), "0", "256Mi")
	pod["serviceAccountName"] = name
	delete(pod, "volumes")
	container := pod["containers"].([]kubeObject)[0]
	delete(container, "volumeMounts")
	delete(container, "workingDir")
	job := k.job(name, "order", kubeObject{"backoffLimit": kubeRetry}, pod)
	object := func(version, kind string, more kubeObject) kubeObject {
		o := kubeObject{"apiVersion": version, "kind": kind, "metadata": kubeObject{"name": name, "labels": k.labels("order")}}
		for key, value := range more {
			o[key] = value
		}
		return o
	}
	const rbac = "rbac.authorization.k8s.io"
	return []kubeObject{
		object("v1", "ServiceAccount", nil),
		object(rbac+"/v1", "Role", kubeObject{"rules": []kubeObject{{"apiGroups": []string{"batch"}, "resources": []string{"jobs"}, "verbs": []string{"get", "list", "patch"}}}}),
		object(rbac+"/v1", "RoleBinding", kubeObject{
			"roleRef":  kubeObject{"apiGroup": rbac, "kind": "Role", "name": name},
			"subjects": []kubeObject{{"kind": "ServiceAccount", "name": name}},
		}),
		job,
	}
}

func (k *kubeWriter) labels(part string) kubeObject {
	return kubeObject{"app.kubernetes.io/name": "kifu", kube.StudyLabel: k.study, kube.PartLabel: part}
}

// job is a Job. A pod that a node's drain, an eviction or a preemption ended is no failure.
func (k *kubeWriter) job(name, part string, spec, pod kubeObject) kubeObject {
	spec["podFailurePolicy"] = kubeObject{"rules": []kubeObject{{"action": "Ignore", "onPodConditions": []kubeObject{{"type": "DisruptionTarget", "status": "True"}}}}}
	spec["template"] = kubeObject{"metadata": kubeObject{"labels": k.labels(part)}, "spec": pod}
	return kubeObject{"apiVersion": "batch/v1", "kind": "Job", "metadata": kubeObject{"name": name, "labels": k.labels(part)}, "spec": spec}
}

// pod is that of a command. Kubernetes takes $(NAME) in it for its own: $$ is a dollar.
func (k *kubeWriter) pod(command, cpu, memory string) kubeObject {
	pod := kubeObject{
		"restartPolicy":   "Never",
		"securityContext": k.user(),
		"containers": []kubeObject{{
			"name": "kifu", "image": k.Image, "imagePullPolicy": "IfNotPresent", "workingDir": k.base,
			"command": []string{"sh", "-ec", strings.ReplaceAll(command, "$", "$$")},
			// Go would count the processors of the node.
			"env":             []kubeObject{{"name": "GOMAXPROCS", "value": strconv.Itoa(k.CPU)}, {"name": "HOME", "value": "/tmp"}},
			"resources":       kubeObject{"requests": kubeObject{"cpu": cpu, "memory": memory}, "limits": kubeObject{"memory": memory}},
			"securityContext": kubeObject{"allowPrivilegeEscalation": false, "capabilities": k.capabilities()},
			"volumeMounts":    []kubeObject{{"name": "work", "mountPath": k.Mount}},
		}},
		"volumes": []kubeObject{{"name": "work", "persistentVolumeClaim": kubeObject{"claimName": k.Claim}}},
	}
	return pod
}

func (k *kubeWriter) ids() (user, group int) {
	if k.User == "" {
		return max(0, os.Getuid()), max(0, os.Getgid())
	}
	first, second, both := strings.Cut(k.User, ":")
	user, _ = strconv.Atoi(first)
	if group = user; both {
		group, _ = strconv.Atoi(second)
	}
	return user, group
}

// user is the one to whom the files belong.
func (k *kubeWriter) user() kubeObject {
	user, group := k.ids()
	context := kubeObject{"seccompProfile": kubeObject{"type": "RuntimeDefault"}}
	if user > 0 {
		context["runAsNonRoot"], context["runAsUser"], context["runAsGroup"] = true, user, group
	}
	return context
}

// capabilities are none, but that root stays who may write everybody's files.
func (k *kubeWriter) capabilities() kubeObject {
	if user, _ := k.ids(); user == 0 {
		return kubeObject{"drop": []string{"NET_RAW"}}
	}
	return kubeObject{"drop": []string{"ALL"}}
}

// Package kube starts suspended Jobs of Kubernetes in their order, from within a pod. A Job
// names those it needs in an annotation; until it is started it has no pods, so that what
// waits takes no room from what it waits for.
package kube

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Labels and the annotation of the Jobs.
const (
	StudyLabel = "app.kubernetes.io/instance"  // whose Jobs they are
	PartLabel  = "app.kubernetes.io/component" // Step, or what starts the steps
	Step       = "step"
	After      = "kifu/after" // names of the Jobs that must be complete, with commas
)

// Client speaks with the API server about the Jobs of one namespace.
type Client struct {
	URL       string // https://HOST:PORT
	Namespace string
	TokenFile string        // read for every request, for the kubelet renews it
	Pause     time.Duration // between two looks; 0: 5 s
	HTTP      *http.Client
}

// InPod returns the client that the service account of this pod is given. It is an error
// to be elsewhere.
func InPod() (*Client, error) {
	return inPod("/var/run/secrets/kubernetes.io/serviceaccount")
}

func inPod(dir string) (*Client, error) {
	host, port := os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT")
	if host == "" || port == "" {
		return nil, errors.New("this is no pod of Kubernetes: KUBERNETES_SERVICE_HOST and _PORT are not set")
	}
	namespace, err := os.ReadFile(filepath.Join(dir, "namespace"))
	if err != nil {
		return nil, err
	}
	ca, err := os.ReadFile(filepath.Join(dir, "ca.crt"))
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(ca) {
		return nil, fmt.Errorf("%s: no certificate", filepath.Join(dir, "ca.crt"))
	}
	return &Client{
		URL:       "https://" + net.JoinHostPort(host, port),
		Namespace: strings.TrimSpace(string(namespace)),
		TokenFile: filepath.Join(dir, "token"),
		HTTP:      &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}},
	}, nil
}

// job is what is read of a Job (batch/v1).
type job struct {
	Metadata struct {
		Name        string
		Annotations map[string]string
	}
	Spec struct {
		Suspend     bool
		Completions int
	}
	Status struct {
		Succeeded     int
		FailedIndexes string
		Conditions    []struct{ Type, Status, Reason, Message string }
	}
}

// condition returns the reason of a condition that holds.
func (j *job) condition(kind string) (reason string, holds bool) {
	for _, c := range j.Status.Conditions {
		if c.Type == kind && c.Status == "True" {
			return cmp.Or(c.Message, c.Reason), true
		}
	}
	return "", false
}

func (j *job) needs() []string {
	return strings.FieldsFunc(j.Metadata.Annotations[After], func(r rune) bool { return r == ',' || r == ' ' })
}

// Start starts the Jobs of a study, each when those it needs are complete, until none runs
// and none can be started. It is an error, which names them, if some failed or were not
// started. It may be begun again at any time: all that it knows is in the Jobs.
func (c *Client) Start(ctx context.Context, study string, log func(format string, args ...any)) error {
	said := map[string]string{}
	say := func(j *job, text string) {
		if said[j.Metadata.Name] != text {
			said[j.Metadata.Name] = text
			log("%s: %s", j.Metadata.Name, text)
		}
	}
	for {
		jobs, err := c.jobs(ctx, study)
		if err != nil {
			return err
		}
		if len(jobs) == 0 {
			return fmt.Errorf("no Jobs with the label %s=%s in the namespace %s", StudyLabel, study, c.Namespace)
		}
		complete := map[string]bool{}
		for _, j := range jobs {
			_, complete[j.Metadata.Name] = j.condition("Complete")
		}
		open := false
		for _, j := range jobs {
			reason, failed := j.condition("Failed")
			ready := !slices.ContainsFunc(j.needs(), func(n string) bool { return !complete[n] })
			switch {
			case complete[j.Metadata.Name]:
				say(j, "complete")
			case failed:
				say(j, "failed: "+j.fault(reason))
			case !j.Spec.Suspend:
				open = true
			case ready:
				if err := c.resume(ctx, j.Metadata.Name); err != nil {
					return err
				}
				say(j, "started")
				open = true
			}
		}
		if !open {
			return unfinished(jobs)
		}
		if err := c.wait(ctx); err != nil {
			return err
		}
	}
}

// fault tells why a Job failed, and how its words are to be had.
func (j *job) fault(reason string) string {
	logs := "kubectl logs -l job-name=" + j.Metadata.Name
	if first := strings.FieldsFunc(j.Status.FailedIndexes, func(r rune) bool { return r == ',' || r == '-' }); len(first) > 0 {
		return fmt.Sprintf("indexes %s (shard = index + 1): %s: %s,batch.kubernetes.io/job-completion-index=%s", j.Status.FailedIndexes, reason, logs, first[0])
	}
	return reason + ": " + logs
}

// unfinished is the error about Jobs that failed, and those that are not started therefore.
func unfinished(jobs []*job) error {
	var failed, waiting []string
	for _, j := range jobs {
		if _, bad := j.condition("Failed"); bad {
			failed = append(failed, j.Metadata.Name)
		} else if _, done := j.condition("Complete"); !done {
			waiting = append(waiting, j.Metadata.Name)
		}
	}
	if len(failed)+len(waiting) == 0 {
		return nil
	}
	text := fmt.Sprintf("%d of %d Jobs are complete", len(jobs)-len(failed)-len(waiting), len(jobs))
	if len(failed) > 0 {
		text += "; failed: " + strings.Join(failed, ", ")
	}
	if len(waiting) > 0 {
		text += "; not started: " + strings.Join(waiting, ", ")
	}
	return errors.New(text)
}

func (c *Client) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(cmp.Or(c.Pause, 5*time.Second)):
		return nil
	}
}

func (c *Client) jobs(ctx context.Context, study string) ([]*job, error) {
	var list struct{ Items []*job }
	err := c.ask(ctx, http.MethodGet, "?labelSelector="+url.QueryEscape(StudyLabel+"="+study+","+PartLabel+"="+Step), "", &list)
	return list.Items, err
}

func (c *Client) resume(ctx context.Context, name string) error {
	return c.ask(ctx, http.MethodPatch, "/"+url.PathEscape(name), `{"spec":{"suspend":false}}`, nil)
}

// lasting is an answer that will be the same the next time.
type lasting struct{ error }

// patience is how often a server that does not answer is asked.
const patience = 60

// ask asks until there is an answer: an API server may be away for a while.
func (c *Client) ask(ctx context.Context, method, what, body string, answer any) error {
	for n := 1; ; n++ {
		err := c.askOnce(ctx, method, what, body, answer)
		var last lasting
		if err == nil || n == patience || errors.As(err, &last) {
			return err
		}
		if err := c.wait(ctx); err != nil {
			return err
		}
	}
}

func (c *Client) askOnce(ctx context.Context, method, what, body string, answer any) error {
	token, err := os.ReadFile(c.TokenFile)
	if err != nil {
		return lasting{err}
	}
	to := fmt.Sprintf("%s/apis/batch/v1/namespaces/%s/jobs%s", c.URL, url.PathEscape(c.Namespace), what)
	req, err := http.NewRequestWithContext(ctx, method, to, strings.NewReader(body))
	if err != nil {
		return lasting{err}
	}
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	if method == http.MethodPatch {
		req.Header.Set("Content-Type", "application/merge-patch+json")
	}
	res, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		var status struct{ Message string }
		_ = json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(&status) // the code says enough
		err := fmt.Errorf("%s %s: %s: %s", method, to, res.Status, status.Message)
		if res.StatusCode/100 == 4 && res.StatusCode != http.StatusTooManyRequests && res.StatusCode != http.StatusConflict {
			return lasting{err}
		}
		return err
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(res.Body).Decode(answer)
}

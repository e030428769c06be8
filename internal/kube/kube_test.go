package kube

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// server is an API server with Jobs, each of which ends at once when it is started.
type server struct {
	mu     sync.Mutex
	fails  string // name of a Job that fails
	broken int    // answers with an error to so many requests first
	jobs   []map[string]any
	begun  []string
}

func newJob(name, after string) map[string]any {
	return map[string]any{"metadata": map[string]any{"name": name, "annotations": map[string]any{After: after}},
		"spec": map[string]any{"suspend": true}, "status": map[string]any{}}
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken > 0 {
		s.broken--
		http.Error(w, "etcd is away", http.StatusInternalServerError)
		return
	}
	if r.Header.Get("Authorization") != "Bearer secret" {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `{"message":"jobs.batch is forbidden"}`)
		return
	}
	const path = "/apis/batch/v1/namespaces/here/jobs"
	if r.Method == http.MethodGet && r.URL.Path == path && r.URL.Query().Get("labelSelector") == StudyLabel+"=s,"+PartLabel+"="+Step {
		json.NewEncoder(w).Encode(map[string]any{"items": s.jobs})
		return
	}
	body, _ := io.ReadAll(r.Body)
	name, found := strings.CutPrefix(r.URL.Path, path+"/")
	if !found || r.Method != http.MethodPatch || r.Header.Get("Content-Type") != "application/merge-patch+json" || string(body) != `{"spec":{"suspend":false}}` {
		http.Error(w, "no such request", http.StatusBadRequest)
		return
	}
	s.begun = append(s.begun, name)
	for _, j := range s.jobs {
		if j["metadata"].(map[string]any)["name"] != name {
			continue
		}
		kind, indexes := "Complete", ""
		if name == s.fails {
			kind, indexes = "Failed", "1,3-4"
		}
		j["spec"] = map[string]any{"suspend": false}
		j["status"] = map[string]any{"failedIndexes": indexes, "conditions": []any{
			map[string]any{"type": "Suspended", "status": "False"},
			map[string]any{"type": kind, "status": "True", "reason": "FailedIndexes", "message": "Job has failed indexes"}}}
	}
}

// start starts the Jobs of the server as a pod does.
func (s *server) start(t *testing.T, token string) (said []string, err error) {
	t.Helper()
	web := httptest.NewTLSServer(s)
	defer web.Close()
	dir := t.TempDir()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: web.Certificate().Raw})
	for name, text := range map[string]string{"namespace": "here\n", "token": token + "\n", "ca.crt": string(ca)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at, err := url.Parse(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("KUBERNETES_SERVICE_HOST", at.Hostname())
	t.Setenv("KUBERNETES_SERVICE_PORT", at.Port())
	c, err := inPod(dir)
	if err != nil {
		t.Fatal(err)
	}
	c.Pause = time.Millisecond
	err = c.Start(context.Background(), "s", func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) })
	return said, err
}

func someJobs() *server {
	return &server{jobs: []map[string]any{newJob("page", "fit,query"), newJob("fit", "label"), newJob("label", "label-shards"), newJob("label-shards", ""), newJob("query", "")}}
}

// TestStart: each Job is begun when those it needs are complete, whatever the order of the list.
func TestStart(t *testing.T) {
	s := someJobs()
	s.broken = 3
	said, err := s.start(t, "secret")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"label-shards", "query", "label", "fit", "page"}; !slices.Equal(s.begun, want) {
		t.Errorf("started %q, want %q", s.begun, want)
	}
	if last := said[len(said)-1]; last != "page: complete" {
		t.Errorf("said %q", said)
	}
	s.begun = nil
	if _, err := s.start(t, "secret"); err != nil || s.begun != nil {
		t.Errorf("again: %v, %q", err, s.begun)
	}
}

// TestFailed: what needs a Job that failed is not begun, and both are named.
func TestFailed(t *testing.T) {
	s := someJobs()
	s.fails = "label-shards"
	said, err := s.start(t, "secret")
	if err == nil || err.Error() != "1 of 5 Jobs are complete; failed: label-shards; not started: page, fit, label" {
		t.Error(err)
	}
	want := "label-shards: failed: indexes 1,3-4 (shard = index + 1): Job has failed indexes: kubectl logs -l job-name=label-shards,batch.kubernetes.io/job-completion-index=1"
	if !slices.Contains(said, want) {
		t.Errorf("said %q", said)
	}
}

// TestForbidden: what the server will refuse again is an error at once.
func TestForbidden(t *testing.T) {
	if _, err := someJobs().start(t, "wrong"); err == nil || !strings.Contains(err.Error(), "403 Forbidden: jobs.batch is forbidden") {
		t.Error(err)
	}
	if _, err := (&server{}).start(t, "secret"); err == nil || !strings.Contains(err.Error(), "no Jobs with the label "+StudyLabel+"=s in the namespace here") {
		t.Error(err)
	}
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	if _, err := InPod(); err == nil || !strings.Contains(err.Error(), "this is no pod of Kubernetes") {
		t.Error(err)
	}
}

// Package storetest is an object store in memory for tests: the part of the S3 protocol
// that package store speaks, with conditional writes as their specification has them, and
// with faults on request. It checks the checksums of what it is sent and who sends it, but
// no signatures.
package storetest

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Key is the access key that Server accepts, with any secret.
const Key = "kifu-test"

// Server is a running object store with one bucket, "bucket".
type Server struct {
	URL string

	mu      sync.Mutex
	objects map[string]*object
	fault   func(w http.ResponseWriter, r *http.Request) bool
	puts    map[string]int
}

type object struct {
	data    []byte
	tag     string
	sum     string // x-amz-meta-kifu-sha256
	changed time.Time
}

// Start runs a server for a test, and points the environment at it. Nothing of the user's
// environment is left.
func Start(t *testing.T) *Server {
	s := &Server{objects: map[string]*object{}, puts: map[string]int{}}
	s.URL = Serve(t, s)
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": s.URL, "AWS_ACCESS_KEY_ID": Key, "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1",
		"AWS_ENDPOINT_URL_S3": "", "AWS_PROFILE": "", "AWS_SESSION_TOKEN": "", "AWS_CONFIG_FILE": t.TempDir() + "/config",
		"AWS_SHARED_CREDENTIALS_FILE": t.TempDir() + "/credentials", "AWS_EC2_METADATA_DISABLED": "true", "KIFU_CACHE": t.TempDir(),
	} {
		t.Setenv(name, value)
	}
	return s
}

// Serve runs a handler for a test, and returns its URL.
func Serve(t *testing.T, h http.Handler) (url string) {
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // of connections that tests break
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

// Fault lets f answer requests first; those for which it returns true are answered. Nil
// ends that.
func (s *Server) Fault(f func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Keys returns the names of the objects, in order.
func (s *Server) Keys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.objects))
}

// Writes returns how often an object was written with success.
func (s *Server) Writes(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.puts[key]
}

// Change lets f change the content of an object, unseen, and its age; it fails if there is
// no such object.
func (s *Server) Change(t *testing.T, key string, f func(data []byte) []byte, age time.Duration) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.objects[key]
	if o == nil {
		t.Fatalf("no object %s", key)
	}
	o.data = f(bytes.Clone(o.data))
	o.changed = o.changed.Add(-age)
}

// Put places an object as another program would.
func (s *Server) Put(key string, data []byte, sum string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[key] = &object{data: data, tag: "other", sum: sum, changed: time.Now().UTC()}
}

// Delete removes an object.
func (s *Server) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.objects, key)
}

// ServeHTTP answers requests in the path style.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	fault := s.fault
	s.mu.Unlock()
	if fault != nil && fault(w, r) {
		return
	}
	bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch auth := r.Header.Get("Authorization"); {
	case auth == "":
		Refuse(w, http.StatusForbidden, "AccessDenied")
	case !strings.Contains(auth, "Credential="+Key+"/"):
		Refuse(w, http.StatusForbidden, "InvalidAccessKeyId")
	case bucket != "bucket":
		Refuse(w, http.StatusNotFound, "NoSuchBucket")
	case key == "" && r.Method == http.MethodGet:
		s.list(w, r)
	case key == "" && r.Method == http.MethodPost:
		s.remove(w, r)
	case r.Method == http.MethodPut:
		s.put(w, r, key)
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		s.get(w, r, key)
	default:
		Refuse(w, http.StatusMethodNotAllowed, "MethodNotAllowed")
	}
}

// Refuse answers with an error code of the protocol.
func Refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>refused by the test</Message></Error>", code)
}

func (s *Server) put(w http.ResponseWriter, r *http.Request, key string) {
	data, err := io.ReadAll(r.Body)
	sum := sha256.Sum256(data)
	if err != nil || int64(len(data)) != r.ContentLength || hex.EncodeToString(sum[:]) != r.Header.Get("X-Amz-Content-Sha256") {
		Refuse(w, http.StatusBadRequest, "XAmzContentSHA256Mismatch")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	there := s.objects[key]
	match := strings.Trim(r.Header.Get("If-Match"), `"`)
	switch {
	case r.Header.Get("If-None-Match") == "*" && there != nil, match != "" && there != nil && there.tag != match:
		Refuse(w, http.StatusPreconditionFailed, "PreconditionFailed")
		return
	case match != "" && there == nil:
		Refuse(w, http.StatusNotFound, "NoSuchKey")
		return
	}
	tag := md5.Sum(data)
	o := &object{data: data, tag: hex.EncodeToString(tag[:]), sum: r.Header.Get("X-Amz-Meta-Kifu-Sha256"), changed: time.Now().UTC()}
	s.objects[key] = o
	s.puts[key]++
	w.Header().Set("ETag", `"`+o.tag+`"`)
}

func (s *Server) get(w http.ResponseWriter, r *http.Request, key string) {
	s.mu.Lock()
	there := s.objects[key]
	if there == nil {
		s.mu.Unlock()
		Refuse(w, http.StatusNotFound, "NoSuchKey")
		return
	}
	o := *there
	s.mu.Unlock()
	w.Header().Set("ETag", `"`+o.tag+`"`)
	w.Header().Set("Last-Modified", o.changed.Format(http.TimeFormat))
	w.Header().Set("Content-Length", fmt.Sprint(len(o.data)))
	if o.sum != "" {
		w.Header().Set("X-Amz-Meta-Kifu-Sha256", o.sum)
	}
	if r.Method == http.MethodGet {
		w.Write(o.data)
	}
}

type listed struct {
	XMLName        xml.Name `xml:"ListBucketResult"`
	IsTruncated    bool
	NextToken      string `xml:"NextContinuationToken,omitempty"`
	Contents       []entry
	CommonPrefixes []struct{ Prefix string }
}

type entry struct {
	Key, ETag    string
	Size         int
	LastModified string
}

// list answers in pages of three, so that their ends are met, and of a thousand where there
// are many objects.
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	prefix, slash, from := q.Get("prefix"), q.Get("delimiter"), q.Get("continuation-token")
	var out listed
	folders := map[string]bool{}
	keys, page := s.Keys(), 3
	if len(keys) > 100 {
		page = 1000
	}
	for _, key := range keys {
		rest, is := strings.CutPrefix(key, prefix)
		if !is || key <= from {
			continue
		}
		if len(out.Contents)+len(out.CommonPrefixes) == page {
			out.IsTruncated = true
			break
		}
		if at := strings.Index(rest, "/"); slash != "" && at >= 0 {
			folder := prefix + rest[:at+1]
			if strings.HasPrefix(from, folder) {
				continue // was in the page before
			}
			if !folders[folder] {
				folders[folder] = true
				out.CommonPrefixes = append(out.CommonPrefixes, struct{ Prefix string }{folder})
			}
			out.NextToken = key
			continue
		}
		s.mu.Lock()
		o := s.objects[key]
		s.mu.Unlock()
		out.Contents = append(out.Contents, entry{key, o.tag, len(o.data), o.changed.Format(time.RFC3339)})
		out.NextToken = key
	}
	w.Header().Set("Content-Type", "application/xml")
	xml.NewEncoder(w).Encode(out)
}

func (s *Server) remove(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Object []struct{ Key string } }
	if err := xml.NewDecoder(r.Body).Decode(&asked); err != nil {
		Refuse(w, http.StatusBadRequest, "MalformedXML")
		return
	}
	for _, o := range asked.Object {
		s.Delete(o.Key)
	}
	w.Header().Set("Content-Type", "application/xml")
	fmt.Fprint(w, "<DeleteResult></DeleteResult>")
}

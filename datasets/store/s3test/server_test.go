// Package s3test tests package store against a real object store: versitygw, which keeps
// objects in a directory. It is a module of its own, so that kifu does not carry the
// gateway; 'make test-s3' runs it.
package s3test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

const (
	access, secret = "kifu-test", "a-secret-of-the-test"
	serve          = "S3TEST_SERVE" // address and directory: be the server
	makes          = "S3TEST_MAKES" // URL: be a run that makes a dataset
)

// TestMain is the server or a run in the processes that tests start and kill.
func TestMain(m *testing.M) {
	if at := os.Getenv(serve); at != "" {
		address, dir, _ := strings.Cut(at, " ")
		fmt.Fprintln(os.Stderr, gateway(address, dir))
		os.Exit(1)
	}
	if url := os.Getenv(makes); url != "" {
		if err := makeNumbers(url); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// gateway serves the objects of a directory until the process is killed.
func gateway(address, dir string) error {
	be, err := posix.New(filepath.Join(dir, "objects"), meta.XattrMeta{}, posix.PosixOpts{})
	if err != nil {
		return err
	}
	return embedgw.RunVersityGW(context.Background(), be, &embedgw.Config{
		RootUserAccess: access, RootUserSecret: secret, Ports: []string{address}, Quiet: true, KeepAlive: true,
		MaxConnections: 1000, MaxRequests: 1000, MultipartMaxParts: 10000,
	})
}

// server is a gateway in a process of its own.
type server struct {
	t            *testing.T
	address, dir string
	process      *exec.Cmd
}

// start runs a gateway with one bucket, "bucket", and points the environment at it.
func start(t *testing.T) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, address: l.Addr().String(), dir: t.TempDir()}
	l.Close()
	if err := os.MkdirAll(filepath.Join(s.dir, "objects", "bucket"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": "http://" + s.address, "AWS_ACCESS_KEY_ID": access, "AWS_SECRET_ACCESS_KEY": secret,
		"AWS_REGION": "us-east-1", "AWS_PROFILE": "", "AWS_SESSION_TOKEN": "", "AWS_ENDPOINT_URL_S3": "",
		"AWS_CONFIG_FILE": filepath.Join(s.dir, "none"), "AWS_SHARED_CREDENTIALS_FILE": filepath.Join(s.dir, "none"), "KIFU_CACHE": t.TempDir(),
	} {
		t.Setenv(name, value)
	}
	s.run()
	t.Cleanup(s.kill)
	return s
}

// run starts the gateway, and waits until it takes connections.
func (s *server) run() {
	s.process = self(serve + "=" + s.address + " " + s.dir)
	log, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		s.t.Fatal(err)
	}
	s.process.Stdout, s.process.Stderr = log, log
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	for range 600 {
		if c, err := net.Dial("tcp", s.address); err == nil {
			c.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	text, _ := os.ReadFile(log.Name())
	s.t.Fatalf("the gateway does not answer:\n%s", text)
}

// kill ends the gateway at once.
func (s *server) kill() {
	s.process.Process.Kill()
	s.process.Wait()
}

// object is the file of an object.
func (s *server) object(key string) string { return filepath.Join(s.dir, "objects", "bucket", key) }

// self is this program as another process.
func self(environment ...string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), environment...)
	return c
}

package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"kifu/cmd/kifu/cli"
	"kifu/cmd/kifu/command"
	"kifu/internal/checksum"
	"kifu/study/cluster"
)

// joinFlags name a cluster and how to reach it.
type joinFlags struct{ url, token, ca string }

func (f *joinFlags) add(flags *pflag.FlagSet, usage string) {
	flags.StringVar(&f.url, "on", "", usage)
	flags.StringVar(&f.token, "token-file", "", "with --on: `FILE` with the token, NATS credentials, or certificate and key")
	flags.StringVar(&f.ca, "ca", "", "with --on: trust certificates in `FILE`, or one by fingerprint, sha256:HEX (default: the system's)")
	cli.MarkPersonal(flags, "on", "token-file", "ca")
}

// queueFlags are the flags of the commands whose work a cluster does.
type queueFlags struct {
	joinFlags
	replicas int
}

func (f *queueFlags) add(flags *pflag.FlagSet) {
	f.joinFlags.add(flags, "distribute the work to kifu workers at `URL`: here, here:HOST:PORT, nats://HOST or tls://HOST")
	flags.IntVar(&f.replicas, "replicas", 1, "with --on: keep the queue on `N` servers, 1 or 3")
	cli.MarkPersonal(flags, "replicas")
}

// checkURL refuses what is no URL of a server outside.
func (f joinFlags) checkURL() error {
	for url := range strings.SplitSeq(f.url, ",") {
		if !strings.HasPrefix(url, "nats://") && !strings.HasPrefix(url, "tls://") {
			return command.Usagef("--on %s: want the URL of a server, nats://HOST:PORT or tls://HOST:PORT", url)
		}
	}
	return nil
}

// options returns the options of a connection.
func (f joinFlags) options() (cluster.Options, error) {
	build, err := buildID()
	return cluster.Options{TokenFile: f.token, CAFile: f.ca, Times: cluster.Usual, Build: build}, err
}

// buildID names the program that runs, by its bytes.
func buildID() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	sum, _, err := checksum.File(path)
	return fmt.Sprintf("%.12s", sum), err
}

// readToken reads the token in a file, which is made if it is not there.
func readToken(path string) (string, error) {
	text, err := os.ReadFile(path)
	switch token := strings.TrimSpace(string(text)); {
	case err == nil && len(token) >= 16 && !strings.ContainsRune(token, '\n'):
		return token, nil
	case err == nil:
		return "", fmt.Errorf("%s: want a token of at least 16 characters, in one line", path)
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	random := make([]byte, 24)
	rand.Read(random)
	token := hex.EncodeToString(random)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".token-*") // which only its owner may read
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(token + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	if err = os.Link(f.Name(), path); errors.Is(err, fs.ErrExist) {
		return readToken(path) // another kifu was first
	}
	return token, err
}

// workOf is the work of this command, for others.
func workOf(e *command.Env, key, name string) (cluster.Step, error) {
	base, err := filepath.Abs(e.Dir)
	return cluster.Step{Key: shortKey(key), Name: name, Base: base, Work: e.Work}, err
}

// shortKey is the key of a dataset as a cluster has it.
func shortKey(key string) string { return key[:24] }

// dial connects to a server outside, for which it waits so long.
func (f joinFlags) dial(ctx context.Context, con *command.Console, patience time.Duration) (*cluster.Cluster, error) {
	if f.url == "" {
		return nil, command.Usagef("--on URL is missing")
	}
	if err := f.checkURL(); err != nil {
		return nil, err
	}
	o, err := f.options()
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	for said := false; ; said = true {
		c, err := cluster.Dial(f.url, o)
		if err == nil || time.Since(begun) >= patience || !cluster.MayCome(err) {
			return c, err
		}
		if !said {
			fmt.Fprintf(con.Stderr, "kifu: %v: waiting for the server\n", err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

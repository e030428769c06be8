// Package machines has the work of a command done on several machines: parts by shards, by the workers of a cluster, or
// questions that workers answer.
//
// In: flags that name a cluster or a share, and a step. Out: the dataset, as one machine makes it. It does not decide what
// can be divided: the commands do, by the flags that they have.
package machines

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

// Server has the flags that name a cluster and how to reach it.
type Server struct{ URL, token, ca string }

// Declare adds the flags; usage is the text of --on.
func (f *Server) Declare(flags *pflag.FlagSet, usage string) {
	flags.StringVar(&f.URL, "on", "", usage)
	flags.StringVar(&f.token, "token-file", "", "with --on: `FILE` with the token, NATS credentials, or certificate and key")
	flags.StringVar(&f.ca, "ca", "", "with --on: trust certificates in `FILE`, or one by fingerprint, sha256:HEX (default: the system's)")
	cli.MarkPersonal(flags, "on", "token-file", "ca")
}

// checkURL refuses what is no URL of a server outside.
func (f Server) checkURL() error {
	for url := range strings.SplitSeq(f.URL, ",") {
		if !strings.HasPrefix(url, "nats://") && !strings.HasPrefix(url, "tls://") {
			return command.Usagef("--on %s: want the URL of a server, nats://HOST:PORT or tls://HOST:PORT", url)
		}
	}
	return nil
}

// options returns the options of a connection.
func (f Server) options() (cluster.Options, error) {
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

// Token reads the token in a file, which is made if it is not there.
func Token(path string) (string, error) {
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
		return Token(path) // another kifu was first
	}
	return token, err
}

// Dial connects to a server outside, for which it waits so long.
func (f Server) Dial(ctx context.Context, con *command.Console, patience time.Duration) (*cluster.Cluster, error) {
	if f.URL == "" {
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
		c, err := cluster.Dial(f.URL, o)
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

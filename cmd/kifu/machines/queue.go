package machines

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"kifu/cmd/kifu/cli"
	"kifu/cmd/kifu/command"
	"kifu/study/cluster"
)

// Queue has the flags of the commands whose work a cluster does.
type Queue struct {
	Server
	replicas int
}

// Declare adds the flags.
func (f *Queue) Declare(flags *pflag.FlagSet) {
	f.Server.Declare(flags, "distribute the work to kifu workers at `URL`: here, here:HOST:PORT, nats://HOST or tls://HOST")
	flags.IntVar(&f.replicas, "replicas", 1, "with --on: keep the queue on `N` servers, 1 or 3")
	cli.MarkPersonal(flags, "replicas")
}

// Join gives e the cluster that the flags name, if they name one; leave ends it.
func (f Queue) Join(ctx context.Context, e *command.Env) (leave func(), err error) {
	if f.URL == "" {
		return func() {}, nil
	}
	if f.replicas != 1 && f.replicas != 3 {
		return nil, command.Usagef("--replicas %d: want 1 or 3", f.replicas)
	}
	if e.Force {
		return nil, command.Usagef("--on makes missing parts only: remove the dataset instead of using --force")
	}
	o, err := f.options()
	if err != nil {
		return nil, err
	}
	o.Replicas = f.replicas
	address, here := strings.CutPrefix(f.URL, "here")
	if !here {
		if err := f.checkURL(); err != nil {
			return nil, err
		}
		c, err := cluster.Dial(f.URL, o)
		if err != nil {
			return nil, err
		}
		e.Cluster = c
		return c.Close, nil
	}
	return host(ctx, e, strings.TrimPrefix(address, ":"), o)
}

// host starts a server in this process, and work on this machine.
func host(ctx context.Context, e *command.Env, address string, o cluster.Options) (leave func(), err error) {
	address = cmp.Or(address, "127.0.0.1:4222")
	name, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, command.Usagef("--on here:%s: want here:HOST:PORT", address)
	}
	ip := net.ParseIP(name)
	if o.TokenFile == "" && name != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, command.Usagef("--on here:%s is open to other machines: add --token-file FILE (created if missing)", address)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "kifu", "cluster-"+port)
	o.TokenFile = cmp.Or(o.TokenFile, filepath.Join(dir, "token"))
	token, err := Token(o.TokenFile)
	if err != nil {
		return nil, err
	}
	c, url, stop, err := cluster.Here(address, filepath.Join(dir, "queue"), token, o)
	if err != nil {
		return nil, err
	}
	if ip.IsUnspecified() { // no other machine can connect to that address
		if machine, err := os.Hostname(); err == nil {
			_, own, _ := net.SplitHostPort(strings.TrimPrefix(url, "tls://"))
			url = "tls://" + net.JoinHostPort(machine, own)
		}
	}
	known := ""
	if c.Fingerprint != "" {
		known = " --ca " + c.Fingerprint
	}
	fmt.Fprintf(e.Stderr, "kifu: workers join by: kifu worker --on %s --token-file %s%s\n", url, o.TokenFile, known)
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := Worker(e, e.Barred == "").Run(ctx, c); err != nil {
			fmt.Fprintf(e.Stderr, "kifu: the worker here: %v\n", err)
		}
	}()
	e.Cluster = c
	return func() {
		cancel()
		<-ended
		c.Close()
		stop()
	}, nil
}

// workOf is the work of this command, for others.
func workOf(e *command.Env, key, name string) (cluster.Step, error) {
	base, err := filepath.Abs(e.Dir)
	return cluster.Step{Key: shortKey(key), Name: name, Base: base, Work: e.Work}, err
}

// shortKey is the key of a dataset as a cluster has it.
func shortKey(key string) string { return key[:24] }

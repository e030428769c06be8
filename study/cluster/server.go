package cluster

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"net"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Here starts a server within this process, connects to it, and returns its URL. address
// is HOST:PORT; other machines reach it only if HOST is not the loopback's, and then it speaks TLS, by
// a certificate of its own. dir is for its disk. All need the token.
func Here(address, dir, token string, o Options) (c *Cluster, url string, stop func(), err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, "", nil, err
	}
	return here(host, port, dir, token, o, !loopback(host))
}

// here is Here with or without TLS.
func here(host, port, dir, token string, o Options, secure bool) (c *Cluster, url string, stop func(), err error) {
	number, err := net.LookupPort("tcp", port)
	if err != nil {
		return nil, "", nil, err
	}
	so := &server.Options{
		ServerName: "kifu", Host: host, Port: cmp.Or(number, server.RANDOM_PORT), Authorization: token,
		JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true, MaxPayload: 8 << 20,
	}
	scheme, fingerprint := "nats://", ""
	if secure {
		own, print, err := certificate(dir + "-certificate.pem")
		if err != nil {
			return nil, "", nil, err
		}
		so.TLS, so.TLSTimeout = true, 5
		so.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{own}}
		scheme, fingerprint = "tls://", print
	}
	s, err := server.NewServer(so)
	if err != nil {
		return nil, "", nil, err
	}
	go s.Start()
	stop = func() { s.Shutdown(); s.WaitForShutdown() }
	if s.ReadyForConnections(10 * time.Second) {
		c, err = connect("", o, nats.InProcessServer(s), nats.Token(token))
	} else {
		err = fmt.Errorf("no server at %s: is the port taken? --on here:HOST:PORT names another", net.JoinHostPort(host, port))
	}
	if err != nil {
		stop()
		return nil, "", nil, err
	}
	c.Fingerprint = fingerprint
	return c, scheme + s.Addr().String(), stop, nil
}

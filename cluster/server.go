package cluster

import (
	"cmp"
	"fmt"
	"net"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Here starts a server within this process, connects to it, and returns its URL. address
// is HOST:PORT; other machines reach it only if HOST is not the loopback's. dir is for its
// disk. All need the token.
func Here(address, dir, token string, o Options) (c *Cluster, url string, stop func(), err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, "", nil, err
	}
	number, err := net.LookupPort("tcp", port)
	if err != nil {
		return nil, "", nil, err
	}
	s, err := server.NewServer(&server.Options{
		ServerName: "kifu", Host: host, Port: cmp.Or(number, server.RANDOM_PORT), Authorization: token,
		JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true, MaxPayload: 8 << 20,
	})
	if err != nil {
		return nil, "", nil, err
	}
	go s.Start()
	stop = func() { s.Shutdown(); s.WaitForShutdown() }
	if s.ReadyForConnections(10 * time.Second) {
		c, err = connect("", o, nats.InProcessServer(s), nats.Token(token))
	} else {
		err = fmt.Errorf("no server at %s: is the port taken? --on here:HOST:PORT names another", address)
	}
	if err != nil {
		stop()
		return nil, "", nil, err
	}
	return c, "nats://" + s.Addr().String(), stop, nil
}

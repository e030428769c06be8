package cluster

import (
	"crypto/tls"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Here starts a server within this process, connects to it, and returns its URL. address is HOST:PORT. Other
// machines reach it only if HOST is not the loopback; then it uses TLS, with its own certificate. dir is for
// its disk. All clients need the token.
func Here(address, dir, token string, o Options) (c *Cluster, url string, stop func(), err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, "", nil, err
	}
	return here(host, port, dir, token, o, !loopback(host))
}

// here is Here with or without TLS.
func here(host, port, dir, token string, o Options, secure bool) (c *Cluster, url string, stop func(), err error) {
	free, err := net.Listen("tcp", net.JoinHostPort(host, port)) // whose error says what is wrong; the server's does not
	if err != nil {
		return nil, "", nil, fmt.Errorf("%w: --on here:HOST:PORT names another address", err)
	}
	number := free.Addr().(*net.TCPAddr).Port
	free.Close()
	if port == "0" {
		number = server.RANDOM_PORT // the one that was free may be taken by now
	}
	so := &server.Options{
		ServerName: "kifu", Host: host, Port: number, Authorization: token,
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
		err = fmt.Errorf("no server at %s after ten seconds", net.JoinHostPort(host, port))
	}
	if err != nil {
		stop()
		return nil, "", nil, err
	}
	c.Fingerprint = fingerprint
	return c, scheme + s.Addr().String(), stop, nil
}

// keepers are the processes that keep what questions are about (see hands.Hands), each for all its slots. Each has its
// share of the sections by slots, so that what is too much for one is kept by many; who is gone has left its sections to
// the others, and who comes late gets some of theirs.
type keepers struct {
	sections, copies int      // a section is kept as often as there are processes for each
	by               []string // copy for copy; empty: none
}

// process returns the process of a member.
func process(id string) string {
	name, _, _ := strings.Cut(id, "-")
	return name
}

// keeper is the process that keeps the copy of a section that question i is sent to.
func (k *keepers) keeper(section, i int) *string { return &k.by[section*k.copies+i%k.copies] }

// room returns how many more each process may keep: its share by slots, rounded up, without what it keeps.
func (k *keepers) room(members members) map[string]int {
	room := map[string]int{}
	for id := range members {
		room[process(id)]++
	}
	for name, slots := range room {
		room[name] = (len(k.by)*slots + len(members) - 1) / len(members)
	}
	for _, name := range k.by {
		room[name]--
	}
	return room
}

// settle begins a round about so many sections: who is gone keeps none, and who has more than its share gives up some.
func (k *keepers) settle(sections int, members members) {
	processes := map[string]bool{}
	for id := range members {
		processes[process(id)] = true
	}
	copies := max(1, (len(processes)+sections-1)/sections)
	if sections != k.sections || copies != k.copies {
		*k = keepers{sections, copies, make([]string, sections*copies)}
	}
	room := k.room(members)
	for i := len(k.by) - 1; i >= 0; i-- {
		if name := k.by[i]; name != "" && room[name] < 0 {
			k.by[i] = ""
			room[name]++
		}
	}
}

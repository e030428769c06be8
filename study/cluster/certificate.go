package cluster

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// fingerprinted begins an Options.CAFile that is no file but the fingerprint of the server's
// certificate.
const fingerprinted = "sha256:"

// loopback reports whether only this machine reaches a host.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// certificate reads the certificate and key of a server in a file, which is made if it is not
// there, so that the fingerprint stays the same.
func certificate(path string) (c tls.Certificate, fingerprint string, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if text, err = newCertificate(); err == nil {
			err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600))
		}
	}
	if err == nil {
		c, err = tls.X509KeyPair(text, text)
	}
	if err != nil {
		return c, "", fmt.Errorf("%s: %w", path, err)
	}
	return c, fingerprintOf(c.Certificate[0]), nil
}

func fingerprintOf(certificate []byte) string {
	sum := sha256.Sum256(certificate)
	return fingerprinted + hex.EncodeToString(sum[:])
}

// newCertificate makes a certificate signed by its own key alone: workers recognize it by
// its fingerprint.
func newCertificate() ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	serial := big.NewInt(now.UnixNano())
	form := x509.Certificate{SerialNumber: serial, NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(20, 0, 0), DNSNames: []string{"kifu"}}
	signed, err := x509.CreateCertificate(rand.Reader, &form, &form, key.Public(), key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = errors.Join(pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: signed}), pem.Encode(&text, &pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
	return text.Bytes(), err
}

// knownBy returns the option of a connection to the server that has the certificate of that
// fingerprint, and to no other.
func knownBy(fingerprint string) nats.Option {
	return nats.Secure(&tls.Config{
		MinVersion:         tls.VersionTLS13,
		InsecureSkipVerify: true, // the fingerprint is verified instead
		VerifyConnection: func(s tls.ConnectionState) error {
			if got := fingerprintOf(s.PeerCertificates[0].Raw); !strings.EqualFold(got, fingerprint) {
				return fmt.Errorf("the server's certificate is %s, not the one of --ca", got)
			}
			return nil
		},
	})
}

package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFingerprint: a server that others reach speaks TLS; who has the fingerprint of its certificate
// and the token connects, and nobody else. The certificate stays the same.
func TestFingerprint(t *testing.T) {
	dir := t.TempDir()
	token := filepath.Join(dir, "token")
	if err := os.WriteFile(token, []byte("a token of the test\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	seen := ""
	for range 2 {
		c, url, stop, err := here("127.0.0.1", "0", filepath.Join(dir, "queue"), "a token of the test", Options{Times: Usual}, true)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(url, "tls://") || len(c.Fingerprint) != len(fingerprinted)+64 || seen != "" && seen != c.Fingerprint {
			t.Errorf("%s, %q after %q", url, c.Fingerprint, seen)
		}
		seen = c.Fingerprint
		other := fingerprinted + strings.Repeat("0", 64)
		plain := strings.Replace(url, "tls://", "nats://", 1)
		for _, d := range []struct {
			url, ca string
			ok      bool
		}{{url, c.Fingerprint, true}, {plain, c.Fingerprint, true}, {url, other, false}, {url, "", false}, {plain, "", false}} {
			joined, err := Dial(d.url, Options{TokenFile: token, CAFile: d.ca, Times: Usual})
			if (err == nil) != d.ok {
				t.Errorf("%s by %q: %v", d.url, d.ca, err)
			}
			if d.ca == "" && !strings.Contains(err.Error(), "add --ca") {
				t.Error(err)
			}
			if err == nil {
				joined.Close()
			}
		}
		if _, err := Dial(url, Options{CAFile: c.Fingerprint, Times: Usual}); err == nil || !strings.Contains(err.Error(), "--token-file") {
			t.Error(err)
		}
		c.Close()
		stop()
	}
	if info, err := os.Stat(filepath.Join(dir, "queue-certificate.pem")); err != nil || info.Mode().Perm() != 0o600 {
		t.Error("others may read the key:", err)
	}
}

package explore_test

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kifu/explore"
	"kifu/kit/slow"
)

// endless is a query that never ends and takes no memory.
const endless = "WITH RECURSIVE t AS (SELECT 1 AS a UNION ALL SELECT 1 - a FROM t) SELECT count(*) FROM t"

// TestGuard: nothing is answered to a foreign name (DNS rebinding), to a script or a picture
// of another site, without the token, or to anything but GET and HEAD; links are followed.
func TestGuard(t *testing.T) {
	at := serve(t, data(t)[:1], explore.Options{})
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	own := u.Host
	port := u.Port()
	for _, c := range []struct {
		name, method, path, host string
		head                     []string
		want                     int
	}{
		{"own", "GET", u.Path, own, nil, 200},
		{"head", "HEAD", u.Path, own, nil, 200},
		{"localhost", "GET", u.Path, "localhost:" + port, nil, 200},
		{"another number of this machine", "GET", u.Path, "[::1]:" + port, nil, 200},
		{"no token", "GET", "/", own, nil, 403},
		{"half a token", "GET", u.Path[:8] + "/", own, nil, 403},
		{"another token", "GET", "/another-token-of-tests/", own, nil, 403},
		{"static without token", "GET", "/static/page.js", own, nil, 403},
		{"rebound name", "GET", u.Path, "evil.example:" + port, nil, 403},
		{"rebound name that begins like a number", "GET", u.Path, "127.0.0.1.evil.example:" + port, nil, 403},
		{"another port", "GET", u.Path, "127.0.0.1:1", nil, 403},
		{"no port", "GET", u.Path, "127.0.0.1", nil, 403},
		{"post", "POST", u.Path, own, nil, 405},
		{"put", "PUT", u.Path, own, nil, 405},
		{"own origin", "GET", u.Path, own, []string{"Origin", "http://" + own}, 200},
		{"foreign origin", "GET", u.Path, own, []string{"Origin", "http://evil.example"}, 403},
		{"origin of a sandbox", "GET", u.Path, own, []string{"Origin", "null"}, 403},
		{"another port's origin", "GET", u.Path, own, []string{"Origin", "http://127.0.0.1:1"}, 403},
		{"foreign script", "GET", u.Path + "sql?q=SELECT+1&as=csv", own, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "script"}, 403},
		{"another port's picture", "GET", u.Path, own, []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, 403},
		{"foreign frame", "GET", u.Path, own, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, 403},
		{"a link in a page elsewhere", "GET", u.Path, own, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200},
		{"no UTF-8", "GET", u.Path + "players?on=games&name=%ff%fe", own, nil, 400},
		{"a zero byte", "GET", u.Path + "players?on=games&name=%00", own, nil, 400},
		{"half an escape", "GET", u.Path + "players?on=games&name=%f", own, nil, 400},
		{"templates", "GET", u.Path + "static/layout.html", own, nil, 404},
		{"folders", "GET", u.Path + "static/vendor/", own, nil, 404},
		{"above", "GET", u.Path + "file?on=games&name=..%2Fmanifest.json", own, nil, 404},
	} {
		request, err := http.NewRequest(c.method, "http://"+own+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = c.host
		for i := 0; i+1 < len(c.head); i += 2 {
			request.Header.Set(c.head[i], c.head[i+1])
		}
		r, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if r.StatusCode != c.want {
			t.Errorf("%s: %d, want %d: %s", c.name, r.StatusCode, c.want, text[:min(200, len(text))])
		}
		policy := r.Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || r.Header.Get("X-Content-Type-Options") != "nosniff" || r.Header.Get("Referrer-Policy") != "no-referrer" || r.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: headers %v", c.name, r.Header)
		}
	}
}

// TestTokens: one that can be guessed or that is no part of an address is refused.
func TestTokens(t *testing.T) {
	for _, bad := range []string{"short", "with/a/slash/in-it-it-is", "with space in it ....."} {
		if site, err := explore.New(context.Background(), data(t)[:1], chessGames(), explore.Options{Token: bad, Trust: true}); err == nil {
			site.Close()
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestOnlyReads: wherever SQL is typed, nothing but the datasets is read and nothing set.
func TestOnlyReads(t *testing.T) {
	at := serve(t, data(t), explore.Options{})
	secret := filepath.Join(t.TempDir(), "secret.csv")
	if err := os.WriteFile(secret, []byte("word\nxyzzy\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{
		"SELECT * FROM '" + secret + "'",
		"SELECT * FROM read_csv('" + secret + "')",
		"SELECT content FROM read_text('" + secret + "')",
		`SELECT * FROM "` + secret + `", (WITH "` + secret + `" AS (SELECT 1) SELECT 1) x`,
		"COPY (SELECT 1) TO '" + secret + ".out'",
		"CREATE TABLE x AS SELECT 1", "DROP VIEW labels", "SET memory_limit = '100GB'", "SET enable_external_access = true",
		"INSTALL httpfs", "LOAD httpfs", "ATTACH '" + secret + "'", "SELECT 1; DROP VIEW labels", "PRAGMA database_list",
		"SELECT * FROM duckdb_settings()", "SELECT * FROM glob('/*')", "SELECT repeat('x', 4000000000)", "SELECT range(3000000000)",
	} {
		if _, text := get(t, at+"sql", "q", sql); strings.Contains(text, "xyzzy") || !strings.Contains(text, `role="alert"`) {
			t.Errorf("%s: was run", sql)
		}
		if status, text := get(t, at+"sql", "q", sql, "as", "csv"); status != 400 || strings.Contains(text, "xyzzy") {
			t.Errorf("%s as CSV: %d %s", sql, status, text)
		}
	}
	for _, condition := range []string{
		"ply = (SELECT max(length(word)) FROM '" + secret + "')", "ply > 1) UNION ALL SELECT * FROM read_csv('" + secret + "') --", "length(repeat('x', 4000000000)) > 1",
		"1 = 1; DROP VIEW labels",
	} {
		for _, v := range [][]string{{"curves", "when"}, {"positions", "where"}, {"positions", "order"}, {"games", "where"}, {"openings", "where"}} {
			if _, text := get(t, at+v[0], v[1], condition); strings.Contains(text, "xyzzy") || !strings.Contains(text, `role="alert"`) {
				t.Errorf("%s %s=%s: was run", v[0], v[1], condition)
			}
		}
	}
	if _, err := os.Stat(secret + ".out"); err == nil {
		t.Error("a file was written")
	}
	ok(t, at+"positions", "on", "labels") // everything is still there
}

// TestLimits: a query ends at its time and gives the database back; a CSV ends at its rows;
// memory ends with an error.
func TestLimits(t *testing.T) {
	slow.Test(t, "waits for time limits")
	at := serve(t, data(t)[:1], explore.Options{Time: time.Second})
	for range 4 { // more often than there are databases
		if status, text := get(t, at+"sql", "q", endless); status != 503 || !strings.Contains(text, "took longer than 1s") {
			t.Fatalf("%d: %s", status, text)
		}
	}
	at = serve(t, data(t), explore.Options{Rows: 7, Memory: "100MB"})
	if n := len(rows(t, ok(t, at+"sql", "q", "SELECT ply FROM labels", "as", "csv"))); n != 8 {
		t.Errorf("%d lines, want a head and 7 rows", n)
	}
	if status, text := get(t, at+"sql", "q", "SELECT count(*) FROM (SELECT list(x.ply || '-' || y.ply || '-' || z.ply) AS l FROM positions x, positions y, positions z) WHERE len(l) > 5"); status == 200 && !strings.Contains(text, `role="alert"`) {
		t.Error("memory has no limit")
	}
	ok(t, at+"sql", "q", "SELECT 1")
}

// TestGone: a reader who goes away ends the query, and three of them do not keep a fourth
// waiting.
func TestGone(t *testing.T) {
	at := serve(t, data(t)[:1], explore.Options{Time: time.Hour})
	for range 3 {
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		request, err := http.NewRequestWithContext(ctx, "GET", at+"sql?q="+url.QueryEscape(endless), nil)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := http.DefaultClient.Do(request); err == nil {
			r.Body.Close()
			t.Error("an answer to a query without end")
		}
		cancel()
	}
	done := make(chan bool)
	go func() { ok(t, at+"games"); close(done) }()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("the databases are still taken")
	}
}

package explore_test

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"kifu/explore"
	"kifu/kit/slow"
)

// deaf is a query that is at one call of a function for years: DuckDB cannot be interrupted.
const deaf = "SELECT repeat('a', 5000) || 'c' LIKE '%a%a%a%a%a%a%a%_b'"

// TestDeaf: pages whose process hears nothing any more end at their time, and all others are there; so does
// what takes more than its memory.
func TestDeaf(t *testing.T) {
	slow.Test(t, "waits for time limits")
	at := serve(t, data(t)[:1], explore.Options{Time: time.Second, Memory: "500MB"})
	done := make(chan string)
	begun := time.Now()
	for range 4 {
		go func() {
			status, text := get(t, at+"sql", "q", deaf)
			done <- fmt.Sprint(status, text)
		}()
	}
	for range 4 {
		if text := <-done; !strings.HasPrefix(text, "503") {
			t.Errorf("%s", text)
		}
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("they took %v", took)
	}
	ok(t, at+"games")
	at = serve(t, data(t)[:1], explore.Options{Memory: "500MB"})
	for _, q := range []string{
		"SELECT length(string_agg(repeat('x', 9999), '')) FROM range(1000000)",
		"SELECT max(length(repeat(s, 9999))) FROM (SELECT string_agg(range) AS s FROM range(10000) GROUP BY range % 5)",
	} {
		if status, text := get(t, at+"sql", "q", q); status != 503 && !strings.Contains(text, `role="alert"`) {
			t.Errorf("%s: %d %.300s", q, status, text)
		}
		ok(t, at+"games")
	}
}

// TestSlowReaders: more readers than pages are made at a time, who take nothing of an answer that is
// larger than what the system holds for them, keep nobody waiting.
func TestSlowReaders(t *testing.T) {
	at := serve(t, data(t)[:1], explore.Options{})
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	sql := "SELECT range AS n, repeat('x', 1000) AS text FROM range(20000)"
	var readers []net.Conn
	for range 5 {
		conn, err := net.Dial("tcp", u.Host)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "GET %ssql?as=csv&q=%s HTTP/1.1\r\nHost: %s\r\n\r\n", u.Path, url.QueryEscape(sql), u.Host)
		if _, err := conn.Read(make([]byte, 1)); err != nil { // it has begun
			t.Fatal(err)
		}
		readers = append(readers, conn)
	}
	for range 4 {
		begun := time.Now()
		if ok(t, at+"games"); time.Since(begun) > patience {
			t.Errorf("a page took %v", time.Since(begun))
		}
	}
	readers[0].SetReadDeadline(time.Now().Add(patience))
	rest, err := io.ReadAll(io.LimitReader(readers[0], 20_000_000))
	if err != nil || len(rest) < 20_000_000 {
		t.Errorf("a reader who comes back gets %d bytes: %v", len(rest), err)
	}
}

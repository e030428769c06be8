package explore

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
)

// policy is the content security policy of the site's own pages: no inline script or style,
// nothing from elsewhere, in no frame.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard lets through what may be answered: GET and HEAD, a Host that no foreign name can be
// bound to (DNS rebinding), no foreign Origin, and the token. Every answer has the headers
// that keep its content in its place.
func (s *Site) guard(at net.Addr, next http.Handler) http.Handler {
	_, port, _ := net.SplitHostPort(at.String())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "this site is read-only", http.StatusMethodNotAllowed)
			return
		case !ownHost(r.Host, port):
			http.Error(w, "this host name is not allowed: use the address that kifu explore printed", http.StatusForbidden)
			return
		case !ownOrigin(r, port):
			http.Error(w, "requests from other sites are not allowed", http.StatusForbidden)
			return
		}
		token, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if subtle.ConstantTimeCompare([]byte(token), []byte(s.options.Token)) != 1 {
			http.Error(w, "the address has no valid token: use the address that kifu explore printed", http.StatusForbidden)
			return
		}
		if query, err := url.QueryUnescape(r.URL.RawQuery); err != nil || !utf8.ValidString(query) || strings.ContainsRune(query, 0) {
			http.Error(w, "the address is not UTF-8 text", http.StatusBadRequest)
			return
		}
		r.URL.Path, r.URL.RawPath = "/"+rest, ""
		next.ServeHTTP(w, r)
	})
}

// ownHost reports whether the Host of a request is one that only this machine's addresses
// have: an IP number or localhost, with the port that is listened on. A name could be one
// that its owner has bound to this address.
func ownHost(host, port string) bool {
	name, p, err := net.SplitHostPort(host)
	if err != nil {
		name, p = strings.Trim(host, "[]"), "80"
	}
	return p == port && (name == "localhost" || net.ParseIP(name) != nil)
}

// ownOrigin reports whether a request comes from the site's own pages, from the address bar, or from a link
// that a person followed. Requests by scripts and pictures of other sites name another Origin or are marked
// as cross-site.
func ownOrigin(r *http.Request, port string) bool {
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" || u.Host != r.Host || !ownHost(u.Host, port) {
			return false
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	return r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

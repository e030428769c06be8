package views

import (
	"cmp"
	"mime"
	"net/http"
	"path"

	"kifu/explore/site"
)

// File answers with a file next to the parts of a dataset, after verifying its checksum: on, name. A
// page of a report has its script in it; it runs in a sandbox without the site's origin, from which
// nothing of the site can be read.
func (s *Pages) File(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	d := site.Named(s.sets, q.Get("on"))
	name := q.Get("name")
	if d == nil || !d.Dir.HasFile(name) {
		http.NotFound(w, r)
		return
	}
	data, err := d.Dir.ReadFile(name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	kind := mime.TypeByExtension(path.Ext(name))
	switch path.Ext(name) {
	case ".toml", ".md", ".tex", ".sql", ".json", ".csv":
		kind = "text/plain; charset=utf-8"
	}
	kind = cmp.Or(kind, "application/octet-stream")
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; sandbox allow-scripts allow-popups; frame-ancestors 'none'")
	w.Write(data)
}

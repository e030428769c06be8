package ingest

import (
	"io/fs"

	"kifu/ingest/formats"
	"kifu/ingest/source"
)

// Bounds of the held texts, in bytes: of a file and of all files.
const (
	mostHeld    = 64 << 10
	mostHeldAll = 40 << 20
	heldChunk   = 1 << 20
)

// Held keeps small files and directory listings in memory while a command reads them several times:
// to detect games, to compute keys, and to read the games. Opening a file costs more than reading
// one game. A nil Held keeps nothing. It is for one goroutine.
type Held struct {
	texts map[string]heldText // by path
	dirs  map[string]walked
	chunk []byte // the rest of the memory that was allocated last
	used  int
}

// walked are the files below a directory that a set takes.
type walked struct {
	set   formats.Set
	files []file
	sized bool
}

// walk keeps the listing of dir for a set of formats; a listing for many formats serves fewer, too.
func (h *Held) walk(dir string, set formats.Set, files []file, sized bool) {
	if h == nil {
		return
	}
	if h.dirs == nil {
		h.dirs = map[string]walked{}
	}
	h.dirs[dir] = walked{set, files, sized}
}

// walked returns the files below a directory that a set takes, or more, if it is known.
func (h *Held) walked(dir string, set formats.Set, sized bool) (files []file, ok bool) {
	if h == nil {
		return nil, false
	}
	w, ok := h.dirs[dir]
	ok = ok && (w.sized || !sized)
	for _, of := range set {
		ok = ok && w.set.Has(of.Name)
	}
	return w.files, ok
}

type heldText struct {
	text []byte
	of   fs.FileInfo // before it was read
}

// small reports whether a file can be held.
func (f file) small() bool {
	return f.info != nil && f.size > 0 && f.size <= mostHeld && !source.IsArchive(f.path)
}

// have returns what the file stores if it is held.
func (h *Held) have(f file) (text []byte, ok bool) {
	if h == nil || f.info == nil {
		return nil, false
	}
	if held, ok := h.texts[f.path]; ok && unchanged(f.path, held.of, f.info) == nil {
		return held.text, true
	}
	return nil, false
}

// text returns the stored bytes of the file, if they are held or can be: the file is small, no archive, and
// there is room. An error is left to whoever opens the file.
func (h *Held) text(f file) (text []byte, ok bool) {
	if text, ok := h.have(f); ok || h == nil {
		return text, ok
	}
	n := int(f.size)
	if !f.small() || h.used+n > mostHeldAll {
		return nil, false
	}
	if len(h.chunk) <= n {
		h.chunk = make([]byte, heldChunk)
	}
	read, err := source.ReadSmall(f.path, h.chunk[:n+1])
	if err != nil || read != n { // it has changed since its size was read
		return nil, false
	}
	text, h.chunk = h.chunk[:n:n], h.chunk[n:]
	if source.TableAtEnd(text) != "" {
		return nil, false
	}
	if h.texts == nil {
		h.texts = map[string]heldText{}
	}
	h.texts[f.path] = heldText{text, f.info}
	h.used += n
	return text, true
}

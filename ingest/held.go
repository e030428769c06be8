package ingest

import (
	"io/fs"
	"slices"

	"kifu/ingest/record"
	"kifu/ingest/source"
)

// Bounds of what is held, in bytes: of a file and of all of them.
const (
	mostHeld    = 64 << 10
	mostHeldAll = 40 << 20
	heldChunk   = 1 << 20
)

// Held keeps the texts of small files while a command reads them several times, to tell their
// games, to take their keys and for the games: to open a file costs more than one game does. It
// keeps what directories hold, too. A Held that is nil keeps nothing. It is for one goroutine.
type Held struct {
	texts map[string]heldText // by path
	dirs  map[string]walked
	chunk []byte // the rest of the memory that was allocated last
	used  int
}

// walked are the files below a directory that a set takes.
type walked struct {
	set   formatSet
	files []file
	sized bool
}

// walk remembers what is below a directory; of large sets more than of their parts.
func (h *Held) walk(dir string, set formatSet, files []file, sized bool) {
	if h == nil {
		return
	}
	if h.dirs == nil {
		h.dirs = map[string]walked{}
	}
	h.dirs[dir] = walked{set, files, sized}
}

// walked returns the files below a directory that a set takes, or more, if it is known.
func (h *Held) walked(dir string, set formatSet, sized bool) (files []file, ok bool) {
	if h == nil {
		return nil, false
	}
	w, ok := h.dirs[dir]
	ok = ok && (w.sized || !sized)
	for _, of := range set {
		ok = ok && slices.ContainsFunc(w.set, func(have *record.Format) bool { return have.Name == of.Name })
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

// text returns what the file stores, if it is held or can be: it is small, no archive, and there is
// room. A fault is for him who opens the file.
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
	if err != nil || read != n { // it has changed since its size was asked for
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

package ingest

import "io/fs"

// Bounds of what is held, in bytes: of a file and of all of them.
const (
	mostHeld    = 64 << 10
	mostHeldAll = 40 << 20
	heldChunk   = 1 << 20
)

// Held keeps the texts of small files while a command reads them several times, to tell their
// games, to take their keys and for the games: to open a file costs more than one game does. A
// Held that is nil keeps nothing. It is for one goroutine.
type Held struct {
	texts map[string]heldText // by path
	chunk []byte              // the rest of the memory that was allocated last
	used  int
}

type heldText struct {
	text []byte
	of   fs.FileInfo // before it was read
}

// text returns what the file stores, if it is held or can be: it is small, no archive, and there is
// room. A fault is for him who opens the file.
func (h *Held) text(f file) (text []byte, ok bool) {
	if h == nil {
		return nil, false
	}
	if held, ok := h.texts[f.path]; ok && f.info != nil && unchanged(f.path, held.of, f.info) == nil {
		return held.text, true
	}
	n := int(f.size)
	if f.info == nil || f.size <= 0 || f.size > mostHeld || h.used+n > mostHeldAll || isArchive(f.path) {
		return nil, false
	}
	if len(h.chunk) <= n {
		h.chunk = make([]byte, heldChunk)
	}
	read, err := readSmall(f.path, h.chunk[:n+1])
	if err != nil || read != n { // it has changed since its size was asked for
		return nil, false
	}
	text, h.chunk = h.chunk[:n:n], h.chunk[n:]
	if tableAtEnd(text) != "" {
		return nil, false
	}
	if h.texts == nil {
		h.texts = map[string]heldText{}
	}
	h.texts[f.path] = heldText{text, f.info}
	h.used += n
	return text, true
}

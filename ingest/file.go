package ingest

import (
	"io/fs"
)

// file is one file of records.
type file struct {
	name string      // as source_file has it: relative to the directory that was named, else the base name
	path string      // "-" for the standard input
	size int64       // in bytes, as stored; 0 if unknown
	info fs.FileInfo // nil if it was not needed

	format string // of its records, where the name leaves it open
	passed passed // in its directory, before it or, for the last one, after it
}

// passed counts what of a directory is not read: files that hold no records, links that lead
// nowhere, and directories that may not be read.
type passed struct{ files, links, folders int }

func (p *passed) add(more passed) {
	p.files, p.links, p.folders = p.files+more.files, p.links+more.links, p.folders+more.folders
}

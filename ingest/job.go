package ingest

import (
	"kifu/datasets"
	"kifu/ingest/record"
)

// segment is a block of one file, or what went wrong between two.
type segment struct {
	file   int    // its number
	name   string // of the stream, as source_file has it
	texts  texts  // of the stream
	format *record.Format
	block  record.Block
	fault  *record.SyntaxError
}

// job is the unit of work: about blockSize bytes of records, from one file or many.
type job struct {
	seq      int
	segments []segment // the first used; memory of the rest is kept
	used     int
	end      place  // GameID is set when the job is numbered
	open     bool   // reading cannot begin at end: no part ends there
	warn     []byte // a line for every file that ended early
	rows     *table
	games    int // rows of games, or stretches of positions
	counts   datasets.Counts
	log      []byte
	part     *part
	last     bool // of its part
	group    *datasets.RowGroup
	carried  []byte // group as it came from elsewhere
}

// add returns the next segment of j, to be filled.
func (j *job) add(file int) *segment {
	if j.used == len(j.segments) {
		j.segments = append(j.segments, segment{})
	}
	seg := &j.segments[j.used]
	j.used++
	seg.file, seg.fault = file, nil
	return seg
}

// reset empties j and keeps its memory, but for what a crowd of small files needed.
func (j *job) reset() {
	j.segments = j.segments[:min(len(j.segments), 2)]
	j.rows.Reset()
	*j = job{segments: j.segments, rows: j.rows, log: j.log[:0]}
}

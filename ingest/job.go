package ingest

import (
	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/ingest/record"
	"kifu/ingest/rows"
)

// segment is a block of one file, or what went wrong between two.
type segment struct {
	file   int        // its number
	name   string     // of the stream, as source_file has it
	texts  rows.Texts // of the stream
	format *record.Format
	usual  string // the game of records that name none, if records are sorted
	block  record.Block
	lent   bool // the memory of block is not its own
	fault  *record.SyntaxError
}

// job is the unit of work: about blockSize bytes of records, from one file or many.
type job struct {
	seq      int
	segments []segment // the first used; memory of the rest is kept
	used     int
	texts    []byte // memory of lent blocks
	taken    int    // of it
	end      place  // GameID is set when the job is numbered
	open     bool   // reading cannot begin at end: no part ends there
	warn     []byte // a line for every file that ended early
	rows     *rows.Table
	games    int // rows of games, or stretches of positions
	counts   manifest.Counts
	log      []byte
	part     *part
	last     bool // of its part
	group    *columns.RowGroup
	carried  []byte // group as it came from elsewhere
	question []byte // the job for others, packed
}

// add returns the next segment of j, to be filled.
func (j *job) add(file int) *segment {
	if j.used == len(j.segments) {
		j.segments = append(j.segments, segment{})
	}
	seg := &j.segments[j.used]
	j.used++
	seg.file, seg.fault, seg.lent = file, nil, false
	seg.block = record.Block{Data: seg.block.Data}
	return seg
}

// room returns memory of n bytes, at most mostHeld+1, that is j's until it is reset.
func (j *job) room(n int) []byte {
	const whole = blockSize/2 + mostHeld + 1 // what a job is filled with
	if j.taken+n > len(j.texts) {
		j.texts, j.taken = make([]byte, whole), 0
	}
	j.taken += n
	return j.texts[j.taken-n : j.taken : j.taken]
}

// reset empties j and keeps its memory, but for what a crowd of small streams needed.
func (j *job) reset() {
	const most = 1 << 10
	j.segments = j.segments[:min(len(j.segments), most)]
	for i := range j.segments {
		if i > 1 || j.segments[i].lent {
			j.segments[i].block.Data = nil
		}
	}
	j.rows.Reset()
	*j = job{segments: j.segments, rows: j.rows, log: j.log[:0], texts: j.texts}
}

// part is a part that is being written.
type part struct {
	w      *datasets.PartWriter
	games  int
	counts manifest.Counts
	end    place
}

// place is a game boundary in the input: where a part ended, in its state, and where
// the next run goes on.
type place struct {
	File   int   `json:"file"`
	Member int   `json:"member,omitempty"` // of an archive: those that hold records, counted from 0
	Offset int64 `json:"offset"`           // in the member, decompressed
	Line   int   `json:"line"`
	GameID int64 `json:"game_id"` // of the next game
}

// blockSize is the length of a job in bytes. Parts are closed, and reading goes on
// after an interruption, between two jobs.
const blockSize = 2 << 20

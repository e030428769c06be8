package ingest

import (
	"errors"
	"io"
	"strconv"

	"kifu/ingest/record"
)

// worker turns jobs into rows. It is for one goroutine.
type worker struct {
	*run
	reader   record.BlockReader
	resolver resolver
	source   string // of the game, as source_file has it
	game     record.Game
	row      row
}

// parse reads the games of j into its batch.
func (w *worker) parse(j *job) {
	for i := range j.segments[:j.used] {
		seg := &j.segments[i]
		w.source = seg.name
		if seg.fault != nil {
			w.game.Reset()
			w.fault(j, seg.file, seg.fault)
			continue
		}
		w.reader.Reset(seg.block)
		for {
			err := w.reader.Read(&w.game)
			if err == io.EOF {
				break
			}
			var fault *record.SyntaxError
			if errors.As(err, &fault) {
				w.fault(j, seg.file, fault)
				continue
			}
			w.add(j, seg.file)
		}
	}
	for range j.rows.Rows {
		j.rows.game.AppendString(w.run.game.Name())
	}
	j.counts.Written = int64(j.rows.Rows)
}

// add plays the worker's game and puts it into j, as a row or as a rejected one.
func (w *worker) add(j *job, file int) {
	j.counts.Read++
	h := readHeader(&w.game)
	if err := w.resolver.resolve(&w.game, h, &w.row); err != nil {
		var r *reject
		if !errors.As(err, &r) {
			r = &reject{reason: err.Error()}
		}
		w.reject(j, file, w.game.Line, r)
		return
	}
	j.rows.append(w.source, &w.game, h, &w.row, func(what string) { j.counts.Note(what, 1) })
}

func (w *worker) fault(j *job, file int, fault *record.SyntaxError) {
	j.counts.Read++
	w.reject(j, file, fault.Line, &reject{fault.Reason, fault.Detail})
}

// maxLog bounds what one job says about its rejected games, maxReasons how many reasons
// it counts apart: records may name variants as they please.
const (
	maxLog     = 1 << 20
	maxReasons = 100
)

// reject counts the worker's game as left out and, if somebody wants to know, says
// where it stood, who played, and why.
func (w *worker) reject(j *job, file, line int, r *reject) {
	reason := r.reason
	if _, known := j.counts.Rejected[reason]; !known && len(j.counts.Rejected) >= maxReasons {
		reason = "other reasons"
	}
	j.counts.Reject(reason, 1)
	if w.Log == nil || len(j.log) > maxLog {
		return
	}
	h := readHeader(&w.game)
	j.log = appendPlace(j.log, w.source, line)
	if h.first >= 0 || h.second >= 0 {
		for i, at := range []int{h.first, h.second} {
			name := j.rows.text(tagValue(&w.game, at))
			if name == nil {
				name = []byte("?")
			}
			if i == 1 {
				j.log = append(j.log, " – "...)
			}
			j.log = append(j.log, name...)
		}
		j.log = append(j.log, ": "...)
	}
	j.log = append(j.log, j.rows.repair([]byte(r.Error()))...)
	j.log = append(j.log, '\n')
}

// appendPlace appends "file:line: ".
func appendPlace(dst []byte, file string, line int) []byte {
	dst = append(dst, file...)
	dst = append(dst, ':')
	dst = strconv.AppendInt(dst, int64(line), 10)
	return append(dst, ": "...)
}

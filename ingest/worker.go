package ingest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"

	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/ingest/legal"
	"kifu/ingest/record"
	"kifu/ingest/rows"
	"kifu/schemas"
)

// worker turns jobs into rows. It is for one goroutine.
type worker struct {
	*run
	readers  readers
	resolver legal.Resolver
	filter   *tagFilter // nil: every game is wanted
	source   string     // of the game, as source_file has it
	format   *record.Format
	usual    string     // game, of its stream
	texts    rows.Texts // of its stream
	game     record.Game
	row      rows.Row
}

func newWorker(ctx context.Context, r *run) (*worker, error) {
	w := &worker{run: r, resolver: r.game.NewResolver(r.params.KeepPrefix)}
	w.game.Bare = r.params.DropAnnotations
	w.readers = readers{mover: r.params.Mover, soft: r.params.Soft, decoder: w.decoder}
	if r.params.Where == "" {
		return w, nil
	}
	var err error
	if w.filter, err = newTagFilter(ctx, r); err != nil {
		return nil, err
	}
	w.readers = readers{keep: w.filter.keep, decoder: w.decoder}
	return w, nil
}

func (w *worker) close() {
	if w.filter != nil {
		w.filter.close()
	}
}

// parse reads the games of j into its batch.
func (w *worker) parse(ctx context.Context, j *job) error {
	err := w.eachGame(ctx, j, func(_ int, fault *record.SyntaxError) {
		j.counts.Read++
		switch {
		case w.refused():
			j.counts.Note(leftOut, 1)
		case fault != nil:
			if other, _ := w.otherGame(w.header()); other != "" {
				j.counts.Note("game of "+other, 1)
			} else {
				w.reject(j, fault.Line, &legal.Reject{Reason: fault.Reason, Detail: fault.Detail})
			}
		case w.params.Positions:
			w.addPositions(j)
		default:
			w.add(j)
		}
	})
	if err != nil {
		return err
	}
	j.counts.Written = int64(j.rows.Rows)
	if w.params.Positions {
		w.resolver.Filled(j.rows)
		return nil
	}
	j.games = j.rows.Rows
	for range j.rows.Rows {
		j.rows.Game.AppendString(w.run.game.Name())
	}
	return nil
}

// eachGame reads the games of j one after the other into w.game and calls f for every one,
// and for every fault.
func (w *worker) eachGame(ctx context.Context, j *job, f func(file int, fault *record.SyntaxError)) error {
	if w.filter != nil {
		if err := w.filter.look(ctx, w, j); err != nil {
			return err
		}
	}
	for i := range j.segments[:j.used] {
		seg := &j.segments[i]
		w.source, w.format, w.usual, w.texts, j.rows.Texts = seg.name, seg.format, seg.usual, seg.texts, seg.texts
		w.begin()
		w.resolver.Part()
		if seg.fault != nil {
			w.game.Reset()
			f(seg.file, seg.fault)
			continue
		}
		reader := w.readers.reader(seg.format)
		reader.Reset(seg.block)
		for {
			w.begin()
			err := reader.Read(&w.game)
			if err == io.EOF {
				break
			}
			f(seg.file, faultOf(err))
		}
	}
	return nil
}

// faultOf returns a reader's fault in a game, nil for a sound game.
func faultOf(err error) (fault *record.SyntaxError) {
	if err != nil { // asked for first, since As takes memory for the answer
		errors.As(err, &fault)
	}
	return fault
}

// decoder decodes texts of the stream that is being read.
func (w *worker) decoder(text []byte, label string) (record.Decoder, string) {
	return w.texts.Decoder(text, label)
}

// begin forgets what the filter said of the game before.
func (w *worker) begin() {
	if w.filter != nil {
		w.filter.refused = false
	}
}

// refused reports whether the filter does not want the game that was read last.
func (w *worker) refused() bool { return w.filter != nil && w.filter.refused }

// add plays the worker's game and puts it into j, as a row or as a rejected one.
func (w *worker) add(j *job) {
	h := w.header()
	other, guessed := w.otherGame(h)
	if other != "" {
		j.counts.Note("game of "+other, 1)
		return
	}
	if name := w.refusedGame(h); name != "" {
		w.reject(j, w.game.Line, &legal.Reject{Reason: legal.Clip(games.UnknownVariant(name).Error())})
		return
	}
	if err := w.resolver.Resolve(&w.game, h, &w.row); err != nil {
		w.reject(j, w.game.Line, legal.RejectOf(err))
		return
	}
	if w.row.Cut != "" {
		w.report(j, w.game.Line, &legal.Reject{Reason: "cut before this move", Detail: w.row.Fault})
	}
	w.cutAnnotations(j.counts.Note)
	j.rows.Append(w.source, &w.game, h, &w.row, func(what string) { j.counts.Note(what, 1) })
	w.noteDropped(&j.counts)
	if guessed {
		j.counts.Note("taken for a game of "+w.run.game.Name()+" as its neighbours are", 1)
	}
	if w.game.Open && len(w.game.Moves) > 0 {
		j.counts.Note(openEnd, 1)
	}
	if what := w.scoreFault(); what != "" {
		j.counts.Note(what, 1)
	}
}

// addPositions puts the positions of the worker's game into j.
func (w *worker) addPositions(j *job) {
	before, n := j.rows.Rows, max(len(w.game.Moves), 1)
	j.counts.Read += int64(n - 1)
	stretches, err := w.resolver.Positions(&w.game, j.rows)
	j.games += stretches
	if err == nil {
		return
	}
	w.reject(j, w.game.Line, legal.RejectOf(err))
	if rest := n - 1 - (j.rows.Rows - before); rest > 0 {
		j.counts.Reject("after a position that cannot be read", int64(rest))
	}
}

// noteDropped notes what the worker's game does not have of its record.
func (w *worker) noteDropped(counts *manifest.Counts) {
	d := &w.game.Dropped
	for what, n := range map[string]int{"comments": d.Comments, "variations": d.Variations, "moves after the ending": d.Late} {
		if n > 0 {
			counts.Note(schemas.Dropped+what, int64(n))
		}
	}
	if d.Numbers > 0 {
		counts.Note(nameless, 1)
	}
	if d.Words > 0 && len(w.game.Moves) == 0 && len(w.game.Result) > 0 && w.row.Cut == "" {
		counts.Note("no moves, though there are words in their place", 1)
	}
}

// nameless is the note for games with numbers as names.
const nameless = "names that stay numbers: no file of names next to the record has them"

// openEnd is the note for games whose record stops between two moves.
const openEnd = "record without its end"

// scoreFault describes the fault of the score that the record of the worker's game
// states, compared with its moves; "" if nothing is, or if it states none.
func (w *worker) scoreFault() string {
	if w.format.Score == nil || w.row.Cut != "" {
		return ""
	}
	switch score, stated := w.format.Score(&w.game); {
	case !stated, !w.row.Scored && w.format.AgreedScore:
	case !w.row.Scored:
		return "score of a game that stops before its end"
	case score != w.row.Score:
		return "score contradicts the final position"
	}
	return ""
}

// header finds the tags of the worker's game.
func (w *worker) header() rows.Header {
	return rows.ReadHeader(&w.game, w.format.VariantTag, w.run.game.BlackFirst())
}

// otherGame returns the name of the record's game if another run is to read it, and whether the
// game had to be guessed. Records of unknown games go to the run of the stream's usual game,
// whose rules reject them.
func (w *worker) otherGame(h rows.Header) (other string, guessed bool) {
	if w.format.GameOf == nil {
		return "", false
	}
	if value := bytes.TrimSpace(rows.TagValue(&w.game, h.Variant)); !rows.Unknown(value) {
		other = w.format.GameOf(value)
	} else if w.params.Sort {
		sure := false
		if other, sure = w.format.GameByMoves(&w.game); !sure {
			other, guessed = w.usual, true
		}
	}
	takes := w.run.game.Takes(other)
	if !takes && !isKnown(w.known, other) {
		takes = !w.params.Sort || w.run.game.Takes(w.usual)
	}
	if takes {
		return "", guessed
	}
	return other, guessed
}

// refusedGame returns the name of the record's game by its number, if kifu does not have it; "" if the
// rules can report the fault.
func (w *worker) refusedGame(h rows.Header) string {
	value := bytes.TrimSpace(rows.TagValue(&w.game, h.Variant))
	if w.format.GameOf == nil || rows.Unknown(value) {
		return ""
	}
	if name := w.format.GameOf(value); name != string(value) && !w.run.game.Takes(name) && !isKnown(w.known, name) {
		return name
	}
	return ""
}

// readers are the readers of one worker, one per format.
type readers struct {
	keep    func(*record.Game) bool
	mover   bool
	soft    bool
	decoder func(text []byte, label string) (record.Decoder, string)
	made    map[*record.Format]record.BlockReader
}

func (r *readers) reader(f *record.Format) record.BlockReader {
	if r.made[f] == nil {
		if r.made == nil {
			r.made = map[*record.Format]record.BlockReader{}
		}
		r.made[f] = f.NewReader(record.Options{Keep: r.keep, Mover: r.mover, Soft: r.soft, Decoder: r.decoder})
	}
	return r.made[f]
}

// maxLog bounds a job's text about rejected games, maxReasons the reasons that it counts separately, since
// records may name any variant.
const (
	maxLog     = 1 << 20
	maxReasons = 100
)

// reject counts the worker's game as left out, and reports it.
func (w *worker) reject(j *job, line int, r *legal.Reject) {
	reason := r.Reason
	if _, known := j.counts.Rejected[reason]; !known && len(j.counts.Rejected) >= maxReasons {
		reason = "other reasons"
	}
	j.counts.Reject(reason, 1)
	w.report(j, line, r)
}

// report writes to the log, if there is one, the worker's game's place, its players, and its fault.
func (w *worker) report(j *job, line int, r *legal.Reject) {
	if w.Log == nil || len(j.log) > maxLog {
		return
	}
	h := w.header()
	j.rows.Begin(&w.game)
	j.log = appendPlace(j.log, w.source, line)
	if h.First >= 0 || h.Second >= 0 {
		for i, at := range []int{h.First, h.Second} {
			name := j.rows.Text(rows.TagValue(&w.game, at))
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
	j.log = append(j.log, j.rows.Repair([]byte(r.Error()))...)
	j.log = append(j.log, '\n')
}

// appendPlace appends "file:line: ".
func appendPlace(dst []byte, file string, line int) []byte {
	dst = append(dst, file...)
	dst = append(dst, ':')
	dst = strconv.AppendInt(dst, int64(line), 10)
	return append(dst, ": "...)
}

// cutAnnotations leaves those out of the worker's game that are not wanted, or belong to moves that
// are not there, and counts them.
func (w *worker) cutAnnotations(note func(what string, n int64)) {
	g, plies := &w.game, int32(len(w.game.Moves))
	g.Annotations = slices.DeleteFunc(g.Annotations, func(a schemas.Annotation) bool {
		if !w.params.DropAnnotations && (a.Ply <= plies || w.row.Cut == "") {
			return false
		}
		note(schemas.Dropped+a.Kind(), 1)
		return true
	})
}

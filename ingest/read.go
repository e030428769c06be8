package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"kifu/ingest/legal"
	"kifu/ingest/record"
	"kifu/ingest/rows"
	"kifu/ingest/source"
	"kifu/internal/progress"
)

// feeder cuts the files into jobs.
type feeder struct {
	*run
	bar         *progress.Bar
	free, parse chan *job

	opener  opener
	readers readers     // of the beginnings of streams
	record  record.Game // memory

	j    *job  // that is being filled; nil for none
	size int   // of its blocks
	jobs int   // sent
	rest int64 // bytes that the bar has not been told of, for it counts kilobytes
}

// read cuts the files into jobs and returns their number.
func (r *run) read(ctx context.Context, bar *progress.Bar, free, parse chan *job) (jobs int, err error) {
	f := &feeder{run: r, bar: bar, free: free, parse: parse}
	set := r.formats
	if r.same != nil {
		set = r.same.formats
	}
	f.opener = newOpener(set, r.known, r.Stdin, r.Held)
	f.opener.Count = f.count
	for i := r.from.File; i < len(r.files); i++ {
		if err := f.file(ctx, i); err != nil {
			return f.jobs, err
		}
	}
	if f.j != nil && (f.j.used > 0 || len(f.j.counts.Noted) > 0) {
		err = f.send(ctx, place{File: len(r.files), Line: 1})
	}
	return f.jobs, err
}

func (f *feeder) count(n int64) {
	f.rest += n
	f.bar.Add(f.rest >> 10)
	f.rest &= 1<<10 - 1
}

// job returns the job to be filled.
func (f *feeder) job(ctx context.Context) (*job, error) {
	if f.j == nil {
		select {
		case f.j = <-f.free:
			f.j.reset()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return f.j, nil
}

func (f *feeder) send(ctx context.Context, end place) error {
	f.j.seq, f.j.end = f.jobs, end
	select {
	case f.parse <- f.j:
	case <-ctx.Done():
		return ctx.Err()
	}
	f.jobs++
	f.j, f.size = nil, 0
	return nil
}

// file reads file i, from where the run begins if that is within it.
func (f *feeder) file(ctx context.Context, i int) error {
	if f.all.IsTable(f.files[i].path) {
		f.count(f.files[i].size)
		return f.Seen.checkPath(f.files[i].path) // it was read before
	}
	at := place{File: i, Line: 1}
	if i == f.from.File && f.from.Line > 0 {
		at = f.from
	}
	if at.Offset == 0 && at.Member == 0 {
		if err := f.note(ctx, f.files[i].passed); err != nil {
			return err
		}
		if s, err := f.small(ctx, i); s != nil || err != nil {
			return f.alone(ctx, s, at, err)
		}
	}
	var sum hash.Hash
	if f.files[i].path == "-" {
		sum = sha256.New()
	}
	src, err := f.opener.open(f.files[i], sum)
	if err != nil {
		return fmt.Errorf("%s: %w", f.files[i].path, err)
	}
	defer src.Close()
	if err := f.streams(ctx, src, at); err != nil {
		return err
	}
	if err := f.unchanged(f.files[i], src); err != nil {
		return err
	}
	if sum == nil || f.out == nil {
		return nil
	}
	if err := src.Drain(); err != nil {
		return fmt.Errorf("%s: %w", f.files[i].path, err)
	}
	return f.out.SetInputKey(i, hex.EncodeToString(sum.Sum(nil)))
}

// note counts what of a directory is not read.
func (f *feeder) note(ctx context.Context, p passed) error {
	if p == (passed{}) {
		return nil
	}
	j, err := f.job(ctx)
	if err != nil {
		return err
	}
	for what, n := range map[string]int{noRecords: p.files, deadLink: p.links, noEntry: p.folders} {
		if n > 0 {
			j.counts.Note(what, int64(n))
		}
	}
	return nil
}

// alone cuts a small file into blocks, unless err reports that it was not read.
func (f *feeder) alone(ctx context.Context, s *source.Stream, at place, err error) error {
	if err != nil {
		return err
	}
	f.count(int64(len(s.Head)))
	if err := f.same.look(s, 0); err != nil {
		return err
	}
	if _, err := f.stream(ctx, s, at); err != nil {
		return err
	}
	return f.Seen.checkPath(f.files[at.File].path)
}

// unchanged returns an error if a file that was read is not as InputKeys saw it.
func (f *feeder) unchanged(of file, src *source.Source) error {
	if src.Disk == nil && of.path != "-" { // its text is held
		return f.Seen.checkPath(of.path)
	}
	return f.Seen.checkFile(of.path, src.Disk)
}

// streams reads the streams of a file, from the given place on.
func (f *feeder) streams(ctx context.Context, src *source.Source, at place) error {
	var fault error // of the stream before
	for {
		s, err := src.Next(at.Member)
		if at.Offset > 0 {
			src.Skipped = 0 // an earlier run has counted them
		}
		j, stopped := f.job(ctx)
		if stopped != nil {
			return stopped
		}
		if src.Skipped > 0 {
			j.counts.Note("archive member that is no record file", src.Skipped)
			src.Skipped = 0
		}
		switch {
		case err == nil:
		case src.Err() != nil:
			return fmt.Errorf("%s: %w", f.files[at.File].path, err)
		case err == io.EOF && src.Count == 0:
			err = &source.Unread{Reason: "archive without record files", Detail: "none ends in " + strings.Join(f.formats.Extensions(), " or ") + ", plain or compressed"}
			fallthrough
		default:
			if err != io.EOF && fault == nil {
				f.damaged(src.Name, err)
			}
			return nil
		}
		if err := f.same.look(s, at.Member); err != nil {
			s.Close()
			return err
		}
		fault, err = f.stream(ctx, s, at)
		s.Close()
		if err == nil && fault != nil {
			if src.Err() != nil || !s.Packed {
				return fmt.Errorf("%s: %w", f.files[at.File].path, fault)
			}
			f.damaged(s.Name, fault)
		}
		if err != nil {
			return err
		}
		at = place{File: at.File, Member: at.Member + 1, Line: 1}
	}
}

// damaged counts and reports the fault of an archive or a member of one.
func (f *feeder) damaged(name string, err error) {
	reason, line := source.Damage(name, err)
	f.j.counts.Note(reason, 1)
	f.j.warn = append(f.j.warn, line...)
}

// stream cuts one stream into blocks. fault is the error that ended it early. A job exists when it returns.
func (f *feeder) stream(ctx context.Context, s *source.Stream, at place) (fault, err error) {
	// Before the head's memory is read over:
	if at.Offset == 0 && s.Name == "-" && !f.Force {
		if _, err := recognise(s, f.game.Formats(), []legal.Game{f.game}); err != nil {
			return nil, err
		}
	}
	as := f.formats.Find(s.Name, s.Head)
	if !f.formats.Recognises(s.Name, s.Head) {
		if of, err := recognise(s, f.formats, []legal.Game{f.game}); err == nil {
			as = of
		}
	}
	texts, usual := rows.TextsOf(s.Head, as, f.encoding), ""
	if f.params.Sort && as.GameOf != nil {
		_, usual = f.readers.gamesIn(as, f.known, s.Head, &f.record)
	}
	if n := len(s.Head); s.Whole && as.Whole && at.Offset == 0 && n > 0 && n < min(mostHeld, f.blockSize) {
		j, err := f.job(ctx)
		if err != nil {
			return nil, err
		}
		seg := j.add(at.File)
		seg.name, seg.texts, seg.format, seg.usual, seg.lent = s.Name, texts, as, usual, true
		if seg.block.Data = s.Head; !s.Lent {
			seg.block.Data = j.room(n)
			copy(seg.block.Data, s.Head)
		}
		seg.block.Line, seg.block.EndLine = at.Line, at.Line+record.Breaks(s.Head, nil)
		return nil, f.filled(ctx, seg, at)
	}
	if s.Reader == nil {
		s.Reader = bytes.NewReader(s.Head)
	}
	header := bytes.Clone(s.Head[:min(len(s.Head), as.HeaderSize)])
	if err := s.Skip(at.Offset); err != nil {
		return err, nil
	}
	split := as.NewSplitter(s, f.blockSize, record.Start{Header: header, Offset: at.Offset, Line: at.Line})
	for {
		j, err := f.job(ctx)
		if err != nil {
			return nil, err
		}
		seg := j.add(at.File)
		seg.name, seg.texts, seg.format, seg.usual = s.Name, texts, as, usual
		err = split.Next(&seg.block)
		if err == nil {
			if err := f.filled(ctx, seg, at); err != nil {
				return nil, err
			}
			continue
		}
		if errors.As(err, &seg.fault) {
			continue
		}
		j.used--
		if err == io.EOF {
			err = nil
		}
		return err, nil
	}
}

// filled sends the job if the segment that it got, of the stream at that place, has made it
// large enough.
func (f *feeder) filled(ctx context.Context, seg *segment, at place) error {
	f.size += max(len(seg.block.Data), seg.block.Weight)
	if f.size < f.blockSize/2 {
		return nil
	}
	at.Offset, at.Line = seg.block.Offset+int64(len(seg.block.Data)), seg.block.EndLine
	f.j.open = seg.block.Open
	return f.send(ctx, at)
}

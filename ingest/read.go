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

	"kifu/ingest/record"
	"kifu/internal/progress"
)

// feeder cuts the files into jobs.
type feeder struct {
	*run
	bar         *progress.Bar
	free, parse chan *job

	opener opener

	j    *job  // that is being filled; nil for none
	size int   // of its blocks
	jobs int   // sent
	rest int64 // bytes that the bar has not been told of, for it counts kilobytes
}

// read cuts the files into jobs and says how many there are.
func (r *run) read(ctx context.Context, bar *progress.Bar, free, parse chan *job) (jobs int, err error) {
	f := &feeder{run: r, bar: bar, free: free, parse: parse}
	f.opener = opener{takes: r.formats.takes, stdin: r.Stdin, count: f.count, held: r.Held}
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
	if f.all.isTable(f.files[i]) {
		f.count(f.files[i].size)
		return f.Seen.checkPath(f.files[i].path) // it was read before
	}
	at := place{File: i, Line: 1}
	if i == f.from.File && f.from.Line > 0 {
		at = f.from
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
	if _, err := io.Copy(io.Discard, src.raw); err != nil { // what stands after an archive
		return fmt.Errorf("%s: %w", f.files[i].path, err)
	}
	return f.out.SetInputKey(i, hex.EncodeToString(sum.Sum(nil)))
}

// unchanged returns an error if a file that was read is not as InputKeys saw it.
func (f *feeder) unchanged(of file, src *source) error {
	if src.disk == nil && of.path != "-" { // its text is held
		return f.Seen.checkPath(of.path)
	}
	return f.Seen.checkFile(of.path, src.disk)
}

// streams reads the streams of a file, from the given place on.
func (f *feeder) streams(ctx context.Context, src *source, at place) error {
	var fault error // of the stream before
	for {
		s, err := src.next(at.Member)
		if at.Offset > 0 {
			src.skipped = 0 // an earlier run has counted them
		}
		j, stopped := f.job(ctx)
		if stopped != nil {
			return stopped
		}
		if src.skipped > 0 {
			j.counts.Note("archive member that is no record file", src.skipped)
			src.skipped = 0
		}
		switch {
		case err == nil:
		case src.raw.err != nil:
			return fmt.Errorf("%s: %w", f.files[at.File].path, err)
		case err == io.EOF && src.count == 0:
			err = &unread{"archive without record files", "none ends in " + strings.Join(f.formats.extensions(), " or ") + ", plain or compressed"}
			fallthrough
		default:
			if err != io.EOF && fault == nil {
				f.damaged(src.name, err)
			}
			return nil
		}
		fault, err = f.stream(ctx, s, at)
		s.close()
		if err == nil && fault != nil {
			if src.raw.err != nil || !s.packed {
				return fmt.Errorf("%s: %w", f.files[at.File].path, fault)
			}
			f.damaged(s.name, fault)
		}
		if err != nil {
			return err
		}
		at = place{File: at.File, Member: at.Member + 1, Line: 1}
	}
}

// damaged counts and tells what is wrong with an archive or a member of one.
func (f *feeder) damaged(name string, err error) {
	reason, line := damage(name, err)
	f.j.counts.Note(reason, 1)
	f.j.warn = append(f.j.warn, line...)
}

// stream cuts one stream into blocks. fault is what ended it before its end. A job is
// there when it returns.
func (f *feeder) stream(ctx context.Context, s *stream, at place) (fault, err error) {
	// Before the head's memory is read over:
	if at.Offset == 0 && s.name == "-" && !f.Force {
		if _, err := recognise(s, f.game.formats(), []Game{f.game}); err != nil {
			return nil, err
		}
	}
	as := f.formats.of(s.name, s.head)
	texts := textsOf(s.head, as, f.encoding)
	header := bytes.Clone(s.head[:min(len(s.head), as.HeaderSize)])
	if err := s.skip(at.Offset); err != nil {
		return err, nil
	}
	split := as.NewSplitter(s, f.blockSize, record.Start{Header: header, Offset: at.Offset, Line: at.Line})
	for {
		j, err := f.job(ctx)
		if err != nil {
			return nil, err
		}
		seg := j.add(at.File)
		seg.name, seg.texts, seg.format = s.name, texts, as
		seg.block = record.Block{Data: seg.block.Data}
		err = split.Next(&seg.block)
		if err == nil {
			f.size += max(len(seg.block.Data), seg.block.Weight)
			if f.size >= f.blockSize/2 {
				at.Offset, at.Line = seg.block.Offset+int64(len(seg.block.Data)), seg.block.EndLine
				j.open = seg.block.Open
				if err := f.send(ctx, at); err != nil {
					return nil, err
				}
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

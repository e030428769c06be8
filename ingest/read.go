package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"

	"kifu/internal/progress"
)

// read cuts the files into jobs.
func (r *run) read(ctx context.Context, bar *progress.Bar, free, parse chan *job) (jobs int, err error) {
	var j *job
	size := 0
	send := func(end place) error {
		j.seq, j.end = jobs, end
		select {
		case parse <- j:
		case <-ctx.Done():
			return ctx.Err()
		}
		jobs++
		j, size = nil, 0
		return nil
	}
	rest := int64(0)
	count := func(n int64) {
		rest += n
		bar.Add(rest >> 10)
		rest &= 1<<10 - 1
	}
	for i := r.from.File; i < len(r.files); i++ {
		at := place{File: i, Line: 1}
		if i == r.from.File && r.from.Line > 0 {
			at = r.from
		}
		var sum hash.Hash
		if r.files[i].path == "-" {
			sum = sha256.New()
		}
		s, err := open(r.files[i], r.Stdin, at.Offset, sum, count)
		if err != nil {
			return jobs, fmt.Errorf("%s: %w", r.files[i].path, err)
		}
		split := r.format.split(s, r.blockSize, at.Offset, at.Line)
		for {
			if j == nil {
				select {
				case j = <-free:
					j.reset()
				case <-ctx.Done():
					s.Close()
					return jobs, ctx.Err()
				}
			}
			seg := j.add(i)
			err := split.Next(&seg.block)
			if err == nil {
				size += len(seg.block.Data)
				if size >= r.blockSize/2 {
					end := place{File: i, Offset: seg.block.Offset + int64(len(seg.block.Data)), Line: seg.block.EndLine}
					if err := send(end); err != nil {
						s.Close()
						return jobs, err
					}
				}
				continue
			}
			if errors.As(err, &seg.fault) {
				continue
			}
			j.used--
			if err != io.EOF {
				if s.raw.err != nil || !s.packed {
					s.Close()
					return jobs, fmt.Errorf("%s: %w", r.files[i].path, err)
				}
				j.counts.Note("archive cut short or damaged", 1)
				j.warn = fmt.Appendf(j.warn, "%s: the archive is cut short or damaged (%v): what was whole has been read\n", r.files[i].name, err)
			}
			break
		}
		s.Close()
		if sum != nil {
			if err := r.out.SetInputKey(i, hex.EncodeToString(sum.Sum(nil))); err != nil {
				return jobs, err
			}
		}
	}
	if j != nil && (j.used > 0 || j.warn != nil) {
		return jobs, send(place{File: len(r.files), Line: 1})
	}
	return jobs, nil
}

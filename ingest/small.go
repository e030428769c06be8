package ingest

import (
	"context"

	"kifu/ingest/source"
)

// small returns a small file of plain text as the stream of its only member, read in one go and without the
// layers that larger files need: there may be thousands. It is nil for any other file and for one that
// cannot be read, which open handles. A file that is not held is read into the job's memory, unless its
// changes must be detected.
func (f *feeder) small(ctx context.Context, i int) (*source.Stream, error) {
	file := f.files[i]
	text, ok := f.Held.have(file)
	if !ok {
		if f.Seen != nil || file.path == "-" || file.info != nil && !file.small() || source.IsArchive(file.path) {
			return nil, nil
		}
		j, err := f.job(ctx)
		if err != nil {
			return nil, err
		}
		room := j.room(mostHeld + 1)
		n, err := source.ReadSmall(file.path, room)
		if err != nil || n == 0 || n > mostHeld || file.info != nil && int64(n) != file.size || !source.Plain(room[:n]) {
			j.taken -= len(room)
			return nil, nil
		}
		j.taken -= len(room) - n
		text = room[:n:n]
	} else if !source.Plain(text) {
		return nil, nil
	}
	return &source.Stream{Name: file.name, Head: text, Whole: true, Lent: true}, nil
}

package ingest

import "context"

// plain reports whether a stream that begins with text, or is text, is read as it is: it is no
// archive, not compressed and not UTF-16.
func plain(text []byte) bool {
	return tableAtEnd(text) == "" && packing(text) == "" && !isTar(text) && wide(text) == nil
}

// small returns a small file of plain text as the stream of its only member, read in one go and
// without the layers that larger files need: there may be thousands. It is nil for any other file and
// for one that cannot be read, which open does or tells. What is not held is read into the job's
// memory, unless somebody wants to know whether the file is still what it was.
func (f *feeder) small(ctx context.Context, i int) (*stream, error) {
	file := f.files[i]
	text, ok := f.Held.have(file)
	if !ok {
		if f.Seen != nil || file.path == "-" || file.info != nil && !file.small() || isArchive(file.path) {
			return nil, nil
		}
		j, err := f.job(ctx)
		if err != nil {
			return nil, err
		}
		room := j.room(mostHeld + 1)
		n, err := readSmall(file.path, room)
		if err != nil || n == 0 || n > mostHeld || file.info != nil && int64(n) != file.size || !plain(room[:n]) {
			j.taken -= len(room)
			return nil, nil
		}
		j.taken -= len(room) - n
		text = room[:n:n]
	} else if !plain(text) {
		return nil, nil
	}
	return &stream{name: file.name, head: text, whole: true, lent: true}, nil
}

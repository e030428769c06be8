package explore

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"net/http"
	"os"
	"time"

	"kifu/explore/views"
)

// spool holds an answer until its reader has it: the beginning in memory, the rest in a file.
type spool struct {
	status int
	header http.Header
	start  bytes.Buffer
	file   *os.File // nil: there is no more
}

// inMemory is how much of an answer is kept in memory.
const inMemory = 1 << 20

// spoolOf reads an answer of HTTP to its end. One that breaks off is an error.
func spoolOf(in *bufio.Reader) (*spool, error) {
	r, err := http.ReadResponse(in, nil)
	if err != nil {
		return nil, views.ErrBroken
	}
	s := &spool{status: r.StatusCode, header: r.Header}
	_, err = io.CopyN(&s.start, r.Body, inMemory)
	if err == nil {
		if s.file, err = os.CreateTemp("", "kifu-page-"); err == nil {
			_, err = io.Copy(s.file, r.Body)
		}
		if err == nil {
			_, err = s.file.Seek(0, io.SeekStart)
		}
	} else if err == io.EOF {
		err = nil
	}
	if err != nil {
		s.Close()
		return nil, views.ErrBroken
	}
	return s, nil
}

func (s *spool) body() io.Reader {
	if s.file == nil {
		return &s.start
	}
	return io.MultiReader(&s.start, s.file)
}

// Close removes the file.
func (s *spool) Close() error {
	if s == nil || s.file == nil {
		return nil
	}
	s.file.Close()
	return os.Remove(s.file.Name())
}

// patience is how long a reader may take nothing of an answer.
const patience = 30 * time.Second

// send writes the answer to its reader, which must keep receiving it.
func (s *spool) send(w http.ResponseWriter) {
	maps.Copy(w.Header(), s.header)
	w.WriteHeader(s.status)
	deadline := http.NewResponseController(w)
	from := s.body()
	piece := make([]byte, 64<<10)
	for {
		n, err := from.Read(piece)
		_ = deadline.SetWriteDeadline(time.Now().Add(patience))
		if n > 0 {
			if _, err := w.Write(piece[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

package ingest

import (
	"fmt"
	"io/fs"
	"os"
	"slices"

	"kifu/datasets"
)

// Seen records the state of the files when InputKeys read them, so Run can verify that it reads the content
// named by the dataset's key. It is for one goroutine, and one InputKeys with its Run.
type Seen struct {
	files  map[string]fs.FileInfo // by path
	listed []file                 // what the inputs stood for
}

// list remembers which files InputKeys read, so that Run reads these and no others.
func (s *Seen) list(files []file) {
	if s != nil {
		s.listed = slices.Clone(files)
	}
}

// note remembers what the file at path looks like, info. A Seen that is nil remembers nothing.
func (s *Seen) note(path string, info fs.FileInfo) {
	if s == nil {
		return
	}
	if s.files == nil {
		s.files = map[string]fs.FileInfo{}
	}
	s.files[path] = info
}

// check returns an error if the file at path, which looks like info, is another file than
// the one that was noted, or has been written since.
func (s *Seen) check(path string, info fs.FileInfo) error {
	if s == nil {
		return nil
	}
	if then, ok := s.files[path]; ok {
		return unchanged(path, then, info)
	}
	return nil
}

// unchanged returns an error unless both are of one file, of the same size and time.
func unchanged(path string, then, now fs.FileInfo) error {
	if os.SameFile(then, now) && then.Size() == now.Size() && then.ModTime().Equal(now.ModTime()) {
		return nil
	}
	return fmt.Errorf("%s %w: copy it first, or run again when no program writes to it", path, datasets.ErrChanged)
}

// checkFile does the same for an open file: a renamed file's content is still read from the file that was
// opened.
func (s *Seen) checkFile(path string, file *os.File) error {
	if s == nil || file == nil {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return s.check(path, info)
}

// checkPath does for a file that was read by its name, or of which the text is held.
func (s *Seen) checkPath(path string) error {
	if s == nil {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return s.check(path, info)
}

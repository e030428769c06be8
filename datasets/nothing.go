package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kifu/datasets/manifest"
)

// Nothing is the error of Build for a step that read rows and rejected all of them, if
// Step.Some makes this an error. Counts hold the reasons. An earlier dataset is kept.
type Nothing struct{ Counts manifest.Counts }

// Error gives the number of rows read.
func (n *Nothing) Error() string {
	return fmt.Sprintf("nothing is left of %d read", n.Counts.Read)
}

// nothing returns a *Nothing if the parts, all of which are there, show one.
func (b *Builder) nothing(s Step) error {
	if !s.Some {
		return nil
	}
	var c manifest.Counts
	c.Add(b.m.Counts)
	for _, p := range b.parts {
		c.Add(p.Counts)
	}
	if c.Read == 0 || c.Written > 0 {
		return nil
	}
	return &Nothing{c}
}

// removed adds the cause of an error and the next step, if a file that was being
// written is gone: the directory of the output was removed.
func (b *Builder) removed(err error) error {
	var file *fs.PathError
	var link *os.LinkError
	path := ""
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return err
	case errors.As(err, &file):
		path = file.Path
	case errors.As(err, &link):
		path = link.Old
	}
	if !strings.HasPrefix(path, b.tmp+string(filepath.Separator)) && path != b.tmp {
		return err
	}
	return fmt.Errorf("%s is incomplete, because it or files in it were removed while it was written: run the same command again (%w)", b.dir, err)
}

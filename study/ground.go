package study

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"kifu/internal/checksum"
	"kifu/internal/fresh"
	"kifu/internal/lock"
)

// Ground is where the steps of a study write files: below Out, through no symbolic link, and over no
// file but those that they wrote themselves. Their files are listed in the file writtenName there, as
// sha256sum writes them: a file that differs from its entry has been changed by others.
type Ground struct {
	Root  string // holds Out; symbolic links above it are the business of whoever runs the study
	Out   string // a directory
	Force bool   // whoever runs the study lets it replace files of others
}

const writtenName = ".written"

// noting is held while a note is written, by the steps of one process.
var noting sync.Mutex

// Within returns an error if path is not below Out, or a symbolic link leads to it.
func (g Ground) Within(path string) error {
	below, err := filepath.Rel(g.Out, path)
	if err != nil || !filepath.IsLocal(below) || below == "." || below == writtenName {
		return fmt.Errorf("%s: a step may write only below the study's out, %s", path, g.Out)
	}
	whole, err := filepath.Rel(g.Root, path)
	if err != nil {
		return err
	}
	at := g.Root
	for name := range strings.SplitSeq(filepath.ToSlash(whole), "/") {
		at = filepath.Join(at, name)
		switch info, err := os.Lstat(at); {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case info.Mode()&fs.ModeSymlink != 0:
			return fmt.Errorf("%s is a symbolic link, and steps never write through links: remove it", at)
		}
	}
	return nil
}

// MayWrite is Within for a file, which must be new or as a step wrote it.
func (g Ground) MayWrite(path string) error {
	if err := g.Within(path); err != nil || g.Force {
		return err
	}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	sum := ""
	if err == nil && info.Mode().IsRegular() {
		sum, _, err = checksum.File(path)
	}
	if err == nil && !slices.Contains(g.notes(), g.note(path, sum)) {
		err = fmt.Errorf("%s exists, and differs from what this study wrote: remove it, or replace it with kifu run --force", path)
	}
	return err
}

// Wrote notes that a step gives path the content that has this SHA-256. It is called before the
// file has its name, so that a run that is killed in between finds its own file again.
func (g Ground) Wrote(path, sum string) error {
	noting.Lock()
	defer noting.Unlock()
	name := filepath.Join(g.Out, writtenName)
	release, err := lock.TakeOwn(name + ".lock")
	if err != nil {
		return err
	}
	defer release()
	was := "" // what it has until then
	if old, _, err := checksum.File(path); err == nil {
		was = g.note(path, old)
	}
	notes := slices.DeleteFunc(g.notes(), func(n string) bool {
		_, of, _ := strings.Cut(n, "  ")
		return n != was && g.note(path, "") == "  "+of
	})
	notes = append(notes, g.note(path, sum))
	slices.Sort(notes)
	return fresh.Replace(name+".tmp", name, fresh.Of([]byte(strings.Join(slices.Compact(notes), "\n")+"\n")))
}

// notes returns the lines of the file of notes; none if there is no such file.
func (g Ground) notes() []string {
	name := filepath.Join(g.Out, writtenName)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	var all []string
	for line := range bytes.Lines(text) {
		all = append(all, strings.TrimSuffix(string(line), "\n"))
	}
	return all
}

// note is the line of a file with a content.
func (g Ground) note(path, sum string) string {
	below, _ := filepath.Rel(g.Out, path) // Within has seen to it
	return sum + "  " + filepath.ToSlash(below)
}

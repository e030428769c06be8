package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kifu/datasets/manifest"
	"kifu/ingest/formats"
	"kifu/ingest/legal"
	"kifu/ingest/source"
	"kifu/internal/checksum"
)

// The notes for them.
const (
	noRecords = "file that is no record file"
	deadLink  = "link that leads nowhere"
	noEntry   = "folder that cannot be read"
)

// list returns the files named by the inputs of a command line; "-" is the standard input. A directory means
// its files in the order of their names: those with an extension of the formats (.pgn, .pgn.zst and the
// like), archives, and files that source.MayHold names and that hold records. With some, an input without a file
// is no error, and files with the extension of another known format are left out. held, which may be nil,
// caches listings of directories. sized also reads the files' sizes.
func list(set formats.Set, inputs []string, some bool, games []legal.Game, held *Held, sized bool) ([]file, error) {
	known := legal.Formats(games)
	var files []file
	for _, input := range inputs {
		if input == "-" {
			files = append(files, file{name: "-", path: "-"})
			continue
		}
		info, err := os.Stat(input)
		if err != nil {
			return nil, err
		}
		if advice := foreign[source.Extension(input)]; advice != "" && !info.IsDir() {
			return nil, fmt.Errorf("%s: %s", input, advice)
		}
		if !info.IsDir() {
			if some && !set.Takes(input) && !source.IsArchive(input) && known.Takes(input) {
				continue // it is of another game
			}
			files = append(files, file{name: source.TextName(filepath.Base(input)), path: input, size: info.Size(), info: info})
			continue
		}
		n := len(files)
		found, err := walk(set, input, games, held, sized)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
		if len(files) == n && !some {
			return nil, fmt.Errorf("%s: no file ending in %s, plain, compressed or in an archive (to read a file with another ending, name the file itself)", input, strings.Join(set.Extensions(), ", "))
		}
	}
	return withTables(set, files)
}

// foreign has advice on files of other programs that hold games, by their extensions.
var foreign = func() map[string]string {
	m := map[string]string{".rar": "a RAR archive: unpack it, or pack its files as zip, 7z or tar"}
	for advice, extensions := range map[string]string{
		"a Scid database: export PGN from Scid":                       ".si3 .sg3 .sn3 .si4 .sg4 .sn4 .si5 .sg5 .sn5",
		"a ChessBase database: export PGN from ChessBase":             ".cbh .cbg .cbv .cbf .cbi .2cbh .2cbg",
		"a Chess Assistant database: export PGN from Chess Assistant": ".cdx",
		"a document: save it as plain text, and read that":            ".docx .odt .rtf .xlsx .ods .pdf",
	} {
		for _, ext := range strings.Fields(extensions) {
			m[ext] = advice
		}
	}
	return m
}()

// walk returns the files below a directory that the set takes, and archives.
func walk(set formats.Set, dir string, games []legal.Game, held *Held, sized bool) (files []file, err error) {
	var left passed
	if w, ok := held.walked(dir, set, sized); ok {
		for _, f := range w {
			left.add(f.passed)
			if f.passed = left; wants(set, f) {
				files, left = append(files, f), passed{}
			}
		}
		return withPassed(files, left), nil
	}
	known := legal.Formats(games)
	below := filepath.Clean(dir) + string(filepath.Separator) // Rel takes longer, and files may be thousands
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil && path != dir {
			left.folders++
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		f := file{path: path}
		switch {
		case set.Takes(path) || source.IsArchive(path):
		case source.MayHold(path) && d.Type().IsRegular():
			if f.format = recordsIn(path, games); !wants(set, f) {
				if f.format == "" {
					left.files++
				}
				return nil
			}
		default:
			if !known.Takes(path) && !known.IsTable(f.path) && !strings.HasPrefix(d.Name(), ".") {
				left.files++
			}
			return nil
		}
		if sized || !d.Type().IsRegular() {
			if f.info, err = os.Stat(path); err != nil && d.Type()&fs.ModeSymlink != 0 {
				left.links++
				return nil
			}
			if err != nil || !f.info.Mode().IsRegular() {
				return err
			}
			f.size = f.info.Size()
		}
		name, ok := strings.CutPrefix(path, below)
		if !ok {
			name, err = filepath.Rel(dir, path)
		}
		f.name = source.TextName(filepath.ToSlash(name))
		f.passed, left = left, passed{}
		files = append(files, f)
		return err
	})
	files = withPassed(files, left)
	if err == nil {
		held.walk(dir, set, files, sized)
	}
	return files, err
}

// wants reports whether a file of a directory is read: by its name or, if that is not enough, by the format
// of its records.
func wants(set formats.Set, f file) bool {
	return set.Takes(f.path) || source.IsArchive(f.path) || set.Has(f.format)
}

// withPassed adds what was passed over after the last of the files to it.
func withPassed(files []file, left passed) []file {
	if n := len(files); n > 0 {
		files[n-1].passed.add(left)
	}
	return files
}

// opener opens the files of inputs.
type opener struct {
	source.Opener
	held *Held
}

// newOpener returns an opener of files whose records are of these formats, for games.
func newOpener(set formats.Set, games []legal.Game, stdin io.Reader, held *Held) opener {
	return opener{source.Opener{
		Takes: set.Takes,
		Holds: func(head []byte) bool { return set.Has(formatIn(head, games)) },
		Stdin: stdin,
		Count: func(int64) {},
		Table: tableOf(games),
	}, held}
}

// tableOf returns the Table of the first format that has one; nil if none has.
func tableOf(games []legal.Game) func(r io.ReaderAt, size int64) (io.ReadCloser, error) {
	for _, g := range games {
		for _, of := range g.Formats() {
			if of.Table != nil {
				return of.Table
			}
		}
	}
	return nil
}

// open opens f. sum, unless nil, gets every byte as stored.
func (o *opener) open(f file, sum hash.Hash) (*source.Source, error) {
	text, _ := o.held.text(f)
	return o.Open(source.File{Name: f.name, Path: f.path, Size: f.size, Text: text}, sum)
}

// recordsIn returns the name of the format of which a text file begins with a record; "" if it is none.
func recordsIn(path string, games []legal.Game) string {
	o := newOpener(nil, games, nil, nil)
	src, err := o.open(file{path: path, name: path}, nil)
	if err != nil {
		return ""
	}
	defer src.Close()
	s, err := src.Next(0)
	if err != nil || s.Member {
		return ""
	}
	defer s.Close()
	return formatIn(s.Head, games)
}

// formatIn returns the name of the format of which a text begins with a record; "" if it is none.
func formatIn(head []byte, games []legal.Game) string {
	set := legal.Formats(games).Holding(false)
	for _, of := range set {
		if of.Recognize != nil && of.Recognize(head) {
			return of.Name
		}
	}
	for _, of := range set {
		if of.Recognize == nil && seen(of, games, head, 1) > 0 {
			return of.Name
		}
	}
	return ""
}

// Takes reports by name whether a file of a directory may be read for any of these games: files of a format,
// packed or not, archives, and texts, whose content decides.
func Takes(all []legal.Game, path string) bool {
	return legal.Formats(all).Takes(path) || source.IsArchive(path) || source.MayHold(path)
}

// InputKeys returns the identities of the files named by o.Inputs: their names and the sha256 of their
// bytes. The standard input has no key before it has been read; Run sets it, and a dataset made from it is
// always built again.
func InputKeys(ctx context.Context, g legal.Game, p Params, o Options) ([]manifest.Input, error) {
	known := o.known(g)
	all := legal.Formats(known)
	files, err := list(g.Formats().Holding(p.Positions), o.Inputs, p.Sort, known, nil, true)
	if err != nil {
		return nil, err
	}
	o.Seen.list(files)
	keys := make([]manifest.Input, len(files))
	buf := make([]byte, 1<<20)
	for i, f := range files {
		keys[i].Name = f.name
		if f.path == "-" {
			continue
		}
		if !all.IsTable(f.path) {
			if text, ok := o.Held.text(f); ok {
				o.Seen.note(f.path, f.info)
				keys[i].Key = checksum.Bytes(text)
				continue
			}
		}
		if keys[i].Key, err = contentKey(ctx, f.path, buf, o.Seen); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// contentKey returns the sha256 of the bytes of the file at path, and records the file's state in seen. buf
// is memory to read into.
func contentKey(ctx context.Context, path string, buf []byte, seen *Seen) (string, error) {
	r, err := source.OpenDisk(path)
	if err != nil {
		return "", err
	}
	defer r.Close()
	before, err := r.Stat()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	regular := before.Mode().IsRegular()
	for n := int64(0); err == nil; {
		if err = ctx.Err(); err != nil {
			break
		}
		var k int
		k, err = r.Read(buf)
		h.Write(buf[:k])
		if n += int64(k); err == nil && regular && n == before.Size() {
			err = io.EOF // one that has grown since then has changed
		}
	}
	if err != io.EOF {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	after, err := r.Stat()
	if err != nil {
		return "", err
	}
	seen.note(path, after)
	return hex.EncodeToString(h.Sum(nil)), unchanged(path, before, after)
}

package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/bodgit/sevenzip"
	"golang.org/x/text/encoding/charmap"
)

// archives are the extensions of files that are opened when found in a directory. Their first bytes decide
// what they really are.
var archives = []string{
	".zip", ".7z", ".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".tzst",
	".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst",
}

var (
	magicZip   = []byte("PK\x03\x04")
	magicEmpty = []byte("PK\x05\x06") // a zip archive of nothing
	magic7z    = []byte("7z\xBC\xAF\x27\x1C")

	magicParquet = []byte("PAR1")
)

// The kinds of files whose table is at their end.
const (
	kindZip     = "zip archive"
	kind7z      = "7z archive"
	kindParquet = "Parquet file"
)

// TableAtEnd names the kind of a file whose table is at its end; "" if it is none.
func TableAtEnd(head []byte) string {
	switch {
	case bytes.HasPrefix(head, magicZip), bytes.HasPrefix(head, magicEmpty):
		return kindZip
	case bytes.HasPrefix(head, magic7z):
		return kind7z
	case bytes.HasPrefix(head, magicParquet):
		return kindParquet
	}
	return ""
}

func (o *Opener) openTable(kind string, r rawReaderAt) (archive, error) {
	info, err := r.file.Stat()
	if err != nil {
		return nil, err
	}
	switch {
	case kind == kindParquet:
		text, err := o.Table(r, info.Size())
		return &table{text: text}, err
	case kind == kindZip && o.Cut:
		return newCutZip(io.NewSectionReader(r, 0, info.Size()), io.EOF), nil
	case kind == kindZip:
		return openZip(r, info.Size()), nil
	}
	return open7z(r, info.Size()), nil
}

// table is a Parquet file, as an archive of a single member without a name.
type table struct {
	once
	text io.ReadCloser
}

func (t *table) open() (io.ReadCloser, error) { return t.text, nil }

// members passes over the members of an archive whose names are not of records.
type members struct {
	archive
	takes   func(name string) bool
	skipped *int64
}

func (m *members) next() (string, error) {
	for {
		name, err := m.archive.next()
		if err != nil {
			return "", err
		}
		if m.takes(name) || MayHold(name) {
			return name, nil
		}
		*m.skipped++
	}
}

// memberName makes a name in an archive one that source_file can have.
func memberName(name string) string {
	name = strings.ReplaceAll(TextName(name), `\`, "/")
	return strings.TrimPrefix(path.Clean("/"+name), "/")
}

// zipArchive reads a zip archive by its table, in the order of the names.
type zipArchive struct {
	files []*zip.File
	at    int
}

func openZip(r io.ReaderAt, size int64) archive {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return newCutZip(io.NewSectionReader(r, 0, size), err)
	}
	if shared(z.File, size) {
		return newCutZip(io.NewSectionReader(r, 0, size), errShared)
	}
	registerZip(z)
	files := slices.DeleteFunc(z.File, func(f *zip.File) bool { return f.FileInfo().IsDir() })
	for _, f := range files {
		if f.NonUTF8 {
			f.Name, _ = charmap.CodePage437.NewDecoder().String(f.Name) // every byte is assigned
		}
		f.Name = memberName(f.Name)
	}
	slices.SortStableFunc(files, func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	return &zipArchive{files: files, at: -1}
}

func (z *zipArchive) next() (string, error) {
	if z.at++; z.at >= len(z.files) {
		return "", io.EOF
	}
	return z.files[z.at].Name, nil
}

func (z *zipArchive) open() (io.ReadCloser, error) {
	f := z.files[z.at]
	if f.Flags&1 != 0 {
		return nil, errEncrypted
	}
	r, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		err = &Unread{"archive member compressed in an unknown way", "method " + strconv.Itoa(int(f.Method))}
	}
	return r, err
}

var errEncrypted = &Unread{"encrypted archive member", "unpack it with its password first"}

// sevenZip reads a 7z archive in its own order: members of a solid block are one
// stream, which another order would decompress again and again.
type sevenZip struct {
	files []*sevenzip.File
	at    int
	err   error // of the table
}

func open7z(r io.ReaderAt, size int64) (a archive) {
	defer func() {
		if err := panicked(recover(), nil); err != nil {
			a = &sevenZip{err: err}
		}
	}()
	if err := checkSevenZip(r, size); err != nil {
		return &sevenZip{err: err}
	}
	z, err := sevenzip.NewReader(r, size)
	if err != nil {
		return &sevenZip{err: sevenZipError(err)}
	}
	return &sevenZip{files: slices.DeleteFunc(z.File, func(f *sevenzip.File) bool { return f.FileInfo().IsDir() }), at: -1, err: io.EOF}
}

func (z *sevenZip) next() (string, error) {
	if z.at++; z.at >= len(z.files) {
		return "", z.err
	}
	return memberName(z.files[z.at].Name), nil
}

// open leaves it to Close to give the member's reader back, from which the next is read.
func (z *sevenZip) open() (_ io.ReadCloser, err error) {
	defer func() { err = panicked(recover(), err) }()
	f := z.files[z.at]
	r, err := f.Open()
	if err != nil {
		return nil, sevenZipError(err)
	}
	return &checked{ReadCloser: r, left: f.UncompressedSize, want: f.CRC32}, nil
}

// panicked makes an error of a panic: the library has them for archives that no program
// wrote.
func panicked(p any, err error) error {
	if p != nil {
		return fmt.Errorf("its decoder failed: %v", p)
	}
	return err
}

func sevenZipError(err error) error {
	var read *sevenzip.ReadError
	if errors.As(err, &read) && read.Encrypted {
		return errEncrypted
	}
	return err
}

// checked reads a member of a 7z archive and holds it against its checksum.
type checked struct {
	io.ReadCloser
	left uint64
	sum  uint32
	want uint32 // 0: not known
}

func (c *checked) Close() (err error) {
	defer func() { err = panicked(recover(), err) }()
	return c.ReadCloser.Close()
}

func (c *checked) Read(p []byte) (n int, err error) {
	defer func() { err = panicked(recover(), err) }()
	n, err = c.ReadCloser.Read(p)
	c.sum = crc32.Update(c.sum, crc32.IEEETable, p[:n])
	c.left -= uint64(n)
	switch {
	case err != nil && err != io.EOF:
		return n, sevenZipError(err)
	case err == io.EOF && c.left > 0:
		return n, io.ErrUnexpectedEOF
	case err == io.EOF && c.want != 0 && c.sum != c.want:
		return n, fmt.Errorf("checksum error")
	}
	return n, err
}

// tarArchive reads a tar archive as it comes.
type tarArchive struct{ *tar.Reader }

const tarBlock = 512

// isTar recognises a tar archive by the checksum of its first header: the sum of its bytes, with the
// checksum's own taken for blanks (POSIX.1-1988, ustar).
func isTar(head []byte) bool {
	if len(head) < tarBlock {
		return false
	}
	const at, end = 148, 156
	for _, b := range head[at:end] { // an error takes memory, and small files are many
		if (b < '0' || b > '7') && b != ' ' && b != 0 {
			return false
		}
	}
	want, err := strconv.ParseUint(strings.Trim(string(head[at:end]), " \x00"), 8, 32)
	if err != nil {
		return false
	}
	sum := uint64(0)
	for i, b := range head {
		if i >= at && i < end {
			b = ' '
		}
		sum += uint64(b)
	}
	return sum == want
}

func (t tarArchive) next() (string, error) {
	for {
		h, err := t.Next()
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return "", err
		}
		if h.Typeflag == tar.TypeReg {
			return memberName(h.Name), nil
		}
	}
}

func (t tarArchive) open() (io.ReadCloser, error) { return io.NopCloser(t.Reader), nil }

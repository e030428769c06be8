package ingest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// entry is a file to be put into an archive.
type entry struct {
	name string
	data []byte
}

func zipped(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		f, err := w.Create(e.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(e.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarred(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		if err := w.WriteHeader(&tar.Header{Name: e.name, Size: int64(len(e.data)), Mode: 0o666}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(e.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// records are the members of the tests' archives, in the order of their names.
func records(t *testing.T) []entry {
	return []entry{
		{"__MACOSX/._a.pgn", []byte("\x00\x05\x16\x07")}, {"a/a.pgn.gz", gz(t, many(60))}, {"b.pgn", many(90)},
		{"c.pgn.xz", xzip(t, many(30))}, {"readme.txt", []byte("It has games:\n\n[Event \"not this\"]\n\n1. e4 *\n")},
	}
}

// unnamed takes the name of the archive out of rows.
func unnamed(rows []string, archive string) string {
	return strings.ReplaceAll(strings.Join(rows, "\n"), archive+"/", "")
}

func TestArchives(t *testing.T) {
	entries, src, plain := records(t), t.TempDir(), t.TempDir()
	for _, e := range entries {
		write(t, filepath.Join(src, e.name), e.data)
	}
	mustBuild(t, plain, Options{Inputs: []string{src}}, 3000, 50)
	want := strings.Join(rowsOf(t, plain), "\n")
	backwards := slices.Clone(entries)
	slices.Reverse(backwards)
	bag := tarred(t, entries...)
	for name, data := range map[string][]byte{
		"x.zip": zipped(t, backwards...), "x.tar": bag, "x.tgz": gz(t, bag), "x.tar.zst": zst(t, bag), "x.tar.xz": xzip(t, bag),
	} {
		src, dir := t.TempDir(), t.TempDir()
		write(t, filepath.Join(src, name), data) // a directory finds it
		m := mustBuild(t, dir, Options{Inputs: []string{src}}, 3000, 50)
		if got := unnamed(rowsOf(t, dir), name); got != want {
			t.Errorf("%s: other games than in the files", name)
		}
		if n := m.Counts.Noted["archive member that is no record file"]; n != 2 {
			t.Errorf("%s: %d members passed over, want 2", name, n)
		}
	}
}

func Test7z(t *testing.T) {
	dir := t.TempDir()
	mustBuild(t, dir, Options{Inputs: []string{"testdata/records.7z"}}, 0, 0)
	var files []string
	for _, row := range rowsOf(t, dir) {
		_, row, _ = strings.Cut(row, "source_file=")
		file, _, _ := strings.Cut(row, " ")
		files = append(files, file)
	}
	want := []string{`"records.7z/a.pgn"`, `"records.7z/b.pgn"`, `"records.7z/b.pgn"`, `"records.7z/b.pgn.gz"`, `"records.7z/b.pgn.gz"`}
	if !slices.Equal(files, want) {
		t.Errorf("games of %v, want %v", files, want)
	}
}

func TestEncryptedMembers(t *testing.T) {
	for name, games := range map[string]int{"encrypted.zip": 2, "encrypted.7z": 2, "hidden.7z": 0} {
		var warn bytes.Buffer
		dir := t.TempDir()
		m := mustBuild(t, dir, Options{Inputs: []string{"testdata/" + name}, Warn: &warn}, 0, 0)
		if m.Counts.Written != int64(games) || m.Counts.Noted["encrypted archive member"] != 1 || !strings.Contains(warn.String(), "password") {
			t.Errorf("%s: %d games, want %d; %+v; %q", name, m.Counts.Written, games, m.Counts, warn.String())
		}
		if games > 0 && len(rowsOf(t, dir)) != games {
			t.Errorf("%s: %d rows, want %d", name, len(rowsOf(t, dir)), games)
		}
	}
}

// Wherever an archive is cut, the members that are whole before the cut are read, and
// the cut is noted once.
func TestCutArchives(t *testing.T) {
	a, b := entry{"a.pgn", many(40)}, entry{"b.pgn", many(50)}
	sevenz, err := os.ReadFile("testdata/records.7z")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"zip": zipped(t, a, b), "tar": tarred(t, a, b), "tgz": gz(t, tarred(t, a, b)), "7z": sevenz} {
		last := int64(0)
		for _, cut := range []int{10, len(data) / 3, len(data) * 2 / 3, len(data) * 3 / 4, len(data) - 20} {
			if name == "tar" {
				cut -= 3 * 512 // what stands after the last member is padding
			}
			if cut <= 512 && name == "tar" {
				continue
			}
			var warn bytes.Buffer
			m := mustBuild(t, t.TempDir(), Options{Inputs: []string{write(t, filepath.Join(t.TempDir(), "x."+name), data[:cut])}, Warn: &warn}, 3000, 0)
			if n := m.Counts.Noted["archive cut short or damaged"]; n != 1 || strings.Count(warn.String(), "\n") != 1 {
				t.Errorf("%s cut at %d of %d: noted %d times, %q", name, cut, len(data), n, warn.String())
			}
			if m.Counts.Written < last {
				t.Errorf("%s cut at %d of %d: %d games, less than of a shorter piece", name, cut, len(data), m.Counts.Written)
			}
			last = m.Counts.Written
		}
		if name != "7z" && last < 80 {
			t.Errorf("%s without its last bytes: %d games", name, last)
		}
	}
}

// A damaged member does not take its neighbours with it.
func TestDamagedMember(t *testing.T) {
	data := zipped(t, entry{"a.pgn", many(40)}, entry{"b.pgn", many(50)}, entry{"c.pgn", many(60)})
	at := bytes.Index(data, []byte("b.pgn")) + 300
	data[at] ^= 0xFF
	var warn bytes.Buffer
	dir := t.TempDir()
	mustBuild(t, dir, Options{Inputs: []string{write(t, filepath.Join(t.TempDir(), "x.zip"), data)}, Warn: &warn}, 0, 0)
	all := strings.Join(rowsOf(t, dir), "\n")
	if a, c := strings.Count(all, "x.zip/a.pgn"), strings.Count(all, "x.zip/c.pgn"); a != 40 || c != 60 || !strings.HasPrefix(warn.String(), "x.zip/b.pgn: ") {
		t.Errorf("%d games of a, %d of c, want 40 and 60; %q", a, c, warn.String())
	}
}

func TestArchiveWithoutRecords(t *testing.T) {
	var warn bytes.Buffer
	in := write(t, filepath.Join(t.TempDir(), "x.zip"), zipped(t, entry{"photo.jpg", nil}))
	m := mustBuild(t, t.TempDir(), Options{Inputs: []string{in}, Warn: &warn}, 0, 0)
	if m.Counts.Noted["archive without record files"] != 1 || !strings.HasPrefix(warn.String(), "x.zip: archive without record files: none ends in .pgn") {
		t.Errorf("%+v, %q", m.Counts, warn.String())
	}
}

func TestArchivesFromPipe(t *testing.T) {
	dir, entries := t.TempDir(), records(t)
	mustBuild(t, dir, Options{Inputs: []string{"-"}, Stdin: bytes.NewReader(gz(t, tarred(t, entries...)))}, 3000, 50)
	if got := rowsOf(t, dir); len(got) != 180 || !strings.Contains(got[0], `source_file="-/a/a.pgn.gz"`) {
		t.Errorf("%d games, the first %s", len(got), got[0])
	}
	_, err := build(t, t.TempDir(), Options{Inputs: []string{"-"}, Stdin: bytes.NewReader(zipped(t, entries...))}, 0, 0)
	if err == nil || !strings.Contains(err.Error(), "save it to a file first") {
		t.Errorf("zip from a pipe: %v", err)
	}
}

func TestResumeInArchive(t *testing.T) {
	entries := []entry{
		{"a.pgn", many(100)}, {"a.txt", nil}, {"b.pgn.zst", zst(t, append(many(150), "[White \"Zz\"]\n\n1. e5 *\n"...))}, {"b.txt", nil}, {"c.pgn", many(100)},
	}
	for name, data := range map[string][]byte{"x.zip": zipped(t, entries...), "x.tgz": gz(t, tarred(t, entries...))} {
		in := []string{write(t, filepath.Join(t.TempDir(), name), data)}
		whole, dir := t.TempDir(), t.TempDir()
		mustBuild(t, whole, Options{Inputs: in, Workers: 2}, 2000, 50)
		if _, err := build(t, dir, Options{Inputs: in, Workers: 2, Log: &breaking{at: "Zz"}}, 2000, 50); err == nil {
			t.Fatal("the log did not break the run")
		}
		var log breaking
		mustBuild(t, dir, Options{Inputs: in, Workers: 2, Log: &log}, 2000, 50)
		same(t, name+" resumed", contents(t, dir), contents(t, whole))
		if lines := log.seen.String(); strings.Contains(lines, name+"/a.pgn") || !strings.Contains(lines, name+"/b.pgn.zst:") {
			t.Errorf("%s: the second run did the first one's work again:\n%s", name, lines)
		}
	}
}

// The reader of xz refuses a dictionary that would not fit into memory.
func TestXzDictionary(t *testing.T) {
	data := xzip(t, many(3))
	i := bytes.IndexByte(data[12:], 0x21) + 12
	data[i+2] = 40                            // 4 GiB - 1
	header := data[12:][:4*(int(data[12])+1)] // of the block, with its checksum at the end
	binary.LittleEndian.PutUint32(header[len(header)-4:], crc32.ChecksumIEEE(header[:len(header)-4]))
	var warn bytes.Buffer
	m := mustBuild(t, t.TempDir(), Options{Inputs: []string{write(t, filepath.Join(t.TempDir(), "x.pgn.xz"), data)}, Warn: &warn}, 0, 0)
	if m.Counts.Noted["archive asks for too much memory"] != 1 || m.Counts.Read != 0 {
		t.Errorf("%+v, %q", m.Counts, warn.String())
	}
}

func TestInputKeysOfArchives(t *testing.T) {
	in := write(t, filepath.Join(t.TempDir(), "x.zip"), zipped(t, records(t)...))
	keys, err := InputKeys(context.Background(), game, Params{}, Options{Inputs: []string{filepath.Dir(in)}})
	if err != nil || len(keys) != 1 || keys[0].Name != "x.zip" || len(keys[0].Key) != 64 {
		t.Errorf("%v, %v", keys, err)
	}
}

// TestSharedMembers: members of a zip archive that share their bytes are read once.
func TestSharedMembers(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	member, err := w.Create("a.pgn")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := member.Write(many(10)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const times = 1000
	text := b.Bytes()
	table, end := bytes.Index(text, []byte("PK\x01\x02")), bytes.Index(text, []byte("PK\x05\x06"))
	tail := bytes.Clone(text[end:])
	binary.LittleEndian.PutUint16(tail[8:], times)
	binary.LittleEndian.PutUint16(tail[10:], times)
	binary.LittleEndian.PutUint32(tail[12:], uint32(times*(end-table)))
	path := write(t, filepath.Join(t.TempDir(), "x.zip"), slices.Concat(text[:table], bytes.Repeat(text[table:end], times), tail))
	m, err := build(t, filepath.Join(t.TempDir(), "games"), Options{Inputs: []string{path}}, 0, 0)
	if err != nil || m.Counts.Written == 0 || m.Counts.Read > 20 {
		t.Errorf("%v, %+v", err, m)
	}
}

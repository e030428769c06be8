package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"kifu"
	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/catalog"
	"kifu/internal/fresh"
	"kifu/study"
)

// studyFlags say what of a study is other than in its file.
type studyFlags struct {
	out string
	set []string
	dry bool
}

// shippedName is the name of a bundled study, for kifu run: its folder, and its file unless that
// is study.toml.
func shippedName(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(file, ".toml"), "/study")
}

// shipped returns the bundled studies, by file. Files of weights next to them are none.
func shipped() (files []string, of map[string]*study.Study, err error) {
	all, err := fs.Glob(kifu.Studies(), "*/*.toml")
	if err != nil {
		return nil, nil, err
	}
	of = map[string]*study.Study{}
	for _, file := range all {
		text, err := fs.ReadFile(kifu.Studies(), file)
		if err != nil {
			return nil, nil, err
		}
		if !strings.Contains(string(text), "[[step]]") {
			continue
		}
		s, err := study.Parse(file, text)
		if err != nil {
			return nil, nil, err
		}
		files, of[file] = append(files, file), s
	}
	return files, of, nil
}

// listStudies prints the bundled studies.
func listStudies(con *command.Console) error {
	files, of, err := shipped()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(con.Stdout, 0, 0, 2, ' ', 0)
	for _, file := range files {
		fmt.Fprintf(w, "%s\t%s\n", shippedName(file), of[file].Title)
	}
	return w.Flush()
}

// shippedFile returns the file of the built-in study of a name; "" if the name is a user's file.
func shippedFile(name string) (string, error) {
	if info, err := os.Stat(name); err == nil && !info.IsDir() || path.Ext(name) == ".toml" {
		return "", nil
	}
	files, _, err := shipped()
	if err != nil {
		return "", err
	}
	for _, file := range files {
		if shippedName(file) == filepath.ToSlash(name) {
			return file, nil
		}
	}
	return "", command.Usagef("%s: want the file of a study, or a name of kifu run --list", name)
}

// readStudy reads a file, or a bundled study, with the values of --set and --out. The outputs
// are below the working directory, or in --out, never in the folder of the study. A bundled study
// is written to the folder .study of the outputs, with the samples; done removes it again
// after a dry run.
func (f studyFlags) readStudy(disk *command.Files, name string) (_ *study.Study, done func(), err error) {
	done = func() {}
	file, err := shippedFile(name)
	if err != nil {
		return nil, done, err
	}
	dir, err := f.outputs(file, name)
	if err != nil {
		return nil, done, err
	}
	inside := filepath.IsLocal(dir) && f.out == "" // of the working directory
	dir = disk.Path(dir)
	if file != "" {
		root := filepath.Join(dir, ".study")
		if study.Remote(dir) {
			root = ".study"
		}
		if f.dry {
			if root, err = os.MkdirTemp("", "kifu-study-"); err != nil {
				return nil, done, err
			}
			done = func() { os.RemoveAll(root) }
		}
		if err := unpackStudy(root, path.Dir(file)); err != nil {
			return nil, done, err
		}
		name = filepath.Join(root, "experiments", filepath.FromSlash(file))
	}
	s, err := study.Read(name)
	if err != nil {
		return nil, done, err
	}
	s.Force = disk.Force
	if !study.Remote(dir) {
		if inside {
			s.Root = disk.Path(".")
		}
		if filepath.IsAbs(s.Path) && s.Root != "" {
			if s.Root, err = filepath.Abs(s.Root); err != nil {
				return nil, done, err
			}
		}
		if inside || !filepath.IsAbs(dir) {
			dir = fromStudy(s, dir)
		}
	}
	if err := setValues(s, f, func(key, value string) string { return fromFile(s, key, value) }); err != nil {
		return nil, done, err
	}
	return s, done, s.SetValue("out", dir)
}

// outputs returns where the outputs of a study go, from the working directory.
func (f studyFlags) outputs(shipped, name string) (string, error) {
	if f.out != "" {
		return f.out, nil
	}
	read := study.Read
	if shipped != "" {
		read = func(string) (*study.Study, error) {
			text, err := fs.ReadFile(kifu.Studies(), shipped)
			if err != nil {
				return nil, err
			}
			return study.Parse(shipped, text)
		}
	}
	s, err := read(name)
	if err != nil {
		return "", err
	}
	if err := setValues(s, f, func(_, value string) string { return value }); err != nil {
		return "", err
	}
	return s.Dir()
}

// setValues gives s the values of --set, as change returns them.
func setValues(s *study.Study, f studyFlags, change func(key, value string) string) error {
	for _, pair := range f.set {
		key, value, found := strings.Cut(pair, "=")
		if !found {
			return command.Usagef("--set %q: want NAME=TEXT", pair)
		}
		if err := s.SetValue(key, change(key, value)); err != nil {
			return command.Misused(err)
		}
	}
	return nil
}

// unpackStudy writes the files of a folder of studies and the samples below root, as in the program's
// sources. A file that has this content already is not written.
func unpackStudy(root, folder string) error {
	files := map[string][]byte{}
	err := fs.WalkDir(kifu.Studies(), folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files["experiments/"+name], err = fs.ReadFile(kifu.Studies(), name)
		return err
	})
	if err != nil {
		return err
	}
	samples, err := catalog.Samples()
	if err != nil {
		return err
	}
	for _, s := range samples {
		files["datasets/catalog/samples/"+s.File] = s.Data
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file := filepath.Join(root, filepath.FromSlash(name))
		if was, err := os.ReadFile(file); err == nil && bytes.Equal(was, files[name]) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := datasets.WriteStream(file, fresh.Of(files[name])); err != nil {
			return err
		}
	}
	return nil
}

// fromFile makes a path of the command line one that counts from the directory of the study, as paths in
// the file do. A path is a name of an existing file that looks like one, here or in the file: "checkers"
// may be a game in spite of a directory. It is also a name of no file, in the place of a file of the study.
func fromFile(s *study.Study, key, value string) string {
	there := func(name string) bool {
		_, err := os.Stat(name)
		return err == nil
	}
	ofStudy := func(name string) bool { return there(filepath.Join(filepath.Dir(s.Path), name)) }
	looks, file := strings.ContainsRune(value, '/') || filepath.Ext(value) != "", false
	for _, f := range s.Set {
		if was := f.Values[0][0]; f.Key == key {
			looks, file = looks || strings.ContainsRune(was, '/'), ofStudy(was)
		}
	}
	if !filepath.IsAbs(value) && !study.Remote(value) && (there(value) && looks || file && !there(value) && !ofStudy(value)) {
		return fromStudy(s, value)
	}
	return value
}

// fromStudy makes a path that counts from the working directory one that counts from the directory
// of the study.
func fromStudy(s *study.Study, name string) string {
	to, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	from, err := filepath.Abs(filepath.Dir(s.Path))
	if err != nil {
		return name
	}
	rel, err := filepath.Rel(from, to)
	if err != nil {
		return to
	}
	return filepath.ToSlash(rel)
}

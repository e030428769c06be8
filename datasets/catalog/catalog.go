// Package catalog knows public databases of game records and fetches them.
//
// What it knows is in catalog.toml: game, address, licence, size, and a checksum or a list of
// checksums where the publisher has one. Get downloads a file over HTTP. It resumes an earlier run
// if the file on the server is unchanged, retries after temporary faults, and verifies length and
// checksum. The file gets its final name only when it is complete and verified; an existing file of
// that name is never replaced by an incomplete one. Next to it is NAME.sha256, as sha256sum writes
// it, by which a second run knows that there is nothing to do.
//
// It does not read the files: that is ingest's business.
package catalog

import (
	"cmp"
	_ "embed"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Database is one entry. Name and Address may have {month} or {year} in them.
type Database struct {
	Name      string `toml:"name"`
	Game      string `toml:"game"`
	Format    string `toml:"format"` // "pgn.zst", "zip of sgf"
	What      string `toml:"what"`
	Address   string `toml:"address"` // empty when only Home is known
	Checksums string `toml:"checksums"`
	SHA256    string `toml:"sha256"`
	Home      string `toml:"home"`
	Licence   string `toml:"licence"`
	Size      string `toml:"size"`
	First     string `toml:"first"` // month or year of the first file
	Checked   string `toml:"checked"`
}

//go:embed catalog.toml
var list []byte

// All returns the catalog, in the order of the list.
func All() ([]Database, error) { return Parse(list) }

// Parse reads a catalog.
func Parse(text []byte) ([]Database, error) {
	var c struct {
		Database []Database `toml:"database"`
	}
	d := toml.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("the catalog: %w", err)
	}
	return c.Database, nil
}

// periods has the pattern of the texts that replace a placeholder.
var periods = map[string]string{"{month}": `(\d{4}-(?:0[1-9]|1[0-2]))`, "{year}": `(\d{4})`}

// Find returns the entry of that name. If the entry's name has a placeholder, name has
// a month or a year in its place, and the entry comes back with it filled in.
func Find(all []Database, name string) (Database, error) {
	for _, d := range all {
		if d.Name == name && d.placeholder() == "" {
			return d, nil
		}
	}
	var names []string
	for _, d := range all {
		names = append(names, d.Name)
		hole := d.placeholder()
		if hole == "" {
			continue
		}
		pattern := strings.Replace(regexp.QuoteMeta(d.Name), regexp.QuoteMeta(hole), periods[hole], 1)
		m := regexp.MustCompile("^" + pattern + "$").FindStringSubmatch(name)
		if m == nil {
			if name == d.Name || strings.HasPrefix(name+"-", d.Name[:strings.Index(d.Name, hole)]) {
				return d, fmt.Errorf("%s: put a %s in place of %s, as in %s", name, strings.Trim(hole, "{}"), hole, d.example())
			}
			continue
		}
		if d.First != "" && m[1] < d.First {
			return d, fmt.Errorf("%s: the first file is %s", name, d.example())
		}
		d.Name = name
		d.Address = strings.ReplaceAll(d.Address, hole, m[1])
		return d, nil
	}
	return Database{}, fmt.Errorf("no database %q: want one of %s", name, strings.Join(names, ", "))
}

// Matches reports whether a file has the name of one of the database.
func (d Database) Matches(file string) bool {
	if d.Address == "" {
		return false
	}
	pattern := regexp.QuoteMeta(path.Base(d.Address))
	for hole, period := range periods {
		pattern = strings.ReplaceAll(pattern, regexp.QuoteMeta(hole), period)
	}
	return regexp.MustCompile("^" + pattern + "$").MatchString(file)
}

func (d Database) placeholder() string {
	for hole := range periods {
		if strings.Contains(d.Name, hole) {
			return hole
		}
	}
	return ""
}

// example returns a name without placeholder.
func (d Database) example() string {
	hole := d.placeholder()
	first := cmp.Or(d.First, map[string]string{"{month}": "2020-01", "{year}": "2020"}[hole])
	return strings.Replace(d.Name, hole, first, 1)
}

// File returns the name, addresses and checksum of d, for Get. The error names a page to look at
// when d has no address.
func (d Database) File() (File, error) {
	if d.Address == "" {
		return File{}, fmt.Errorf("%s has no permanent address (%s): see %s", d.Name, d.Checked, d.Home)
	}
	return File{Address: d.Address, Name: path.Base(d.Address), SHA256: d.SHA256, Checksums: d.Checksums}, nil
}

// Package card describes a dataset for the Hugging Face Hub: its directory becomes a repository by two files next to the parts.
//
// README.md is the card, for people, and begins with what the Hub and its loaders read. croissant.json has the same in the
// Croissant format 1.0 (https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html).
package card

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/internal/human"
	"kifu/internal/pattern"
	"kifu/schemas"
)

// Facts are what the dataset itself does not have.
type Facts struct {
	Repo     string // USER/NAME on the Hub
	Licence  string // of the data, as the Hub names it (cc0-1.0), or in words
	Date     string // of publication: 2024-05-01
	Citation string // BibTeX
	Sources  []Source
}

// Source is a file of records that the dataset was made from.
type Source struct {
	Title, Home, Licence string // Home and Licence are "" if they are not known
	SHA256               string
	Of                   *datasets.Dir // the games that were read from it
}

// The files of a repository.
const (
	Card      = "README.md"
	Croissant = "croissant.json"
)

var repo = pattern.Of(`^[\w.-]+/[\w.-]+$`)

// Validate returns an error for facts that cannot be published.
func (f *Facts) Validate() error {
	if !repo().MatchString(f.Repo) {
		return fmt.Errorf("--repo %q: want USER/NAME, as the Hub has it", f.Repo)
	}
	if f.Licence == "" {
		return fmt.Errorf("the licence of these records is unknown: give it with --licence")
	}
	return nil
}

// url returns the address of the repository.
func (f *Facts) url() string { return "https://huggingface.co/datasets/" + f.Repo }

// glob matches the parts.
const glob = "part-*.parquet"

// hubLicences are the Hub's names of licences that data usually have; the others are written out.
var hubLicences = []string{"cc0-1.0", "cc-by-2.0", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0", "cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0",
	"cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "cc-by-nd-4.0", "cc-by-nc-nd-4.0", "odbl", "odc-by", "pddl", "unlicense", "mit", "apache-2.0", "gpl-2.0", "gpl-3.0", "agpl-3.0",
	"lgpl-3.0", "unknown", "other"}

// README returns the card of d.
func (f *Facts) README(d *datasets.Dir) []byte {
	var s strings.Builder
	f.metadata(&s, d)
	fmt.Fprintf(&s, "\n# %s\n\n%s\n\n", title(d), schemas.DocOf(d.Table.Name))
	fmt.Fprintf(&s, "%s rows in %s, %s bytes. Licence: %s.\n", human.Grouped(d.Rows()), human.Plural(int64(d.NumParts()), "Parquet file", "Parquet files"), human.Grouped(bytes(d)), f.Licence)
	f.usage(&s, d)
	s.WriteString("\n## Columns\n\n")
	for _, c := range d.Table.Columns {
		s.WriteString(c.Item())
	}
	f.origin(&s, d)
	return []byte(s.String())
}

// title names a dataset: Games of chess.
func title(d *datasets.Dir) string {
	return human.Capital(d.Table.Name) + " of " + cmp.Or(d.Manifest.Meta["game"], "board games")
}

func bytes(d *datasets.Dir) (n int64) {
	for i := range d.NumParts() {
		if info, err := d.Info(i); err == nil { // Verify has read them all
			n += info.Bytes
		}
	}
	return n
}

// metadata writes the YAML at the card's head. Its strings are written as JSON, of which YAML has the rules.
func (f *Facts) metadata(s *strings.Builder, d *datasets.Dir) {
	quoted := func(text string) string {
		line, _ := json.Marshal(text) // a string always has a form
		return string(line)
	}
	fmt.Fprintf(s, "---\npretty_name: %s\n", quoted(title(d)))
	if id := strings.ToLower(f.Licence); slices.Contains(hubLicences, id) {
		fmt.Fprintf(s, "license: %s\n", id)
	} else {
		fmt.Fprintf(s, "license: other\nlicense_name: %s\n", quoted(f.Licence))
	}
	fmt.Fprintf(s, "tags:\n- kifu\n- games\n- %s\n", quoted(cmp.Or(d.Manifest.Meta["game"], "board games")))
	fmt.Fprintf(s, "size_categories:\n- %s\n", sizeCategory(d.Rows()))
	fmt.Fprintf(s, "configs:\n- config_name: default\n  data_files:\n  - split: train\n    path: %s\n", glob)
	loaded := loadable(d.Table)
	if len(loaded) < len(d.Table.Columns) {
		s.WriteString("  columns:\n")
		for _, c := range loaded {
			fmt.Fprintf(s, "  - %s\n", quoted(c.Name))
		}
	}
	s.WriteString("dataset_info:\n  config_name: default\n  features:\n")
	for _, c := range loaded {
		key, typ := "dtype", c.Type.String()
		switch c.Type {
		case schemas.Bytes:
			typ = "binary"
		case schemas.FixedBytes:
			typ = fmt.Sprintf("fixed_size_binary[%d]", c.Size)
		case schemas.Int32List:
			key, typ = "list", schemas.Int32.String()
		}
		fmt.Fprintf(s, "  - name: %s\n    %s: %s\n", quoted(c.Name), key, typ)
	}
	fmt.Fprintf(s, "  splits:\n  - name: train\n    num_examples: %d\n  download_size: %d\n---\n", d.Rows(), bytes(d))
}

// loadable returns the columns whose types the Hub's loaders have: all but maps.
func loadable(t schemas.Table) []schemas.Column {
	return slices.DeleteFunc(slices.Clone(t.Columns), func(c schemas.Column) bool { return c.Type == schemas.StringMap })
}

// sizeCategory names the power of ten in which the number of rows is.
func sizeCategory(rows int64) string {
	names := []string{"1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T"}
	below, limit := "", int64(1000)
	for _, name := range names {
		if rows < limit {
			return strings.TrimPrefix(below+"<n<"+name, "<")
		}
		below, limit = name, 10*limit
	}
	return "n>1T"
}

// usage shows how the files are read.
func (f *Facts) usage(s *strings.Builder, d *datasets.Dir) {
	fmt.Fprintf(s, "\n## Use\n\n    import datasets, duckdb\n    rows = datasets.load_dataset(%q, split=\"train\")\n    duckdb.sql(\"select count(*) from 'hf://datasets/%s/%s'\")\n", f.Repo, f.Repo, glob)
	s.WriteString("\npandas, polars and PyArrow read the Parquet files as well.")
	for _, c := range d.Table.Columns {
		if c.Type == schemas.StringMap {
			fmt.Fprintf(s, " `load_dataset` leaves out `%s`, which is a map.", c.Name)
		}
	}
	s.WriteString("\n")
}

// origin says what the dataset was made of, and by what.
func (f *Facts) origin(s *strings.Builder, d *datasets.Dir) {
	s.WriteString("\n## Sources\n\n")
	for _, from := range f.Sources {
		fmt.Fprintf(s, "- %s, SHA-256 %s", from.Title, from.SHA256)
		for _, more := range []string{from.Licence, from.Home} {
			if more != "" {
				s.WriteString(", " + more)
			}
		}
		s.WriteString("\n")
	}
	if len(f.Sources) == 0 {
		s.WriteString("The files of records are not known.\n")
	}
	params, _ := json.Marshal(d.Manifest.Params) // in a line; the manifest was read as JSON
	fmt.Fprintf(s, "\n## Made by\n\n%s, stage %s, with the parameters\n\n    %s\n\nThe key of the dataset is `%s`; manifest.json has the checksums of all files.\n",
		d.Manifest.Tool, d.Manifest.Stage, params, d.Manifest.Key)
	fmt.Fprintf(s, "\n## Citation\n\n    %s\n", strings.ReplaceAll(strings.TrimSpace(f.Citation), "\n", "\n    "))
}

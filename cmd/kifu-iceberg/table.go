package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/apache/iceberg-go"
	icebergio "github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"

	"kifu/datasets"
	"kifu/schemas"
)

// schema returns the columns of t with the field ids that the Parquet parts have: column i,
// from 0, has i+1, and what is within lists and maps 1000(i+1)+1 and on.
func schema(t schemas.Table) (*iceberg.Schema, error) {
	var fields []iceberg.NestedField
	for i, c := range t.Columns {
		typ, err := typeOf(c, i+1)
		if err != nil {
			return nil, err
		}
		fields = append(fields, iceberg.NestedField{ID: i + 1, Name: c.Name, Type: typ, Required: !c.Nullable, Doc: c.Doc})
	}
	return iceberg.NewSchema(0, fields...), nil
}

// typeOf returns the type of a column. Iceberg has no unsigned numbers: hashes are declared as
// signed ones of as many bits (parts hold no bounds of them, whose order would be another).
func typeOf(c schemas.Column, id int) (iceberg.Type, error) {
	p := iceberg.PrimitiveTypes
	switch c.Type {
	case schemas.Bool:
		return p.Bool, nil
	case schemas.Int16, schemas.Int32:
		return p.Int32, nil
	case schemas.Int64, schemas.Uint64:
		return p.Int64, nil
	case schemas.Float32:
		return p.Float32, nil
	case schemas.Float64:
		return p.Float64, nil
	case schemas.String:
		return p.String, nil
	case schemas.Bytes:
		return p.Binary, nil
	case schemas.FixedBytes:
		return iceberg.FixedTypeOf(c.Size), nil
	case schemas.Int32List:
		return &iceberg.ListType{ElementID: 1000*id + 1, Element: p.Int32}, nil
	case schemas.StringMap:
		return &iceberg.MapType{KeyID: 1000*id + 1, KeyType: p.String, ValueID: 1000*id + 2, ValueType: p.String, ValueRequired: true}, nil
	}
	return nil, fmt.Errorf("column %s: no type of Iceberg for %s", c.Name, c.Type)
}

// site is where the files of one table are: readers find them below location, and this program below dir. Metadata
// are DIR/metadata/vN.metadata.json, where version-hint.text holds N.
type site struct {
	icebergio.LocalFS
	location, dir string
	parts         map[string]string // the local copies of parts
	version       int               // that is written
	meta          table.Metadata
}

// local returns the local path of a file of the table.
func (s *site) local(name string) string {
	if copied := s.parts[name]; copied != "" {
		return copied
	}
	below, is := strings.CutPrefix(name, s.location+"/")
	if !is {
		return name
	}
	return filepath.Join(s.dir, filepath.FromSlash(below))
}

func (s *site) Open(name string) (icebergio.File, error) { return s.LocalFS.Open(s.local(name)) }
func (s *site) ReadFile(name string) ([]byte, error)     { return s.LocalFS.ReadFile(s.local(name)) }
func (s *site) Create(name string) (icebergio.FileWriter, error) {
	return s.LocalFS.Create(s.local(name))
}
func (s *site) WriteFile(name string, content []byte) error {
	return s.LocalFS.WriteFile(s.local(name), content)
}
func (s *site) Remove(name string) error { return s.LocalFS.Remove(s.local(name)) }

func (s *site) LoadTable(context.Context, table.Identifier) (*table.Table, error) {
	return nil, errors.New("the table is being written")
}

// CommitTable writes the next version of the metadata.
func (s *site) CommitTable(_ context.Context, _ table.Identifier, _ []table.Requirement, updates []table.Update) (table.Metadata, string, error) {
	meta, err := table.UpdateTableMetadata(s.meta, updates, "")
	if err != nil {
		return nil, "", err
	}
	text, err := json.MarshalIndent(meta, "", " ")
	if err != nil {
		return nil, "", err
	}
	name := fmt.Sprintf("%s/metadata/v%d.metadata.json", s.location, s.version)
	if err := datasets.WriteFile(s.local(name), text); err != nil {
		return nil, "", err
	}
	s.meta = meta
	return meta, name, datasets.WriteFile(s.local(s.location+"/metadata/"+hint), fmt.Appendf(nil, "%d", s.version))
}

const hint = "version-hint.text"

// after returns the version after the last of these files of metadata.
func after(names []string) int {
	last := 0
	for _, name := range names {
		n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(path.Base(name), "v"), ".metadata.json"))
		last = max(last, n)
	}
	return last + 1
}

// writeTable makes a table of one snapshot with all parts of d.
func (s *site) writeTable(ctx context.Context, d *datasets.Dir, parts []string) (location string, err error) {
	if err := os.MkdirAll(filepath.Join(s.dir, "metadata"), 0o777); err != nil {
		return "", err
	}
	if s.meta, err = emptyTable(d, s.location); err != nil {
		return "", err
	}
	t := table.New(table.Identifier{"kifu", d.Table.Name}, s.meta, "", func(context.Context) (icebergio.IO, error) { return s, nil }, s)
	tx := t.NewTransaction()
	if err := tx.AddFiles(ctx, parts, iceberg.Properties{"kifu.key": d.Manifest.Key}, false); err != nil {
		return "", err
	}
	done, err := tx.Commit(ctx)
	if err != nil {
		return "", err
	}
	return done.MetadataLocation(), nil
}

// emptyTable returns the metadata of a table without snapshots. The library's own way renumbers the fields,
// and the parts have their numbers already.
func emptyTable(d *datasets.Dir, location string) (table.Metadata, error) {
	columns, err := schema(d.Table)
	if err != nil {
		return nil, err
	}
	b, err := table.NewMetadataBuilder(2)
	if err != nil {
		return nil, err
	}
	properties := iceberg.Properties{"kifu.stage": d.Manifest.Stage, "kifu.schema": d.Manifest.Schema, "kifu.tool": d.Manifest.Tool}
	for _, step := range []func() error{
		// It is the place's: readers that refresh a table refuse one with another.
		func() error { return b.SetUUID(uuid.NewSHA1(uuid.NameSpaceURL, []byte(location))) },
		func() error { return b.AddSchema(columns) },
		func() error { return b.SetCurrentSchemaID(-1) },
		func() error { return b.AddSortOrder(&table.UnsortedSortOrder) },
		func() error { return b.SetDefaultSortOrderID(-1) },
		func() error { return b.AddPartitionSpec(iceberg.UnpartitionedSpec, true) },
		func() error { return b.SetDefaultSpecID(-1) },
		func() error { return b.SetLoc(location) },
		func() error { return b.SetProperties(properties) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return b.Build()
}

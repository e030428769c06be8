package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

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

// directory keeps the metadata of one table: DIR/metadata/vN.metadata.json, where version-hint.text holds
// N.
type directory struct {
	path string
	meta table.Metadata
}

func (d *directory) LoadTable(context.Context, table.Identifier) (*table.Table, error) {
	return nil, errors.New("the table is being written")
}

// CommitTable writes the next version of the metadata.
func (d *directory) CommitTable(_ context.Context, _ table.Identifier, _ []table.Requirement, updates []table.Update) (table.Metadata, string, error) {
	meta, err := table.UpdateTableMetadata(d.meta, updates, "")
	if err != nil {
		return nil, "", err
	}
	text, err := json.MarshalIndent(meta, "", " ")
	if err != nil {
		return nil, "", err
	}
	version := 1
	var name string
	for ; ; version++ {
		name = filepath.Join(d.path, "metadata", fmt.Sprintf("v%d.metadata.json", version))
		if _, err := os.Stat(name); err != nil {
			break
		}
	}
	if err := datasets.WriteFile(name, text); err != nil {
		return nil, "", err
	}
	d.meta = meta
	return meta, name, datasets.WriteFile(filepath.Join(d.path, "metadata", "version-hint.text"), fmt.Appendf(nil, "%d", version))
}

// writeTable makes a table of one snapshot with all parts of d.
func writeTable(ctx context.Context, d *datasets.Dir) (location string, err error) {
	root, err := filepath.Abs(d.Path)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Join(root, "metadata"), 0o777); err != nil {
		return "", err
	}
	meta, err := emptyTable(d, root)
	if err != nil {
		return "", err
	}
	var files []string
	for i := range d.NumParts() {
		info, err := d.Info(i)
		if err != nil {
			return "", err
		}
		files = append(files, filepath.Join(root, info.Name))
	}
	to := &directory{path: root, meta: meta}
	t := table.New(table.Identifier{"kifu", d.Table.Name}, meta, "", icebergio.LoadFSFunc(nil, root), to)
	tx := t.NewTransaction()
	if err := tx.AddFiles(ctx, files, iceberg.Properties{"kifu.key": d.Manifest.Key}, false); err != nil {
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
func emptyTable(d *datasets.Dir, root string) (table.Metadata, error) {
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
		func() error { return b.SetUUID(uuid.New()) },
		func() error { return b.AddSchema(columns) },
		func() error { return b.SetCurrentSchemaID(-1) },
		func() error { return b.AddSortOrder(&table.UnsortedSortOrder) },
		func() error { return b.SetDefaultSortOrderID(-1) },
		func() error { return b.AddPartitionSpec(iceberg.UnpartitionedSpec, true) },
		func() error { return b.SetDefaultSpecID(-1) },
		func() error { return b.SetLoc(root) },
		func() error { return b.SetProperties(properties) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return b.Build()
}

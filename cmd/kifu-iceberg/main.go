// Kifu-iceberg publishes a dataset of kifu as an Apache Iceberg table: it writes metadata next to the
// unchanged parts, so that engines that read Iceberg have them as one table. 'kifu publish --as iceberg'
// starts it.
//
// It is a program of its own module, since iceberg-go and what it needs are more than
// half as large as kifu. Metadata have clocks, UUIDs and absolute paths in them: they are no part of the
// dataset, and of no key.
package main

import (
	"context"
	"fmt"
	"os"

	"kifu/datasets"
)

func main() {
	if len(os.Args) < 2 || os.Args[1] == "--help" || os.Args[1] == "-h" {
		fmt.Fprintln(os.Stderr, "usage: kifu-iceberg DIR...\nwrites Iceberg metadata for datasets into DIR/metadata")
		os.Exit(2)
	}
	for _, dir := range os.Args[1:] {
		location, err := publish(context.Background(), dir)
		if err != nil {
			fmt.Fprintf(os.Stderr, "kifu-iceberg: %v\n", err)
			os.Exit(1)
		}
		fmt.Printf("%s: published as %s\n", dir, location)
	}
}

// publish writes the metadata of the dataset in dir, and returns where they are.
func publish(ctx context.Context, dir string) (location string, err error) {
	if datasets.Remote(dir) {
		return "", fmt.Errorf("%s: tables are published from directories: fetch the dataset first", dir)
	}
	d, err := datasets.Open(dir)
	if err != nil {
		return "", err
	}
	if d.NumParts() == 0 {
		return "", fmt.Errorf("%s holds no table: it has no Parquet part", dir)
	}
	if err := d.Verify(ctx); err != nil {
		return "", err
	}
	return writeTable(ctx, d)
}

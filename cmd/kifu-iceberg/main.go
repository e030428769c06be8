// Kifu-iceberg publishes a dataset of kifu as an Apache Iceberg table: it writes metadata next to the
// unchanged parts, so that engines that read Iceberg have them as one table. 'kifu publish --as iceberg'
// starts it.
//
// It is a program of its own module, since iceberg-go and what it needs are more than
// half as large as kifu. Metadata have clocks, UUIDs and absolute locations in them: they are no part of the
// dataset, and of no key.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"kifu/datasets/store"
)

func main() {
	location := flag.String("location", "", "the tables will be below `URL`")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: kifu-iceberg [--location URL] DIR...\nwrites Iceberg metadata for datasets into DIR/metadata")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := publishAll(*location, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "kifu-iceberg: %v\n", err)
		os.Exit(1)
	}
}

func publishAll(location string, dirs []string) error {
	ctx, done := store.With(context.Background())
	defer done()
	for _, dir := range dirs {
		published, err := publish(ctx, dir, location)
		if err != nil {
			return err
		}
		fmt.Printf("%s: published as %s\n", dir, published)
	}
	return nil
}

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/datasets"
	"kifu/datasets/remote"
	"kifu/ingest"
	"kifu/ingest/source"
	"kifu/internal/scratch"
	"kifu/players/match"
	"kifu/schemas"
)

// readOpenings reads --openings: a name, a file of lines or of records, a dataset.
func readOpenings(ctx context.Context, mk *command.Maker, g command.Game, name string, plies int) (o match.Openings, err error) {
	info, err := os.Stat(mk.Path(name))
	isBook := remote.Is(name) || err == nil && (info.IsDir() || isRecord(name))
	if plies != 0 && !isBook || plies < 0 {
		return o, command.Usagef("--opening-plies is a number of plies of the games of --openings, records or a dataset")
	}
	if name == "start" {
		return o, nil
	}
	if text, ok := strings.CutPrefix(name, "plies:"); ok {
		if o.Plies, err = strconv.Atoi(text); err != nil || o.Plies < 1 {
			return o, command.Usagef("--openings %s: want a number of plies", name)
		}
		return o, nil
	}
	if o, known := match.Named(g.Name, name); known {
		return o, nil
	}
	if isBook {
		return readBook(ctx, mk, g, name, plies)
	}
	text, err := source.ReadText(mk.Path(name))
	if err != nil {
		return o, fmt.Errorf("--openings: want start, plies:N, a set of %s, or a file: %w", g.Name, err)
	}
	if !utf8.Valid(text) || bytes.ContainsRune(text, 0) {
		return o, command.Usagef("--openings %s: a file of lines is text, plain or compressed by gzip, zstd, bzip2 or xz", name)
	}
	return match.Openings{Name: name, Text: string(text)}, nil
}

// isRecord reports whether a file has records by its name, packed or not.
func isRecord(name string) bool {
	return slices.Contains([]string{".pgn", ".pdn", ".sgf", ".ggf", ".wtb"}, strings.ToLower(filepath.Ext(source.Bare(name))))
}

// readBook takes openings from the games of records or of a dataset.
func readBook(ctx context.Context, mk *command.Maker, g command.Game, name string, plies int) (o match.Openings, fault error) {
	in, err := mk.OpenAny(name)
	if isRecord(name) {
		temp := scratch.New("", "book")
		defer func() { fault = errors.Join(fault, temp.Remove()) }()
		if fault := temp.Make(); fault != nil {
			return o, fault
		}
		in, err = ingestBook(ctx, mk, g, name, filepath.Join(temp.Path(), "games"))
	}
	if err != nil {
		return o, fmt.Errorf("--openings: %w", err)
	}
	if of := in.Manifest.Meta["game"]; of != g.Name {
		return o, fmt.Errorf("--openings: %s holds games of %s, not of %s", name, of, g.Name)
	}
	text, err := g.Book(ctx, in, plies)
	if err != nil {
		return o, fmt.Errorf("--openings: %s: %w", name, err)
	}
	if text == "" {
		return o, fmt.Errorf("--openings: %s has no game of %s", name, g.Name)
	}
	return match.Openings{Name: name, Text: text}, nil
}

// ingestBook reads records into a dataset.
func ingestBook(ctx context.Context, mk *command.Maker, g command.Game, name, dir string) (*datasets.Dir, error) {
	p := ingest.Params{Game: g.Name}
	o := ingest.Options{Inputs: []string{mk.Path(name)}, Games: gametable.Ingest(), Stdin: mk.Stdin, Workers: mk.Workers, Warn: mk.Stderr}
	m, _, err := datasets.Build(ctx, dir, datasets.Step{
		Stage: "ingest", Output: schemas.Games.ID(), Params: p,
		Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			return ingest.Run(ctx, g.Ingest, p, o, b)
		},
	}, datasets.Options{})
	if err != nil {
		return nil, err
	}
	if r := command.Reasons(m.Counts.Rejected); r != "" {
		fmt.Fprintf(mk.Stderr, "kifu: %s: left out %s\n", name, r)
	}
	return datasets.Open(dir)
}

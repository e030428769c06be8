package main

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"kifu/cmd/kifu/command"
)

// TestExitCodes: the codes of docs/jobs.md.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	sample := filepath.Join(dir, "sample.pgn.zst")
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		want int
		args []string
	}{
		{context.Background(), command.OK, []string{"datasets", "sample", "chess-masters", "--out", sample}},
		{context.Background(), command.OK, []string{"ingest", "--out", filepath.Join(dir, "games"), sample}},
		{context.Background(), command.OK, []string{"ingest", "--out", filepath.Join(dir, "games"), sample}},
		{context.Background(), command.Failed, []string{"ingest", "--out", filepath.Join(dir, "none"), filepath.Join(dir, "absent.pgn")}},
		{context.Background(), command.Failed, []string{"check", filepath.Join(dir, "absent")}},
		{context.Background(), command.Misuse, []string{"ingest", "--no-such-flag"}},
		{context.Background(), command.Misuse, []string{"transform", "--quiet", "--progress", "json", "--out", filepath.Join(dir, "p"), filepath.Join(dir, "games")}},
		{gone, command.Interrupted, []string{"transform", "--out", filepath.Join(dir, "p"), filepath.Join(dir, "games")}},
	} {
		var out, errs bytes.Buffer
		if code := runMain(c.ctx, nil, &out, &errs, c.args); code != c.want {
			t.Errorf("kifu %s: exit %d, want %d\n%s", strings.Join(c.args, " "), code, c.want, errs.String())
		}
	}
}

// TestQuiet: a dataset is made without a word; what was asked for is printed.
func TestQuiet(t *testing.T) {
	dir := t.TempDir()
	sample, games := filepath.Join(dir, "sample.pgn.zst"), filepath.Join(dir, "games")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"", []string{"datasets", "sample", "chess-masters", "--out", sample}},
		{"", []string{"ingest", "--out", games, sample}},
		{"n\n2000\n", []string{"query", "--format", "csv", "select count(*) n from g", "g=" + games}},
	} {
		var out, errs bytes.Buffer
		if code := runMain(context.Background(), nil, &out, &errs, append(c.args, "--quiet")); code != command.OK || out.String() != c.want || errs.Len() > 0 {
			t.Errorf("kifu %s: exit %d, printed %q and %q", strings.Join(c.args, " "), code, out.String(), errs.String())
		}
	}
}

// TestVersionJSON: version, platform and modules, for programs.
func TestVersionJSON(t *testing.T) {
	var out, errs bytes.Buffer
	var got buildInfo
	if code := runMain(context.Background(), nil, &out, &errs, []string{"version", "--json"}); code != command.OK {
		t.Fatal(code, errs.String())
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.Version == "" || !strings.Contains(got.Platform, "/") {
		t.Errorf("%v: %s", err, out.String())
	}
}

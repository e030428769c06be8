//go:build unix

// Curve times the parts of a curve report on one labels dataset: the checksums, the
// query, and all of it with pictures and pages; best of some runs.
//
//	go run ./bench/curve LABELS [NAME=SQL...]
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"kifu/datasets"
	"kifu/query"
	"kifu/report/curve"
	"kifu/report/page"
)

const runs = 5

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "curve:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("want LABELS [NAME=SQL...]")
	}
	when, err := query.ParseNamed(args[1:])
	if err != nil {
		return err
	}
	d, err := datasets.Open(args[0])
	if err != nil {
		return err
	}
	out, err := os.MkdirTemp("", "kifu-bench-curve-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(out)
	p := curve.Params{When: when, Sources: []string{"labels"}}
	step := datasets.Step{Stage: "report curve", Output: "report/v1", Params: p, Inputs: args[:1],
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return curve.Make(ctx, p, in, page.Alone(b))
		}}
	dir := filepath.Join(out, "curve")
	fmt.Printf("%d labels, %d curves\n", d.Rows(), 1+len(when))
	if err := timed("whole report", func() error {
		_, _, err := datasets.Build(ctx, dir, step, datasets.Options{Force: true})
		return err
	}); err != nil {
		return err
	}
	if err := timed("checksums", func() error { return d.Verify(ctx) }); err != nil {
		return err
	}
	sql, err := os.ReadFile(filepath.Join(dir, "curve.sql"))
	if err != nil {
		return err
	}
	db, err := query.Open(ctx, query.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.Attach(ctx, "labels", d); err != nil {
		return err
	}
	return timed("query", func() error {
		r, err := db.Query(ctx, string(sql))
		if err != nil {
			return err
		}
		_, err = r.All()
		return err
	})
}

// timed prints the best wall and processor seconds of f.
func timed(name string, f func() error) error {
	wall, cpu := 1e9, 1e9
	for range runs {
		begun, used := time.Now(), processor()
		if err := f(); err != nil {
			return err
		}
		wall, cpu = min(wall, time.Since(begun).Seconds()), min(cpu, processor()-used)
	}
	fmt.Printf("%-14s %6.2f s wall %6.2f s processor\n", name, wall, cpu)
	return nil
}

func processor() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return float64(r.Utime.Sec+r.Stime.Sec) + float64(r.Utime.Usec+r.Stime.Usec)/1e6
}

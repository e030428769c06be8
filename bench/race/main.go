//go:build unix

// Race runs programs that do the same work, one after the other and then all again,
// so that what else the machine does meets them alike, and prints a Markdown table a
// group of them with medians over the rounds.
//
//	race [-rounds N] < LIST
//
// A line of the list has five fields with tabs between them: the group, with the unit of its work in
// brackets; the program's name; the work that it does, in that unit; the file or directory that it
// writes, which is removed before every run, or -; and the command, for sh. Names of this project's
// programs begin with "kifu": the ratios compare a program with the first of them by processor time and
// with the last of them by wall-clock time. Another program may fail: the table reports how often, with
// the time of its other runs.
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 5, "run everything `N` times")
	flag.Parse()
	list, err := read(os.Stdin)
	for round := 0; err == nil && round < *rounds; round++ {
		for _, e := range list {
			if err = e.run(); err != nil {
				break
			}
			fmt.Fprintf(os.Stderr, "\rround %d of %d: %-60s", round+1, *rounds, e.name)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "race:", err)
		os.Exit(1)
	}
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(e *entrant) bool { return e.group != list[0].group })
		if n < 0 {
			n = len(list)
		}
		table(os.Stdout, list[:n])
		list = list[n:]
	}
}

// entrant is one program and what its runs took.
type entrant struct {
	group, unit, name, out, command string

	work      float64
	user      []float64 // seconds of processor time a run, without the kernel's
	wall      []float64 // seconds
	resident  []int64   // peak, bytes
	outLength int64     // bytes written by the last run
	failed    int       // runs
}

func read(r io.Reader) ([]*entrant, error) {
	var list []*entrant
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		f := strings.SplitN(lines.Text(), "\t", 5)
		if len(f) < 5 {
			return nil, fmt.Errorf("line %d of the list: want five fields with tabs between them", len(list)+1)
		}
		group, unit, ok := strings.Cut(strings.TrimSuffix(f[0], "]"), " [")
		work, err := strconv.ParseFloat(f[2], 64)
		if !ok || err != nil {
			return nil, fmt.Errorf("line %d of the list: want a group with its [unit], and a number as work", len(list)+1)
		}
		list = append(list, &entrant{group: group, unit: unit, name: f[1], work: work, out: f[3], command: f[4]})
	}
	return list, lines.Err()
}

func (e *entrant) run() error {
	if e.out != "-" {
		if err := os.RemoveAll(e.out); err != nil {
			return err
		}
	}
	var said strings.Builder
	c := exec.Command("sh", "-c", e.command)
	c.Stderr = &said
	begun := time.Now()
	if err := c.Run(); err != nil {
		err = fmt.Errorf("%s: %w: %s", e.name, err, said.String())
		if e.ours() {
			return err
		}
		e.failed++
		fmt.Fprintln(os.Stderr, "\nrace:", err)
		return nil
	}
	e.wall = append(e.wall, time.Since(begun).Seconds())
	e.user = append(e.user, c.ProcessState.UserTime().Seconds())
	e.resident = append(e.resident, c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss<<10)
	e.outLength = 0
	if e.out == "-" {
		return nil
	}
	return filepath.WalkDir(e.out, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			e.outLength += info.Size()
		}
		return err
	})
}

func (e *entrant) ours() bool { return strings.HasPrefix(e.name, "kifu") }

func table(w io.Writer, group []*entrant) {
	first, last := group[0], group[0]
	for _, e := range group {
		if !e.ours() {
			continue
		}
		if last = e; !first.ours() {
			first = e
		}
	}
	unit := group[0].unit
	fmt.Fprintf(w, "\n%s\n\n", group[0].group)
	fmt.Fprintf(w, "| program | %s | CPU s | wall s | peak MB | written MB | %s a CPU second | %s a second | kifu, times as fast by CPU | by wall clock |\n", unit, unit, unit)
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|")
	for _, e := range group {
		if len(e.user) == 0 {
			fmt.Fprintf(w, "| %s, failed in every run | | | | | | | | | |\n", e.name)
			continue
		}
		name := e.name
		if e.failed > 0 {
			name += fmt.Sprintf(", failed in %d of %d runs", e.failed, e.failed+len(e.user))
		}
		user, wall := e.work/median(e.user), e.work/median(e.wall)
		fmt.Fprintf(w, "| %s | %s | %.3f | %.3f | %.0f | %.1f | %s | %s | %.2f | %.2f |\n", name, figure(e.work),
			median(e.user), median(e.wall), float64(median(e.resident))/1e6, float64(e.outLength)/1e6, figure(user), figure(wall),
			first.work/median(first.user)/user, last.work/median(last.wall)/wall)
	}
}

// figure is v with three digits at least, and never with an exponent.
func figure(v float64) string {
	if v >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// median of the values: the lower one of an even number.
func median[T cmp.Ordered](values []T) T {
	return slices.Sorted(slices.Values(values))[(len(values)-1)/2]
}

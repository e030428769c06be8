package engine

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kifu/kit/slow"
)

// hostileMode makes the test binary a program that means ill, whatever the protocol:
// stubborn, silent, flood (lines without end), deaf (it answers and then reads no more), forks
// (a child that outlives it and holds its pipes), escapes (the child has a session of its
// own), or dead.
const hostileMode, childFile = "KIFU_HOSTILE", "child"

func hostile(mode string) {
	switch mode {
	case "silent":
		time.Sleep(time.Hour)
	case "flood":
		out := bufio.NewWriterSize(os.Stdout, 1<<16)
		for i := 0; ; i++ {
			if _, err := fmt.Fprintf(out, "option name %d type string\n", i); err != nil {
				return
			}
		}
	case "deaf":
		fmt.Print("id name Deaf\nuciok\nreadyok\nreadyok\n")
		time.Sleep(time.Hour)
	case "forks", "escapes":
		child := exec.Command(os.Args[0])
		if mode == "escapes" {
			child = exec.Command("setsid", os.Args[0])
		}
		child.Env = append(os.Environ(), hostileMode+"=silent")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		file := filepath.Join(os.Getenv(fakeState), childFile)
		if err := os.WriteFile(file+".part", []byte(strconv.Itoa(child.Process.Pid)), 0o666); err != nil {
			panic(err)
		}
		if err := os.Rename(file+".part", file); err != nil {
			panic(err)
		}
		fmt.Print("id name Forks\nuciok\nreadyok\n")
	case "stubborn":
		stubborn()
	case "dead":
		fmt.Fprintln(os.Stderr, "no licence")
		os.Exit(7)
	}
}

// ownerMode makes the test binary a program that starts an engine, names it and what it has
// started in a file, and waits to be killed.
const ownerMode = "KIFU_OWNER"

func own() {
	e, err := StartUCI(context.Background(), Config{Command: []string{os.Args[0]}, Limits: Limits{Depth: 1}, Patience: time.Minute})
	if err != nil {
		panic(err)
	}
	go func() { _, _ = e.Search(context.Background(), "startpos") }() // which no answer ends
	select {}
}

// stubborn is a program that ignores signals and has two children, one in a session of its own.
func stubborn() {
	var pids []string
	for _, command := range [][]string{{os.Args[0]}, {"setsid", os.Args[0]}} {
		child := exec.Command(command[0], command[1:]...)
		child.Env = append(os.Environ(), hostileMode+"=silent")
		if err := child.Start(); err != nil {
			panic(err)
		}
		pids = append(pids, strconv.Itoa(child.Process.Pid))
	}
	signal.Ignore()
	file := filepath.Join(os.Getenv(fakeState), childFile)
	if err := os.WriteFile(file+".part", []byte(strings.Join(append(pids, strconv.Itoa(os.Getpid())), " ")), 0o666); err != nil {
		panic(err)
	}
	if err := os.Rename(file+".part", file); err != nil {
		panic(err)
	}
	os.Stdout.WriteString("id name Stubborn\nuciok\nreadyok\nreadyok\n")
	time.Sleep(time.Hour)
}

// hostileConfig returns the Config of this test binary as a program that means ill.
func hostileConfig(t *testing.T, mode string) Config {
	c := fakeConfig(t, "")
	t.Setenv(hostileMode, mode)
	switch mode {
	case "silent":
		c.Patience = time.Second
	case "deaf": // it answers at first, on a machine under load too
		c.Patience = 4 * time.Second
	}
	return c
}

// starts are the protocols.
var starts = map[string]func(ctx context.Context, c Config) (Engine, error){
	"uci": StartUCI, "usi": StartUSI, "hub": StartHub,
	"gtp": func(ctx context.Context, c Config) (Engine, error) {
		c.Limits = Limits{}
		return StartGTP(ctx, c, "")
	},
}

// TestHostileHandshake: a program that hangs, floods or dies at the handshake is an error of one
// attempt, in every protocol.
func TestHostileHandshake(t *testing.T) {
	slow.Test(t, "waits for programs that say nothing")
	for protocol, start := range starts {
		for mode, want := range map[string]string{"silent": "within 1s", "flood": "", "dead": "no licence"} {
			c := hostileConfig(t, mode)
			attempts := 0
			k := Keep(func(ctx context.Context) (Engine, error) {
				attempts++
				return start(ctx, c)
			})
			err := k.NewGame(context.Background())
			k.Close()
			if err == nil || !strings.Contains(err.Error(), want) || attempts != 1 {
				t.Errorf("%s, %s: %v after %d attempts", protocol, mode, err, attempts)
			}
		}
	}
}

// TestFlood: the output before an answer is bounded, by its size before its time.
func TestFlood(t *testing.T) {
	c := hostileConfig(t, "flood")
	c.Patience = time.Hour
	if _, err := StartUCI(context.Background(), c); err == nil || !strings.Contains(err.Error(), "16 megabytes of output") {
		t.Error(err)
	}
	var many strings.Builder
	for i := range 2 * mostOptions {
		fmt.Fprintf(&many, "option name %d type string\n", i)
	}
	many.WriteString("id name Many\nuciok\n")
	u := &uci{process: &process{stdin: nowhere{}, out: linesOf(newPump(strings.NewReader(many.String())))}}
	if err := u.introduce(context.Background(), "uci"); err != nil || len(u.announced) != mostOptions {
		t.Errorf("%d options, %v", len(u.announced), err)
	}
}

// nowhere is where nothing is read.
type nowhere struct{ io.WriteCloser }

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }

// TestDeaf: a program that reads no more does not hang who writes to it.
func TestDeaf(t *testing.T) {
	slow.Test(t, "waits for a program that does not read")
	e, err := StartUCI(context.Background(), hostileConfig(t, "deaf"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Search(context.Background(), strings.Repeat("x", 1<<20)); err == nil || !strings.Contains(err.Error(), "within 4s") {
		t.Error(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

// TestNoChildLeft: what a program started ends with it, however it ends and, on Linux, even
// in a session of its own.
func TestNoChildLeft(t *testing.T) {
	slow.Test(t, "waits for programs to end")
	if runtime.GOOS == "windows" {
		t.Skip("no process groups")
	}
	for _, mode := range []string{"forks", "escapes"} {
		if mode == "escapes" && runtime.GOOS != "linux" {
			continue
		}
		c := hostileConfig(t, mode)
		e, err := StartUCI(context.Background(), c)
		if err == nil {
			err = e.Close()
		}
		if err != nil {
			t.Log(err) // it ends after its handshake, which may be seen
		}
		text, err := os.ReadFile(filepath.Join(os.Getenv(fakeState), childFile))
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(string(text))
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now() // it ends when the system comes to it
		for alive(pid) && time.Since(begun) < time.Minute {
			time.Sleep(50 * time.Millisecond)
		}
		if alive(pid) {
			t.Errorf("%s: child %d is left", mode, pid)
		}
	}
}

// alive reports whether a process runs: one that ended but was not waited for does not.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil || p.Signal(syscall.Signal(0)) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

// FuzzUCI: no line of a program breaks the reading of it, and numbers are numbers.
func FuzzUCI(f *testing.F) {
	for _, line := range []string{"info depth 3 multipv 1 score cp 17 nodes 9 pv e2e4", "info score mate -3", "info score cp 5 lowerbound",
		"Final evaluation       +0.24 (white side)", "Total evaluation: NaN", "info score cp 99999999999999999999", "bestmove", "info multipv"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if v, ok := parseInfo(line); ok && (math.IsNaN(v.Score) || math.IsInf(v.Score, 0)) {
			t.Errorf("%q: %+v", line, v)
		}
		if score, ok := parseEval(line); ok && !(math.Abs(score) <= 1e6) {
			t.Errorf("%q: %g", line, score)
		}
	})
}

// FuzzUSI: neither does a line over USI; a mate has a number of moves, or no line.
func FuzzUSI(f *testing.F) {
	for _, line := range []string{"info depth 3 score mate 7 pv G*5b", "info score mate -", "info score mate + nodes 3", "info score mate 0", "info depth 9 score mate -9223372036854775808",
		"checkmate G*5b 5a4a", "checkmate", "checkmate notimplemented", "checkmate nomate", "info score cp 3 upperbound score mate 3", "info score mate 1 score mate 9"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if v, ok := parseUSIInfo(line); ok && !(math.Abs(v.Score) <= math.MaxInt64) {
			t.Errorf("%q: %+v", line, v)
		}
		if found, ok := parseCheckmate(line); ok && len(found.Line) > 0 && !found.Known {
			t.Errorf("%q: %+v", line, found)
		}
	})
}

// FuzzGTP: neither does an answer over GTP.
func FuzzGTP(f *testing.F) {
	for _, line := range []string{"=12 B+3.4", "?1 unknown command", "= ", "W+7.5 (upper bound: 4.0, lower: -7.5)", "B+Inf", "0", "=99999999999999999999 x"} {
		f.Add(line, true)
	}
	f.Fuzz(func(t *testing.T, line string, whiteToMove bool) {
		if n, _, ok := response(line); ok && line[0] != '=' && line[0] != '?' {
			t.Errorf("%q is answer %d", line, n)
		}
		if lead, ok := parseScore(strings.Fields(line), whiteToMove); ok && !(math.Abs(lead) <= maxLead) {
			t.Errorf("%q: %g", line, lead)
		}
	})
}

// FuzzHub: nor one over Hub; what was quoted is read back.
func FuzzHub(f *testing.F) {
	for _, line := range []string{`done move=32-28 ponder="17-22"`, `id name="Scan" version=3.1`, `info score="`, "= =", `a "b=c"`, "\t"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		parseHub(line)
		if strings.ContainsAny(line, "\"\r\n") {
			return
		}
		if _, values := parseHub("set-param value=" + hubQuote(line)); values["value"] != line {
			t.Errorf("%q is read back as %q", line, values["value"])
		}
	})
}

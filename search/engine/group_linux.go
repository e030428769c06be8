package engine

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
)

// markVariable is in the environment of a program, and so of all that it starts.
const markVariable = "KIFU_ENGINE"

// group is a program with all that it starts.
type group struct {
	cmd  *exec.Cmd
	mark string // a line of its environment
}

// newGroup makes the program the leader of a process group and marks its environment, so
// that what it starts can be ended with it. The system kills it when this process ends.
func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	g := &group{cmd: cmd, mark: fmt.Sprintf("%s-%016x", markOfAll(), rand.Uint64())}
	cmd.Env = append(cmd.Environ(), g.mark)
	return g
}

// start starts the program from a thread that lives as long as this process does: the death of
// the parent-death signal of a program follows the thread that has started it.
func (g *group) start() error {
	guard()
	failed := make(chan error)
	starter() <- func() { failed <- g.cmd.Start() }
	return <-failed
}

// starter returns where the functions go that start programs.
var starter = sync.OnceValue(func() chan<- func() {
	start := make(chan func())
	go func() {
		runtime.LockOSThread() // and never lets it go
		for f := range start {
			f()
		}
	}()
	return start
})

// markOfAll begins the marks of all programs that this process starts.
var markOfAll = sync.OnceValue(func() string {
	return fmt.Sprintf("%s=%d-%016x%016x", markVariable, os.Getpid(), rand.Uint64(), rand.Uint64())
})

// guardScript waits until its standard input ends, as it does when kifu does, and then kills all
// whose environment has the mark $1, with their process groups: the system ends only the programs
// that kifu started, not those that they did.
const guardScript = `while read -r _; do :; done
for _ in 1 2 3 4 5 6 7 8 9 10; do
	left=$(grep -lF -- "$1" /proc/[0-9]*/environ 2>/dev/null)
	[ "$left" ] || exit 0
	for file in $left; do
		pid=${file#/proc/}
		pid=${pid%/environ}
		kill -9 -"$pid" "$pid" 2>/dev/null
	done
done`

// guard starts one process that outlives this one by a moment. It has a session of its own, so
// a signal to this process's group does not reach it. guard returns the end of a pipe that
// keeps it alive. Without a shell there is no such process.
var guard = sync.OnceValue(func() io.Closer {
	cmd := exec.Command("/bin/sh", "-c", guardScript, "kifu-guard", markOfAll())
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil
	}
	go func() { _ = cmd.Wait() }()
	return pipe
})

// kill ends the program, if it runs, and what it started and left behind: its process
// group, and whoever else has its mark, which a session of its own does not take away. Only
// a process that also emptied its environment is out of reach.
func (g *group) kill() {
	_ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL)
	const rounds = 10 // for those that were being started meanwhile
	for range rounds {
		left := marked(g.mark)
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if len(left) == 0 {
			return
		}
	}
}

// marked returns the processes with a line in their environment. One that ended, even unreaped, has
// none any more.
func marked(line string) []int {
	all, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []int
	for _, e := range all {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		environment, err := os.ReadFile("/proc/" + e.Name() + "/environ")
		if err == nil && slices.ContainsFunc(bytes.Split(environment, []byte{0}), func(v []byte) bool { return string(v) == line }) {
			found = append(found, pid)
		}
	}
	return found
}

package engine

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// markVariable is in the environment of a program, and so in that of all that it starts.
const markVariable = "KIFU_ENGINE"

// ownGroup makes the program the leader of a process group and marks its environment, so
// that what it starts can be ended with it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = append(cmd.Environ(), fmt.Sprintf("%s=%d-%016x", markVariable, os.Getpid(), rand.Uint64()))
}

// killGroup ends the program, if it runs, and what it started and left behind: its process
// group, and whoever else has its mark, which a session of its own does not take away. Only
// a process that also emptied its environment is out of reach.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	const rounds = 10 // for those that were being started meanwhile
	for range rounds {
		left := marked(cmd.Env[len(cmd.Env)-1])
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if len(left) == 0 {
			return
		}
	}
}

// marked returns the processes with a line in their environment. One that ended, though
// nobody waited for it, has none any more.
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
		if err == nil && strings.HasPrefix(line, markVariable) && slices.ContainsFunc(bytes.Split(environment, []byte{0}), func(v []byte) bool { return string(v) == line }) {
			found = append(found, pid)
		}
	}
	return found
}

//go:build unix && !linux

package engine

import (
	"os/exec"
	"syscall"
)

// group is a program with all that it starts.
type group struct{ cmd *exec.Cmd }

// newGroup makes the program the leader of a process group, so that what it starts can be
// ended with it.
func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return &group{cmd}
}

func (g *group) start() error { return g.cmd.Start() }

// kill ends the program, if it runs, and what it started and left behind. A process that
// made a session of its own is out of reach, and so are all when this process is killed.
func (g *group) kill() { _ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) }

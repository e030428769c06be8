//go:build unix && !linux

package engine

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the program the leader of a process group, so that what it starts can be
// ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the program, if it runs, and what it started and left behind. A process that
// made a session of its own is out of reach.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

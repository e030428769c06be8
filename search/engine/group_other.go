//go:build !unix && !windows

package engine

import "os/exec"

// group is a program: this system has no groups of them.
type group struct{ cmd *exec.Cmd }

func newGroup(cmd *exec.Cmd) *group { return &group{cmd} }

func (g *group) start() error { return g.cmd.Start() }

func (g *group) kill() { _ = g.cmd.Process.Kill() }

package engine

import (
	"os/exec"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a program with all that it starts: a job object, which ends with its last handle, and
// so when this process ends, in whatever way.
type group struct {
	cmd *exec.Cmd
	mu  sync.Mutex
	job windows.Handle // 0: none, or no more
}

func newGroup(cmd *exec.Cmd) *group { return &group{cmd: cmd} }

// start starts the program and puts it into its job. What the program starts in the moment between
// is not in it.
func (g *group) start() error {
	if err := g.cmd.Start(); err != nil {
		return err
	}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil // the program is ended by itself, as ever
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = assign(job, uint32(g.cmd.Process.Pid))
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return nil
	}
	g.mu.Lock()
	g.job = job
	g.mu.Unlock()
	return nil
}

// assign puts a process into a job.
func assign(job windows.Handle, pid uint32) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process)
	return windows.AssignProcessToJobObject(job, process)
}

// kill ends the program, if it runs, and what it started.
func (g *group) kill() {
	g.mu.Lock()
	job := g.job
	g.job = 0
	g.mu.Unlock()
	if job != 0 {
		_ = windows.TerminateJobObject(job, 1)
		_ = windows.CloseHandle(job)
	}
	_ = g.cmd.Process.Kill()
}

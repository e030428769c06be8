package engine

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kifu/kit/slow"
)

// TestKilledOwner: kill -9 of the process, or of its process group, ends its programs, which ignore
// all other signals and are at work, and what these have started, in sessions of their own, too.
func TestKilledOwner(t *testing.T) {
	slow.Test(t, "waits for programs to end")
	for _, whole := range []bool{false, true} {
		dir := t.TempDir()
		owner := exec.Command(os.Args[0])
		owner.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		owner.Env = append(os.Environ(), ownerMode+"=1", fakeState+"="+dir)
		if err := owner.Start(); err != nil {
			t.Fatal(err)
		}
		var text []byte
		for begun := time.Now(); len(text) == 0; time.Sleep(20 * time.Millisecond) {
			if time.Since(begun) > time.Minute {
				t.Fatal("the program did not start")
			}
			text, _ = os.ReadFile(filepath.Join(dir, childFile))
		}
		pid := owner.Process.Pid
		if whole {
			pid = -pid
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = owner.Wait()
		begun, pids := time.Now(), strings.Fields(string(text))
		for _, word := range pids {
			pid, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			for alive(pid) && time.Since(begun) < 20*time.Second {
				time.Sleep(20 * time.Millisecond)
			}
			if alive(pid) {
				t.Errorf("group %v: %d of %v is left", whole, pid, pids)
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		t.Logf("ended after %v", time.Since(begun))
	}
}

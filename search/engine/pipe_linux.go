package engine

import (
	"io"
	"os"
	"syscall"
	"unsafe"
)

// pipe is an end of a pipe to a program, with deadlines. Each of its system calls returns at once,
// so that Go's scheduler need not hear of it: told, it wakes a thread that watches the call, which
// costs more than all the rest of a move that a program answers at once.
type pipe struct {
	*os.File
	raw syscall.RawConn
}

// pipeOf returns f with quicker calls.
func pipeOf(f *os.File) file {
	if raw, err := f.SyscallConn(); err == nil {
		return pipe{f, raw}
	}
	return f
}

// Read implements io.Reader.
func (p pipe) Read(b []byte) (n int, err error) {
	waited := p.raw.Read(func(fd uintptr) (done bool) {
		n, done, err = call(syscall.SYS_READ, fd, b)
		return done
	})
	switch {
	case waited != nil:
		return 0, waited
	case n == 0 && err == nil:
		return 0, io.EOF
	}
	return n, err
}

// Write implements io.Writer.
func (p pipe) Write(b []byte) (n int, err error) {
	waited := p.raw.Write(func(fd uintptr) (done bool) {
		for done = true; done && n < len(b) && err == nil; {
			var more int
			more, done, err = call(syscall.SYS_WRITE, fd, b[n:])
			n += more
		}
		return done
	})
	if waited != nil {
		return n, waited
	}
	return n, err
}

// call makes a system call with b; done is false if it would have to wait.
func call(number, fd uintptr, b []byte) (n int, done bool, err error) {
	for {
		r, _, errno := syscall.RawSyscall(number, fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
		switch errno {
		case 0:
			return int(r), true, nil
		case syscall.EINTR:
		case syscall.EAGAIN:
			return 0, false, nil
		default:
			return 0, true, errno
		}
	}
}

// Kifu mines databases of game records: it reads them into Parquet, replays them into
// positions, labels the positions with searched evaluations, fits evaluation weights
// and draws evaluation curves. See the README.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"kifu/cmd/kifu/command"
)

// exitPatience is how long a command may take to end after a signal. A pipe without a writer, a disk of
// another machine that is gone, or a long computation would keep it.
const exitPatience = 10 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // a second interrupt ends what does not heed the first
		time.Sleep(exitPatience)
		fmt.Fprintf(os.Stderr, "kifu: interrupted: ended %v after the signal, in the middle of a step. The same command continues from the last complete part\n", exitPatience)
		os.Exit(command.Interrupted)
	})
	code := runMain(ctx, os.Stdin, os.Stdout, os.Stderr, os.Args[1:])
	stop()
	os.Exit(code)
}

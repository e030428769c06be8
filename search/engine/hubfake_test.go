package engine

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

// fakeHubMode makes the test binary a program that speaks Hub: plain, nameless, silent
// (without a score), or one that errs.
const fakeHubMode = "KIFU_FAKE_HUB"

// fakeHubConfig returns the Config of this test binary as a program that speaks Hub.
func fakeHubConfig(t *testing.T, mode string) Config {
	t.Helper()
	c := fakeConfig(t, "")
	t.Setenv(fakeHubMode, mode)
	return c
}

// fakeHub captures as its position says: the number of white men, then those that take.
// Its score is a hundredth of the commands it has seen between go and go.
func fakeHub(mode string) {
	in := bufio.NewScanner(os.Stdin)
	position, moves, commands := "", "", 0
	for in.Scan() {
		command, values := parseHub(in.Text())
		commands++
		switch command {
		case "hub":
			if mode != "nameless" {
				fmt.Println(`id name="Fake Hub" version=3 author="No One"`)
			}
			fmt.Println(`param name=variant value=normal type=enum values="normal killer"` + "\nwait")
		case "init":
			fmt.Println("thinking about it\nready")
		case "ping":
			fmt.Println("pong")
		case "pos":
			position, moves = values["pos"], values["moves"]
		case "go":
			if mode == "errs" {
				fmt.Println(`error message="no such square"`)
				continue
			}
			if mode != "silent" {
				fmt.Printf("info depth=1 score=-0.5 pv=\"32-28 score=9\"\ninfo depth=7 mean-depth=6.5 score=%.2f nodes=1\n", float64(commands)/100)
			}
			fmt.Printf("done move=%dx%dx30x4x12 ponder=1-2\n", strings.Count(position, "w"), len(strings.Fields(moves)))
			commands = 0
		case "quit":
			return
		}
	}
}

package main

import (
	"embed"
	"strings"

	"github.com/spf13/cobra"

	"kifu/report/weights"
)

// helpTexts has a file for each command, named after its path: the text of --help up to
// a line "Examples:", and after it the examples, indented by two.
//
//go:embed help/*.txt
var helpTexts embed.FS

// describe gives cmd its text and examples. {literature} in a text is replaced by the names of the
// literature's values.
func describe(cmd *cobra.Command) error {
	text, err := helpTexts.ReadFile(helpFile(cmd))
	if err != nil {
		return err
	}
	long, examples, _ := strings.Cut("\n"+string(text), "\nExamples:\n")
	cmd.Long = strings.ReplaceAll(strings.TrimSpace(long), "{literature}", strings.Join(weights.Literature(), ", "))
	cmd.Example = strings.TrimSuffix(examples, "\n")
	return nil
}

// helpFile returns the file with the text of cmd.
func helpFile(cmd *cobra.Command) string {
	return "help/" + strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".txt"
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/datasets/catalog"
	"kifu/query/format"
	"kifu/report/chart"
)

// completionCommand replaces cobra's own, whose help is longer.
func completionCommand(mk *command.Maker) *cobra.Command {
	return &cobra.Command{
		Use:       "completion bash|zsh|fish",
		Short:     "Print the script that completes commands and flags in a shell",
		ValidArgs: []string{"bash", "zsh", "fish"},
		Args:      command.Exactly(1, "one of bash, zsh, fish"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch args[0] {
			case "bash":
				return cmd.Root().GenBashCompletionV2(mk.Stdout, true)
			case "zsh":
				return cmd.Root().GenZshCompletion(mk.Stdout)
			case "fish":
				return cmd.Root().GenFishCompletion(mk.Stdout, true)
			}
			return command.Usagef("no completion for %s: want bash, zsh or fish", args[0])
		},
	}
}

// completeValues completes flags whose values are known words, or words in the datasets that the line
// names.
func completeValues(disk *command.Files, cmd *cobra.Command) error {
	if cmd.Flags().Lookup("game") != nil {
		if err := cmd.RegisterFlagCompletionFunc("game", completeWords(gametable.Names()...)); err != nil {
			return err
		}
	}
	values := map[string][]string{}
	for flag, list := range map[string][]string{"palette": chart.Palettes, "legend": chart.Legends, "bands": chart.Bands, "font": chart.Fonts} {
		if cmd.Flags().Lookup(flag) != nil || cmd.PersistentFlags().Lookup(flag) != nil {
			values[flag] = list
		}
	}
	switch cmd.Name() {
	case "kifu":
		return cmd.RegisterFlagCompletionFunc("progress", completeWords("auto", "plain", "json", "none"))
	case "query":
		values["format"] = format.Names()
	case "curve", "split", "calibration":
		values["draws"] = []string{"exclude", "half"}
	case "sample":
		cmd.ValidArgsFunction = sampleNames
	case "get", "list":
		if cmd.Parent().Name() == "datasets" {
			cmd.ValidArgsFunction = catalogNames
		}
	case "player":
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault // datasets
			}
			if found, _ = completePlayers(disk)(cmd, nearby(disk), typed); len(found) == 0 || strings.HasPrefix(found[0], "_activeHelp_") {
				found = cobra.AppendActiveHelp(nil, "the name of a player, in full or in part; * is any text")
			}
			return found, cobra.ShellCompDirectiveNoFileComp
		}
	}
	for flag, complete := range valuesOf(disk, cmd) {
		if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
			return fmt.Errorf("%s: %w", cmd.CommandPath(), err)
		}
	}
	for flag, list := range values {
		if err := cmd.RegisterFlagCompletionFunc(flag, completeWords(list...)); err != nil {
			return fmt.Errorf("%s: %w", strings.TrimSpace(cmd.CommandPath()), err)
		}
	}
	return nil
}

// sampleNames completes to the built-in samples. They are read on request, not at the start of every
// command.
func sampleNames(_ *cobra.Command, args []string, typed string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
	all, err := catalog.Samples()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, s := range all {
		if strings.HasPrefix(s.Name, typed) {
			found = append(found, cobra.CompletionWithDesc(s.Name, s.About))
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// catalogNames completes to the public databases that are not named yet.
func catalogNames(_ *cobra.Command, args []string, typed string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
	all, err := loadCatalog()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, d := range all {
		if strings.HasPrefix(d.Name, typed) && !slices.Contains(args, d.Name) {
			found = append(found, cobra.CompletionWithDesc(d.Name, d.What))
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

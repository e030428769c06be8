# Engines of strangers: attack.sh reads this file. Whatever a program prints, leaves out or leaves behind,
# the command ends within its limits, by an error or a lost game, and all that it started ends with it.

long=$((90000 + $$)) # no other process sleeps so many seconds

# engine NAME SCRIPT: a match and labels by the program that SCRIPT, of sh, is.
engine() {
	local name=$1 command
	printf '#!/bin/bash\n%s\n' "$2" >engine
	chmod +x engine
	for command in "match --out out --player random --player uci:./engine\ depth=1 --games 2 --max-plies 20 --engine-timeout 1s" \
		"label --out out --engine uci:./engine\ depth=1 --engine-timeout 1s places"; do
		rm -rf out
		eval "set -- $command"
		faced "$name: $1" "$@"
	done
}
faced() { # NAME COMMAND...
	local name=$1 seen status peak seconds
	shift
	/usr/bin/time -f '%e %M' -o time timeout -k 15 60 "$kifu" "$@" --progress none >said 2>&1 </dev/null
	status=$?
	read -r seconds peak <<<"$(tail -1 time)"
	if [ $status = 0 ]; then seen="plays on"; else seen="error: $(head -1 said | cut -c1-90 | tr '|' ' ')"; fi
	[ $status -le 1 ] || seen="broken: exit $status"
	[ $((peak / 1024)) -lt $limit ] || seen="broken: memory"
	grep -q goroutine said && seen="broken: $(grep -m 1 goroutine said)"
	grep -q $'\e\|\x07' said && seen="broken: an escape reaches the terminal"
	[ "$(wc -c <said)" -lt 20000 ] || seen="broken: $(wc -c <said) bytes are said"
	sleep 0.3
	for pid in $(pgrep -f "^sleep $long$"); do seen="broken: a process is left"; kill "$pid"; done
	[ $status = 0 ] && ! "$kifu" check out >checked 2>&1 && seen="broken: $(head -1 checked)"
	printf '| %s | %s | %d | %s |\n' "$name" "$seconds" $((peak / 1024)) "$seen"
	case $seen in broken*) broken=1 ;; esac
}
# speaks LINES: a program that answers, and says LINES (of sh) when it is to go.
speaks() {
	printf '%s\n' 'while read -r line; do case $line in uci) echo id name E; echo uciok ;; isready) echo readyok ;; quit) exit ;; go*)' "$1" ';; esac; done'
}

engines() {
	printf '[Event "good"]\n[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n' >four.pgn
	rm -rf games4 places
	"$kifu" ingest --game chess --progress none --out games4 four.pgn >/dev/null 2>&1
	"$kifu" transform --progress none --out places games4 >/dev/null 2>&1
	engine "no program" ''
	engine "dies at once, with escapes" 'printf "\e]0;owned\a\e[2J" >&2; exit 3'
	engine "never answers" "sleep $long"
	engine "lines without end" 'yes "option name x type string"'
	engine "a line without end" 'tr "\0" x </dev/zero'
	engine "errors without end" 'yes oh >&2 & '"$(speaks 'echo bestmove e2e4')"
	engine "a million options" 'read -r line; seq -f "option name o%.0f type spin default 1 min 0 max 2" 1000000; echo uciok; '"$(speaks 'echo bestmove e2e4')"
	engine "an option of 10 MB" 'read -r line; echo "option name $(head -c 10000000 /dev/zero | tr "\0" x) type string"; echo uciok; '"$(speaks 'echo bestmove e2e4')"
	engine "a name with escapes and line breaks" 'read -r line; printf "id name \e[31mE\e]0;x\a\r\x00\xff\nuciok\n"; '"$(speaks 'echo bestmove e2e4')"
	engine "uciok before the question, twice" 'printf "uciok\nuciok\nreadyok\nreadyok\nbestmove e2e4\nbestmove e2e4\n"; '"$(speaks 'echo bestmove e2e4')"
	engine "an illegal move" "$(speaks 'echo bestmove e2e5')"
	engine "no move" "$(speaks 'echo bestmove 0000')"
	engine "a move of words" "$(speaks 'echo bestmove "$(printf "\e[2J")" ponder \; rm')"
	engine "an empty move" "$(speaks 'echo bestmove')"
	engine "forged values" "$(speaks 'for v in nan 1e400 99999999999999999999 -99999999999999999999 0x7fffffff; do echo "info depth 1 score cp $v pv e2e4"; echo "info depth $v score mate $v nodes $v time $v"; done; echo bestmove e2e4')"
	engine "mates in nothing" "$(speaks 'echo "info depth 1 score mate 0 pv"; echo "info depth 1 score mate -0"; echo bestmove e2e4')"
	engine "a pv of 9 MB" "$(speaks 'echo "info depth 1 score cp 1 pv $(yes e2e4 | head -c 9000000 | tr "\n" " ")"; echo bestmove e2e4')"
	engine "information without end" "$(speaks 'yes "info depth 1 score cp 1"')"
	engine "answers to nobody" "$(speaks 'echo bestmove e2e4; echo bestmove e7e5; echo "info string bestmove a2a3"; echo bestmove a2a4')"
	engine "dies at the first move" "$(speaks 'exit 9')"
	engine "dies by a signal" "$(speaks 'kill -SEGV $$')"
	engine "half a line, then nothing" "$(speaks "printf bestmo; sleep $long")"
	engine "closes its output and stays" "$(speaks "exec >&-; sleep $long")"
	engine "ignores quit and signals" "trap '' TERM INT HUP PIPE; $(speaks 'echo bestmove e2e4'); sleep $long"
	engine "children, one in a session of its own" "sleep $long & setsid sleep $long & $(speaks 'echo bestmove e2e4')"
	engine "a hundred children" "for i in \$(seq 100); do sleep $long & done; $(speaks 'echo bestmove e2e4')"
	engine "stops itself" 'kill -STOP $$'
	engine "writes into what kifu writes" "rm -rf out/.tmp; mkdir -p out/.tmp; ln -s /etc/passwd out/.tmp/part-00000.parquet; $(speaks 'echo bestmove e2e4')"
}

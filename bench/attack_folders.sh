# Folders of strangers: attack.sh reads this file. Nothing in one starts a program, writes outside it or
# through a link, or replaces a file that kifu has not written.

# folder makes the folder f with a program, a dataset and a file of the person's, and a home beside it.
folder() {
	rm -rf f home ran
	mkdir -p f home
	printf '#!/bin/sh\ntouch "%s/ran"\nexit 1\n' "$tmp" >f/evil
	chmod +x f/evil
	cp -r games f/games
	cp good.pgn f/
	printf 'precious\n' | tee f/precious.md home/.bashrc home/precious.csv >/dev/null
}
# try NAME WORDS COMMAND...: an error that has WORDS; with WORDS - it may succeed, and with waits it waits,
# for input that never ends, until a signal.
try() {
	local name=$1 words=$2 seen=refused status peak
	shift 2
	(cd f && HOME=$tmp/home XDG_CACHE_HOME=$tmp/cache /usr/bin/time -f %M -o ../time timeout -k 15 $((${wait:-20})) "$kifu" "$@" --progress none) >said 2>&1 </dev/null
	status=$? peak=$(($(tail -1 time) / 1024))
	if [ "$words" = waits ]; then
		[ $status = 124 ] && seen=waits,\ and\ ends\ at\ a\ signal || seen="broken: $(head -1 said)"
		status=0
	elif [ "$words" = - ]; then seen=holds; elif [ $status = 0 ]; then seen="broken: it ran"; elif ! grep -q -e "$words" said; then seen="broken: $(head -1 said)"; fi
	[ $status = 124 ] && seen="broken: time"
	[ $peak -lt $limit ] || seen="broken: memory"
	grep -q 'goroutine\|panic' said && seen="broken: $(head -1 said)"
	[ -e ran ] && seen="broken: a program ran"
	for kept in f/precious.md home/.bashrc home/precious.csv; do
		[ "$(cat $kept 2>/dev/null)" = precious ] || seen="broken: $kept was written"
	done
	[ "$(find home | sort | tr '\n' ' ')" = "home home/.bashrc home/precious.csv " ] || seen="broken: $(find home | tr '\n' ' ')"
	printf '| %s | | %d | %s |\n' "$name" $peak "$seen"
	case $seen in broken*) broken=1 ;; esac
}
# config NAME LINES COMMAND...: kifu.toml has LINES, beside a study that names the program.
config() {
	local name=$1 lines=$2
	shift 2
	folder
	printf "$lines\n" >f/kifu.toml
	printf '[[step]]\nname = "m"\nrun = "match"\nplayer = ["uci:./evil", "random"]\ngames = 2\n' >f/study.toml
	try "kifu.toml: $name" 'may set only' "$@"
}
# study NAME WORDS LINES: a study of a query that prints.
study() {
	printf "$3\n" >f/study.toml
	try "study: $1" "$2" run study.toml
}
query() { printf '[[step]]\\nname = "%s"\\nrun = "query"\\nargs = ["SELECT 1 AS x", "g=games"]\\n%s\\n' "$1" "$2"; }

folders() {
	local away="want a file below\|a step may write only below\|want a directory in\|symbolic link\|differs from what this study wrote\|not a link\|want a name\|want letters"
	config "programs for a study" '[run]\nprograms = true' run study.toml
	config "an engine" '[label]\nengine = "./evil"' label --out l games
	config "a player" '[match]\nplayer = ["uci:./evil", "random"]' match --out m --games 2
	config "a worker with programs" '[worker]\non = "nats://127.0.0.1:1"\nprograms = true' worker
	config "an open port" '[explore]\nlisten = "0.0.0.0:0"\ntoken = "x"' explore games
	config "an output" '[ingest]\nout = "../home/new"' ingest good.pgn
	config "an output, quoted and dotted" 'ingest."o\\u0075t" = "../home/new"' ingest good.pgn
	config "SQL" '[ingest]\nwhere = "1=1"' ingest --out p good.pgn
	for kind in link fifo device folder large; do
		folder
		case $kind in
		link) ln -s /etc/passwd f/kifu.toml ;;
		fifo) mkfifo f/kifu.toml ;;
		device) ln -s /dev/zero f/kifu.toml ;;
		folder) mkdir f/kifu.toml ;;
		large) truncate -s 1G f/kifu.toml ;;
		esac
		try "kifu.toml: a $kind" kifu.toml query 'SELECT 1' g=games
	done

	for out in ../home "$tmp/home" a/../../home s3://bucket/x file:///tmp/x; do
		folder; study "out = $out" . "out = \"$out\"\n$(query q 'stdout = ".bashrc"')"
	done
	folder; study "out by a value" . "out = \"b-{x}\"\n[set]\nx = \"/../../home\"\n$(query q 'stdout = ".bashrc"')"
	folder; study "out by a sweep" . "out = \"b/{x}\"\n[set]\nx = [\"../../home\", \"a\"]\n$(query q 'stdout = ".bashrc"')"
	folder; ln -s ../home f/out; study "out is a link" "$away" "out = \"out\"\n$(query q 'stdout = ".bashrc"')"
	folder; mkdir f/build; ln -s ../../home f/build/q; study "a link in out" "$away" "out = \"build\"\n$(query q 'stdout = "q/.bashrc"')"
	folder; mkdir f/build; ln -s ../../home/.bashrc f/build/x.md; study "a file in out is a link" "$away" "out = \"build\"\n$(query q 'stdout = "x.md"')"
	folder; mkdir f/build; ln -s ../../home/new f/build/x.md; study "a file in out is a dead link" "$away" "out = \"build\"\n$(query q 'stdout = "x.md"')"
	folder; mkdir f/build; ln -s ../../home/.bashrc f/build/.written; study "notes are a link" - "out = \"build\"\n$(query q 'stdout = "x.md"')"
	folder; mkdir f/build; mkfifo f/build/.written; study "notes are a pipe" - "out = \"build\"\n$(query q 'stdout = "x.md"')"
	folder; mkdir f/build; ln -s ../../home/.bashrc f/build/.written.tmp; study "notes to be are a link" - "out = \"build\"\n$(query q 'stdout = "x.md"')"
	folder; mkdir f/build; ln -s ../../home/.bashrc f/build/x.md.tmp; study "a file to be is a link" - "out = \"build\"\n$(query q 'stdout = "x.md"')"
	folder; mkdir f/build; ln -s ../../home/new f/build/x.md.tmp.lock; study "a lock is a link" . "out = \"build\"\n$(query q 'stdout = "x.md"')"
	folder; mkdir f/build; ln -s ../../home/.bashrc f/build/index.html; study "the page is a link" "$away" "out = \"build\"\n$(query q 'stdout = "x.md"')"
	folder; study "over a file" "$away" "out = \".\"\n$(query q 'stdout = "precious.md"')"
	folder; study "a forged note" . "out = \".\"\n$(query q 'stdout = "../home/.bashrc"')"
	folder; (cd f && sha256sum precious.md >.written); study "over a file with a note of its hash" - 'out = "built"\n'"$(query q 'stdout = "x.md"')"
	for name in ../home . .. a/b '\\u0000' '' '-out' '~'; do
		folder; study "a step named '$name'" . "$(query "$name" 'stdout = "../../home/.bashrc"')"
	done
	folder; study "stdout is /dev/sda" "$away" "$(query q 'stdout = "/dev/sda"')"
	folder; study "a dataset over the home" . "out = \".\"\n[[step]]\nname = \"../home\"\nrun = \"ingest\"\nargs = \"good.pgn\""
	folder; study "a flag in args" . "[[step]]\nname = \"g\"\nrun = \"ingest\"\nargs = [\"--out\", \"../home/new\", \"good.pgn\"]"
	folder; study "configuration in args" . "[[step]]\nname = \"g\"\nrun = \"ingest\"\nconfig = \"evil.toml\"\nargs = \"good.pgn\""
	folder; study "a study within a study" . '[[step]]\nname = "r"\nrun = "run"\nargs = "study.toml"'
	folder; study "a player from a list" 'is a program' '[[step]]\nname = "m"\nrun = "match"\nplayer = ["uci:./evil depth=1", "random"]'
	folder; printf 'uci:./evil depth=1\nrandom\n' >f/players.txt; study "a player from a file" . '[[step]]\nname = "m"\nrun = "match"\nplayer = "players.txt"\ngames = 2'
	folder; study "a program by a value" 'is a program' '[set]\np = "uci:./evil depth=1"\n[[step]]\nname = "m"\nrun = "match"\nplayer = ["{p}", "random"]'
	folder; mkfifo f/in.pgn; wait=2 study "records are a pipe that nobody writes" waits '[[step]]\nname = "g"\nrun = "ingest"\nargs = "in.pgn"'
	folder; ln -s /dev/zero f/in.pgn; wait=2 study "records are a device" waits '[[step]]\nname = "g"\nrun = "ingest"\nargs = "in.pgn"'
	folder; study "300 steps in a chain" - "$(awk 'BEGIN { for (i = 0; i < 300; i++) printf "[[step]]\\nname = \"s%d\"\\nrun = \"query\"\\nargs = [\"SELECT 1 AS x\", \"g=%s\"]\\nformat = \"csv\"\\nstdout = \"x%d\"\\n", i, "games", i }')"
	folder; study "a step of itself" . "[[step]]\nname = \"a\"\nrun = \"transform\"\nargs = \"{a}\""
	folder; study "a sweep of a billion runs" "runs, where a study has" "$(awk 'BEGIN { print "[set]"; for (i = 0; i < 9; i++) printf "v%d = [\"0\",\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]\\n", i; printf "[[step]]\\nname = \"q\"\\nrun = \"query\"\\nargs = [\"SELECT {v0}{v1}{v2}{v3}{v4}{v5}{v6}{v7}{v8}\", \"g=games\"]\\nstdout = \"x\"" }')"
	for kind in fifo device large folder; do
		folder
		case $kind in fifo) mkfifo f/study.toml ;; device) ln -s /dev/zero f/study.toml ;; large) truncate -s 1G f/study.toml ;; folder) mkdir f/study.toml ;; esac
		if [ $kind = fifo ]; then wait=2 try "study: a $kind" waits run study.toml; else try "study: a $kind" . run study.toml; fi
	done

	# Datasets whose files are something else, and weights.
	for kind in fifo device link folder; do
		for file in part-00000.parquet manifest.json; do
			folder; rm f/games/$file
			case $kind in fifo) mkfifo f/games/$file ;; device) ln -s /dev/zero f/games/$file ;; link) ln -s ../../home/.bashrc f/games/$file ;; folder) mkdir f/games/$file ;; esac
			try "$file is a $kind" . query 'SELECT count(*) FROM g' g=games
		done
	done
	folder; ln -s ../../home f/games/.tmp; try "a dataset's .tmp is a link" - ingest --game chess --out games good.pgn
	folder; ln -s ../../home/new f/games/.lock; try "a dataset's .lock is a link" . ingest --game chess --force --out games good.pgn
	folder; ln -s ../home f/new; try "--out is a link to a home" . ingest --game chess --out new good.pgn
	folder; study "commands of gigabytes" "more than 16 MB" "$(awk 'BEGIN { printf "[set]\\nx = \""; for (i = 0; i < 30000; i++) printf "x"; printf "\"\\n[[step]]\\nname = \"q\"\\nrun = \"query\"\\nargs = \""; for (i = 0; i < 9000; i++) printf "{x}"; print "\"" }')"
	folder; study "20,000 keys" . "$(awk 'BEGIN { for (i = 0; i < 20000; i++) printf "k%d=1\\n", i }')"
	for kind in device large; do
		folder
		case $kind in device) ln -s /dev/zero f/w.toml ;; large) truncate -s 1G f/w.toml ;; esac
		try "weights: a $kind" . eval --weights w.toml --game chess start
		try "a player: a $kind" . match --out m --games 2 --player random --player model=w.toml
	done
	folder; printf '#!/bin/sh\ntouch "%s/ran"\n' "$tmp" | tee f/less f/git f/xdg-open f/sh f/setsid >/dev/null; chmod +x f/less f/git f/xdg-open f/sh f/setsid
	PATH=.:$PATH try "helpers of the folder, first in PATH" - query 'SELECT 1' g=games
	folder; KIFU_WORKERS=99999999 KIFU_OUT=../home/new KIFU_CONFIG=evil.toml PAGER=./evil BROWSER=./evil DUCKDB_EXTENSION_DIRECTORY=. try "environment variables" - query 'SELECT 1' g=games
}

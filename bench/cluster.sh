#!/usr/bin/env bash
# cluster.sh [KIFU]: 1,000 label parts over three servers of NATS and four workers, while
# workers, servers, the coordinator or all of them are killed, stopped or wiped, or a part is broken.
# Each trial has to give the bytes of one run. The trials evolve, sprt and fit have questions answered by the workers, one of
# which is killed and another begun every two seconds (fit: every second). Then what handing out costs (bench/cluster), and the tests of what
# takes no three servers: a message purged, a part that kills its workers, answers of a pool, 100,001 parts resumed, a
# manifest of a million parts, a server of objects that is killed within a PUT.
# About twenty minutes on two cores; TRIALS="kills poison" runs some of the trials, without the rest.
set -u
cd "$(dirname "$0")/.."
here=$PWD
export GOFLAGS="${GOFLAGS:--tags=no_duckdb_arrow -buildvcs=false}"
work=$(mktemp -d "${TMPDIR:-/tmp}/kifu-bench-cluster.XXXXXX")
export XDG_CACHE_HOME=$work/cache
kifu=$(realpath "${1:-bin/kifu}")
[ -x "$kifu" ] || { go build -o "$work/kifu" ./cmd/kifu && kifu=$work/kifu; }
# Before 2.10 a consumer has no more than one filter, which is Debian 12's nats-server.
if nats=$(command -v nats-server) && ! "$nats" --version | grep -q ' v2\.[0-9]\.'; then cp "$nats" "$work"; else
	GOFLAGS= GOBIN=$work go install github.com/nats-io/nats-server/v2@v2.15.2 || exit 1
fi
[ -n "${TRIALS:-}" ] || go build -o "$work/measure" ./bench/cluster || exit 1
jobs_of() { cat "$work"/*.pid 2>/dev/null; }
finish() { touch "$work/over"; for p in $(jobs_of); do kill -CONT "$p"; kill -9 "$p"; done 2>/dev/null; wait 2>/dev/null; rm -rf "$work"; }
trap finish EXIT
cd "$work"
token=token-of-the-bench-0123456789
missed= # what a trial has missed, beside equal bytes
echo $token >token
bad=0

# 2,000 games, five times over, ten to a part. Parts end where blocks of 2 MB do, so that
# blank lines stand between the tens.
"$kifu" datasets sample --out m.pgn.zst chess-masters >/dev/null || exit 1
"$kifu" ingest --out m m.pgn.zst --progress none >/dev/null && "$kifu" export --format pgn --out m.pgn m >/dev/null || exit 1
awk 'BEGIN {for (blank = "\n"; length(blank) < 2200000;) blank = blank blank}
	/^\[Event / && n++ % 10 == 0 {printf "%s", blank}
	{print}' m.pgn m.pgn m.pgn m.pgn m.pgn | gzip -1 >records.pgn.gz
"$kifu" ingest --out games --part-games 1 --progress none records.pgn.gz >/dev/null || exit 1
"$kifu" transform --out positions --progress none games >/dev/null || exit 1
begun=$SECONDS
"$kifu" label --out whole --workers 1 --progress none positions >/dev/null || exit 1
cp -r whole labels-to-fit
parts=$(ls whole/part-*.parquet | wc -l)
echo "$parts parts, one run with --workers 1: $((SECONDS - begun)) s"

port=$((20000 + RANDOM % 20000))
url=
routes=
for i in 1 2 3; do
	url=$url,nats://127.0.0.1:$((port + i))
	routes=$routes,nats://127.0.0.1:$((port + 10 + i))
done
url=${url#,} routes=${routes#,}
at="--on $url --token-file token"

server() { # I: starts server I
	./nats-server --name s$1 --addr 127.0.0.1 --port $((port + $1)) --auth $token --jetstream --store_dir queue-$1 \
		--cluster_name bench --cluster nats://127.0.0.1:$((port + 10 + $1)) --routes "$routes" >server-$1.log 2>&1 &
	echo $! >server-$1.pid
}
worker() { # I: starts worker I
	"$kifu" worker $at --workers 1 --progress none >>worker-$1.log 2>&1 &
	echo $! >worker-$1.pid
}
coordinate() {
	"$kifu" label --out labels $at --replicas 3 --progress none positions >coordinator.log 2>&1 &
	echo $! >coordinator.pid
}
down() { kill -9 "$(cat $1.pid)" 2>/dev/null; wait "$(cat $1.pid)" 2>/dev/null; }
made() { ls labels/.tmp 2>/dev/null | grep -c 'parquet.json$'; }
until_made() { while [ "$(made)" -lt "$1" ] && [ ! -e labels/manifest.json ] && kill -0 "$(cat coordinator.pid)" 2>/dev/null; do sleep 0.2; done; }
all_up() { rm -rf queue-* labels worker-*.log; for i in 1 2 3; do server $i; done; sleep 5; for i in 1 2 3 4; do worker $i; done; }
all_down() { for f in worker-1 worker-2 worker-3 worker-4 worker-x server-1 server-2 server-3 coordinator; do [ -e $f.pid ] && down $f; done 2>/dev/null; rm -f *.pid; }

trial() { # NAME FUNCTION
	[ -z "${TRIALS:-}" ] || [[ " $TRIALS " == *" $1 "* ]] || return
	all_up
	coordinate
	begun=$SECONDS
	$2
	wait "$(cat coordinator.pid)"
	code=$?
	took=$((SECONDS - begun))
	told=$("$kifu" cluster status $at 2>/dev/null | awk '/^label labels/{print $5}')
	verdict=met
	[ -z "$missed" ] && [ $code = "${want:-0}" ] && cmp -s labels/manifest.json whole/manifest.json && "$kifu" check labels >/dev/null ||
		{ verdict="NOT MET (${missed:-exit $code})"; bad=1; head -3 coordinator.log; }
	echo "$1: $took s, workers told of ${told:-?} parts${note:+, $note}: $verdict"
	note= missed=
	all_down
}

# asked has a command's questions answered while workers are killed, and compares its dataset with that of one run.
asked() { # NAME COMMAND...
	name=$1
	shift
	[ -z "${TRIALS:-}" ] || [[ " $TRIALS " == *" $name "* ]] || return
	"$kifu" "$@" --out one-$name --progress none >/dev/null || { bad=1; return; }
	all_up
	begun=$SECONDS
	"$kifu" "$@" --out many-$name --on $url --token-file token --replicas 3 --progress none >coordinator.log 2>&1 &
	echo $! >coordinator.pid
	killed=0
	while sleep ${pace:-2}; kill -0 "$(cat coordinator.pid)" 2>/dev/null; do
		w=$((RANDOM % 4 + 1))
		down worker-$w
		worker $w
		killed=$((killed + 1))
	done
	wait "$(cat coordinator.pid)"
	code=$?
	took=$((SECONDS - begun))
	verdict=met
	[ $code = 0 ] && cmp -s many-$name/manifest.json one-$name/manifest.json && [ $killed -ge 3 ] &&
		! grep -q 'no worker answers' coordinator.log && "$kifu" check many-$name >/dev/null || { verdict="NOT MET (exit $code)"; bad=1; head -3 coordinator.log; }
	echo "$name: $took s, $killed workers killed: $verdict"
	all_down
}

undisturbed() { :; }
kills() {
	for k in $(seq 20); do
		until_made $((k * 45))
		w=$((RANDOM % 4 + 1))
		down worker-$w
		worker $w
	done
	note="20 workers killed"
}
coordinator() { until_made 300; down coordinator; before=$(made); sleep 5; note="$(($(made) - before)) parts made meanwhile"; coordinate; }
one_server() { for i in 1 2 3; do until_made $((i * 200)); down server-$i; sleep 4; server $i; sleep 4; done; }
two_servers() { until_made 300; down server-1; down server-2; sleep 5; server 1; server 2; }
wiped() { until_made 300; for i in 1 2 3; do down server-$i; done; rm -rf queue-*; for i in 1 2 3; do server $i; done; }
everything() {
	until_made 400
	for f in worker-1 worker-2 worker-3 worker-4 server-1 server-2 server-3 coordinator; do down $f; done
	for i in 1 2 3; do server $i; done
	sleep 5
	for i in 1 2 3 4; do worker $i; done
	coordinate
}
stopped() {
	until_made 200
	kill -STOP "$(cat worker-1.pid)"
	sleep 70
	kill -CONT "$(cat worker-1.pid)"
	note="one worker asleep for 70 s"
}
poison() {
	until_made 100
	all_down
	cp positions/part-00500.parquet kept
	printf 'X' | dd of=positions/part-00500.parquet bs=1 seek=400 conv=notrunc status=none
	all_up
	coordinate
	wait "$(cat coordinator.pid)"
	code=$?
	grep -q 'part 501, 3 times' coordinator.log && [ $code = 1 ] && [ "$(made)" = $((parts - 1)) ] || { bad=1; note="NOT NAMED: exit $code, $(made) made"; }
	cp kept positions/part-00500.parquet
	"$kifu" cluster retry $at
	coordinate
	note="${note:-named, $((parts - 1)) others made, exit 1, retry after repair}"
}
other_build() {
	cp "$kifu" other
	echo >>other
	until_made 100
	timeout 60 ./other worker $at --workers 1 --progress none >other.log 2>&1
	note="it says: $(head -c 90 <(grep -o 'this kifu is build.*' other.log))…"
	grep -q 'this kifu is build' other.log || missed="it was not refused"
}

trial undisturbed undisturbed
trial kills kills
trial coordinator coordinator
trial one_server one_server
trial two_servers two_servers
trial wiped wiped
trial everything everything
trial stopped stopped
trial poison poison
trial other_build other_build
asked evolve evolve --game checkers --depth 3 --generations 10 --games 3
asked sprt match --game chess --first depth=2 --second 'depth=2 zero=mobility' --games 4000 --sprt 0:5 --max-plies 120
pace=1 asked fit fit labels-to-fit # which takes three seconds by itself
[ -z "${TRIALS:-}" ] || exit $bad
./measure || bad=1
cd "$here"
tests() { # NAME COMMAND...
	name=$1
	shift
	begun=$SECONDS
	if "$@" >"$work/tests.log" 2>&1; then verdict=met; else verdict="NOT MET"; bad=1; tail -20 "$work/tests.log"; fi
	echo "$name: $((SECONDS - begun)) s: $verdict"
}
tests "purged, killers, drained, pools" go test -vet=off -ldflags=-w -count 1 -run 'Purged|Killer|Drain|Pool' ./cluster
tests "100,001 parts resumed" env KIFU_LONG=1 go test -vet=off -ldflags=-w -count 1 -run ResumeMany ./datasets
tests "a manifest of a million parts" go test -vet=off -ldflags=-w -run '^$' -bench Open ./datasets
sed -n '/Benchmark/p' "$work/tests.log"
tests "object storage, a server killed within a PUT" make test-s3
exit $bad

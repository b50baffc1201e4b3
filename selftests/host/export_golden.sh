#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Whole output of v9trace export and merge, as text, and what it says on standard error: golden files. export.sh
# compares the numbers in these with those of reports.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
. selftests/host/golden.inc
golden=$top/selftests/golden/export
own_directory
captures "$top/selftests/exports/captures.sh" .

# text FORMAT FILE: what is exported, as text
text() {
	case $1 in
	csv | parquet)
		for f in "$2"/*; do [ ! -e "$f" ] || { echo "== ${f##*/}"; cat "$f"; }; done ;;
	sqlite)
		python3 -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).iterdump(), sep="\n")' "$2" ;;
	pprof)
		PYTHONPATH=$top/selftests python3 - "$2" <<'END'
import gzip, sys
from protobuf import fields, packed
# profile.proto: fields that are messages, with those of their fields that are messages or packed numbers
messages = {1: {}, 2: {1: "packed", 2: "packed", 3: {}}, 3: {}, 4: {4: {}}, 5: {}, 11: {}}
def show(number, value, kind):
    if isinstance(value, int):
        return f"{number}:{value}"
    if kind == "packed":
        return f"{number}:{packed(value)}"
    if kind is None:
        return f"{number}:{value.decode()!r}"
    return f"{number}:{{{' '.join(show(n, v, kind.get(n)) for n, v in fields(value))}}}"
for number, value in fields(gzip.open(sys.argv[1]).read()):
    print(show(number, value, messages.get(number)))
END
		;;
	perf | gcc) od -An -v -tx4 "$2" ;;
	*) cat "$2" ;;
	esac
}

# exported NAME FORMAT ARGUMENT...
exported() {
	name=$1 format=$2
	shift 2
	rm -rf out
	case $format in
	shard) "$V9TRACE" merge -o out "$@" 2>err ;;
	*) "$V9TRACE" export --to "$format" -j 1 -o out "$@" 2>err ;;
	esac
	{ echo "exit status $?"; cat err; [ ! -e out ] || text "$format" out; } | sed "s|$dir|DIR|g; s/v9trace [0-9.]*[0-9]/v9trace VERSION/" >got
	golden_is "$name" got
}

while read -r format names; do
	for c in $names; do
		options="--symfs symfs"
		[ "$c" != good ] || options="$options --kallsyms kallsyms"
		exported "$format.$c" "$format" $options "$c.data"
	done
done <<'END'
folded good trace jit kernel exec empty moved cpus trace-damaged both
speedscope good trace exec jit mem trace-damaged
firefox good trace jit cpus damaged kernel trace-damaged
chrome good trace exec kernel brbe trace-damaged marks jit both tp0
svg good trace exec
csv good trace mem damaged jit exec cpus cgroups
json mem trace
sqlite good trace
pprof good trace exec mem damaged
perf good trace brbe cpus exec jit kernel trace-damaged
bolt good trace calls exec brbe empty
llvm good trace calls exec brbe
shard good trace mem damaged cpus both brbe jit kernel nodes exec
llvm-contexts trace exec good trace-damaged
gcc good
END
for weight in latency issue translation misses llc-misses tlb-misses mispredicts; do
	exported folded.good.$weight folded --weight $weight --symfs symfs good.data
done
for weight in cycles calls time; do
	exported folded.trace.$weight folded --weight $weight --symfs symfs trace.data
done
exported speedscope.good.latency speedscope --weight latency --symfs symfs good.data
exported svg.trace.calls svg --weight calls --symfs symfs trace.data
exported firefox.good.misses firefox --weight misses --symfs symfs good.data
exported chrome.good.latency chrome --weight latency --symfs symfs good.data
# parquet: what the program gets, a statement for each table and its rows
exported parquet.absent parquet --symfs symfs good.data
mkdir bin
cat >bin/duckdb <<'END'
#!/bin/sh
file=${2#* TO \'}
{ echo "$*"; cat; } >"${file%%\'*}"
END
chmod +x bin/duckdb
PATH=$PWD/bin:$PATH
exported parquet.good parquet --symfs symfs good.data
exported parquet.trace parquet --symfs symfs trace.data
printf '#!/bin/sh\ncat >/dev/null\nexit 1\n' >bin/duckdb
exported parquet.fails parquet --symfs symfs trace.data
exported shard.sum shard --symfs symfs good.data mem.data cpus.data
exported shard.flat shard --flat --symfs symfs good.data trace.data
exported folded.comm folded --comm work --symfs symfs good.data
exported csv.op csv --op load --min-latency 20 --symfs symfs good.data
exported csv.cpu csv --cpu 1 --symfs symfs good.data
exported bolt.binary bolt --binary symfs/opt/work --symfs symfs trace.data
exported folded.unknown folded --weight cycles --symfs symfs good.data
finish

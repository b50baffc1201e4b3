#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace export: memory does not grow with the length of a capture.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
dir=$(mktemp -d) && cd "$dir" || exit 2
trap 'cd /; rm -rf "$dir"' EXIT
HOME=$dir	# no symbols from somebody's ~/.debug
export HOME
made() {	# SOURCE ARGUMENT...
	source=$1
	shift
	${CC:-cc} -std=gnu11 -I"$top/include" -I"$top/drivers/lib" -o make "$top/selftests/$source" >&2 && ./make "$@"
}
# longer IN OUT: writes a capture with the records of another one ten times
longer() {
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE -I"$top/include" -o longer "$top/selftests/bench/longer.c" \
		"$top/tools/capture/file.c" "$top/tools/capture/pipe.c" \
		"$top/tools/capture/spool.c" "$top/tools/capture/unpack.c" "$top/tools/util.c" -lzstd >&2 && ./longer "$1" "$2" 10
}
if ! { "$top/selftests/exports/captures.sh" . && made host/mktrace.c . 800 && mv long.data short.data &&
       ./make . 8000 && ./make . /opt/auto 800 <auto.steps && mv steps.data steps1.data &&
       ./make . /opt/auto 8000 <auto.steps && mv steps.data steps10.data &&
       made bench/mkspe.c spe.data 40000 && longer spe.data spe10.data; }; then
	not_ok captures "cannot be made"
	finish
fi

# made_of FORMAT OUT CAPTURE; the format shard is that of v9trace merge
made_of() {
	case $1 in
	shard) "$V9TRACE" merge -o "$2" --symfs symfs "$3" 2>err ;;
	*) "$V9TRACE" export --to "$1" -j 1 -o "$2" --symfs symfs "$3" 2>err ;;
	esac
}

# limit FORMAT CAPTURE: KiB of memory that are enough for it. Files are not counted.
limit() {
	kb=4096
	rm -rf least most
	while [ $kb -lt 262144 ]; do
		(ulimit -d $kb; made_of "$1" least "$2") && break
		kb=$((kb * 3 / 2))
	done
	echo $kb
}

# bounded FORMAT CAPTURE LONGER: ten times the length is exported with the same memory, and 2 MiB for
# what reading keeps of each AUX record
bounded() {
	kb=$(($(limit "$1" "$2") + 2048))
	if (ulimit -d $kb; made_of "$1" most "$3") && [ -s most ]; then
		ok "bounded_$1_${2%.data}"
	else
		not_ok "bounded_$1_${2%.data}" "more than $kb KiB: $(tail -n 1 err)"
	fi
}
# In place of DuckDB, which may have the memory that it wants
mkdir bin
printf '#!/bin/sh\ncat >/dev/null\n' >bin/duckdb
chmod +x bin/duckdb
PATH=$PWD/bin:$PATH
# All formats. gcc and llvm-contexts need a program with debug information.
for format in $("$V9TRACE" export --help | awk '/^ +--to FORMAT/ { on = 1; next } /--output/ { on = 0 } on { print $1 }'); do
	if [ $format = gcc ] || [ $format = llvm-contexts ]; then
		bounded $format steps1.data steps10.data
		continue
	fi
	bounded $format spe.data spe10.data
	bounded $format short.data long.data
done
finish

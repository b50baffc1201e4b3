#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The events and rings of v9trace record on a simulated kernel (mkrings.c): what they ask of it, in which order,
# and what they give back.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
if [ "$(getconf PAGESIZE)" != 4096 ]; then
	ok "pages # SKIP the sizes of buffers are those of pages of 4096 bytes"
	finish
fi
wrap=
for f in syscall ioctl mmap munmap close perf_cpu_map__new v9_ask_pids v9_holders_text v9_read_line geteuid; do
	wrap="$wrap -Wl,--wrap=$f"
done
# Not static: LeakSanitizer finds memory that is left behind.
if ! make -s -C tools PROGRAM=mkrings MAIN=../selftests/host/mkrings.c OUT="$top/build/host/rings.build" \
	BASE="$(readlink -f build/tools/host)" LDFLAGS="-fsanitize=leak $wrap" >&2; then
	not_ok build "mkrings does not build"
	finish
fi
V9TRACE=$top/build/host/rings.build/mkrings
. selftests/host/golden.inc
golden=$top/selftests/golden/rings
own_directory
kept=$top/build/host/rings.build/leaks
rm -f "$kept".*
# libperf keeps references to these maps when an event is deleted.
printf 'leak:perf_thread_map__realloc\nleak:perf_cpu_map__alloc\n' >known
LSAN_OPTIONS=suppressions=$PWD/known:print_suppressions=0:log_path=$kept
export LSAN_OPTIONS
for name in cpus list errors tasks drain snapshot period reopen release family; do
	golden $name $name
done
finish

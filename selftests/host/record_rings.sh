#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The events and rings of v9trace record on a simulated kernel (mkrings.c): what they ask of it, in which order,
# and what they give back.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
. selftests/host/golden.inc
# LeakSanitizer finds memory that is left behind.
simulated mkrings leaks syscall ioctl mmap munmap close perf_cpu_map__new v9_ask_pids \
	v9_holders_text v9_read_line geteuid
V9TRACE=$simulated
golden=$top/selftests/golden/rings
own_directory
kept=${simulated%/*}/leaks
rm -f "$kept".*
# libperf keeps references to these maps when an event is deleted.
printf 'leak:perf_thread_map__realloc\nleak:perf_cpu_map__alloc\n' >known
LSAN_OPTIONS=suppressions=$PWD/known:print_suppressions=0:log_path=$kept
export LSAN_OPTIONS
for name in cpus list errors tasks drain snapshot period reopen release family; do
	golden $name $name
done
finish

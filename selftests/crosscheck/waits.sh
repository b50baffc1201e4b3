#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Waits of threads, their paths and who ended them: what the program wrote down (waits.c, waits.py).
#
#   [KERNEL=6.1|6.12|7] waits.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin "$work/fs/v9/demo"
selftests/lab/root.sh run -- sh -ec '
	aarch64-linux-gnu-gcc -O2 -g -Wall -Wextra -Werror -fno-optimize-sibling-calls -static -pthread \
		-o "$1/waits" selftests/crosscheck/waits.c
	make -s -C tools STATIC=1
	make -s -C tools STATIC=1 ARCH=arm64' sh "$work/fs/v9/demo" || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1

# A user without permission is told what to do, and nothing is recorded.
guest='
	set -e
	insmod /v9/modules/v9_core.ko
	insmod /v9/modules/v9_ete.ko
	v9trace record -q -a --wakeups -e cs_etm//u -m ,8M -o /out/waits.data -- /v9/demo/waits /out/waits.log
	/usr/sbin/chroot --userspec=1000:1000 / v9trace record -q --wakeups -e cs_etm//u \
		-o /tmp/user.data -- /v9/demo/waits /tmp/log 2>/out/user.err || echo $? >/out/user.status
'
selftests/lab/run.sh -o "$work" -t 1200 -q v9-ete=on -f "$work/fs/v9/demo/waits:/v9/demo/waits" \
	-- "$guest" >"$work/stdout" 2>"$work/stderr"
status=$?
check records $status "the guest ended with status $status: $(tail -n 1 "$work/stderr")"
[ $status -eq 0 ] || finish
HOME=$work/none build/tools/host/v9trace report --waits --comm waits --limit 0 --json --symfs "$work/fs" \
	"$work/waits.data" >"$work/waits.json" 2>"$work/err"
why=$(selftests/lab/root.sh run -- python3 selftests/crosscheck/waits.py "$work/waits.log" "$work/waits.json" 2>&1)
check waits_are_those_of_the_log $? "$(echo "$why" | tail -n 1) $(head -n 1 "$work/err")"
[ "$(cat "$work/user.status" 2>/dev/null)" = 1 ] &&
	grep -q 'sched:sched_waking: no permission.*run as root' "$work/user.err"
check permission_is_asked_for $? "status $(cat "$work/user.status" 2>/dev/null), $(head -n 1 "$work/user.err")"
[ -n "${KEEP:-}" ] || rm -f "$work"/*.data
finish

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Control groups of a recording (--all-cgroups): each SPE record is counted in the group in which its
# program was. Three programs run at a time in two groups, and one of them changes its group. Stock perf
# finds the same groups for the samples of the same file. The place where groups are mounted has
# a name with a space.
#
#   [KERNEL=6.1|6.12|7] cgroups.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin "$work/fs/v9/demo"
selftests/lab/root.sh run -- sh -ec '
	aarch64-linux-gnu-gcc -O2 -g -Wall -Wextra -Werror -static -o "$1/stay_one" selftests/crosscheck/cgroups.c
	make -s -C tools STATIC=1
	make -s -C tools STATIC=1 ARCH=arm64' sh "$work/fs/v9/demo" || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1
files=()
for f in stay_one stay_two mover; do
	[ $f = stay_one ] || cp "$work/fs/v9/demo/stay_one" "$work/fs/v9/demo/$f"
	files+=(-f "$work/fs/v9/demo/$f:/v9/demo/$f")
done
guest='
	set -e
	insmod /v9/modules/v9_core.ko
	insmod /v9/modules/v9_spe.ko
	g="/groups of v9"
	mkdir "$g"
	mount -t cgroup2 none "$g"
	# Without systemd nobody has enabled a controller, and the kernel counts all tasks to the root.
	echo +pids >"$g/cgroup.subtree_control"
	mkdir "$g/one" "$g/one/below" "$g/two"
	cat >/tmp/all <<X
/v9/demo/stay_one "$g/one/below" &
/v9/demo/stay_two "$g/two" &
/v9/demo/mover "$g/one" "$g/two" &
wait
X
	v9trace record -q -a --all-cgroups -c 1024 -m ,8M -e arm_spe_0/ts_enable=1/u -o /out/all.data -- sh /tmp/all
'
selftests/lab/run.sh -o "$work" -t 900 -q v9-spe=on "${files[@]}" -- "$guest" >"$work/stdout" 2>"$work/stderr"
status=$?
check records $status "the guest ended with status $status: $(tail -n 1 "$work/stderr")"
[ $status -eq 0 ] || finish

v9trace() { HOME=$work/none build/tools/host/v9trace "$@"; }
v9trace report --group-by comm,symbol,cgroup --limit 0 --csv --symfs "$work/fs" "$work/all.data" 2>"$work/err" |
	tr -d '\r' | awk -F, '$1 == "groups" && $3 > 0 && $8 ~ /^in_/ { print $7, $8, $9 }' | sort >"$work/groups"
sort >"$work/want" <<'X'
stay_one in_first /one/below
stay_two in_first /two
mover in_first /one
mover in_second /two
X
cmp -s "$work/want" "$work/groups"
check group_of_each_program $? "$(diff "$work/want" "$work/groups" | tr '\n' '|') $(head -n 1 "$work/err")"

# With a filter the records are those that the table by groups has.
for group in /one /one/below /two; do
	want=$(v9trace report --group-by cgroup --limit 0 --csv "$work/all.data" 2>/dev/null | tr -d '\r' |
		awk -F, -v g="$group" '$1 == "groups" && ($7 == g || index($7, g "/") == 1) { n += $3 } END { print n + 0 }')
	got=$(v9trace script -F cgroup --cgroup "$group" "$work/all.data" 2>/dev/null | grep -c "^$group")
	[ "$got" -gt 0 ] && [ "$got" -eq "$want" ]
	check "records_of${group//\//_}" $? "$got, want $want"
done

# The samples of task switches, which have the groups, by command and group: ours and perf's
v9trace script --json "$work/all.data" 2>/dev/null | grep '^{"type":"event"' |
	sed -nE 's/.*"comm":"([^"]*)".*"cgroup":"([^"]*)".*/\1 \2/p' | sort | uniq -c |
	awk '{ print $2, $3, $1 }' | sort >"$work/ours"
selftests/lab/kernel.sh run "$KERNEL" perf report -i "$work/all.data" --no-itrace --stdio -t ';' \
	-s comm,cgroup -F comm,cgroup,sample --percent-limit 0 2>"$work/perf.err" |
	awk -F ' *; *' '/^[^#]/ && NF >= 3 { print $1, $2, $3 }' | sort >"$work/perf"
grep -q '^mover /one ' "$work/perf" && grep -q '^mover /two ' "$work/perf" && cmp -s "$work/ours" "$work/perf"
check samples_as_perf $? "$(diff "$work/ours" "$work/perf" | head -n 4 | tr '\n' '|') $(grep -v '^$' "$work/perf.err" | head -n 1)"
[ -n "${KEEP:-}" ] || rm -f "$work"/*.data
finish

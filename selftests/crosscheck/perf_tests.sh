#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# perf's own shell tests of SPE and CoreSight, as the guest's perf brings them: five times with the
# in-tree drivers, five times with ours. Each result of ours is that of the in-tree drivers.
#
#   [KERNEL=6.12|7] perf_tests.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
#
# They run from a copy. What is changed there: busybox wants six X of mktemp and knows taskset's
# short option only; an emulated CPU needs longer to start perf and to take a signal than the tests
# wait; buffers and rates are smaller, so that perf need not decode for an hour; and what is recorded
# per thread stays on one CPU, or perf of 7 refuses the file, whichever driver it is from. Of 6.12's
# CoreSight test only the snapshot is left: that of 7 has the other parts in user space.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
needs_perf_for_ete
begin "$work"
times=5

selftests/lab/modules.sh "$KERNEL" >&2 || exit 1
case $KERNEL in
7) tests="test_arm_spe.sh test_arm_spe_fork.sh coresight/test_arm_coresight.sh" ;;
*)
	tests="test_arm_spe.sh test_arm_spe_fork.sh test_arm_coresight.sh coresight/asm_pure_loop.sh
		coresight/memcpy_thread_16k_10.sh coresight/thread_loop_check_tid_2.sh"
	;;
esac

guest='
	mkdir /tmp/bin /out/log
	busybox --install -s /tmp/bin
	PATH=$PATH:/tmp/bin
	cp -r /usr/lib/perf-core/tests/shell /tmp/shell
	cd /tmp/shell
	sed -i "
		s/XXXXX)/XXXXXX)/
		s/taskset --cpu-list/taskset -c/
		s/kill -USR2 .*/&; rested/
		s/arm_spe\/\/ /arm_spe\/period=65536\/ /
		s/period=65536\/ -vvv/period=1024\/ -vvv/
		/cs_etm\|\"\$@\"/s/perf record -o [^ ]*/& -m,128K/
		/\"\$@\"/s/perf record/taskset -c 0 &/
	" $(find . -name "test_arm_*.sh")
	cat >/tmp/rested <<-"END"
		# Waits until perf has not run for three seconds.
		rested() {
			was=
			for i in $(seq 60); do
				command sleep 3
				now=$(cat /proc/[0-9]*/stat 2>/dev/null |
					awk "\$2 == \"(perf)\" { t += \$14 + \$15 } END { print t }")
				[ -z "$now" ] || [ "$now" != "$was" ] || break
				was=$now
			done
		}
	END
	sed -i "s/sleep 1\$/rested/; 1a . /tmp/rested" $(find . -name test_arm_spe.sh -o -name test_arm_coresight.sh)
	sed -i "s/sleep 1\$/sleep 6/" test_arm_spe_fork.sh
	if [ -d coresight/thread_loop ]; then
		sed -i "/^arm_cs_etm_[^s]/d; /^arm_cs_etm_system/d" test_arm_coresight.sh
		sed -i "s/,16M/,1M/" lib/coresight.sh
		sed -i "s/ARGS=\"2 20\"/ARGS=\"2 1\"/" coresight/thread_loop*.sh
	fi
	case $who in
	theirs)
		modprobe arm_spe_pmu
		modprobe coresight-etm4x
		modprobe coresight-trbe
		;;
	ours)
		insmod /v9/modules/v9_core.ko
		insmod /v9/modules/v9_spe.ko
		insmod /v9/modules/v9_ete.ko
		;;
	esac
	mkdir /tmp/work
	cd /tmp/work
	for i in $(seq $times); do
		for t in $tests; do
			name=$(basename $t .sh)
			begin=$(cut -d . -f 1 /proc/uptime)
			timeout -k 5 600 bash-static /tmp/shell/$t >/out/log/$name.$i 2>&1
			status=$?
			echo "$name $i $status $(($(cut -d . -f 1 /proc/uptime) - begin))" >>/out/results
			# Each part by itself
			sed -n "s/^\(.*\): \(PASS\|FAIL\|SKIPPED\)\$/\1|\2/p" /out/log/$name.$i |
				tr " " _ | sed "s/^/$name:/" >>/out/parts
			rm -rf /tmp/work/*
		done
	done
'

for who in theirs ours; do
	out=$work/$who
	mkdir -p "$out"
	selftests/lab/run.sh -o "$out" -t 3000 -q v9-profile=neoverse-v2 \
		-- "who=$who; times=$times; tests='$tests'; $guest" >"$out/stdout" 2>"$out/stderr"
	status=$?
	check "${who}_ran" $status "the guest ended with status $status: $(tail -n 1 "$out/stderr")"
	[ $status -eq 0 ] || continue
	# How many times each test, and each part of a test, had which result
	{
		awk '{ print $1, $3 }' "$out/results"
		sed "s/|/ /" "$out/parts"
	} | sort | uniq -c | awk '{ print $2, $3, $1 }' >"$out/sums"
done
[ $failed -eq 0 ] || finish

# A test that sometimes fails with the in-tree drivers is not compared, unless it skips itself.
cut -d ' ' -f 1 "$work"/*/sums | sort -u | while read -r name; do
	theirs=$(grep -F "$name " "$work/theirs/sums" | grep "^$name " | tr '\n' ' ')
	ours=$(grep -F "$name " "$work/ours/sums" | grep "^$name " | tr '\n' ' ')
	good=$(echo "$theirs" | grep -cE " (0|PASS|SKIPPED) $times $")
	[ "$good" = 1 ] && [ "$theirs" = "$ours" ]
	echo "$? $name in-tree: $theirs ours: $ours"
done >"$work/compared"
while read -r status name why; do
	check "$(echo "$name" | tr -c 'a-zA-Z0-9:\n' _ | tr -s _)" "$status" "$why"
done <"$work/compared"
grep -q 'snapshot_testing' "$work/compared"
check parts_were_seen $? "no part of any test"
finish

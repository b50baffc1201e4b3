#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The cost of a recording with many events and an idle target, beside perf record: one second of all CPUs, and one second
# of a process with many sleeping threads. Events of our drivers, buffers of 16 KiB. CPUS=N (64), THREADS=N (10,000).
#
#   record_cpus_UNIT_ROW, record_threads_UNIT_ROW    UNIT: spe, ete. ROW: insns, instructions of the recorder and of the
#                       kernel for it; kib, most memory; fds, open descriptors (each event needs one)
#
#	wide.sh DIRECTORY	writes the output of the guests to DIRECTORY
set -eu
cd "$(dirname "$0")/../.."
out=$1
export KERNEL=${KERNEL:-6.12}
mkdir -p "$out"
selftests/lab/lab.sh tools >&2
selftests/lab/root.sh run -- make -s -C selftests/target bench
selftests/lab/modules.sh "$KERNEL" >&2

common='
	insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko && insmod /v9/modules/v9_ete.ko || exit 1
	ulimit -n 65536
	bench=/v9/selftests/bench_collect
	cat >/tmp/what <<-"END"
	#!/bin/sh
	ls /proc/$PPID/fd 2>/dev/null | wc -l >/tmp/fds
	sleep 1
	END
	chmod +x /tmp/what
	each() {	# NAME OPTION...
		name=$1
		shift
		for event in arm_spe_0 cs_etm; do
			for who in ours peer; do
				case $who in
				ours) set -- v9trace record -q -e $event//u -m 8K,16K "$@" ;;
				peer) set -- perf record -q -B -N -e $event//u -m 2,4 "$@" ;;
				esac
				rm -f /tmp/data* /tmp/fds
				counted=$($bench count "$@" -o /tmp/data -- /tmp/what 2>&1)
				echo "wide=$name event=$event who=$who $counted fds=$(cat /tmp/fds)"
				while [ "$1" != "-m" ]; do shift; done
				shift 2
			done
		done
	}
'
selftests/lab/run.sh -o "$out/cpus" -t "${TIMEOUT:-3600}" -s "${CPUS:-64}" -r 4G -x "-icount shift=0,sleep=off" \
	-q "v9-spe=on,v9-ete=on" -- "$common each cpus -a" >"$out/cpus.txt"
selftests/lab/run.sh -o "$out/threads" -t "${TIMEOUT:-3600}" -r 8G -x "-icount shift=0,sleep=off" \
	-q "v9-spe=on,v9-ete=on" -- "$common"'
	$bench sleepers 1 '"${THREADS:-10000}"' >/tmp/ready &
	while [ ! -s /tmp/ready ]; do sleep 1; done
	each threads -p $!' >"$out/threads.txt"
cat "$out"/cpus.txt "$out"/threads.txt | grep '^wide=' >"$out/wide" || :
if [ "$(grep -c 'status=0 user=.* fds=[1-9]' "$out/wide")" != 8 ]; then
	echo "bench wide: a recording failed: $out/wide" >&2
	exit 1
fi
awk "$(cat selftests/bench/rows.awk)"'
{
	of = field("wide") "_" (field("event") == "cs_etm" ? "ete" : "spe")
	who = field("who")
	value[of "_insns", who] = field("user") + field("kernel")
	value[of "_kib", who] = field("peak")
	value[of "_fds", who] = field("fds")
	if (who == "ours")
		name[++n] = of
}
END {
	split("insns kib fds", what)
	for (i = 1; i <= n; i++)
		for (k = 1; k <= 3; k++)
			row("record_" name[i] "_" what[k], value[name[i] "_" what[k], "ours"],
			    value[name[i] "_" what[k], "peer"], "<=0.5")
}' "$out/wide"

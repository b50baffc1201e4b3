#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kselftests on the debug kernel: KASAN, lockdep, checks of atomic context, kmemleak; then a run
# in which each allocation fails once. Each report of these checks is a failure. Tests that need KVM
# are left out, because this kernel has none.
#
#	debug.sh [PROGRAM...]	these instead of all; suites in build/results/kernel-debug/target
#
# The first run builds the kernel, in about ten minutes on two CPUs (selftests/lab/debug.config).
set -u
cd "$(dirname "$0")/.." || exit 2

export KERNEL=debug TIMEOUT="${TIMEOUT:-3600}"
guest=build/guest/debug results=build/results/kernel-debug/target
spe="pmu spe_pmu spe_record buffer spe_buffer spe_filter spe_pause spe_idle events aux_pause counters unit
	reload"
ete="ete_ite ete_pmu ete_record ete_buffer ete_filter ete_option ete_flight pm
	hotplug stats routing brbe_pmu brbe_record brbe_module"

selftests/lab/kernel.sh path debug >/dev/null && selftests/lab/qemu.sh path >/dev/null || exit 1
# Prepared before, because guests start at the same time and would all build them.
selftests/lab/modules.sh debug >&2 && selftests/lab/lab.sh selftests || exit 1
rm -rf "$guest" "$results"
mkdir -p "$guest" "$results"

# console_suite NAME BOOT: a suite with the reports in the console log
console_suite() {
	suite=$results/debug$1.tap
	boot=$2
	n=0
	no_line() {	# NAME PATTERN
		n=$((n + 1))
		if [ ! -s "$boot/console.log" ]; then
			echo "not ok $n - $1 # no log"
		elif grep -E -m1 "$2" "$boot/console.log" >"$boot/first"; then
			echo "not ok $n - $1 # $(tr -d '\r#' <"$boot/first")"
		else
			echo "ok $n - $1"
		fi
	}
	{
		no_line no_bad_access 'KASAN:|Unable to handle|Oops|general protection'
		no_line no_lock_order_broken \
			'possible circular|possible recursive|inconsistent lock|lock held when|bad unlock|Invalid wait|suspicious RCU|irq lock inversion|HARDIRQ-safe'
		no_line no_sleep_in_atomic_context 'sleeping function|scheduling while atomic|preemptible \[|using smp_processor_id'
		no_line no_object_misused 'ODEBUG:|list_(add|del) corruption|refcount_t'
		no_line no_warning 'WARNING:|BUG:'
		n=$((n + 1))
		if [ ! -e "$boot/leaks" ]; then
			echo "not ok $n - nothing_leaked # no report"
		elif grep -q '^unreferenced' "$boot/leaks"; then
			echo "not ok $n - nothing_leaked # $(grep -c '^unreferenced' "$boot/leaks") objects, see $boot/leaks"
		else
			echo "ok $n - nothing_leaked"
		fi
		# lockdep stops after its first report, and if its tables are full.
		n=$((n + 1))
		if grep -q 'debug_locks: *1' "$boot/lockdep" 2>/dev/null; then
			echo "ok $n - lockdep_watched_to_the_end"
		else
			echo "not ok $n - lockdep_watched_to_the_end"
		fi
		echo "1..$n"
	} >"$suite"
}

# part NAME PROGRAM...: runs the programs in a boot of their own
part() {
	name=$1
	shift
	selftests/target/guest.sh "$guest/$name" "$@"
	console_suite "_$name" "$guest/$name.guest/boot"
}

# shellcheck disable=SC2086
if [ $# = 0 ]; then
	V9_UNITS=v9-spe-nvm=on part nth fail_nth >"$guest/log" 2>&1 &	# lasts as long as the others together
	V9_UNITS=v9-spe-version=6,v9-spe-eft=on part spe $spe
	part ete $ete
	selftests/target/guest.sh "$guest/built_in" built_in
	wait
	cat "$guest/log"
else
	part some "$@"
fi
mv "$guest"/*/*.tap "$results"
grep -H '^not ok' "$results"/*.tap
awk '/^not ok/ { bad++; next } /^ok .*# SKIP/ { skipped++; next } /^ok / { good++ }
	END {
		printf "%d passed, %d failed, %d skipped\n", good, bad, skipped
		exit bad > 0 || !good
	}' "$results"/*.tap

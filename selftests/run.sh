#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Tests: selftests/run.sh [all | GROUP...], groups: host modules firmware crosscheck target modes rules exports
#
# Without a word, all but "modes" (kernels in other places, and what is long), on one kernel: what
# is meant to fit into a quarter of an hour with all that must be fetched and built first. "all" is
# every group, on 6.12 and 7, with modules for 6.1, too. "modes" has the kselftests on 6.1 and on
# pages of 16 KiB, and those of full buffers on 6.1 with PREEMPT_RT, whichever kernels are chosen.
# "exports" (browsers, packages of npm) runs only by its name.
# Every suite leaves TAP below build/results/, that of a guest below kernel-<version>/ there. This
# script does one unit of work more at a time than there are CPUs, as each of them waits for timers and
# files, too. It shows what came of each, and adds up: last line "N passed, N failed, N skipped", exit 0
# iff none failed.
# PART=K/N does each Nth unit, from the Kth on. The last line adds up the parts of this tree that have ended in
# build/results; the rules are looked at in the part that completes them.
# KERNELS="6.12 7" chooses the guests' kernels, MODULES="6.1 6.12 7" those that modules are built for.
set -u
case $0 in /*) self=$0 ;; *) self=$PWD/$0 ;; esac
cd "$(dirname "$0")/.." || exit 2

groups="host modules firmware crosscheck target modes rules"
if [ "$*" = all ]; then
	# shellcheck disable=SC2086
	set -- $groups
	export KERNELS="${KERNELS:-6.12 7}" MODULES="${MODULES:-6.1 6.12 7}"
	export PLAIN="$MODULES"
fi
export KERNELS="${KERNELS:-${KERNEL:-6.12}}"
export MODULES="${MODULES:-$KERNELS}"
export V9_BEGIN="${V9_BEGIN:-$(date +%s)}"
results=build/results
PART=${PART:-1/1}
case $PART in
[1-9]/[1-9] | [1-9]/[1-9][0-9] | [1-9][0-9]/[1-9][0-9]) ;;
*) PART=0/0 ;;
esac
part=${PART%/*} parts=${PART#*/}
if [ "$part" -lt 1 ] || [ "$part" -gt "$parts" ]; then
	echo "run.sh: PART: wanted is K/N, with K from 1 to N and N below 100" >&2
	exit 2
fi

info() { printf '[%4ds] %s\n' $(($(date +%s) - V9_BEGIN)) "$*"; }

# A suite that ends without a plan, or with fewer results than planned, has failed there.
# $1: exit status of what should have written the suites, $2...: their files
complete_suites() {
	status=$1
	shift
	for tap; do
		mkdir -p "$(dirname "$tap")"
		[ -e "$tap" ] || : >"$tap"
		awk '
			/^(TAP|KTAP) version/ { next }
			/^1\.\.[0-9]+/ { sub(/^1\.\./, ""); planned = $1 + 0; seen = 1 }
			/^(not )?ok [0-9]+/ { done++ }
			END { exit !(seen && done >= planned) }
		' "$tap" || echo "not ok 0 - complete # the suite ended early (status $status)" >>"$tap"
	done
}

# Print what did not pass in the files given, and the sum of each; keep the sums.
show() {
	for tap; do
		suite=${tap#"$results"/}
		awk -v suite="${suite%.tap}" -v sums="$results/sums" '
			/^not ok/ { failed++; print "    " $0; next }
			/^ok .*# SKIP/ { skipped++; print "    " $0; next }
			/^ok / { passed++ }
			END {
				printf "  %-32s %d passed, %d failed, %d skipped\n", suite, passed, failed, skipped
				printf "%d %d %d\n", passed, failed, skipped >>sums
			}
		' "$tap"
	done
}

# Units of work: one_<name>, with what comes after a colon as $1 and KERNEL set for those in guests.
one_host() {
	rm -rf "$results/host"
	# Genuine traces; where they cannot be fetched, their suite skips.
	selftests/lab/snapshots.sh >/dev/null 2>&1 || :
	selftests/lab/root.sh run -- make -s -C selftests/host run >build/log/host.log 2>&1
	status=$?
	set -- "$results"/host/*.tap
	[ -e "$1" ] || set -- "$results/host/build.tap"
	[ $status -eq 0 ] || tail -n 15 build/log/host.log
	complete_suites $status "$@"
	[ $status -eq 0 ] || grep -q '^not ok' "$@" ||
		echo "not ok 0 - make_run # status $status, see build/log/host.log" >>"$results/host/build.tap"
	show "$results"/host/*.tap
	grep -h '^# .*cells checked in all' "$results"/host/routing*.tap
}

# scripted SCRIPT SUITE...: the script is given the names of the suites that it is to write
scripted() {
	script=$1
	shift
	for suite; do
		rm -f "$results/$suite.tap"
		mkdir -p "$(dirname "$results/$suite.tap")"
	done
	"$script" "$@"
	status=$?
	for suite; do
		complete_suites $status "$results/$suite.tap"
		show "$results/$suite.tap"
	done
}

one_modules() {
	scripted selftests/modules.sh modules/build modules/plain modules/own modules/style modules/limits modules/paths
}

one_kernels() { scripted selftests/kernels.sh modules/kernels; }

one_native() { scripted selftests/native.sh "native/$1"; }

one_real() { scripted selftests/real.sh "kernel-$KERNEL/demo/real"; }

one_exports() { scripted selftests/exports/exports.sh exports/pprof exports/sqlite; }
one_compilers() { scripted selftests/exports/exports.sh exports/bolt exports/llvm; }
# Times until a browser shows a page are shown, too.
one_browser() {
	scripted selftests/browser.sh exports/browser
	grep -h '^# bench' "$results/exports/browser.tap"
}
one_npm() { scripted selftests/exports/npm.sh exports/speedscope exports/profiler exports/parquet; }

one_cluster() { scripted selftests/exports/cluster.sh exports/slurm; }

one_leaks() { scripted selftests/leaks.sh leaks/v9trace; }

one_reuse() { scripted selftests/reuse.sh licences/reuse; }

one_fvp() { scripted selftests/fvp.sh docs/fvp; }

one_docs() { scripted selftests/docs.sh docs/html; }

one_firmware() {
	scripted selftests/firmware/firmware.sh firmware/record firmware/exception firmware/access \
		firmware/translation firmware/inputs firmware/samples firmware/brbe firmware/granule_gpc firmware/el2_record \
		firmware/el2_exception firmware/el2_translation firmware/el2_brbe firmware/strict_record \
		firmware/strict_exception firmware/strict_access firmware/strict_translation \
		firmware/strict_inputs firmware/strict_brbe firmware/strict_rules firmware/fine_access \
		firmware/late_other_pe
}

one_crosscheck() { scripted "selftests/crosscheck/$1.sh" "kernel-$KERNEL/crosscheck/$1${SUFFIX:-}"; }
# Of these, make test has the boots with the kernel at EL2, ALL=1 the others.
boots() { BOOTS=$1 scripted "selftests/crosscheck/$2.sh" "kernel-$KERNEL/crosscheck/$3${SUFFIX:-}"; }
# second:UNIT, prompt:UNIT: a unit of this list on the second character of the units, as lab/run.sh
# has it
with_character() {
	export CHARACTER=$1 SUFFIX=_$1
	"one_${2%%:*}" "${2#*:}"
}
one_second() { with_character second "$1"; }
one_prompt() { with_character prompt "$1"; }
one_spe_vhe() { boots vhe spe spe; }
one_spe_el1() { boots el1 spe spe_el1; }
one_spe_choices() { boots choices spe spe_choices; }
one_ete_vhe() { boots vhe ete ete; }
one_speculation() { UNIT=speculates scripted selftests/crosscheck/trace.sh "kernel-$KERNEL/crosscheck/speculation"; }
one_aarch32_speculation() {
	UNIT=speculates scripted selftests/crosscheck/aarch32.sh "kernel-$KERNEL/crosscheck/aarch32_speculation"
}
one_aarch32_absent() {
	PROFILE=neoverse-v2 scripted selftests/crosscheck/aarch32.sh "kernel-$KERNEL/crosscheck/aarch32_absent"
}
one_ete_others() { boots others ete ete_others; }
one_ete_driver_vhe() { boots vhe ete_driver ete_driver; }
one_ete_driver_el1() { boots el1 ete_driver ete_driver_el1; }
one_brbe_stacks() { boots vhe brbe brbe; }
one_brbe_stacks_others() { boots others brbe brbe_others; }

# guests PART [PROGRAM...]: the kselftests, in boots of their own
guests() {
	dir=build/guest/$KERNEL/$1${SUFFIX:-} to=$results/kernel-$KERNEL/target part=$1
	shift
	rm -rf "$dir"
	selftests/target/guest.sh "$dir" "$@"
	status=$?
	mkdir -p "$to"
	set -- "$dir"/*.tap
	[ -e "$1" ] || set -- "$dir/boot_$part.tap"
	complete_suites $status "$@"
	for tap; do
		name=$(basename "$tap" .tap)${SUFFIX:-}
		mv "$tap" "$to/$name.tap"
		show "$to/$name.tap"
	done
}
one_archive() { scripted selftests/kselftest.sh "kernel-$KERNEL/kselftest/archive"; }
one_settings() { scripted selftests/boot_settings.sh "kernel-$KERNEL/target/boot_settings"; }
one_acpi_tables() { scripted selftests/acpi.sh "kernel-$KERNEL/acpi/tables"; }
one_acpi() { guests acpi acpi; }
one_doctor() { BOOTS=states scripted selftests/doctor.sh "kernel-$KERNEL/doctor/states"; }
one_doctor_others() { BOOTS=others scripted selftests/doctor.sh "kernel-$KERNEL/doctor/others"; }
# The figures of the run are shown, too.
one_scale() {
	scripted selftests/scale.sh "kernel-$KERNEL/scale/dt" "kernel-$KERNEL/scale/acpi"
	grep -h '^# ' "$results/kernel-$KERNEL"/scale/*.tap
}
one_packages() { scripted selftests/packages.sh "packages/$1"; }
one_acpi_in_tree() { guests acpi_in_tree acpi_in_tree; }
one_acpi_all() { guests acpi_all acpi_all; }
one_kselftest() { guests kselftest kselftest; }
one_realtime() { guests realtime buffer spe_buffer ete_buffer ete_flight late; }
one_strict() { guests strict strict; }
one_speculative() { guests speculative speculative; }
one_speculative_mix() { guests speculative_mix speculative_mix; }
one_refuse() { guests refuse refuse; }
one_modes() { guests modes modes; }
one_kinds() { guests kinds kinds; }
one_brbe() { guests brbe brbe; }
one_el3() { guests el3 el3; }
one_panic() { guests panic panic; }
one_kexec() { guests kexec kexec; }
one_life() { guests life life; }
one_in_tree() { guests in_tree in_tree; }
one_profiles() { guests profiles profiles; }

# After everything else: does each test that the table of rules names exist, has it passed, and is
# there one, or a reason, for each whom a rule concerns?
group_rules() {
	mkdir -p "$results/rules"
	selftests/rules.sh --strict >build/log/rules.log 2>&1
	status=$?
	[ $status -eq 0 ] || grep -E '^rules\.sh: | (failed|unknown|not run) ' build/log/rules.log | head -n 20
	{
		[ $status -eq 0 ] || printf 'not '
		echo "ok 1 - named_tests_exist_and_pass # status $status, see build/log/rules.log"
		echo "1..1"
	} >"$results/rules/matrix.tap"
	show "$results/rules/matrix.tap"
}

# Processor time of this shell's children, in seconds, from what times prints
spent() {
	awk '
		function s(t) { split(t, part, /[ms]/); return part[1] * 60 + part[2] }
		END { printf "%d", s($1) + s($2) }'
}

# one UNIT[@KERNEL]: does it, and prints what came of it as one piece
one() {
	unit=${1%@*}
	export KERNEL="${1#*@}"
	log=build/log/$(echo "$1" | tr : -).txt
	begun=$(date +%s)
	"one_${unit%%:*}" "${unit#*:}" >"$log" 2>&1
	times >build/log/times.$$
	set -- "$1" "$(($(date +%s) - begun)) s, $(spent <build/log/times.$$) s of processor time"
	rm -f build/log/times.$$
	flock build/log/lock sh -c 'echo "$1"; cat "$2"' sh "$(info "$1 ($2)")" "$log"
}

# Groups and their units; those that take longest are begun first.
units='
host host
target kselftest
modules modules
crosscheck crosscheck:record
target acpi@6.12
target strict
crosscheck spe_vhe
crosscheck crosscheck:tasks
target refuse
crosscheck ete_driver_vhe
crosscheck ete_vhe
crosscheck brbe_stacks@6.12
crosscheck speculation
modes native:arm64@
modes native:modules@
modes kernels@
modes native:refused@
modes crosscheck:perf_tests@7
modes spe_el1
modes ete_others
modes speculative@6.12
modes speculative_mix@6.1
modes speculative_mix@7
modes ete_driver_el1
modes crosscheck:q@6.12
modes crosscheck:aarch32@6.12
modes aarch32_speculation@6.12
modes aarch32_absent@6.12
modes spe_choices@6.12
modes crosscheck:tutorials
modes crosscheck:flight
modes crosscheck:calls
modes crosscheck:c2c
modes crosscheck:symbols
modes crosscheck:later
modes crosscheck:jit
modes crosscheck:bpf
modes crosscheck:cgroups
modes crosscheck:waits
modes crosscheck:soak@6.12
modes crosscheck:aggregate
modes crosscheck:sharing
modes crosscheck:heap
modes crosscheck:heap@6.1
modes crosscheck:ite
modes crosscheck:places
modes crosscheck:joint
modes crosscheck:clocks
modes crosscheck:brbe@7
modes brbe_stacks_others@6.12
modes crosscheck:brbe@6.1
modes crosscheck:brbe_kernels@6.12
modes brbe@6.12
modes brbe@6.1
modes crosscheck:branches@7
modes crosscheck:events
modes crosscheck:check
modes crosscheck:fdo
modes crosscheck:round
modes crosscheck:perf_tests@6.12
modes second:kselftest@6.12
modes second:modes@6.12
modes second:life@6.12
modes second:kinds@6.12
modes second:strict@6.12
modes second:panic@6.12
modes second:kexec@6.12
modes second:profiles@6.12
modes second:el3@6.12
modes second:acpi@6.12
modes second:refuse@6.12
modes second:crosscheck:record@6.12
modes second:crosscheck:tasks@6.12
modes prompt:crosscheck:flight@6.12
modes second:crosscheck:calls@6.12
modes second:crosscheck:symbols@6.12
modes second:crosscheck:later@6.12
modes second:crosscheck:jit@6.12
modes second:crosscheck:bpf@6.12
modes second:crosscheck:cgroups@6.12
modes second:crosscheck:sharing@6.12
modes second:crosscheck:aggregate@6.12
modes second:crosscheck:heap@6.12
modes second:crosscheck:ite@6.12
modes second:crosscheck:places@6.12
modes second:crosscheck:joint@6.12
modes second:crosscheck:clocks@6.12
modes second:crosscheck:events@6.12
modes second:crosscheck:check@6.12
modes second:crosscheck:fdo@6.12
modes second:crosscheck:round@6.12
modes second:crosscheck:c2c@6.12
modes second:crosscheck:tutorials@6.12
modes second:ete_vhe@6.12
modes second:ete_others@6.12
modes second:ete_driver_vhe@6.12
modes second:ete_driver_el1@6.12
modes second:spe_vhe@6.12
modes second:spe_el1@6.12
modes prompt:crosscheck:waits@6.12
modes modes
modes profiles
modes kinds
modes el3
modes in_tree
modes life
modes kexec
modes panic
modes kselftest@6.1
modes realtime@6.1-rt
modes kselftest@6.12-16k
modes packages:native@
modes packages:server@
modes packages:kernel@
modes packages:service@
modes archive
modes scale
modes settings@6.1
modes settings@6.12
modes settings@7
modes native:bookworm@
modes native:trixie@
modes native:sid@
modes real@6.12
modes doctor_others@6.12
modes packages:build@
modes packages:install@
modes cluster@
modes leaks@
modes reuse@
modes docs@
modes fvp@
firmware firmware
modes acpi_tables@6.1
modes acpi_tables@6.12
modes acpi_tables@7
modes acpi_in_tree@6.1
modes acpi_in_tree@6.12
modes acpi_in_tree@7
modes acpi_all@6.1
modes acpi_all@6.12
modes acpi_all@7
target doctor@6.12
crosscheck crosscheck:trace
crosscheck exports@
exports browser
exports npm
exports compilers
'

if [ "${1:-}" = --one ]; then
	mkdir -p "$results" build/log
	one "$2"
	! grep -q '^ *not ok' "$log"
	exit
fi

mkdir -p "$results" build/log
[ $# -gt 0 ] || set -- host modules firmware crosscheck target rules
for group; do
	case " $groups exports " in
	*" $group "*) ;;
	*)
		echo "run.sh: no such group: $group (all, or of: $groups exports)" >&2
		exit 2
		;;
	esac
done

info "preparing (first time: downloads and builds; later: nothing)"
if ! selftests/lab/lab.sh prepare "$@"; then
	echo "The platform could not be prepared; see above." >&2
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi
rm -f "$results/sums"
# Parts add up if the tree, the groups and the kernels are the same.
of=$results/parts/$({ echo "$* $KERNELS $MODULES $parts"
	find Kbuild Makefile Documentation drivers include selftests tools -type f ! -path '*/__pycache__/*' \
		! -path 'include/v9trace/gen/*' | LC_ALL=C sort | xargs -d '\n' sha256sum
} | sha256sum | cut -c 1-12)
others=$(find "$of" -type f ! -name "$part" 2>/dev/null | wc -l)
[ "$others" -gt 0 ] || rm -rf "$results/parts"
mkdir -p "$of"
rm -f "$of/$part"
queue=$(echo "$units" | while read -r group unit; do
	case " $* " in
	*" ${group:-none} "*) ;;
	*) continue ;;
	esac
	case $group in
	crosscheck | target | modes)
		case $unit in
		*@*) echo "$unit" ;;
		*) for kernel in $KERNELS; do echo "$unit@$kernel"; done ;;
		esac ;;
	*) echo "$unit@" ;;
	esac
done | awk -v part="$part" -v parts="$parts" 'NR % parts == part % parts')
[ "$others" -gt 0 ] || case " $* " in
*" target "*) for kernel in $KERNELS; do rm -rf "$results/kernel-$kernel/target"; done ;;
esac
at_once=$(($(nproc) + 1))
info "testing, $at_once at a time: $(echo $queue)"
echo "$queue" | xargs -r -n 1 -P $at_once "$self" --one
case " $* " in
*" rules "*) [ $((others + 1)) -lt "$parts" ] || group_rules ;;
esac

info "done; rules shown by these tests: make rules"
touch "$results/sums"
cp "$results/sums" "$of/$part"
[ "$parts" -eq 1 ] || echo "parts of $parts that have ended:" $(find "$of" -type f -printf '%f\n' | sort -n)
cat "$of"/* | awk -v none="$([ -n "$queue" ]; echo $?)" '
	{ passed += $1; failed += $2; skipped += $3 }
	END {
		printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed > 0 || passed == 0 && !none
	}'

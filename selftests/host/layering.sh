#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Checks which files include which headers, and call which functions. Each check prints its
# violations. Afterwards a violation is added to a copy of the tree, and the check must find it.
# TAP.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cc=${CC:-cc}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
failed=0
# A copy of the tree is compiled below, with the headers that a build makes.
"$top/tools/gen/gen.sh" || exit 1

# Prints "FILE: HEADER" for each include of the given files, for <> and "" alike.
includes()
{
	find "$@" -name '*.[ch]' 2>/dev/null | sort | xargs awk '
		/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
			h = $0
			sub(/^[^<"]*[<"]/, "", h)
			sub(/[>"].*/, "", h)
			print FILENAME ": " h
		}' /dev/null
}

# Prints the lines whose header does not match the pattern.
only() { grep -vE ": ($1)\$"; }

C99='stdint\.h|stdbool\.h|stddef\.h|string\.h|errno\.h|limits\.h|inttypes\.h'
# Headers of decisions, which only the drivers and the tests may include
DECISIONS='plan|fault_action|attr|seq'

check_include_includes()
{
	includes include | grep -v '^include/v9trace/base\.h:' |
		only '(\.\./|gen/|v9trace/)?[a-z_/]+\.h' |
		sed 's/$/ (include: only its own headers; base.h has the C library or the kernel)/'
	for h in $(includes include | grep -v '^include/v9trace/base\.h:' | sed 's/.*: //' | sort -u); do
		[ -e "include/v9trace/${h#../}" ] || [ -e "include/v9trace/gen/$h" ] ||
			[ -e "include/$h" ] || echo "include: $h is not one of its headers"
	done
	includes include/v9trace/base.h | only "$C99|linux/(types|string|errno|build_bug|compiler)\.h"
}

# Pure functions: of the drivers, the codecs, the rules of routing
PURE='drivers/lib tools/lib/spe_pkt.c tools/lib/ete_pkt.c tools/lib/ete_runs.c
	selftests/model/routing.c selftests/model/routing_brbe.c selftests/model/routing_event.c
	selftests/model/routing_trace.c'

check_lib_includes() { includes $PURE | only 'v9trace/[a-z0-9_/]+\.h|hw\.h'; }

check_drivers_includes()
{
	includes drivers | grep -v '^drivers/lib/' | only 'v9trace/[a-z0-9_/]+\.h|(linux|asm|kvm|uapi|trace)/.*\.h|[a-z_0-9]+\.h'
	includes drivers | grep -E ': (.*/)?(model|tools|selftests)/'
}

check_model_includes()
{
	includes selftests/model | grep -v '^selftests/model/qemu/' |
		only "v9trace/(base|spe|ete|routing[a-z_]*|errata|gen/[a-z_]+)\.h|[a-z0-9_]+\.h|$C99"
	includes selftests/model | grep -E ": (.*/)?($DECISIONS)\.h\$" | sed 's/$/ (a decision of the drivers)/'
	includes selftests/model | grep -E ': (.*/)?(linux|kernel|drivers|tools|libc)/'
	# Each local header must exist in the model.
	for h in $(includes selftests/model | grep -v '^selftests/model/qemu/' | grep -v v9trace |
			sed 's/.*: //' | grep -vE "^($C99)\$" | sort -u); do
		[ -e "selftests/model/$h" ] || echo "model: $h is not one of its headers"
	done
}

check_tools_includes()
{
	includes tools | grep -E ": (.*/)?(drivers|model|selftests)/"
	includes tools | grep -E ': v9trace/' | only 'v9trace/(base|spe|ete|ete_reach|attr|errata|check_absence|el3|uapi|gen/[a-z_]+)\.h'
	grep -rnE 'v9_[a-z]+(_pkt)?_encode' tools --include='*.[ch]' | grep -v '^tools/lib/[a-z]*_pkt\.c:' | sed 's/$/ (tools only decode)/'
}

# tools/lib decodes, tools/capture uses it to read files, tools/report prints, tools/export writes for
# other programs what the feeds of tools/report give; tools/live adds up what is recorded at the moment;
# tools/collect uses that alone, in profiles.c, latency.c and pmu_counts.c. tools/top shows it: of tools/collect its commands alone use the
# headers of recordings.
check_tools_layers()
{
	includes tools/lib | grep -E ': (.*/)?(capture|collect|export|live|report|stat|doctor|top)/|libelf|libdw|event-parse'
	includes tools/capture | grep -E ': (.*/)?(collect|export|live|report|stat|doctor|top)/'
	includes tools/live | grep -E ': (.*/)?(collect|export|stat|doctor|top)/'
	includes tools/top | grep -E ': (.*/)?(export|stat|doctor)/'
	includes tools/top | grep -E ': (.*/)?collect/' | grep -v '^tools/top/cmd_top\.c: '
	includes tools/joint | only 'place\.h|window\.h|\.\./util\.h|stdint\.h|stdbool\.h|stddef\.h|stdlib\.h|string\.h|errno\.h'
	includes tools/collect | grep -E ': (.*/)?(lib|capture|export|report|stat|doctor|live|top)/' |
		grep -vE '^tools/collect/(profiles|latency|pmu_counts)\.c: \.\./live/'
	includes tools/report | grep -E ': (.*/)?(collect|export|live|stat|doctor|top)/'
	includes tools/export | grep -E ': (.*/)?(collect|stat|doctor|top)/'
}

check_no_include_of_selftests()
{
	includes include drivers selftests/model tools | grep -E ': (.*/)?(selftests|tap\.h)'
}

check_environment_only_in_base()
{
	grep -rnE '^[ 	]*#.*\b(__KERNEL__|CONFIG_QEMU|__STDC_HOSTED__)\b' include drivers selftests/model tools/lib \
		--include='*.[ch]' | grep -v '^include/v9trace/base\.h:'
}

check_version_code()
{
	grep -rnE 'LINUX_VERSION_CODE|KERNEL_VERSION' include drivers selftests/model tools \
		--include='*.[ch]'
}

check_own_masks()
{
	grep -rnE '(^|[^A-Za-z0-9_])(SYS_)?(PM[SB][A-Z]+|TRB[A-Z]+)_EL1_[A-Za-z0-9_]+' drivers \
		--include='*.[ch]' | sed 's/$/ (the masks of gen\/regs.h, )/'
}

# lockdep checks the condition of a list's reader. "true" disables the check.
check_conditions_of_readers()
{
	grep -rnE '_(rcu|srcu|check)\(.*, (true|1)\)' drivers --include='*.[ch]' |
		sed 's/$/ (name the lock)/'
}

# On many machines all users can read the log. A message has an address as %p, which the kernel
# hashes, or not at all.
check_addresses_in_log()
{
	grep -rnE '%p[xK]|%#?0?[0-9]*l?lx.*\n"' drivers --include='*.c' |
		grep -E '%px|%pK|(PTR|LIMITR|BASER)(_EL1)?:? %|buffer %#' |
		sed 's/$/ (an address of memory)/'
}

# No setting is read at a context switch: only where events and buffers are made, in the interrupt, and
# where files show it.
check_readers_of_settings()
{
	find drivers -name '*.[ch]' | sort | xargs awk '
		/^[a-z].*\(/ { fn = $0; sub(/\(.*/, "", fn); sub(/.*[ *]/, "", fn) }
		/[^_a-z]v9_setting\(|(->|\.)setting\[/ && !/^(static|module_param)/ {
			print FILENAME ": " fn " reads a setting" }' |
		grep -vE ': (v9_pmu_(setup_aux|check_event|throttle|allow_physical)|v9_spe_(check_period|event_init)|minimum_show|setting_(show|store)|v9_setting) '
}

# The top level is fixed; beside it stands what a tool looks for there, and what a build leaves.
check_top_level()
{
	find . -mindepth 1 -maxdepth 1 | sed 's|^\./||' |
		grep -vxE 'Kbuild|drivers|tools|include|Documentation|selftests|README' |
		grep -vxE 'Makefile|LICENSES|REUSE\.toml|\.ci|\.git|\.gitignore' |
		grep -vxE 'build|modules\.order|Module\.symvers|\.module-common\.o|.*\.(cmd|d|ko|mod|mod\.c|o)' |
		sed 's/$/: not a part of the top level/'
}

# README, patches, ABI files and golden files have no SPDX line.
check_spdx()
{
	find . -type f ! -path './build/*' ! -path './.git/*' ! -path ./.git ! -path './LICENSES/*' \
		! -path ./README ! -path './Documentation/ABI/*' ! -path './selftests/golden/report/*' \
		! -path './selftests/golden/doctor/*' ! -path './selftests/golden/trace/*' ! -path './selftests/golden/mem/*' ! -path './selftests/golden/branches/*' ! -path './selftests/golden/annotate/*' ! -path './selftests/golden/diff/*' ! -path './selftests/golden/joint/*' \
		! -path './selftests/golden/rings/*' ! -path './selftests/golden/views/*' ! -path './selftests/golden/units/*' ! -path './selftests/golden/messages/*' \
		! -path './selftests/golden/export/*' ! -path './selftests/golden/terminal/*' ! -path './selftests/golden/types/*' ! -path './selftests/golden/*.output' \
		! -path './tools/report/page/vendor/*' ! -path './Documentation/images/*' \
		! -path './tools/packaging/debian/changelog' ! -path './tools/packaging/debian/copyright' ! -path './tools/packaging/debian/source/format' \
		! -name '*.patch' ! -name '*.o' ! -name '*.ko' ! -name '*.a' ! -name '*.cmd' \
		! -name '*.mod' ! -name '*.mod.c' ! -name 'Module.symvers' ! -name 'modules.order' ! -name .stamp \
		! -name '*.pyc' ! -path './selftests/golden/*.data' |
		while read -r file; do		# what cannot bear a line has a file beside it
			if [ -e "$file.license" ]; then echo "$file.license"; else echo "$file"; fi
		done |
		without 'SPDX-License-Identifier:' | sed 's/$/: no SPDX line/'
}

# without PATTERN: of the files named on standard input, prints those without a match in the first
# four lines
without()
{
	sort | PATTERN=$1 xargs -d '\n' awk '
		FNR > 4 { nextfile }
		$0 ~ ENVIRON["PATTERN"] { has[FILENAME] = 1 }
		END {
			for (i = 1; i < ARGC; i++)
				if (!(ARGV[i] in has))
					print ARGV[i]
		}'
}

# The licence of each directory
check_licences()
{
	dual='GPL-2.0-only OR BSD-2-Clause'
	for part in "include:$dual" "drivers/lib:$dual" "tools:$dual" "selftests/lab:$dual" 'drivers:GPL-2.0-only' \
			'selftests:GPL-2.0-only' 'selftests/model/qemu:GPL-2.0-or-later'; do
		want=${part#*:}
		of=${part%%:*}
		find $of \( -path drivers/lib -o -path selftests/model -o -path selftests/lab \) \
			! -path $of -prune -o \
			-name '*.[chS]' -print |
			without "SPDX-License-Identifier: $want( WITH Linux-syscall-note)?( [*]/)?\$" |
			sed "s/\$/: licence is not $want/"
	done
	find selftests/model -maxdepth 1 -name '*.[ch]' | without "SPDX-License-Identifier: $dual" |
		sed "s/\$/: licence is not $dual/"
}

# objects FLAGS SOURCE...: compiles into $tmp/o and prints errors and warnings. With PIC, tables of
# pointers would count as writable. The object of a source that was compiled with these flags
# before, in either tree, is used again. Changed headers would not be noticed, but no check changes
# one that matters here.
objects()
{
	flags=$1
	shift
	rm -rf "$tmp/o"
	mkdir -p "$tmp/o" "$tmp/kept"
	for f in "$@"; do
		kept=$tmp/kept/$({ echo "$flags $f"; cat "$f"; } | cksum | tr ' ' -)
		[ -e "$kept.o" ] || $cc -std=gnu11 -fno-pic -Wall -Wextra $flags -Iinclude \
			-Iselftests/model -Iselftests/host -c -o "$kept.o" "$f" 2>"$kept.log" || {
			echo "$f: does not compile: $(grep -m1 error "$kept.log")"
			continue
		}
		[ -s "$kept.log" ] && echo "$f: $(grep -m1 warning "$kept.log")"
		cp "$kept.o" "$tmp/o/$(basename "$f" .c).o"
	done
}

# Prints the undefined symbols of the objects in $tmp/o that no object there defines.
wanted()
{
	nm -g "$tmp"/o/*.o 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u >"$tmp/defined"
	for o in "$tmp"/o/*.o; do
		[ -e "$o" ] || continue
		nm -u "$o" | awk -v o="$(basename "$o" .o)" '{ print o ": " $2 }'
	done | awk 'FNR == NR { have[$1] = 1; next } !($2 in have)' "$tmp/defined" -
}

MEM='mem(cpy|set|cmp|move)'

LIB_FLAGS='-O1 -Wvla -Wframe-larger-than=1024'

check_lib_calls()
{
	objects "$LIB_FLAGS" $(find $PURE -name '*.c')
	wanted | grep -vE ": ($MEM|hw_[a-z0-9_]+|__stack_chk_fail)\$"
}

check_lib_globals()
{
	objects "$LIB_FLAGS" $(find $PURE -name '*.c') >/dev/null
	for o in "$tmp"/o/*.o; do
		nm "$o" 2>/dev/null | awk -v o="$(basename "$o" .o)" \
			'$2 ~ /^[BbDdCGgSs]$/ { print o ": " $3 " is writable" }'
	done
}

# The model may call codecs but no decoder.
check_model_calls()
{
	sources=$(ls selftests/model/*.c 2>/dev/null)
	for f in tools/lib/*_pkt.c; do
		[ -e "$f" ] && sources="$sources $f"
	done
	objects -O0 $sources
	wanted | grep -vE ": ($MEM|__stack_chk_fail)\$" | grep -v ': v9_bus_' | sed 's/^/model: /'
	for f in selftests/model/*.c; do
		o="$tmp/o/$(basename "$f" .c).o"
		[ -e "$o" ] && nm -u "$o" | grep -E '_decode$' | sed "s|^ *U|$f:|"
	done
}

# Files of the model call functions of lower files only. References to the table of units, which
# model.c defines, are allowed.
check_model_layers()
{
	objects -O0 $(ls selftests/model/*.c | grep -v /routing)
	for o in "$tmp"/o/*.o; do
		nm -g "$o" | awk -v o="$(basename "$o" .o)" '
			$1 == "U" && $2 != "v9_units" { print "U", o, $2 }
			NF == 3 && $2 != "U" { print "D", o, $3 }'
	done | sort | awk '
		$1 == "D" { home[$3] = $2 }
		$1 == "U" && $3 in home { print $2, home[$3] }' | tsort 2>&1 >/dev/null | sed 's/^/model: /'
}

# No struct, union or enum tag is defined twice.
check_tags()
{
	grep -rhoE '^(struct|union|enum) v9_[a-z0-9_]+ \{' include drivers tools selftests/model --include='*.[ch]' |
		awk '{ print $2 ": defined twice" }' | sort | uniq -d
}

check_unfinished_words()
{
	grep -rnwE 'TODO|FIXME|XXX' --exclude='*.patch' include drivers tools selftests Documentation Kbuild \
		Makefile README 2>/dev/null | grep -vE '^(selftests/host/layering\.sh|selftests/modules\.sh):|lib\.sh:.*mktemp|XXXX'
}

checks="include_includes lib_includes drivers_includes model_includes tools_includes tools_layers no_include_of_selftests
environment_only_in_base version_code own_masks conditions_of_readers addresses_in_log
readers_of_settings top_level spdx licences lib_calls lib_globals model_calls model_layers tags unfinished_words"

result()
{
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		failed=1
		echo "not ok $n - $1 # $2"
	fi
}

cd "$top" || exit 1
for c in $checks; do
	check_$c >"$tmp/out" 2>&1
	sed 's/^/# /' "$tmp/out"
	result $c "$(head -n1 "$tmp/out")"
done

# break_it NAME FILE TEXT WORDS CHECK: with TEXT appended to FILE, check NAME must print WORDS
break_it()
{
	check=$1 file=$2 text=$3
	mkdir -p "$(dirname "$file")"
	saved=
	[ -e "$file" ] && { cp "$file" "$tmp/saved"; saved=1; }
	printf '%b\n' "$text" >>"$file"
	check_$check >"$tmp/out" 2>&1
	if grep -q "$4" "$tmp/out"; then
		result "catches_$5" ''
	else
		result "catches_$5" "not seen: $text in $file"
	fi
	if [ -n "$saved" ]; then cp "$tmp/saved" "$file"; else rm "$file"; fi
}

mkdir "$tmp/tree"
cp -r include drivers tools selftests "$tmp/tree/"
cd "$tmp/tree" || exit 1
while IFS='|' read -r name check file seen text; do
	break_it "$check" "$file" "$text" "$seen" "$name"
done <<'END'
kernel_header_in_include|include_includes|include/v9trace/spe.h|linux/perf_event.h|#include <linux/perf_event.h>
drivers_header_in_include|include_includes|include/v9trace/spe.h|is not one of its|#include "compat.h"
stdio_in_base|include_includes|include/v9trace/base.h|stdio.h|#include <stdio.h>
stdlib_in_lib|lib_includes|tools/lib/spe_pkt.c|stdlib.h|#include <stdlib.h>
model_in_lib|lib_includes|tools/lib/spe_pkt.c|model|#include "../selftests/model/pe.h"
tools_in_drivers|drivers_includes|drivers/compat.h|tools|#include "../tools/v9trace.h"
libc_in_drivers|drivers_includes|drivers/compat.h|sys/mman.h|#include <sys/mman.h>
plan_in_model|model_includes|selftests/model/pe.h|decision|#include "v9trace/plan.h"
action_in_glue|model_includes|selftests/model/qemu/glue.h|decision|#include <v9trace/fault_action.h>
kernel_in_model|model_includes|selftests/model/pe.h|linux/types.h|#include <linux/types.h>
qemu_in_model|model_includes|selftests/model/pe.h|qemu/osdep.h|#include "qemu/osdep.h"
stdio_in_model|model_includes|selftests/model/pe.h|stdio.h|#include <stdio.h>
action_in_tools|tools_includes|tools/x.c|fault_action.h|#include "v9trace/fault_action.h"
model_in_tools|tools_includes|tools/x.c|pe.h|#include "../selftests/model/pe.h"
encoder_in_tools|tools_includes|tools/x.c|only decode|int x(void) { return v9_spe_pkt_encode(0, 0, 0, 0); }
capture_in_decoder|tools_layers|tools/lib/spe.c|session.h|#include "../capture/session.h"
elf_in_decoder|tools_layers|tools/lib/spe.c|libelf.h|#include <libelf.h>
report_in_capture|tools_layers|tools/capture/file.c|out.h|#include "../report/out.h"
decoder_in_collector|tools_layers|tools/collect/loop.c|lib/spe.h|#include "../lib/spe.h"
export_in_report|tools_layers|tools/report/feed.c|export.h|#include "../export/export.h"
live_in_collector|tools_layers|tools/collect/loop.c|live/live.h|#include "../live/live.h"
collector_in_live|tools_layers|tools/live/live.c|rings.h|#include "../collect/rings.h"
collector_in_rows|tools_layers|tools/top/rows.c|rings.h|#include "../collect/rings.h"
top_in_live|tools_layers|tools/live/live.c|top/rows.h|#include "../top/rows.h"
file_in_joint|tools_layers|tools/joint/place.c|stdio.h|#include <stdio.h>
collector_in_report|tools_layers|tools/report/out.c|spec.h|#include "../collect/spec.h"
test_in_lib|no_include_of_selftests|tools/lib/spe_pkt.c|tap.h|#include "tap.h"
environment_elsewhere|environment_only_in_base|tools/lib/spe_pkt.c|spe_pkt|#ifdef __KERNEL__\n#endif
version_in_driver|version_code|drivers/x.c|drivers/x.c|#if LINUX_VERSION_CODE < 5\n#endif
version_in_compat|version_code|drivers/compat.h|compat.h|#if LINUX_VERSION_CODE < 5\n#endif
kernels_mask|own_masks|drivers/x.c|gen/regs.h|int x = PMBSR_EL1_S_MASK;
reader_without_condition|conditions_of_readers|drivers/x.c|name the lock|int x = list_for_each_entry_rcu(a, b, c, true);
raw_pointer|addresses_in_log|drivers/x.c|address|int x = dev_err(d, "%px", p);
register_of_address|addresses_in_log|drivers/x.c|address|int x = dev_err(d, "TRBPTR_EL1 %#llx\\n", p);
setting_at_a_switch|readers_of_settings|drivers/spe.c|v9_x_start reads|static void v9_x_start(struct v9_pmu *unit)\n{\n\tif (v9_setting(unit, 0))\n\t\treturn;\n}
setting_read_directly|readers_of_settings|drivers/event.h|v9_x_add reads|static inline u64 v9_x_add(struct v9_pmu *unit)\n{\n\treturn unit->setting[0];\n}
kernels_encoding|own_masks|drivers/x.c|gen/regs.h|int x = SYS_PMSCR_EL1_E0SPE;
file_without_licence|spdx|drivers/lib/x.c|no SPDX|int x;
wrong_licence|licences|drivers/lib/x.c|licence|// SPDX-License-Identifier: MIT
printing_lib|lib_calls|tools/lib/spe_pkt.c|printf|int printf(const char *, ...); int x(void); int x(void) { return printf("%d", 3); }
allocating_lib|lib_calls|tools/lib/spe_pkt.c|malloc|void *malloc(unsigned long); void *x(void); void *x(void) { return malloc(3); }
global_in_lib|lib_globals|tools/lib/spe_pkt.c|writable|int v9_x = 3;
static_in_lib|lib_globals|tools/lib/spe_pkt.c|writable|int x(void); int x(void) { static int y; return ++y; }
large_frame_in_lib|lib_calls|tools/lib/spe_pkt.c|frame size|void y(char *); void x(void); void x(void) { char z[2000]; y(z); }
decoder_in_model|model_calls|selftests/model/regs.c|v9_spe_pkt_decode|int v9_spe_pkt_decode(const void *, unsigned long, unsigned long, void *); int x(void); int x(void) { return v9_spe_pkt_decode(0, 0, 0, 0); }
call_upwards_in_model|model_layers|selftests/model/regs.c|loop|int x(struct v9_model *m); int x(struct v9_model *m) { return v9_ete_enabled(m, false); }
tag_of_two_things|tags|tools/lib/spe.h|v9_pmu: defined twice|enum v9_pmu {
file_beside_the_top_level|top_level|.x-cache|x-cache: not|x
unfinished|unfinished_words|tools/lib/spe_pkt.c|TODO|/* TODO */
END
cd "$top" || exit 1

echo "1..$n"
exit $failed

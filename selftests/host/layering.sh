#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Who may include and call what. Each check prints its violations; then each is
# shown to fail on a scratch copy of the tree with one violation in it. TAP.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cc=${CC:-cc}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
failed=0

# "FILE: HEADER" of all includes below the given files; <> and "" look alike here
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

# Lines whose header is not matched by the pattern
only() { grep -vE ": ($1)\$"; }

C99='stdint\.h|stdbool\.h|stddef\.h|string\.h|errno\.h|limits\.h|inttypes\.h'
# What only the drivers and the tests may use
OPINIONS='plan|fault_action|attr|seq'

check_include_room()
{
	includes include | grep -v '^include/v9trace/base\.h:' |
		only '(\.\./|gen/|v9trace/)?[a-z_/]+\.h' |
		sed 's/$/ (include: only its own headers; the world enters by base.h)/'
	for h in $(includes include | grep -v '^include/v9trace/base\.h:' | sed 's/.*: //' | sort -u); do
		[ -e "include/v9trace/${h#../}" ] || [ -e "include/v9trace/gen/$h" ] ||
			[ -e "include/$h" ] || echo "include: $h is not one of its headers"
	done
	includes include/v9trace/base.h | only "$C99|linux/(types|string|errno|build_bug|compiler)\.h"
}

# Pure functions: of the drivers, the codecs, the rules of routing
PURE='drivers/lib tools/lib/spe_pkt.c tools/lib/ete_pkt.c tools/lib/ete_runs.c
	selftests/model/routing.c selftests/model/routing_event.c selftests/model/routing_trace.c'

check_lib_room() { includes $PURE | only 'v9trace/[a-z_/]+\.h|hw\.h'; }

check_drivers_room()
{
	includes drivers | grep -v '^drivers/lib/' | only 'v9trace/[a-z_/]+\.h|(linux|asm|kvm|uapi|trace)/.*\.h|[a-z_0-9]+\.h'
	includes drivers | grep -E ': (.*/)?(model|tools|selftests)/'
}

check_model_room()
{
	includes selftests/model | grep -v '^selftests/model/qemu/' |
		only "v9trace/(base|spe|ete|routing[a-z_]*|errata|gen/[a-z_]+)\.h|[a-z_]+\.h|$C99"
	includes selftests/model | grep -E ": (.*/)?($OPINIONS)\.h\$" | sed 's/$/ (an opinion about hardware)/'
	includes selftests/model | grep -E ': (.*/)?(linux|kernel|drivers|tools|libc)/'
	# whatever it calls itself, a local header must be there
	for h in $(includes selftests/model | grep -v '^selftests/model/qemu/' | grep -v v9trace |
			sed 's/.*: //' | grep -vE "^($C99)\$" | sort -u); do
		[ -e "selftests/model/$h" ] || echo "model: $h is not one of its headers"
	done
}

check_tools_room()
{
	includes tools | grep -E ": (.*/)?(drivers|model|selftests)/"
	includes tools | grep -E ': v9trace/' | only 'v9trace/(base|spe|ete|ete_reach|attr|errata|uapi|gen/[a-z_]+)\.h'
	grep -rnE 'v9_[a-z]+(_pkt)?_encode' tools --include='*.[ch]' | grep -v '^tools/lib/[a-z]*_pkt\.c:' | sed 's/$/ (tools only decode)/'
}

# lib decodes, capture reads with it, report prints what both give; collect needs none of them.
check_tools_layers()
{
	includes tools/lib | grep -E ': (.*/)?(capture|collect|report|stat)/|libelf|libdw|event-parse'
	includes tools/capture | grep -E ': (.*/)?(collect|report|stat)/'
	includes tools/collect | grep -E ': (.*/)?(lib|capture|report|stat)/'
	includes tools/report | grep -E ': (.*/)?(collect|stat)/'
}

check_nobody_includes_selftests()
{
	includes include drivers selftests/model tools | grep -E ': (.*/)?(selftests|tap\.h)'
}

check_one_world_header()
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
		--include='*.[ch]' | sed 's/$/ (the masks of gen\/regs.h, please)/'
}

# lockdep looks at the condition of a list's reader: "true" says nothing.
check_conditions_of_readers()
{
	grep -rnE '_(rcu|srcu|check)\(.*, (true|1)\)' drivers --include='*.[ch]' |
		sed 's/$/ (say what protects it)/'
}

# The log is everybody's on many machines: an address is hashed (%p), or left out.
check_addresses_in_log()
{
	grep -rnE '%p[xK]|%#?0?[0-9]*l?lx.*\n"' drivers --include='*.c' |
		grep -E '%px|%pK|(PTR|LIMITR|BASER)(_EL1)?:? %|buffer %#' |
		sed 's/$/ (an address of memory)/'
}

# README, patches, ABI files and expected output have a form of their own.
check_spdx()
{
	find . -type f ! -path './build/*' ! -path './.git/*' ! -path ./.git ! -path './LICENSES/*' \
		! -path ./README ! -path './Documentation/ABI/*' ! -path './selftests/golden/report/*' \
		! -path './selftests/golden/trace/*' ! -path './selftests/golden/mem/*' \
		! -path './tools/packaging/debian/changelog' ! -path './tools/packaging/debian/copyright' ! -path './tools/packaging/debian/source/format' \
		! -name '*.patch' ! -name '*.o' ! -name '*.ko' ! -name '*.a' ! -name '*.cmd' \
		! -name '*.mod' ! -name '*.mod.c' ! -name 'Module.symvers' ! -name 'modules.order' ! -name .stamp \
		! -name '.checkpatch-camelcase*' ! -name '*.pyc' ! -path './selftests/golden/*.data' |
		while read -r file; do		# what cannot bear a line has a file beside it
			if [ -e "$file.license" ]; then echo "$file.license"; else echo "$file"; fi
		done |
		without 'SPDX-License-Identifier:' | sed 's/$/: no SPDX line/'
}

# Of the files named on standard input, those whose first four lines do not match the pattern
without()
{
	sort | SAID=$1 xargs -d '\n' awk '
		FNR > 4 { nextfile }
		$0 ~ ENVIRON["SAID"] { has[FILENAME] = 1 }
		END {
			for (i = 1; i < ARGC; i++)
				if (!(ARGV[i] in has))
					print ARGV[i]
		}'
}

# licence of the room
check_licences()
{
	dual='GPL-2.0-only OR BSD-2-Clause'
	for room in "include:$dual" "drivers/lib:$dual" "tools:$dual" "selftests/lab:$dual" 'drivers:GPL-2.0-only' \
			'selftests:GPL-2.0-only' 'selftests/model/qemu:GPL-2.0-or-later'; do
		want=${room#*:}
		of=${room%%:*}
		find $of \( -path drivers/lib -o -path selftests/model -o -path selftests/lab \) \
			! -path $of -prune -o \
			-name '*.[chS]' -print |
			without "SPDX-License-Identifier: $want( WITH Linux-syscall-note)?( [*]/)?\$" |
			sed "s/\$/: licence is not $want/"
	done
	find selftests/model -maxdepth 1 -name '*.[ch]' | without "SPDX-License-Identifier: $dual" |
		sed "s/\$/: licence is not $dual/"
}

# objects FLAGS SOURCE...: into $tmp/o; prints what the compiler has to say. Without PIC,
# or tables with pointers in them count as writable. A source that was compiled with these
# flags before, here or in the other tree, is not compiled again; headers that differ would
# not be noticed, and no check here changes one.
objects()
{
	flags=$1
	shift
	rm -rf "$tmp/o"
	mkdir -p "$tmp/o" "$tmp/kept"
	for f in "$@"; do
		kept=$tmp/kept/$({ echo "$flags $f"; cat "$f"; } | cksum | tr ' ' -)
		[ -e "$kept.o" ] || $cc -std=gnu11 -O2 -fno-pic -Wall -Wextra $flags -Iinclude \
			-Iselftests/model -Iselftests/host -c -o "$kept.o" "$f" 2>"$kept.log" || {
			echo "$f: does not compile: $(grep -m1 error "$kept.log")"
			continue
		}
		[ -s "$kept.log" ] && echo "$f: $(grep -m1 warning "$kept.log")"
		cp "$kept.o" "$tmp/o/$(basename "$f" .c).o"
	done
}

# symbols that the objects in $tmp/o want and nobody there has
wanted()
{
	nm -g "$tmp"/o/*.o 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u >"$tmp/defined"
	for o in "$tmp"/o/*.o; do
		[ -e "$o" ] || continue
		nm -u "$o" | awk -v o="$(basename "$o" .o)" '{ print o ": " $2 }'
	done | awk 'FNR == NR { have[$1] = 1; next } !($2 in have)' "$tmp/defined" -
}

MEM='mem(cpy|set|cmp|move)'

LIB_FLAGS='-Wvla -Wframe-larger-than=1024'

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

# The model is linked with the codecs only, and decodes nothing.
check_model_calls()
{
	sources=$(ls selftests/model/*.c 2>/dev/null)
	for f in tools/lib/*_pkt.c; do
		[ -e "$f" ] && sources="$sources $f"
	done
	objects -O1 $sources
	wanted | grep -vE ": ($MEM|__stack_chk_fail)\$" | grep -v ': v9_bus_' | sed 's/^/model: /'
	for f in selftests/model/*.c; do
		o="$tmp/o/$(basename "$f" .c).o"
		[ -e "$o" ] && nm -u "$o" | grep -E '_decode$' | sed "s|^ *U|$f:|"
	done
}

# Files of the model call each other downwards only. Upwards there is the table of units, which
# model.c defines; its names are no calls.
check_model_layers()
{
	objects -O1 $(ls selftests/model/*.c | grep -v /routing)
	for o in "$tmp"/o/*.o; do
		nm -g "$o" | awk -v o="$(basename "$o" .o)" '
			$1 == "U" && $2 != "v9_units" { print "U", o, $2 }
			NF == 3 && $2 != "U" { print "D", o, $3 }'
	done | sort | awk '
		$1 == "D" { home[$3] = $2 }
		$1 == "U" && $3 in home { print $2, home[$3] }' | tsort 2>&1 >/dev/null | sed 's/^/model: /'
}

# A struct, union or enum tag names one thing.
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

checks="include_room lib_room drivers_room model_room tools_room tools_layers nobody_includes_selftests
one_world_header version_code own_masks conditions_of_readers addresses_in_log spdx licences lib_calls lib_globals model_calls model_layers tags unfinished_words"

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

# break NAME FILE TEXT: a copy with TEXT appended to FILE must be caught by check NAME
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
kernel_header_in_include|include_room|include/v9trace/spe.h|linux/perf_event.h|#include <linux/perf_event.h>
drivers_header_in_include|include_room|include/v9trace/spe.h|is not one of its|#include "compat.h"
stdio_in_base|include_room|include/v9trace/base.h|stdio.h|#include <stdio.h>
stdlib_in_lib|lib_room|tools/lib/spe_pkt.c|stdlib.h|#include <stdlib.h>
model_in_lib|lib_room|tools/lib/spe_pkt.c|model|#include "../selftests/model/pe.h"
tools_in_drivers|drivers_room|drivers/compat.h|tools|#include "../tools/v9trace.h"
libc_in_drivers|drivers_room|drivers/compat.h|sys/mman.h|#include <sys/mman.h>
plan_in_model|model_room|selftests/model/pe.h|opinion|#include "v9trace/plan.h"
action_in_glue|model_room|selftests/model/qemu/glue.h|opinion|#include <v9trace/fault_action.h>
kernel_in_model|model_room|selftests/model/pe.h|linux/types.h|#include <linux/types.h>
qemu_in_model|model_room|selftests/model/pe.h|qemu/osdep.h|#include "qemu/osdep.h"
stdio_in_model|model_room|selftests/model/pe.h|stdio.h|#include <stdio.h>
action_in_tools|tools_room|tools/x.c|fault_action.h|#include "v9trace/fault_action.h"
model_in_tools|tools_room|tools/x.c|pe.h|#include "../selftests/model/pe.h"
encoder_in_tools|tools_room|tools/x.c|only decode|int x(void) { return v9_spe_pkt_encode(0, 0, 0, 0); }
capture_in_decoder|tools_layers|tools/lib/spe.c|session.h|#include "../capture/session.h"
elf_in_decoder|tools_layers|tools/lib/spe.c|libelf.h|#include <libelf.h>
report_in_capture|tools_layers|tools/capture/file.c|out.h|#include "../report/out.h"
decoder_in_collector|tools_layers|tools/collect/loop.c|lib/spe.h|#include "../lib/spe.h"
collector_in_report|tools_layers|tools/report/out.c|spec.h|#include "../collect/spec.h"
test_in_lib|nobody_includes_selftests|tools/lib/spe_pkt.c|tap.h|#include "tap.h"
second_world|one_world_header|tools/lib/spe_pkt.c|spe_pkt|#ifdef __KERNEL__\n#endif
version_in_driver|version_code|drivers/x.c|drivers/x.c|#if LINUX_VERSION_CODE < 5\n#endif
version_in_compat|version_code|drivers/compat.h|compat.h|#if LINUX_VERSION_CODE < 5\n#endif
kernels_mask|own_masks|drivers/x.c|gen/regs.h|int x = PMBSR_EL1_S_MASK;
reader_without_condition|conditions_of_readers|drivers/x.c|protects|int x = list_for_each_entry_rcu(a, b, c, true);
raw_pointer|addresses_in_log|drivers/x.c|address|int x = dev_err(d, "%px", p);
register_of_address|addresses_in_log|drivers/x.c|address|int x = dev_err(d, "TRBPTR_EL1 %#llx\\n", p);
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
unfinished|unfinished_words|tools/lib/spe_pkt.c|TODO|/* TODO */
END
cd "$top" || exit 1

echo "1..$n"
exit $failed

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# libv9ete and libv9spe as a program uses them: installed, found by pkg-config, linked statically
# and dynamically. They need only libc, and export exactly the functions of their headers. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
n=0
failed=0

check() {	# NAME STATUS WHY
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $n - $1"
	else
		failed=1
		echo "not ok $n - $1 # $3"
	fi
}

make -s -C tools/lib install PREFIX=/opt/v9 DESTDIR="$dir" >"$dir/log" 2>&1
check installs $? "$(tail -n 1 "$dir/log")"
libs=$dir/opt/v9/lib
export PKG_CONFIG_PATH="$libs/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$dir"

for lib in ete spe; do
	so=$libs/libv9$lib.so
	# Undefined symbols: only memory functions of libc, and what a compiler adds
	nm -D --undefined-only "$so" 2>/dev/null | awk '{ print $2 }' | sed 's/@.*//' |
		grep -vxE 'malloc|calloc|realloc|free|mem(cpy|move|set|cmp)|__errno_location|__stack_chk_fail|_ITM_.*|__gmon_start__|__cxa_finalize' >"$dir/wants"
	[ -e "$so" ] && [ ! -s "$dir/wants" ]
	check "${lib}_wants_nothing_but_memory" $? "$(head -n 1 "$dir/wants")"
	nm -D --defined-only "$so" 2>/dev/null | awk '$2 ~ /[BDbd]/ { print $3 }' \
		>"$dir/globals"
	# The names of reasons are arrays of pointers, which only the dynamic loader writes.
	grep -vxE 'v9_(ete|spe)_skip_why(@@.*)?|v9_flow_why(@@.*)?' "$dir/globals" >"$dir/writable"
	[ ! -s "$dir/writable" ]
	check "${lib}_has_no_globals" $? "$(head -n 1 "$dir/writable")"
	# Each function of the header is exported, and each exported function is in a header.
	nm -D --defined-only "$so" 2>/dev/null | awk '$2 == "T" { print $3 }' | sed 's/@.*//' |
		sort >"$dir/out"
	cat "$dir/opt/v9/include/v9$lib.h" "$dir/opt/v9/include/v9trace/$lib.h" |
		grep -oE "\bv9_(ete|spe|flow|insn)_[a-z_]+\(" | tr -d '(' | sort -u >"$dir/output"
	sed -n "s/.*\b\(v9_[a-z_]*\)(.*/\1/p" "$dir/opt/v9/include/v9$lib.h" | grep -v '_fn$' |
		grep -xE 'v9_(ete_dec|ete_account|spe_dec|spe_account|flow|insn)_[a-z]+' | sort -u |
		comm -23 - "$dir/out" >"$dir/missing"
	[ -s "$dir/out" ] && [ ! -s "$dir/missing" ]
	check "${lib}_exports_all_of_its_header" $? "not let out: $(head -n 1 "$dir/missing")"
	comm -23 "$dir/out" "$dir/output" >"$dir/undocumented"
	[ ! -s "$dir/undocumented" ]
	check "${lib}_exports_only_documented" $? "in no header: $(head -n 1 "$dir/undocumented")"
	echo "#include <v9$lib.h>" >"$dir/plain.c"
	echo 'int main(void) { return 0; }' >>"$dir/plain.c"
	${CC:-cc} -std=c11 -pedantic -Wall -Wextra -Werror $(pkg-config --cflags libv9$lib) -c \
		-o "$dir/plain.o" "$dir/plain.c" 2>"$dir/log"
	check "${lib}_header_is_plain_c" $? "$(grep -m1 error "$dir/log")"
done

example() {	# NAME LIB HOW FLAGS...
	name=$1 lib=$2 how=$3
	shift 3
	${CC:-cc} -Wall -Wextra -Werror -o "$dir/$name.$how" "tools/lib/examples/$name.c" \
		$(pkg-config --cflags libv9$lib) "$@" 2>"$dir/log"
	check "example_${name}_$how" $? "$(grep -m1 -i error "$dir/log")"
}
example ranges ete static "$libs/libv9ete.a"
example ranges ete shared $(pkg-config --libs libv9ete)
example latencies spe static "$libs/libv9spe.a"
example latencies spe shared $(pkg-config --libs libv9spe)

# A program of a branch to itself, and a trace of it: synchronization, info, trace on, address with
# context (64 bit, EL0, not secure), three atoms. A record of one operation with latency 300.
printf '\000\000\000\024' >"$dir/code"
printf '\000\000\000\000\000\000\000\000\000\000\000\200\001\000\004\205\000\010\000\000\000\000\000\000\060\377' >"$dir/trace"
printf '\260\064\022\000\000\000\000\000\200\230\054\001\001' >"$dir/spe"
want='1000-1004 1
1000-1004 1
1000-1004 1
3 instructions, 26 of 26 bytes accounted for'
for how in static shared; do
	got=$(LD_LIBRARY_PATH=$libs "$dir/ranges.$how" "$dir/trace" 1000 "$dir/code" | grep -v '^gap')
	[ "$got" = "$want" ]
	check "ranges_${how}_decodes" $? "$(echo "$got" | tail -n 1)"
	got=$(LD_LIBRARY_PATH=$libs "$dir/latencies.$how" "$dir/spe")
	[ "$got" = "1 records, 13 of 13 bytes accounted for
longest: 300 cycles at 1234" ]
	check "latencies_${how}_decodes" $? "$got"
done
for page in libv9ete libv9spe; do
	[ -e "$dir/opt/v9/share/man/man3/$page.3" ] && grep -q '^\.SH CAVEATS' "$dir/opt/v9/share/man/man3/$page.3"
	check "page_$page" $? "no page, or without caveats"
done
echo "1..$n"
exit $failed

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace mem --types: the types and fields that the accesses of a C program belong to. The program is
# compiled for arm64; the capture has addresses of its instructions and variables.
#	UPDATE=1 types.sh	writes the golden file instead
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
golden=$top/selftests/golden/types
. selftests/host/suite.inc
. selftests/host/golden.inc
own_directory
case $(uname -m) in aarch64) cross=; ;; *) cross=aarch64-linux-gnu- ;; esac
arm=${cross}gcc
if ! command -v "$arm" >/dev/null; then
	ok "types # SKIP no compiler for arm64"
	finish
fi
makers host/mktypes

cat >p.c <<'X'
struct pair { int lo, hi; };
struct node {
	long key;			/* 0 */
	struct pair pair;		/* 8, 12 */
	struct node *next;		/* 16 */
	char pad;			/* 24 */
	struct pair many[4];		/* 28 ... */
	long hits;			/* 64 */
};
typedef struct { int a; int b; } plain;
struct node table[8];
volatile int counter;
static plain both;
#define FN __attribute__((noinline, used))
FN long get_hits(const struct node *n) { return n->hits; }
FN void set_hi(struct node *n, int v) { n->pair.hi = v; }
FN int get_many(struct node *n) { return n->many[2].hi; }
FN int get_b(const plain *p) { return p->b; }
FN int get_int(const int *p) { return p[3]; }
FN long index_of(const long *p, long i) { return p[i]; }
FN long next_key(struct node *n) { return n->next->key; }
FN void on_stack(void) { volatile struct pair v; v.hi = 1; }
/* the variable is relative to the stack pointer, and where the frame pointer points is not known */
FN void by_frame(void) { volatile struct pair v; v.hi = 1; __asm__ volatile("str wzr, [x29, #12]"); }
FN long frame(struct node *n) { on_stack(); return n->hits; }
void _start(void) { both.a = counter; }
X
if ! "$arm" -O2 -g -ffreestanding -fno-pie -fno-stack-protector -static -nostdlib -no-pie -Wl,--build-id -o p p.c 2>err; then
	not_ok types_program "$(head -n 1 err)"
	finish
fi
at() { "${cross}nm" p | awk -v n="$1" '$3 == n { print $1 }'; }
plus() { printf %x $((0x$1 + $2)); }
# offset, address and size of the segment with code
set -- $("${cross}readelf" -lW p | awk '$1 == "LOAD" && /R E/ { print $2, $3, $6 }')
heap=5550000000
./mktypes types.data "$PWD/p" "${2#0x}" 10000 "${1#0x}" \
	0 0 "$(at get_hits)" $heap 500 \
	1 0 "$(at get_hits)" $heap 300 \
	0 1 "$(at set_hi)" $heap 10 \
	1 1 "$(at set_hi)" $heap 20 \
	0 0 "$(at get_many)" $heap 30 \
	0 0 "$(at get_b)" $heap 40 \
	0 0 "$(at get_int)" $heap 50 \
	0 0 "$(at index_of)" $heap 60 \
	0 0 "$(plus "$(at next_key)" 4)" $heap 70 \
	0 1 "$(plus "$(at on_stack)" 8)" 7ffff0000 80 \
	0 1 "$(at frame)" 7ffff0000 80 \
	0 1 "$(plus "$(at by_frame)" 12)" 7ffff0000 80 \
	0 0 ffff000000 "$(plus "$(at table)" $((72 * 3 + 16)))" 90 \
	0 0 ffff000000 "$(plus "$(at table)" $((72 * 7 + 40)))" 91 \
	0 0 ffff000000 "$(plus "$(at table)" 25)" 92 \
	0 1 ffff000000 "$(at counter)" 93 || { not_ok types_capture "mktypes failed"; finish; }

"$V9TRACE" mem --types --limit 0 --csv types.data 2>err | tr -d '\r' >out
# is NAME TABLE LINE: TABLE has the row LINE; its first column, the share, is not compared
is() {
	if sed -n "s/^$2,[0-9.]*,//p" out | grep -qx "$3"; then ok "$1"
	else not_ok "$1" "$(sed -n "s/^$2,[0-9.]*,//p" out | tr '\n' '|' | head -c 600; head -n 1 err)"; fi
}
# samples, loads, stores, latency, level 1 misses, writers, offset, field, type
is field_of_pointer fields "2,2,0,400.000,100.000,0,64,hits,struct node"
is field_two_cpus_write fields "2,0,2,15.000,0.000,2,12,pair.hi,struct node"
is field_of_array_in_struct fields "1,1,0,30.000,0.000,0,48,many.hi,struct node"
is field_of_typedef fields "1,1,0,40.000,0.000,0,4,b,plain"
is types_without_fields fields "2,1,1,71.500,0.000,1,0,,int"
is global_array fields "1,1,0,90.000,0.000,0,16,next,struct node"
is global_array_last fields "1,1,0,91.000,0.000,0,40,many.hi,struct node"
is global_padding fields "1,1,0,92.000,0.000,0,25,\[padding\],struct node"
is type_sum types "8,6,2,141.625,25.000,72,struct node"
is field_on_stack fields "1,0,1,80.000,0.000,1,4,hi,struct pair"
is unresolved_stack types "2,0,2,80.000,0.000,,\[not resolved: on the stack\]"
is unresolved_index types '1,1,0,60.000,0.000,,"\[not resolved: by an index register, or vectors\]"'
is unresolved_intermediate types "1,1,0,70.000,0.000,,\[not resolved: no variable is in the base register\]"
if grep -qx 'field_orders,struct node,"hits, next, \[padding\], many.hi, many.hi | pair.hi"' out; then ok order
else not_ok order "$(grep field_orders out)"; fi
# Each sample is in one row.
if [ "$(awk -F, '$1 == "types" { n += $3 } END { print n }' out)" = 16 ]; then ok all_samples
else not_ok all_samples "$(awk -F, '$1 == "types" { n += $3 } END { print n }' out) of 16"; fi
# The whole tables: shares are of 1686 cycles, types and fields in the order of their shares.
"$V9TRACE" mem --types --limit 0 --csv types.data 2>err | tr -d '\r' | grep -v '^lost,' >tables
COLUMNS=70 "$V9TRACE" mem --types --limit 2 types.data 2>>err | sed -n '/^Types/,$p' >>tables
golden_is tables.txt tables
cp p full
"${cross}strip" -g p
"$V9TRACE" mem --types --csv types.data 2>err | tr -d '\r' >out
is no_debug_information types "8,6,2,127.500,25.000,,\[not resolved: no debug information\]"
rm p
"$V9TRACE" mem --types --csv types.data 2>err | tr -d '\r' >out
is no_file types "16,10,6,105.375,12.500,,\[not resolved: the code is not known\]"
finish

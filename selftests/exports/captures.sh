#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# captures.sh DIR: makes the captures of the tests of exports in DIR, with programs and symbols: those of
# mkcapture.c, mktrace.c and mkbranches.c, below hostile/ the same with names that formats must escape, and
# those of two programs that are compiled here. The programs that make captures stay in DIR, too.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$1"
for p in mkcapture mktrace mkbranches mkcode; do
	${CC:-cc} -std=gnu11 -I"$top/include" -I"$top/drivers/lib" -o "$p" "$top/selftests/host/$p.c"
done
./mkcapture .
./mktrace .
./mkbranches .
mkdir -p hostile/opt
sed 's/compress\x00/a;b"<\n>'"'"'\x00/; s/match\x00/<\/s>\\\x00/' symfs/opt/work >hostile/opt/work
sed 's/vfs_read/<\/script>;"\\&vfs/; s/copy_page/\x01\x02<!--\x7f]]>/' kallsyms >hostile/kallsyms

# inlined: a program with inlined functions. inlined.data has SPE records of each instruction of sum(),
# inlined.lines what addr2line prints for their addresses.
cp "$top/selftests/host/inlined.h" .
cat >inlined.c <<'END'
#include "inlined.h"

__attribute__((noinline)) int sum(const int *v, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s = add(s, v[i]);
	return s;
}

int main(int argc, char **argv)
{
	(void)argv;
	return sum(&argc, 1);
}
END
arm=aarch64-linux-gnu-
command -v ${arm}gcc >/dev/null || arm=
${arm}gcc -g -O2 -static -Wl,--build-id=none -o symfs/opt/inlined inlined.c
${arm}objdump -d --disassemble=sum symfs/opt/inlined | awk '/^ *[0-9a-f]+:\t/ {
	sub(/:/, "", $1)
	for (i = 0; i <= n % 3; i++)
		print $1, 5, 1, 0, 2, 0, 0
	n++
}' >inlined.records
${arm}addr2line -a -i -f -e symfs/opt/inlined $(cut -d ' ' -f 1 inlined.records | uniq) >inlined.lines
./mkcode inlined.data /opt/inlined 0x400000 0x200000 <inlined.records

# auto: main() calls work(), whose loop calls leaf() and contains twice() inlined. list.data has 100 samples
# with one stack: three rounds of the loop, up to the third return of leaf(). steps.data is a trace: the C library
# calls main() 100 times, each time the loop has three rounds.
cat >auto.c <<'END'
volatile int total;

static inline int twice(int x)
{
	return x * x % 77;
}

__attribute__((noinline)) int leaf(int x)
{
	return x * 3 + total;
}

__attribute__((noinline)) int work(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++) {
		s += leaf(i);
		s += twice(i);
	}
	return s;
}

int main(int argc, char **argv)
{
	(void)argv;
	return work(argc);
}
END
${arm}gcc -g -O2 -static -Wl,--build-id=none,--emit-relocs -o symfs/opt/auto auto.c
${arm}objdump -d symfs/opt/auto | awk '
	/^[0-9a-f]+ <.*>:/ { function_ = $2; start[$2] = $1; next }
	!/^ +[0-9a-f]+:\t/ { next }
	{ at = $1; sub(/:/, "", at) }
	function_ == "<__libc_start_call_main>:" && /\tbl\t.*<exit>/ && jump { caller = jump; goes_on = at }
	{ jump = /\tblr\t/ ? at : "" }
	function_ !~ /^<(main|work|leaf)>:/ { next }
	call && !after { after = at }
	function_ == "<main>:" && /\tbl?\t.*<work>/ { from = at }
	function_ == "<work>:" && !call && $3 ~ /^(b\.|cbn?z|tbn?z)/ { before++ }
	function_ == "<work>:" && /\tbl\t.*<leaf>/ { call = at }
	function_ == "<work>:" && call && !back && $3 ~ /^b\./ { back = at; head = $4 }
	function_ == "<leaf>:" && /\tret/ { ret = at }
	END {
		print from, start["<work>:"]
		print "S", caller >"auto.steps"
		print "I", start["<main>:"] >"auto.steps"
		print "E" >"auto.steps"
		while (before--)
			print "N" >"auto.steps"
		for (i = 0; i < 3; i++) {
			print call, start["<leaf>:"]
			print ret, after
			if (i < 2)
				print back, head
			print "E" >"auto.steps"
			print "I", after >"auto.steps"
			print i < 2 ? "E" : "N" >"auto.steps"
		}
		print "I", goes_on >"auto.steps"
		print "X", goes_on >"auto.steps"
	}' >auto.list
./mkbranches . /opt/auto 100 <auto.list
./mktrace . /opt/auto 100 <auto.steps
# auto.records has the address of each instruction that these calls execute, auto.lines what addr2line prints.
${arm}objdump -d symfs/opt/auto | awk '
	FILENAME == "-" {
		if (!/^ +[0-9a-f]+:\t/)
			next
		at = $1
		sub(/:/, "", at)
		after[last] = at
		last = at
		if ($3 ~ /^(b|bl|br|blr|ret|b\..*|cbn?z|tbn?z)$/)
			to[at] = match($0, /[0-9a-f]+ </) ? substr($0, RSTART, RLENGTH - 2) : "indirect"
		next
	}
	{ sub(/^0+/, "", $2) }
	$1 == "S" { pc = $2; next }
	{
		while (pc && pc != $2 && !($1 != "X" && pc in to)) {
			print pc
			pc = after[pc]
		}
		if ($1 == "X")
			next
		print pc
		pc = $1 == "E" ? to[pc] : $1 == "N" ? after[pc] : $2
	}' - auto.steps >auto.round
for i in 1 2 3 4 5 6 7 8 9 10; do cat auto.round; done >auto.ten
for i in 1 2 3 4 5 6 7 8 9 10; do cat auto.ten; done >auto.records
${arm}addr2line -a -i -f -e symfs/opt/auto $(sort -u auto.round) >auto.lines

# calls: a program whose functions are called from several places, in a recursion, and at the end of others.
# steps.data below calls/ is a walk through it, 10 times; calls.want its counts.
cat >calls.c <<'END'
#ifdef __clang__
#define APART
#else
#define APART __attribute__((noipa))
#endif

volatile int total;

static inline int twice(int x)
{
	return x * x % 77;
}

APART int leaf(int x)
{
	return x * 3 + total;
}

static inline int pair(int x)
{
	int first = leaf(x);

	return first + leaf(x + 1);
}

APART int on_odd(int x)
{
	return pair(x) + total;
}

APART int on_even(int x)
{
	total++;
	return leaf(x);
}

APART int again(int n)
{
	int first;

	if (n < total)
		return leaf(n);
	first = again(n - 1);
	total++;
	return first + again(n - 2) * total;
}

APART int pong(int n);

APART int ping(int n)
{
	return n < total ? n : pong(n - 1) + total;
}

APART int pong(int n)
{
	total++;
	return ping(n - 1);
}

APART int work(int step(int), int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		sum += step(i);
		sum += twice(i);
		sum += pair(i);
	}
	return sum;
}

/* The next two have no return and go on in what follows: after a branch, and after another instruction. */
APART int around(int x)
{
	__asm__ volatile("1: cbnz %w0, 1b" : : "r" (x));
	__builtin_unreachable();
}

APART int into(int x)
{
	if (x < total)
		total++;
	__asm__ volatile("nop");
	__builtin_unreachable();
}

APART int lost(int x)
{
	return leaf(x) + again(x);
}

int main(int argc, char **argv)
{
	int s = work(argc > 1 ? on_odd : on_even, argc);

	(void)argv;
	s += leaf(s);
	s += again(s);
	s += ping(s);
	s += around(s);
	return s;
}
END
mkdir calls
${arm}gcc -g -O2 -static -falign-functions=4 -Wl,--build-id=none -o symfs/opt/calls calls.c
python3 -B "$top/selftests/exports/contexts.py" walk "$arm" symfs/opt/calls calls.c calls.steps calls.want
./mktrace calls /opt/calls 10 <calls.steps

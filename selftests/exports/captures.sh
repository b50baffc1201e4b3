#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# captures.sh DIR: makes the captures of the tests of exports there, with their programs and symbols: those
# of mkcapture.c, mktrace.c and mkbranches.c, and the same programs with names that formats have to escape.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$1"
for p in mkcapture mktrace mkbranches; do
	${CC:-cc} -std=gnu11 -I"$top/include" -I"$top/drivers/lib" -o make "$top/selftests/host/$p.c"
	./make .
done
mkdir -p hostile/opt
sed 's/compress\x00/a;b"<\n>'"'"'\x00/; s/match\x00/<\/s>\\\x00/' symfs/opt/work >hostile/opt/work
sed 's/vfs_read/<\/script>;"\\&vfs/; s/copy_page/\x01\x02<!--\x7f]]>/' kallsyms >hostile/kallsyms

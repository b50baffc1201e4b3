#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Writes everything that is derived from include/v9trace/tables/.
#   gen.sh           write
#   gen.sh --check   write nothing; fail and show the difference if something is stale
#   gen.sh --registers   print a page of all registers (rst) instead
# AWK chooses the interpreter.

set -eu
cd "$(dirname "$0")/../.."

awk=${AWK:-awk}
tables=include/v9trace/tables
gen=include/v9trace/gen
check=
case ${1-} in
--check) check=1 ;;
--registers) LC_ALL=C exec $awk -f tools/gen/sysreg.awk -f tools/gen/regs_rst.awk $tables/sysreg ;;
'') ;;
*) echo "usage: gen.sh [--check | --registers]" >&2; exit 2 ;;
esac

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
status=0

# derive OUTPUT TABLE SCRIPT...
derive()
{
	out=$1 table=$2
	shift 2
	set -- $(printf -- '-f tools/gen/%s ' "$@")
	LC_ALL=C $awk "$@" "$table" >"$tmp/out" || exit 1
	if [ -z "$check" ]; then
		mkdir -p "$(dirname "$out")"
		cmp -s "$tmp/out" "$out" || { cp "$tmp/out" "$out" && echo "wrote $out"; }
	elif ! diff -u "$out" "$tmp/out"; then
		echo "gen.sh: $out is not what its table says; run tools/gen/gen.sh" >&2
		status=1
	fi
}

derive $gen/regs.h $tables/sysreg sysreg.awk regs.awk
derive $gen/regs_desc.h $tables/sysreg sysreg.awk regs_desc.awk
derive $gen/spe_pkt.h $tables/spe.pkt pkt.awk spe_pkt.awk
derive $gen/spe_source.h $tables/spe.source pkt.awk spe_source.awk
derive $gen/ete_pkt.h $tables/ete.pkt pkt.awk ete_pkt.awk

exit $status

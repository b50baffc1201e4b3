#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Generates the headers from include/v9trace/tables/. Each build runs this first.
#	gen.sh [DIR]		writes them to DIR (include/v9trace/gen). An unchanged header keeps
#				its time stamp
#	gen.sh --registers	prints a page of all registers (rst) instead
# AWK selects the awk. Several builds may run this at the same time.

set -eu
cd "$(dirname "$0")/../.."

awk=${AWK:-awk}
tables=include/v9trace/tables
case ${1-} in
--registers) LC_ALL=C exec $awk -f tools/gen/sysreg.awk -f tools/gen/regs_rst.awk $tables/sysreg ;;
-*) echo "usage: gen.sh [DIR | --registers]" >&2; exit 2 ;;
esac
gen=${1:-include/v9trace/gen}
headers="regs.h regs_desc.h spe_pkt.h spe_source.h ete_pkt.h"

# True if all headers exist and no table or generator is newer than .stamp, which is as old as theirs.
current() {
	for header in .stamp $headers; do
		[ -e "$gen/$header" ] || return 1
	done
	[ -z "$(find $tables tools/gen -type f -newer "$gen/.stamp")" ]
}
! current || exit 0

mkdir -p "$gen"
tmp=$(mktemp -d "$gen/.tmp.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
: >"$tmp/.stamp"

# derive HEADER TABLE SCRIPT...
derive()
{
	header=$1 table=$2
	shift 2
	set -- $(printf -- '-f tools/gen/%s ' "$@")
	LC_ALL=C $awk "$@" "$table" >"$tmp/$header"
	cmp -s "$tmp/$header" "$gen/$header" || mv "$tmp/$header" "$gen/$header"
}

derive regs.h $tables/sysreg sysreg.awk regs.awk
derive regs_desc.h $tables/sysreg sysreg.awk regs_desc.awk
derive spe_pkt.h $tables/spe.pkt pkt.awk spe_pkt.awk
derive spe_source.h $tables/spe.source pkt.awk spe_source.awk
derive ete_pkt.h $tables/ete.pkt pkt.awk ete_pkt.awk
mv "$tmp/.stamp" "$gen/.stamp"

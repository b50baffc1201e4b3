#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Debian as it is before anything is installed to build with: the essential packages and make.
#
#   clean.sh SUITE [PACKAGE...] path         print where a tree with these packages, too, is
#   clean.sh SUITE [PACKAGE...] run -- CMD   run CMD in it, as root.sh does
# V9_HOST=arm64 makes it one for arm64.

. "$(dirname "$0")/lib.sh"

[ $# -ge 2 ] || die "usage: clean.sh SUITE [PACKAGE...] path | run -- COMMAND..."
AREA=$1
shift
PACKAGES="$BASE_TOOLS mawk make"
while [ "${1:-run}" != run ] && [ "$1" != path ]; do
	PACKAGES="$PACKAGES $1"
	shift
done
ROOT=$CACHE/clean-$AREA-$(hash_text "$PACKAGES" "$(declare -f finish_root)")
used "$ROOT"
if [ ! -e "$ROOT/.v9trace-packages" ]; then
	need_space "$CACHE" 1500
	apt_refresh "$AREA"
	lock "${ROOT##*/}"
	# shellcheck disable=SC2086
	[ -e "$ROOT/.v9trace-packages" ] ||
		step "Debian $AREA for $HOST with $(echo "$PACKAGES" | wc -w) packages" root_tree "$AREA" "$ROOT" $PACKAGES
	unlock
fi
case ${1:-} in
path)	echo "$ROOT" ;;
run)	shift 2; enter_root "$ROOT" "$@" ;;
esac

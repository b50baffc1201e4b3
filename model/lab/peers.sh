#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The decoders we are measured against, as Debian ships them: a tree with a compiler and
# OpenCSD's library, made once. perf is that of kernel.sh.
#
#   peers.sh                 make it if it is missing
#   peers.sh run -- CMD...   run CMD in it, as root.sh does
#   peers.sh versions        what is measured against
#   peers.sh cached          nothing if it is here, else fail; no network

. "$(dirname "$0")/lib.sh"

PACKAGES="$BASE_TOOLS gcc libc6-dev libopencsd-dev"
ROOT=$CACHE/peers-$(hash_text "$PACKAGES" "$(declare -f finish_root)")

make_root() {
	root_tree trixie "$ROOT" $PACKAGES
	: >"$ROOT/.v9trace-root"
}

ensure() {
	used "$ROOT"
	[ -e "$ROOT/.v9trace-root" ] && return
	need flock util-linux
	lock "${ROOT##*/}"
	if [ ! -e "$ROOT/.v9trace-root" ]; then
		need_unshare
		need_space "$CACHE" 1500
		apt_refresh trixie
		step "peers: OpenCSD and a compiler" make_root
	fi
	unlock
}

case ${1:-} in
'')	ensure; say "peers: $ROOT" ;;
cached)	[ -e "$ROOT/.v9trace-root" ] ;;
versions)
	ensure
	sed -n "s/^libopencsd1_\(.*\)_amd64.*/OpenCSD \1/p" "$ROOT/.v9trace-packages" | sed "s/%3a/:/"
	;;
run)
	shift
	[ "${1:-}" = -- ] && shift
	[ $# -gt 0 ] || die "usage: peers.sh run -- COMMAND..."
	ensure
	enter_root "$ROOT" "$@"
	;;
*)	die "usage: peers.sh [versions | cached | run -- COMMAND...]" ;;
esac

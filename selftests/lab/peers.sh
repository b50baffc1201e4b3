#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Trees of Debian's packages beside the build root, each made once:
#   peers    the decoders we are measured against: OpenCSD's library (perf is that of kernel.sh)
#   clang    clang with libFuzzer
#   bolt     LLVM's BOLT, with the perf of the same suite
#   cxx      a C++ compiler for arm64
#   arm32    a compiler for 32-bit programs
#   docs     Sphinx
#   browser  Chromium without a window, and what steers it
#   reuse    the linter of licence lines
#   browser  Chromium without a window, and what steers it
#   acpi     UEFI firmware for the guest, and the ACPI compiler
#   deb      what Debian packages are built and checked with, rpmbuild
#   exports  what reads exported files: pprof, protoc, sqlite3
#   llvm     clang and LLVM's tools for profiles, BOLT, a compiler for arm64
#   cluster  Slurm, GNU parallel
#   systemd  what checks units of systemd
#   node     Node.js and npm, for readers of exports that come as npm packages
#
#   peers.sh [-t TREE]                 make it if it is missing; TREE is peers by default
#   peers.sh [-t TREE] run -- CMD...   run CMD in it, as root.sh does
#   peers.sh versions                  what is measured against
#   peers.sh [-t TREE] path            print where it is
#   peers.sh [-t TREE] cached          nothing if it is here, else fail; no network

. "$(dirname "$0")/lib.sh"

TREE=peers
AREA=trixie
if [ "${1:-}" = -t ]; then
	TREE=${2:-}
	shift 2
fi
case $TREE in
peers)	PACKAGES="$BASE_TOOLS gcc libc6-dev libopencsd-dev" ;;
clang)	PACKAGES="$BASE_TOOLS clang libclang-rt-dev llvm binutils libc6-dev libelf-dev libdw-dev libiberty-dev libzstd-dev
		zlib1g-dev" ;;
cxx)	PACKAGES="$BASE_TOOLS g++-aarch64-linux-gnu libc6-dev-arm64-cross" ;;
arm32)	PACKAGES="$BASE_TOOLS gcc-arm-linux-gnueabihf libc6-dev-armhf-cross" ;;
docs)	PACKAGES="$BASE_TOOLS python3-sphinx" ;;
reuse)	PACKAGES="$BASE_TOOLS reuse" ;;
browser) PACKAGES="$BASE_TOOLS chromium chromium-driver python3-selenium fonts-dejavu-core fonts-inter
		iproute2 fontconfig" ;;
acpi)	PACKAGES="$BASE_TOOLS qemu-efi-aarch64 acpica-tools" ;;
# dpkg-checkbuilddeps and dpkg-shlibdeps read dpkg's database.
deb)	DPKG_STATE=installed
	PACKAGES="libc6-dev libtraceevent-dev libelf-dev libdw-dev libiberty-dev libjson-c-dev libzstd-dev zlib1g-dev
		libsqlite3-dev libncurses-dev"
	[ "$HOST" = arm64 ] || PACKAGES="$PACKAGES $(printf '%s:arm64 ' $PACKAGES) gcc-aarch64-linux-gnu"
	PACKAGES="$PACKAGES $BASE_TOOLS mawk perl build-essential debhelper dh-dkms linux-source lintian
		bash-completion zsh rpm kmod cpio e2fsprogs apt apt-utils piuparts mmdebstrap autopkgtest
		debian-archive-keyring" ;;
exports) PACKAGES="$BASE_TOOLS python3 golang-1.24-go golang-github-google-pprof-dev protobuf-compiler sqlite3" ;;
llvm)	PACKAGES="$BASE_TOOLS llvm-22 clang-22 bolt-22 binutils-aarch64-linux-gnu gcc-aarch64-linux-gnu
		libc6-dev-arm64-cross python3" AREA=sid ;;
cluster) PACKAGES="$BASE_TOOLS slurmctld slurmd slurm-client munge parallel python3 procps iproute2 hostname" ;;
systemd) PACKAGES="$BASE_TOOLS systemd" ;;
node)	PACKAGES="$BASE_TOOLS ca-certificates nodejs npm" ;;
bolt)	PACKAGES="$BASE_TOOLS linux-perf bolt-22 binutils-aarch64-linux-gnu" AREA=sid ;;
*)	die "no such tree: '$TREE' (peers, clang, bolt, cxx, arm32, docs, reuse, browser, acpi, deb, exports, llvm, cluster, systemd, node)." ;;
esac
ROOT=$CACHE/$TREE-$(hash_text "$PACKAGES" "$(declare -f finish_root)" ${DPKG_STATE:+"$(declare -f dpkg_database)"})

make_root() {
	root_tree $AREA "$ROOT" $PACKAGES
	if [ -n "${DPKG_STATE:-}" ]; then
		printf '%s\n' $ARCHITECTURES >"$ROOT/var/lib/dpkg/arch"
		ln -sf debian "$ROOT/etc/dpkg/origins/default"
	fi
	# The driver of the browser and Slurm listen on localhost.
	case $TREE in browser | cluster) echo 127.0.0.1 localhost >"$ROOT/etc/hosts" ;; esac
	# Debian's alternatives. The daemons look at the name they are called by.
	[ $TREE != cluster ] || for p in slurmctld slurmd slurmstepd; do
		ln -s $p-wlm "$ROOT/usr/sbin/$p"
	done
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
		apt_refresh $AREA
		step "tree of packages: $TREE" make_root
	fi
	unlock
}

case ${1:-} in
'')	ensure; info "$TREE: $ROOT" ;;
path)	ensure; echo "$ROOT" ;;
cached)	[ -e "$ROOT/.v9trace-root" ] ;;
versions)
	ensure
	sed -n "s/^libopencsd1_\(.*\)_${HOST}.*/OpenCSD \1/p" "$ROOT/.v9trace-packages" | sed "s/%3a/:/"
	;;
run)
	shift
	[ "${1:-}" = -- ] && shift
	[ $# -gt 0 ] || die "usage: peers.sh [-t TREE] run -- COMMAND..."
	ensure
	enter_root "$ROOT" "$@"
	;;
*)	die "usage: peers.sh [-t TREE] [versions | path | cached | run -- COMMAND...]" ;;
esac

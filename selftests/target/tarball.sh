#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kselftests as kselftest's gen_tar makes them, with v9trace and our drivers' sources, for any
# arm64 machine: tarball.sh [KERNEL] prints the archive's name. run_kselftest.sh and its runner are
# those of KERNEL (6.12): both collections are linked into its tools/testing/selftests.
set -eu
cd "$(dirname "$0")/../.."
kernel=${1:-6.12}
case $kernel in
7 | 7-*) kernel=7 ;;
*) kernel=6.12 ;;
esac
source=$(selftests/lab/source.sh $kernel)
out=$PWD/build/kselftest/$kernel
mkdir -p "$out"
exec 9>"$out/lock"
flock 9

# Kselftest's own files, and the links
linux=$out/linux/tools/testing/selftests
if [ ! -e "$linux/v9trace-disruptive" ] || [ "$(cat "$out/source" 2>/dev/null)" != "$source" ]; then
	rm -rf "$out/linux" "$out/kselftest"
	mkdir -p "$linux" "$out/linux/scripts"
	cp -r "$source/tools/testing/selftests/." "$linux"
	cp "$source/scripts/subarch.include" "$out/linux/scripts"
	ln -s "$PWD/selftests/target" "$linux/v9trace"
	ln -s "$PWD/selftests/disruptive" "$linux/v9trace-disruptive"
	echo "$source" >"$out/source"
fi

# kselftest TARGET: make it, with output below $out
kselftest() {
	selftests/lab/root.sh run -- nice make -s -j"$(nproc)" -C "$linux" O="$out" CROSS_COMPILE=aarch64-linux-gnu- \
		FORCE_TARGETS=1 TARGETS="v9trace v9trace-disruptive" "$@" >"$out/log" 2>&1 || {
		tail -n 25 "$out/log" >&2
		exit 1
	}
}
kselftest all
[ -x build/tools/arm64/v9trace ] || selftests/lab/lab.sh tools
tar=$out/v9trace-kselftest-arm64.tar.gz
sources="Kbuild drivers include LICENSES selftests/target selftests/disruptive"
# shellcheck disable=SC2086
if [ ! -e "$tar" ] ||
   [ -n "$(find "$out/kselftest/v9trace" "$out/kselftest/v9trace-disruptive" $sources \
		build/tools/arm64/v9trace -type f -newer "$tar" ! -name '*.o' ! -name '*.d' | head -n 1)" ]; then
	rm -rf "$out/install"
	mkdir -p "$out/install/bin" "$out/install/modules"
	cp build/tools/arm64/v9trace "$out/install/bin"
	ln -s v9trace/README "$out/install/README"
	cp -r Kbuild drivers include LICENSES "$out/install/modules"
	cp -r selftests/target/module "$out/install/modules/selftest"
	rm -rf "$out/install/modules/include/v9trace/tables"
	kselftest KSFT_INSTALL_PATH="$out/install" gen_tar
	mv "$out/install/kselftest-packages/kselftest.tar.gz" "$tar"
fi
echo "$tar"

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kselftests, v9trace and our drivers' sources as one archive for any arm64 machine.
set -eu
cd "$(dirname "$0")/../.."
version=$(git describe --always 2>/dev/null || date +%Y%m%d)
name=v9trace-selftests-arm64-$version
out=build/$name

kselftest=$(selftests/lab/source.sh)/tools/testing/selftests
selftests/lab/root.sh run -- make -s -C selftests/target KSELFTEST="$kselftest"
programs=$(selftests/lab/root.sh run -- make -s -C selftests/target KSELFTEST="$kselftest" list)
[ -x build/tools/arm64/v9trace ] || selftests/lab/lab.sh tools

rm -rf "$out"
mkdir -p "$out/modules"
for program in $programs; do cp "build/selftests/target/$program" "$out"; done
[ ! -x build/tools/arm64/v9trace ] || cp build/tools/arm64/v9trace "$out"
cp -r Kbuild drivers include LICENSES "$out/modules"
cp -r selftests/target/module "$out/modules/selftest"
rm -rf "$out/modules/include/v9trace/tables"
find "$out" -name '*.o' -o -name '.*.cmd' | xargs -r rm -f
tar -C build --sort=name --owner=0 --group=0 -cJf "$out.tar.xz" "$name"
rm -rf "$out"
echo "$out.tar.xz"

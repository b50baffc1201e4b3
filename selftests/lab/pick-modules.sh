# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Runs in the build root: pick-modules.sh FROM TO RELEASE MODULE...
# Takes the named modules and what they need out of a kernel's tree, decompressed, with depmod's
# files for them. What is built into the kernel, or not there at all, is passed over.
set -eu
from=$1 to=$2 release=$3
shift 3
dest=$to/usr/lib/modules/$release
mkdir -p "$dest/kernel"
ln -s usr/lib "$to/lib"
depmod -b "$from" "$release"
for m; do
	modprobe -d "$from" -S "$release" --show-depends "$m" 2>/dev/null || echo "not a module here: $m" >&2
done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | sort -u | while read -r file; do
	out=$dest/kernel/$(basename "$file")
	case $file in
	*.xz)	xz -dc "$file" >"${out%.xz}" ;;
	*.zst)	zstd -qdc "$file" >"${out%.zst}" ;;
	*)	cp "$file" "$out" ;;
	esac
done
cp "$from/lib/modules/$release"/modules.builtin* "$from/lib/modules/$release/modules.order" "$dest/"
depmod -b "$to" "$release"
rm "$to/lib"
ls "$dest/kernel"
# For the guest's initrd. No entry but directories and files below usr: what the base has as a
# link would be lost.
cd "$to"
find usr | cpio --quiet -o -H newc >"../modules.cpio"

# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Runs in the build root: pick-modules.sh FROM TO RELEASE MODULE...
# Copies the modules and their dependencies from a kernel's tree, decompressed, with depmod's files
# for them. Modules that are built in or do not exist are skipped.
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
# For the guest's initrd: only directories and files below usr. An entry that is a link in the base
# would replace it.
cd "$to"
find usr | cpio --quiet -o -H newc >"../modules.cpio"

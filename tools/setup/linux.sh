#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The kernel's source, which has libperf. Looked for in this order: LINUX (a tree or an archive), what
# a distribution's package has installed (linux-source of Debian and Ubuntu), in the build root of the
# tests the one that they use; else the file that linux.fetch names, fetched and checked.
#   linux.sh where    prints "tree DIR", "archive FILE", "fetch FILE", or "none"
#   linux.sh get      prints the directory of a tree that has tools/lib/perf; an archive is unpacked
#                     to build/linux, what is fetched is kept in the cache
# FETCH=no forbids to fetch, FETCH=yes permits it on Debian and Ubuntu, too, which have the package.
set -u
cd "$(dirname "$0")" || exit 2
top=$(cd ../.. && pwd)
cache=${V9_CACHE:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/v9trace}
src=${USR_SRC:-/usr/src}
{ read -r file; read -r sum; places=$(cat); } <<END
$(grep -v '^#' linux.fetch)
END

say() { printf 'v9trace: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
is_tree() { [ -e "$1/tools/lib/perf/evlist.c" ]; }
debian_like() { grep -qE '^ID(_LIKE)?=.*(debian|ubuntu)' "${OS_RELEASE:-/etc/os-release}" 2>/dev/null; }

where() {
	if [ -n "${LINUX:-}" ]; then
		if is_tree "$LINUX"; then echo "tree $LINUX"
		elif [ -f "$LINUX" ]; then echo "archive $LINUX"
		else die "LINUX=$LINUX has no kernel source with libperf (tools/lib/perf). Nothing was built."
		fi
		return
	fi
	for d in $(ls -d "$src"/linux*/ 2>/dev/null | sort -rV); do
		is_tree "$d" || continue
		echo "tree ${d%/}"
		return
	done
	a=$(ls -d "$src"/linux-source-*.tar.* "$src"/linux-source-*/linux-source-*.tar.* 2>/dev/null |
		sort -rV | head -n 1)
	if [ -n "$a" ]; then
		echo "archive $a"
		return
	fi
	if [ -e /.v9trace-root ]; then
		d=$(ls -d "$cache"/linux-source-6.12* 2>/dev/null | sort -V | tail -n 1)
		is_tree "$d" || die "selftests/lab/source.sh has not been run outside of the build root."
		echo "tree $d"
		return
	fi
	case ${FETCH:-} in
	no)	echo none ;;
	yes)	echo "fetch $file" ;;
	*)	if debian_like; then echo none; else echo "fetch $file"; fi ;;
	esac
}

checked() { echo "$sum  $1" | sha256sum -c --status - 2>/dev/null; }

fetch() {	# -> $archive
	archive=$cache/$file
	[ -e "$archive" ] && checked "$archive" && return
	mkdir -p "$cache" || die "$cache cannot be written to; V9_CACHE names another place."
	free=$(df -Pm "$cache" | awk 'NR == 2 { print $4 }')
	[ "${free:-0}" -ge 200 ] || die "$cache has $free MB free, 200 MB are needed to fetch $file."
	why=
	for url in $places; do
		say "fetching $file from $(echo "$url" | cut -d/ -f3) (150 MB)"
		if command -v curl >/dev/null 2>&1; then
			curl -fsSL --retry 2 --connect-timeout 20 -o "$archive.tmp" "$url" 2>/dev/null
		else
			wget -q -T 20 -t 3 -O "$archive.tmp" "$url" 2>/dev/null
		fi || { rm -f "$archive.tmp"; continue; }
		if checked "$archive.tmp"; then
			mv "$archive.tmp" "$archive"
			return
		fi
		rm -f "$archive.tmp"
		why="came, but is another file: its sum is not that of setup/linux.fetch"
	done
	die "$file ${why:-could not be fetched}. LINUX=DIR names a kernel's source. Nothing was built."
}

unpack() {	# ARCHIVE -> $dir
	# The sum of a distribution's archive is its package's business; that this is still the same
	# one is seen by its name, size and time.
	dir=$top/build/linux/$(basename "${1%.tar.*}")-$(stat -c '%s %Y' "$1" | cksum | cut -d' ' -f1)
	is_tree "$dir" && return
	say "unpacking libperf from $1"
	tmp=$dir.tmp.$$
	trap 'rm -rf "$tmp"' EXIT
	mkdir -p "$tmp" || die "$top/build cannot be written to."
	log=$(tar -x --no-same-owner --strip-components=1 -C "$tmp" -f "$1" --wildcards \
		--no-wildcards-match-slash '*/tools/lib' '*/tools/build' '*/tools/scripts' \
		'*/tools/include' '*/tools/arch' '*/Makefile' 2>&1 >/dev/null)
	is_tree "$tmp" ||
		die "$1 has no libperf, or is damaged: $(printf '%s' "$log" | tail -n 1). Nothing was built."
	# Another build may have made it meanwhile.
	mv -T "$tmp" "$dir" 2>/dev/null || is_tree "$dir" || die "$dir cannot be made."
}

case ${1:-} in
where)	where ;;
get)
	set -- $(where)
	case ${1:-} in
	tree)	dir=$(cd "$2" && pwd) ;;
	archive) unpack "$2" ;;
	fetch)	fetch; unpack "$archive" ;;
	none)	die "no kernel source with libperf: install linux-source, or LINUX=DIR; FETCH=yes fetches it. Nothing was built." ;;
	*)	exit 1 ;;
	esac
	echo "$dir"
	;;
*)	echo "usage: linux.sh where|get" >&2; exit 2 ;;
esac

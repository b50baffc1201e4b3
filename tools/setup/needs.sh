#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Is all there that v9trace is built with? Else one message says what is missing and which command
# installs it, and the exit status is 1. Nothing is written.
#   CC CFLAGS LDFLAGS   as make has them
#   STATIC=1            static libraries are needed
#   CROSS=arm64         built for that architecture, which is not this machine's
#   OUT=DIR             where it is going to be built
#   OS_RELEASE=FILE     in place of /etc/os-release
set -u
cd "$(dirname "$0")" || exit 2
CC=${CC:-cc}

say() { printf 'v9trace: %s\n' "$*" >&2; }

# Without a compiler headers are looked for where it would.
compiler=
# shellcheck disable=SC2086
command -v ${CC%% *} >/dev/null 2>&1 && compiler=1
# shellcheck disable=SC2086
has_headers() {
	if [ -n "$compiler" ]; then
		printf '#if !__has_include(<%s>)\n#error\n#endif\n' $1 |
			$CC ${CFLAGS:-} -E -x c - >/dev/null 2>&1
	else
		[ -n "$(find /usr/include /usr/local/include -path "*/$1" 2>/dev/null | head -n 1)" ]
	fi
}
# An empty program that names the libraries. The C library's own start is not wanted: it may be missing. Nor are
# sanitizers, which need it.
# shellcheck disable=SC2086
has_libraries() {
	[ -n "$compiler" ] || return 0
	: | $CC ${CFLAGS:-} ${LDFLAGS:-} ${STATIC:+-static} -fno-sanitize=all -nostdlib -w -o "$tmp/empty" -x c - -x none \
		$(printf ' -l%s' $1) >/dev/null 2>&1
}

tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
what= debian= fedora=
missing() {	# WHAT DEBIAN FEDORA
	what="$what${what:+, }$1"
	[ "$2" = - ] || debian="$debian $2"
	[ "$3" = - ] || fedora="$fedora $3"
}
rows() { grep -E "^(library${STATIC:+|static}) " needs; }
# Each by itself only if one is missing.
if [ -z "$compiler" ] || ! has_headers "$(rows | awk '{ print $2 }')" ||
   ! has_libraries "$(rows | awk '{ print $3 }')"; then
	while read -r kind name library deb rpm; do
		case $kind in
		''|'#'*) continue ;;
		esac
		[ "$kind" != static ] || [ -n "${STATIC:-}" ] || continue
		[ -z "${STATIC:-}" ] || [ "$library" != c ] || rpm=glibc-static
		if [ "$kind" = command ]; then
			[ -n "$compiler" ] && continue
			case ${CROSS:-} in
			'')	missing "a C compiler ($CC)" "$deb" "$rpm" ;;
			arm64)	missing "a C compiler for arm64 ($CC)" gcc-aarch64-linux-gnu gcc-aarch64-linux-gnu ;;
			*)	missing "a C compiler for $CROSS ($CC)" gcc-x86-64-linux-gnu gcc-x86_64-linux-gnu ;;
			esac
		elif ! has_headers "$name" || ! has_libraries "$library"; then
			missing "$([ "$library" = c ] && echo "the C library's headers" || echo "lib$library")" \
				"$deb${CROSS:+:$CROSS}" "$rpm"
		fi
	done <needs
fi

# libperf comes with the kernel's source; it is compressed.
set -- $(./linux.sh where)
case ${1:-} in
tree)	;;
archive | fetch)
	case ${2:-} in
	*.bz2)	command -v bzip2 >/dev/null 2>&1 || missing bzip2 bzip2 bzip2 ;;
	*.gz)	;;
	*.zst)	command -v zstd >/dev/null 2>&1 || missing zstd zstd zstd ;;
	*)	command -v xz >/dev/null 2>&1 || missing xz xz-utils xz ;;
	esac
	[ "$1" = archive ] || command -v curl >/dev/null 2>&1 || command -v wget >/dev/null 2>&1 ||
		missing "curl or wget" curl curl
	;;
none)	missing "the kernel's source, for libperf" linux-source - ;;
*)	exit 1 ;;
esac

if [ -n "$what" ]; then
	say "missing here: $what. Nothing was built."
	release=${OS_RELEASE:-/etc/os-release}
	family=$(sed -n 's/^ID\(_LIKE\)\{0,1\}=//p' "$release" 2>/dev/null | tr -d '"' | tr '\n' ' ')
	case " $family " in
	*" debian "* | *" ubuntu "*) rpms= ;;
	*" fedora "* | *" rhel "*) rpms=1 debian= ;;
	*)	rpms=1 ;;
	esac
	{
		[ -z "$debian" ] || printf '    apt install%s\n' "$debian"
		[ -z "$rpms$debian" ] || [ -z "$rpms" ] || [ -z "$fedora" ] || printf '    dnf install%s\n' "$fedora"
	} >&2
	[ "${1:-}" != none ] || [ -z "$rpms" ] ||
		say "libperf: make FETCH=yes fetches it, LINUX=DIR names a kernel's source."
	exit 1
fi

# The least that a build takes. What does not exist yet is made there.
dir=${OUT:-..}
while [ ! -d "$dir" ]; do dir=$(dirname "$dir"); done
[ -w "$dir" ] || { say "$dir cannot be written to. Nothing was built."; exit 1; }
free=$(df -Pm "$dir" | awk 'NR == 2 { print $4 }')
if [ "${free:-0}" -lt 60 ]; then
	say "$dir has $free MB free, 60 MB are needed. Nothing was built."
	exit 1
fi

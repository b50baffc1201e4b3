#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Boot the guest, run a shell script in it as root, bring back what it left in /out.
#
#   run.sh [OPTIONS] -- 'SCRIPT' [ARGUMENTS of the script]
#   -o DIR          results and console.log here (default: a directory that goes away on success)
#   -t SECONDS      time-out (300)
#   -q PROPS        more -cpu properties, "v9-spe=on,v9-log=FILE"
#   -m OPTS         more -machine options, "virtualization=off"
#   -s N            CPUs (2)
#   -r MEM          memory (2G)
#   -a ARGS         more kernel arguments
#   -x ARGS         more QEMU arguments
#   -p FILE         what is in the second flash, at 0x4000000: 64 MiB
#   -f FILE:PLACE   a file or directory to have in the guest (again for more)
#   -A TABLES       UEFI and ACPI in place of the device tree. TABLES are words of mkacpi.c, as
#                   "spe=21,0 pptt=two"; "-" for those of QEMU alone, which have no unit
#   -S              stock QEMU
#   -i              no script: an interactive shell on the console
# The guest's shell is busybox, which takes its own applets before anything in PATH: what must be
# the real thing (xz, modprobe of kmod) is called by its path, /usr/bin/xz, /usr/sbin/modprobe.
# KERNEL=6.1|6.12|7 chooses the kernel. CHARACTER=second gives units that -q switches on the other choices of the
# architecture (trace/model.rst): speculative execution, elements and records in each order, late timestamps. Packets are the
# shortest ones, as OpenCSD 1.5.5 does not read a VMID of 0 in a trace without VMIDs (D5.3.10, VMID). With
# CHARACTER=prompt timestamps and cycle counts are not late, for reports that need times of single calls. Exit status: the script's; 124 time-out, 125 the guest died.

. "$(dirname "$0")/lib.sh"

OUT= TIMEOUT=300 CPU=max MACHINE=virt,gic-version=3,virtualization=on SMP=2 MEM=2G APPEND= EXTRA= FLASH= ACPI=
FILES=() QEMU=ours SHELL_MODE=
while getopts o:t:q:m:s:r:a:x:p:f:A:Si opt; do
	case $opt in
	o) OUT=$OPTARG ;;
	t) TIMEOUT=$OPTARG ;;
	q) CPU=$CPU,$OPTARG ;;
	m) MACHINE=$MACHINE,$OPTARG ;;
	s) SMP=$OPTARG ;;
	r) MEM=$OPTARG ;;
	a) APPEND=$OPTARG ;;
	x) EXTRA=$OPTARG ;;
	p) FLASH="-drive if=pflash,unit=1,format=raw,readonly=on,file=$(realpath "$OPTARG")" ;;
	f) FILES+=("$OPTARG") ;;
	A) ACPI=${OPTARG:- } ;;
	S) QEMU=stock ;;
	i) SHELL_MODE=1 ;;
	*) die "usage: run.sh [-o DIR] [-t SECONDS] [-q CPU-PROPS] [-m MACHINE-OPTS] [-s N] [-f FILE:PLACE] [-S] -- 'SCRIPT'" ;;
	esac
done
shift $((OPTIND - 1))
if [ -n "${CHARACTER:-}" ]; then
	case ,$CPU, in
	*,v9-ete=on,*)
		CPU=$CPU,v9-ete-character=speculative,v9-ete-source=on,v9-ete-tsmark=on
		[ "$CHARACTER" = prompt ] || CPU=$CPU,v9-ete-late=on ;;
	esac
	case ,$CPU, in
	*,v9-spe=on,*) CPU=$CPU,v9-spe-order=on,v9-spe-impdef=on ;;
	esac
fi
[ $# -gt 0 ] || [ -n "$SHELL_MODE" ] || die "no script given: run.sh [OPTIONS] -- 'SCRIPT'"

KERNEL=${KERNEL:-6.12}
base=$("$LAB/guest.sh" path "$KERNEL")/base.cpio
image=$("$LAB/kernel.sh" image "$KERNEL")
if [ "$QEMU" = stock ]; then qemu=$("$LAB/qemu.sh" stock); else qemu=$("$LAB/qemu.sh" path); fi
release=$(cat "$image/release")

keep=1
if [ -z "$OUT" ]; then
	OUT=$(mktemp -d "$BUILD/run.XXXXXX")
	keep=
fi
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd -P)
case $OUT/ in
"$PROJ"/*|"$CACHE"/*|/tmp/*) ;;
*) die "-o must be below $PROJ, $CACHE or /tmp." ;;
esac
work=$OUT/.work
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/files"

# place FILE GUESTPATH: a link to FILE in the tree that becomes the last part of the initrd
place() {
	local to=$2
	[ -e "$1" ] || die "no such file: $1"
	case $to in
	/bin/*|/sbin/*|/lib/*) to=/usr$to ;;
	esac
	mkdir -p "$work/files$(dirname "$to")"
	if [ -d "$1" ]; then
		mkdir -p "$work/files$to"
		cp -rsL "$(realpath "$1")/." "$work/files$to"
	else
		ln -sf "$(realpath "$1")" "$work/files$to"
	fi
}
for f in "$BUILD/modules/$KERNEL"/*.ko "$BUILD/modules/$KERNEL"/selftest/*.ko; do
	[ ! -e "$f" ] || place "$f" "/v9/modules/${f#"$BUILD/modules/$KERNEL/"}"
done
for f in "$BUILD/tools/arm64/v9trace" "$BUILD"/arm64/bin/*; do
	[ ! -f "$f" ] || place "$f" "/usr/bin/${f##*/}"
done
[ ! -d "$BUILD/selftests/platform" ] || place "$BUILD/selftests/platform" /v9/selftests
for f in ${FILES[@]+"${FILES[@]}"}; do
	place "${f%%:*}" "${f#*:}"
done
mkdir -p "$work/files/v9"
if [ $# -gt 0 ]; then
	{
		script=$1
		shift
		[ $# = 0 ] || printf 'set --%s\n' "$(printf ' %q' "$@")"
		printf '%s\n' "$script"
	} >"$work/files/v9/script"
fi

# The kernel reads ACPI tables at the start of the initrd.
firmware= tables=
if [ -n "$ACPI" ]; then
	firmware="-bios $("$LAB/peers.sh" -t acpi path)/usr/share/qemu-efi-aarch64/QEMU_EFI.fd"
	tables=$work/acpi.cpio
	mkdir -p "$work/acpi"
	if [ "$ACPI" != - ]; then
		"$LAB/root.sh" run -- cc -std=gnu11 -Wall -Wextra -Werror -o "$work/mkacpi" "$LAB/mkacpi.c"
		# shellcheck disable=SC2086
		"$LAB/root.sh" run -- "$work/mkacpi" "$work/acpi" "$SMP" $ACPI || die "no such tables: $ACPI"
	fi
fi

# One process, which the time-out can end: exec down to QEMU.
console="-serial file:$OUT/console.log -monitor none
	-chardev file,id=out,path=/proc/self/fd/1,append=on -device virtio-serial-pci
	-device virtserialport,chardev=out,name=v9.out
	-chardev file,id=result,path=$work/result.tar -device virtserialport,chardev=result,name=v9.result"
# The kernel's self-tests of its cryptography are not needed.
append="console=ttyAMA0 rdinit=/init panic=-1 oops=panic cryptomgr.notests"
if [ -n "$SHELL_MODE" ]; then
	console="-serial mon:stdio"
	append="$append quiet v9shell"
fi
cat >"$work/start" <<END
${tables:+cd "$work/acpi"; find . ! -name . | cpio --quiet -o -H newc >"$tables"}
cd "$work/files"
find . ! -name . | cpio --quiet -L -o -H newc | cat $tables "$base" "$image/modules.cpio" - >"$work/initrd"
cd "$PWD"
exec "$qemu" -machine $MACHINE -cpu $CPU -smp $SMP -m $MEM -nodefaults -no-user-config -display none \\
	-no-reboot -kernel "$image/vmlinuz" -initrd "$work/initrd" -append "$append $APPEND" \\
	$(echo $console) $firmware $FLASH $EXTRA
END

if [ -n "$SHELL_MODE" ]; then
	"$LAB/root.sh" run -- sh "$work/start"
	exit
fi

rm -f "$OUT/console.log"
start=$SECONDS
live() {	# the script's output as it comes; on a terminal a line with the time until then
	if [ ! -t 2 ]; then
		cat
		return
	fi
	( while sleep 1 && kill -0 $$ 2>/dev/null; do
		printf '\r[%4ds] guest %s: %.60s\033[K' $((SECONDS - start)) "$release" \
			"$(tail -c 200 "$OUT/console.log" 2>/dev/null | tr -d '\r' | tail -n1)" >&2
	done ) &
	local ticker=$!
	while IFS= read -r line || [ -n "$line" ]; do
		printf '\r\033[K' >&2
		printf '%s\n' "$line"
	done
	kill $ticker 2>/dev/null || :
	wait $ticker 2>/dev/null || :
	printf '\r\033[K' >&2
}
trap - ERR
trap 'stopped=1' INT TERM
stopped=
set +e
timeout --foreground -k 10 "$TIMEOUT" "$LAB/root.sh" run -- sh "$work/start" 2>"$work/qemu.err" </dev/null | live
rc=${PIPESTATUS[0]}
set -e
grep -v 'terminating on signal' "$work/qemu.err" >&2 || :
if [ -n "$stopped" ]; then
	info "stopped; the guest's console so far: $OUT/console.log"
	exit 130
fi

status=
if [ -s "$work/result.tar" ]; then
	tar -x --no-same-owner --no-overwrite-dir -f "$work/result.tar" -C "$OUT" 2>/dev/null || :
	status=$(tail -c 20 "$work/result.tar" | tr -d '\0' | sed -n 's/^v9-status //p')
fi
if [ -z "$status" ]; then
	if [ "$rc" = 124 ] || [ "$rc" = 137 ]; then
		info "guest $release: no end after $TIMEOUT s, stopped. The end of its console:"
		status=124
	else
		info "guest $release: it died (QEMU's exit status $rc). The end of its console:"
		status=125
	fi
	tail -n 25 "$OUT/console.log" 2>/dev/null | tr -d '\r' | sed 's/^/    /' >&2
	info "all of it: $OUT/console.log"
	keep=1
fi
[ -n "$keep" ] || [ "$status" != 0 ] || rm -rf "$OUT"
exit "$status"

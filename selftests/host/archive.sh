#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace archive on captures of mkcapture.c: what is in the archive, what is missing and why; that
# tar and perf's layout take it; that reports from it are those from the files; bad input, no space
# and Ctrl-C, which leave nothing behind.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
dir=$(mktemp -d) && cd "$dir" || exit 2
trap 'cd /; umount "$dir/small" 2>/dev/null; rm -rf "$dir"' EXIT
if ! ${CC:-cc} -std=gnu11 -I"$top/include" -o mkcapture "$top/selftests/host/mkcapture.c" >&2 ||
   ! ./mkcapture .; then
	not_ok captures "mkcapture failed"
	finish
fi
unset COLUMNS
HOME=$dir/home
export HOME
mkdir home
rest=adbeef05060708090a0b0c0d0e0f1011121314

# is NAME WHY CONDITION...
is() { name=$1 why=$2; shift 2; if "$@"; then ok "$name"; else not_ok "$name" "$why"; fi; }
# same NAME FILE WANTED
same() { if cmp -s "$2" "$3"; then ok "$1"; else not_ok "$1" "$(diff "$2" "$3" | head -n 3 | tr '\n' '|')"; fi; }
nothing_left() { ls -A | grep -q -e '^out' -e '\.tar\.zst' && return 1; return 0; }

# ------------------------------------------------------------------------------ contents
"$V9TRACE" archive -o all.tar.zst --symfs symfs --debug-dir debug archive.data >out.txt 2>err
is status_of_missing "exit status $?" test $? = 1
cat >want <<END
v9trace: 3 of 10 files are missing:
  /opt/gone a1$rest: no such file here
  /opt/changed a2$rest: the file here has another build-id
  /opt/plain: the recording has no build-id of it
END
head -n 4 err >got
same missing got want
is output_is_empty "$(head -n 1 out.txt)" test ! -s out.txt
is summary "$(tail -n 3 err | tr '\n' '|')" grep -q '^v9trace: all.tar.zst: 7 files, .*, packed ' err
if ! zstd -q -dc all.tar.zst >all.tar || ! tar xf all.tar --one-top-level=x 2>err || [ -s err ]; then
	not_ok unpacks "$(head -n 1 err)"
else
	ok unpacks
fi
long=opt/$(printf 'd%.0s' $(seq 60))/$(printf 'e%.0s' $(seq 60))
(cd x && find . -type f | sort) >got
sort >want <<END
./opt/work/de$rest/elf
./[kernel.kallsyms]/b0$rest/kallsyms
./[file]/a3$rest/elf
./[file]/a7$rest/elf
./$long/a4$rest/elf
./opt/container/a5$rest/elf
./opt/stripped/a6$rest/elf
./opt/stripped/a6$rest/debug
END
same contents got want
for id in de b0 a3 a4 a5 a6 a7; do
	f=elf of=symfs/opt/work
	case $id in
	b0) f=kallsyms of=texts; printf 'ffff800080010000 T vfs_read\nffff800080011000 t copy_page\n' >texts ;;
	a3) of=evil ;;
	a4) of=symfs/$long ;;
	a5) of=container ;;
	a6) of=symfs/opt/stripped ;;
	a7) of=$(ls symfs/opt/*red) ;;
	esac
	is link_$id "no link" test -L x/.build-id/$id/$rest
	same file_$id x/.build-id/$id/$rest/$f "$of"
done
same debug_file x/.build-id/a6/$rest/debug debug/.build-id/a6/$rest.debug
"$V9TRACE" archive -q --json --symfs symfs --debug-dir debug -o out.zst archive.data >got 2>err
is json "$(head -c 200 got)" grep -q '^{"file":"out.zst","files":7,.*"missing":\[{"name":"/opt/gone","build_id":"a1'$rest'","reason":"no such file here"},' got
same always_the_same out.zst all.tar.zst
"$V9TRACE" archive -q --symfs symfs -o out.zst good.data 2>err
is status_of_all "exit status $?" test $? = 0
is quiet "$(head -n 1 err)" test ! -s err
rm -f out.zst

# ------------------------------------------------------------------------------ reading
golden=$top/selftests/golden/report/report.txt
report() { "$V9TRACE" report --kallsyms kallsyms "$@" good.data 2>err; }
cp good.data copy.data
"$V9TRACE" archive -q --symfs symfs copy.data
is default_name "no such file" test -s copy.data.tar.zst
report --debug-dir copy.data.tar.zst >got
same report_from_archive got "$golden"
zstd -q -dc copy.data.tar.zst >copy.tar
report --debug-dir copy.tar >got
same report_from_plain_tar got "$golden"
mkdir -p home/.debug && tar xf copy.tar -C home/.debug
report >got
same report_from_perfs_cache got "$golden"
# As perf archive makes it: by GNU tar, directories and all
tar cf perfs.tar -C home/.debug .build-id opt && rm -rf home/.debug
report --debug-dir perfs.tar >got
same report_from_perfs_archive got "$golden"
mkdir -p many && for i in $(seq 40); do mkdir -p many/$long/$i && echo $i >many/$long/$i/elf; done
mkdir -p many/.build-id/de && cp -r many/$long many/$long$long-0 2>/dev/null
mkdir -p "many/$long/w" && cp symfs/opt/work "many/$long/w/elf" && ln -s "../../$long/w" many/.build-id/de/$rest
for format in gnu pax; do
	tar cf many.tar --format=$format -C many .
	report --debug-dir many.tar >got
	same report_from_${format}_tar got "$golden"
done

# ------------------------------------------------------------------------------ bad input
# refuses NAME STATUS WORDS ARGS...: one line that says why, and no file
refuses() {
	name=$1 want=$2 words=$3
	shift 3
	"$V9TRACE" archive "$@" >out.txt 2>err </dev/null
	got=$?
	rm out.txt
	if [ $got != "$want" ] || ! grep -q -e "$words" err; then
		not_ok "$name" "status $got, $(head -n 3 err | tr '\n' '|')"
	elif [ "$(grep -c "^v9trace: [^0-9]" err)" != 1 ] || ! nothing_left; then
		not_ok "$name" "$(head -n 3 err | tr '\n' '|') files: $(ls | tr '\n' ' ')"
	else
		ok "$name"
	fi
}
rm -f *.tar.zst
refuses no_capture 1 "cannot be opened" nosuch.data
refuses no_default 1 "^v9trace: perf.data cannot be opened"
refuses no_option 2 "^v9trace: unrecognized option '--nosuch'" --nosuch
refuses no_perf_data 1 "kallsyms" -o out.zst kallsyms
mkdir -p nothing
refuses nothing_here 1 "names no file that is here" --symfs nothing good.data
refuses no_symfs 1 "No such file" --symfs nosuch good.data
refuses all_changed 1 "names no file that is here" --symfs other good.data
refuses pipe_without_name 2 "give the archive one with -o" -
refuses output_directory 1 "not an ordinary file" --symfs symfs -o symfs good.data
refuses output_missing 1 "No such file" --symfs symfs -o nosuch/out good.data
refuses two_captures 2 "one capture at a time" good.data cut.data
"$V9TRACE" archive -x >out.txt 2>err
is option "exit status $?" test $? = 2
rm out.txt
echo old >old.zst
"$V9TRACE" archive -q --symfs other -o old.zst good.data 2>/dev/null
is old_kept "the old archive is gone" test "$(cat old.zst)" = old
"$V9TRACE" archive -q --symfs symfs -o old.zst cut.data 2>err
is cut_capture "exit status $?, $(head -n 1 err)" test $? = 1
is cut_capture_packed "the files of a cut capture are not packed" sh -c 'zstd -q -dc old.zst | tar t | grep -q opt/work'
"$V9TRACE" archive -q --symfs symfs -o old.zst - <good.data 2>err
is from_pipe "exit status $?" test $? = 0

# A name that is no regular file: nothing waits for a pipe.
mkdir -p odd/opt && mkfifo odd/opt/work
timeout 20 "$V9TRACE" archive -q --symfs odd -o out.zst good.data >/dev/null 2>err
is fifo "exit status $?, $(head -n 2 err | tr '\n' '|')" test $? = 1

# Archives that cannot be read: a line about it, and the report without names
"$V9TRACE" archive -q --symfs symfs -o good.zst good.data
size=$(stat -c %s good.zst)
damaged() {	# NAME WORDS FILE
	report --debug-dir "$3" >got
	if grep -q -e "$2" err && grep -q "no such file here" got; then ok "damaged_$1"; else
		not_ok "damaged_$1" "$(head -n 1 err)"
	fi
}
head -c $((size / 2)) good.zst >half.zst
damaged half "half.zst: its end is missing" half.zst
cp good.zst bad.zst
printf '\377\377\377\377' | dd of=bad.zst bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
damaged bytes "bad.zst: it cannot be decompressed" bad.zst
damaged other "kallsyms: it is no tar archive" kallsyms
damaged empty "empty.data: it is no tar archive" empty.data

# A static program cannot load the library that asks servers, and says so once.
(V9TRACE=$static && DEBUGINFOD_URLS=http://127.0.0.1:9/ report) >got
is static_says_no_servers "$(head -n 2 err)" \
	test "$(grep -c 'DEBUGINFOD_URLS is set, but a statically linked v9trace cannot ask servers' err)" = 1

# No space: on a small file system, and by a limit
head -c 3000000 /dev/urandom >>symfs/opt/work
mkdir small
if mount -t tmpfs -o size=1M small small 2>/dev/null; then
	"$V9TRACE" archive -q --symfs symfs -o small/a.zst good.data 2>err
	is no_space "exit status $?" test $? = 1
	is no_space_said "$(head -n 2 err)" test "$(cat err)" = "v9trace: small/a.zst: No space left on device: nothing was written"
	is no_space_left "$(ls -A small)" test -z "$(ls -A small)"
else
	ok "no_space # SKIP no permission to mount a small file system"
fi
(ulimit -f 512; exec "$V9TRACE" archive -q --symfs symfs -o out.zst good.data) 2>err
is file_limit "exit status $?" test $? = 1
is file_limit_said "$(head -n 2 err)" grep -q "File too large: nothing was written" err
is file_limit_left "$(ls -d out* 2>/dev/null)" nothing_left

# Ctrl-C: so large a file that packing it takes seconds
truncate -s 7G symfs/opt/work
# sh lets background commands ignore SIGINT
"$V9TRACE" archive -q --symfs symfs -o out.zst good.data 2>err &
pid=$!
until ls -d out.zst.* >/dev/null 2>&1 || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
kill -TERM $pid
wait $pid 2>/dev/null
is interrupted "exit status $?" test $? = 143
is interrupted_left "$(ls -d out* 2>/dev/null)" nothing_left
finish

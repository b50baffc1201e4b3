# SPDX-License-Identifier: GPL-2.0-only
# sources_of TARGET: prints the sources that a fuzz target is linked with. Sourced from the top of
# the tree.

flow="tools/lib/v9ete.c tools/lib/flow.c tools/lib/fast.c tools/lib/block.c tools/lib/ete.c
	tools/lib/a64.c tools/lib/mark.c tools/lib/ete_pkt.c tools/lib/ete_runs.c"
spe="tools/lib/v9spe.c tools/lib/spe.c tools/lib/spe_pkt.c"
sources_of() {
	case $1 in
	ete | ete_once) echo $flow ;;
	spe) echo $spe ;;
	capture)
		echo $spe tools/lib/spe_text.c tools/util.c tools/unit_check.c
		for f in file twin pipe spool unpack session task sym strtab elf simpleperf embedded interval topology plt debuginfod find \
				kallsyms running tar demangle bpf cgroup jit layers waits heap lines dies; do
			echo tools/capture/$f.c
		done
		echo tools/capture/branch.c tools/report/branch_sum.c tools/report/bins.c
		echo -ldw -lelf -liberty -lzstd
		;;
	tar)
		echo tools/util.c tools/capture/tar.c tools/capture/spool.c tools/capture/strtab.c -lzstd
		;;
	shard) echo tools/util.c tools/capture/strtab.c tools/report/bins.c tools/report/shard.c tools/report/shard_file.c \
		tools/report/piece.c tools/report/calls.c tools/report/call_tree.c -lz ;;
	image) echo tools/lib/image.c tools/util.c ;;
	*) echo "fuzz.sh: no such target: $1" >&2; return 1 ;;
	esac
}

# Archives as tar writes them, with long names and a link to a directory: whole, and cut behind each
# of their first blocks
seeds_of_tar() {	# DIRECTORY PREFIX
	(
		long=$(printf 'd%.0s' 1 2 3 4 5 6 7 8 9 10 11 12)
		tree=$(mktemp -d) && trap 'rm -rf "$tree"' EXIT || exit
		mkdir -p "$tree/b/$long/$long/$long/$long/$long/$long/$long/$long/$long" &&
			echo text >"$tree/b/elf" && echo more >"$(find "$tree/b" -type d | tail -n 1)/elf" &&
			ln -s b "$tree/a" || exit
		for format in pax gnu ustar; do
			tar -C "$tree" --format=$format -cf "$1/$2$format" a b || exit
			for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
				head -c $((n * 512)) "$1/$2$format" >"$1/$2$format-$n" || exit
			done
		done
	)
}

# Shards without their sums, which the target adds: lines of each kind, and cut behind each of them
seeds_of_shard() {	# DIRECTORY PREFIX
	cat >"$1/$2whole" <<-'END'
	v9trace-shard 1
	time 5 9
	capture 1
	capture 2 1/3
	capture 2 3/3
	lost gap 3 a%20b -
	source ete - - 0 1
	source spe :u 0x1 7 2
	object - 1 [kernel]
	object ab 0 /bin/a
	segment 2 10 20 30
	function 2 12 18 main
	place 1 0 f
	place 2 14
	place 2 18
	s 2 2 load dram 1 2 3 4 5 6 7 8
	b 1 0 1 2 18446744073709551615
	b 1 3 2 0 2
	paths 1 0 0 0
	c 1 2 1 2 3
	c 2 1 4 5 6
	c 1 3 7 8 9
	END
	for lines in 1 5 8 12 15 18; do
		head -n $lines "$1/$2whole" >"$1/$2$lines" || return
	done
	# Call paths of parts: each kind of line
	cat >"$1/$2pieces" <<-'END'
	v9trace-shard 2
	capture a 2/3 paths
	source ete - - 0 0
	object ab 0 /a
	place 1 0
	place 1 1
	piece a 2 7 10 10 0 64 1 1 50 0
	step 0 40 0 0 1008 1 1000 0 3 1 2 2 0 0
	n 1 2 2000 4 0 1
	up
	n 1 2 2000 1 2 1
	n 2 1 1000 5 0 1
	f 4 0 0
	f 5 2004 0
	left
	f 3 0 0
	f 3 1004 4
	step 1 2 0 0 2004 2 2000 7 3 0 0 0 0 0
	f 6 0 0
	step 2 16 0 0 1004 1 1000 0 3 0 0 3 0 0
	f 8 0 0
	step 3 5 1004 1008 0 0 0 0 0 0 0 0 0 0
	h 1 2
	h 3 4
	t 5 5
	piece a 2 7 11 11 0 128 1 0 0 0
	step 3 48 0 0 0 0 0 0 0 0 0 0 0 0
	END
	for lines in 8 12 17 21 24; do
		head -n $lines "$1/$2pieces" >"$1/$2pieces-$lines" || return
	done
}

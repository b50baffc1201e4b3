# SPDX-License-Identifier: GPL-2.0-only
# sources_of TARGET: prints the sources that a fuzz target is linked with. Sourced from the top of
# the tree.

flow="tools/lib/v9ete.c tools/lib/flow.c tools/lib/fast.c tools/lib/block.c tools/lib/ete.c
	tools/lib/a64.c tools/lib/mark.c tools/lib/ete_pkt.c tools/lib/ete_runs.c"
spe="tools/lib/v9spe.c tools/lib/spe.c tools/lib/spe_pkt.c"
sources_of() {
	case $1 in
	ete) echo $flow ;;
	spe) echo $spe ;;
	capture)
		echo $spe tools/lib/spe_text.c tools/util.c
		for f in file pipe spool unpack session task sym strtab elf simpleperf embedded interval topology plt debuginfod find \
				kallsyms running tar; do
			echo tools/capture/$f.c
		done
		echo -lelf -lzstd
		;;
	image) echo tools/lib/image.c tools/util.c ;;
	*) echo "fuzz.sh: no such target: $1" >&2; return 1 ;;
	esac
}

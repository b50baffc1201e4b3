# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Completion of v9trace for bash. Commands and options are those that --help prints.

# $1: the program, $2: the command or nothing
_v9trace_options() {
	"$1" ${2:+"$2"} --help 2>/dev/null | grep '^ *-' |
		grep -oE -e '(^|[ ,[])(--[a-z][a-z-]*|-[A-Za-z0-9])\b' | tr -d ' ,['
}

_v9trace_commands() {
	"$1" --help 2>/dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p'
}

_v9trace() {
	local program=$1 cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd=${COMP_WORDS[1]} words
	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_v9trace_commands "$program") --help --version" -- "$cur")
		return
	fi
	case $cur in
	-*)
		mapfile -t COMPREPLY < <(compgen -W "$(_v9trace_options "$program" "$cmd")" -- "$cur")
		return ;;
	esac
	case $cmd/$prev in
	record/-e | record/--event | top/-e | top/--event)
		words=$("$program" list 2>/dev/null | grep -oE '^ *[A-Za-z0-9_:/-]+' | tr -d ' ') ;;
	*/--format)
		words="text json csv" ;;
	export/--to)
		words=$("$program" export --help 2>/dev/null | sed -n 's/^  *\([a-z][a-z0-9-]*\)   *[A-Za-z].*/\1/p') ;;
	*/-p | */--pid | */-t | */--tid)
		words=$(cd /proc && printf '%s\n' [0-9]*) ;;
	*/--symfs | */--debug-dir | */--code | */--sysfs | */--root)
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		return ;;
	record/-[oCcm] | record/--output | record/--cpu | record/--count) ;;
	top/--by)
		words="function line object data source latency" ;;
	top/--sort)
		words="samples latency average l1 llc tlb branch" ;;
	top/-[Ccdmn] | top/--cpu | top/--count | top/--delay | top/--filter | top/--limit) ;;
	record/* | top/*)
		mapfile -t COMPREPLY < <(compgen -c -- "$cur"; compgen -f -- "$cur")
		return ;;
	driver/*)
		words="ours in-tree preferred spe ete" ;;
	pause/* | resume/* | flight/*)
		words=$(cd /proc && grep -lx v9trace [0-9]*/comm 2>/dev/null | sed 's,/.*,,')
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"; compgen -f -- "$cur")
		return ;;
	stat/*)
		words=$(cd /sys/bus/event_source/devices 2>/dev/null && printf '%s\n' */stats/ | sed 's,/stats/$,,') ;;
	esac
	if [ -n "$words" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}

complete -o filenames -F _v9trace v9trace

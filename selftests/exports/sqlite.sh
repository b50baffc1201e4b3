#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Databases of v9trace export --to sqlite, asked with sqlite3: views and indices answer as report does. TAP.
#
#   sqlite.sh DIR      DIR has captures and V9TRACE=PROGRAM makes the files
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$1" || exit 2
. "$top/selftests/exports/consumer.inc"

# asks NAME DATABASE SQL WANT
asks() {
	got=$(sqlite3 "$2" "$3" 2>&1 | tr '\n' ' ')
	if [ "${got% }" = "$4" ]; then ok "$1"; else not_ok "$1" "$got"; fi
}
made spe sqlite good.data "$symbols" && mv exported spe.db
asks whole spe.db 'PRAGMA integrity_check' ok
asks records spe.db 'SELECT count(*) FROM records' 40
asks losses spe.db 'SELECT kind, count FROM lost' 'aux_collision|1'
asks sources spe.db 'SELECT data_source, samples FROM data_sources' 'L2D|19 L1D|5 DRAM|1'
asks misses spe.db 'SELECT symbol, llc, tlb FROM misses LIMIT 1' 'match|1|1'
asks branches spe.db 'SELECT symbol, samples, mispredicted, taken FROM branches' 'compress|10|5|5'
asks index_is_used spe.db "SELECT count(*) FROM pragma_index_list('ldst')" 3
"$V9TRACE" report --csv --limit 0 $symbols good.data 2>err | tr -d '\r' |
	awk -F , '/^functions,/ && NR > 1 && $3 + 0 { printf "%s|%s|%s\n", $9, $3, $4 }' | sort >want
sqlite3 spe.db "SELECT symbol || '|' || samples || '|' || printf('%.3f', total_lat) FROM functions" | sort >got
if [ -s want ] && cmp -s want got; then ok functions; else not_ok functions "$(diff want got | sed -n 2p)"; fi
made ete sqlite trace.data "--symfs symfs" && mv exported ete.db
asks call_times ete.db 'SELECT symbol, calls, least, most, instructions FROM call_times' 'compress|2|3|16|19 match|2|3|4|7'
asks executed ete.db 'SELECT symbol, instructions FROM executed' 'compress|12 match|7 _start|2'
asks callers ete.db "SELECT calls FROM callers WHERE caller = 'compress' AND symbol = 'match'" 2
asks exceptions ete.db "SELECT what, address FROM events WHERE kind = 'exception'" 'call|0xaaaac0001408 IRQ|0xaaaac0001404'
made both sqlite both.data "--symfs symfs" && mv exported both.db
asks both_kinds both.db 'SELECT (SELECT count(*) FROM records) > 0, (SELECT count(*) FROM ranges) > 0' '1|1'
made hostile sqlite good.data "$hostile" && mv exported hostile.db
asks hostile_names hostile.db "SELECT count(*) FROM functions WHERE symbol LIKE '%</script>;\"%'" 2
finish

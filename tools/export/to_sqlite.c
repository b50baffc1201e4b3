// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A database of SQLite with the tables of rows.c, indices, and views for the usual questions. Addresses
 * are text, because SQLite's integers are signed.
 */
#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "../report/kinds.h"

#define COMMIT	100000		/* rows in a transaction: limits the size of the journal */

struct sqlite {
	struct v9_rows *rows;
	sqlite3 *db;
	sqlite3_stmt *insert[V9_ROWS_TABLES];
	uint64_t nr;
};

static void fail(struct v9_export *x)
{
	struct sqlite *s = x->state;

	if (!x->failed)
		v9_error("cannot write %s: %s", x->path, sqlite3_errmsg(s->db));
	x->failed = true;
}

static void run(struct v9_export *x, const char *sql)
{
	struct sqlite *s = x->state;

	if (!x->failed && sqlite3_exec(s->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail(x);
}

static void put(struct v9_export *x, enum v9_rows_id id, const struct v9_rows_cell *cell)
{
	const struct v9_rows_table *t = &v9_rows_tables[id];
	struct sqlite *s = x->state;
	sqlite3_stmt *insert = s->insert[id];
	char hex[V9_ROWS_COLUMNS][20];

	for (size_t i = 0; i < t->nr; i++) {
		const int at = (int)i + 1;

		if (!cell[i].set) {
			sqlite3_bind_null(insert, at);
		} else if (t->column[i].type == V9_ROW_TEXT) {
			sqlite3_bind_text(insert, at, cell[i].s, -1, SQLITE_STATIC);
		} else if (t->column[i].type == V9_ROW_HEX) {
			snprintf(hex[i], sizeof(hex[i]), "0x%" PRIx64, cell[i].n);
			sqlite3_bind_text(insert, at, hex[i], -1, SQLITE_STATIC);
		} else {
			sqlite3_bind_int64(insert, at, (sqlite3_int64)cell[i].n);
		}
	}
	if (sqlite3_step(insert) != SQLITE_DONE)
		fail(x);
	sqlite3_reset(insert);
	if (!(++s->nr % COMMIT))
		run(x, "COMMIT; BEGIN");
}

static void create(struct v9_export *x, enum v9_rows_id id)
{
	static const char *const types[] = {
		[V9_ROW_TEXT] = "TEXT", [V9_ROW_NUMBER] = "INTEGER", [V9_ROW_HEX] = "TEXT",
		[V9_ROW_FLAG] = "BOOLEAN",
	};
	const struct v9_rows_table *t = &v9_rows_tables[id];
	struct sqlite *s = x->state;
	char columns[2048], marks[2 * V9_ROWS_COLUMNS + 1], sql[4096];
	size_t n = 0;

	for (size_t i = 0; i < t->nr; i++) {
		n += (size_t)snprintf(columns + n, sizeof(columns) - n, "%s\"%s\" %s",
				      i ? ", " : "", t->column[i].name, types[t->column[i].type]);
		memcpy(marks + 2 * i, "?,", 3);
	}
	marks[2 * t->nr - 1] = '\0';
	snprintf(sql, sizeof(sql), "CREATE TABLE %s (%s)", t->name, columns);
	run(x, sql);
	snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES (%s)", t->name, marks);
	if (!x->failed && sqlite3_prepare_v2(s->db, sql, -1, &s->insert[id], NULL) != SQLITE_OK)
		fail(x);
}

static bool begin(struct v9_export *x)
{
	struct sqlite *s = v9_alloc(sizeof(*s));

	x->state = s;
	s->rows = v9_rows_new(x, put);
	if (sqlite3_open(x->unfinished, &s->db) != SQLITE_OK) {
		fail(x);
		return false;
	}
	/* The file has its name when it is complete: it needs no journal on the disk. */
	run(x, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
	for (unsigned int id = 0; id < V9_ROWS_TABLES; id++)
		if (v9_rows_has(x, id))
			create(x, id);
	return !x->failed;
}

static const struct { enum v9_kind_id kind; const char *sql; } after[] = {
	{ V9_KIND_SPE, "CREATE INDEX ldst_symbol ON ldst (symbol)" },
	{ V9_KIND_SPE, "CREATE INDEX ldst_pc ON ldst (pc)" },
	{ V9_KIND_SPE, "CREATE INDEX ldst_vaddr ON ldst (vaddr)" },
	{ V9_KIND_SPE, "CREATE INDEX br_pc ON br (pc)" },
	{ V9_KIND_SPE, "CREATE INDEX other_pc ON other (pc)" },
	/* each record, with what all have */
	{ V9_KIND_SPE, "CREATE VIEW records AS "
	  "SELECT time, cpu, comm, pid, tid, op, pc, el, event, issue_lat, total_lat, xlat_lat, "
	  "symbol, dso FROM ldst UNION ALL "
	  "SELECT time, cpu, comm, pid, tid, op, pc, el, event, issue_lat, total_lat, NULL, "
	  "symbol, dso FROM br UNION ALL "
	  "SELECT time, cpu, comm, pid, tid, op, pc, el, event, issue_lat, total_lat, NULL, "
	  "symbol, dso FROM other" },
	/* functions by records */
	{ V9_KIND_SPE, "CREATE VIEW functions AS SELECT comm, dso, symbol, count(*) AS samples, "
	  "avg(total_lat) AS total_lat, avg(issue_lat) AS issue_lat, avg(xlat_lat) AS xlat_lat "
	  "FROM records GROUP BY comm, dso, symbol ORDER BY samples DESC" },
	/* where loads found their data */
	{ V9_KIND_SPE, "CREATE VIEW data_sources AS SELECT data_source, count(*) AS samples, "
	  "avg(total_lat) AS total_lat FROM ldst GROUP BY data_source ORDER BY samples DESC" },
	/* instructions that missed the last level cache or walked page tables */
	{ V9_KIND_SPE, "CREATE VIEW misses AS SELECT dso, symbol, pc, count(*) AS samples, "
	  "sum(event LIKE '%L1D-REFILL%') AS l1, sum(event LIKE '%LLC-REFILL%') AS llc, "
	  "sum(event LIKE '%TLB-REFILL%') AS tlb FROM ldst GROUP BY dso, symbol, pc "
	  "ORDER BY llc DESC, l1 DESC" },
	/* branches by mispredictions */
	{ V9_KIND_SPE, "CREATE VIEW branches AS SELECT dso, symbol, pc, count(*) AS samples, "
	  "sum(event LIKE '%MISPRED%') AS mispredicted, sum(event NOT LIKE '%NOT-TAKEN%') AS taken "
	  "FROM br GROUP BY dso, symbol, pc ORDER BY mispredicted DESC" },
	{ V9_KIND_ETE, "CREATE INDEX calls_symbol ON calls (symbol)" },
	{ V9_KIND_ETE, "CREATE INDEX calls_time ON calls (time)" },
	{ V9_KIND_ETE, "CREATE INDEX ranges_symbol ON ranges (symbol)" },
	{ V9_KIND_ETE, "CREATE INDEX ranges_start ON ranges (start)" },
	/* how long calls of each function took */
	{ V9_KIND_ETE, "CREATE VIEW call_times AS SELECT dso, symbol, count(*) AS calls, "
	  "min(instructions) AS least, avg(instructions) AS mean, max(instructions) AS most, "
	  "sum(instructions) AS instructions FROM calls "
	  "WHERE enter NOT IN ('root', 'part', 'resumed') GROUP BY dso, symbol "
	  "ORDER BY instructions DESC" },
	{ V9_KIND_ETE, "CREATE VIEW callers AS SELECT caller, symbol, count(*) AS calls, "
	  "sum(instructions) AS instructions FROM calls GROUP BY caller, symbol "
	  "ORDER BY instructions DESC" },
	/* functions by instructions */
	{ V9_KIND_ETE, "CREATE VIEW executed AS SELECT dso, symbol, "
	  "sum(instructions) AS instructions FROM ranges GROUP BY dso, symbol "
	  "ORDER BY instructions DESC" },
};

static void end(struct v9_export *x)
{
	run(x, "COMMIT");
	for (size_t i = 0; i < V9_ARRAY_SIZE(after); i++)
		if (!x->r.shard && !v9_kinds[after[i].kind].absent(&x->r.s))
			run(x, after[i].sql);
}

static void free_state(struct v9_export *x)
{
	struct sqlite *s = x->state;

	for (unsigned int id = 0; id < V9_ROWS_TABLES; id++)
		sqlite3_finalize(s->insert[id]);
	if (sqlite3_close(s->db) != SQLITE_OK)
		fail(x);
	v9_rows_free(s->rows);
	free(s);
}

const struct v9_sink v9_sink_sqlite = {
	.name = "sqlite", .help = "the same tables as a database, with indices and views",
	.opens = true, V9_ROWS_TAKES,
	.begin = begin, .end = end, .free = free_state,
};

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tables of rows, for formats of columns: SPE records with the column names of Arm's spe-parser (ldst,
 * br, other), calls, ranges and events of an ETE trace, sums of a shard, what was lost. Columns that are
 * not spe-parser's follow its own. A format has a writer of rows and nothing else.
 */
#ifndef V9TRACE_EXPORT_ROWS_H
#define V9TRACE_EXPORT_ROWS_H

#include "export.h"

enum v9_rows_type {
	V9_ROW_TEXT,
	V9_ROW_NUMBER,
	V9_ROW_HEX,		/* an address: text such as 0x10 */
	V9_ROW_FLAG,
};

struct v9_rows_column {
	const char *name;
	enum v9_rows_type type;
};

enum v9_rows_id {
	V9_ROWS_LDST, V9_ROWS_BR, V9_ROWS_OTHER,	/* SPE */
	V9_ROWS_CALLS, V9_ROWS_RANGES, V9_ROWS_EVENTS,	/* ETE */
	V9_ROWS_SAMPLES, V9_ROWS_BRANCH_SUMS, V9_ROWS_PATHS,	/* a shard */
	V9_ROWS_LOST,
	V9_ROWS_TABLES
};

struct v9_rows_table {
	const char *name;
	enum v9_kind_id kind;		/* V9_KIND_OTHER: in each capture */
	const struct v9_rows_column *column;
	size_t nr;
	bool of_shard;			/* of shards alone; else, but for V9_ROWS_LOST, of captures */
};

extern const struct v9_rows_table v9_rows_tables[V9_ROWS_TABLES];

#define V9_ROWS_COLUMNS	32		/* most of a table */

struct v9_rows_cell {
	bool set;			/* false: not known */
	uint64_t n;
	const char *s;
};

struct v9_rows;

/* Writes a row. cell[] has the columns of the table. */
typedef void v9_rows_put(struct v9_export *x, enum v9_rows_id id, const struct v9_rows_cell *cell);

/*
 * Write a row as CSV, and the line of names before the rows. Bytes that are not UTF-8 become '?'.
 */
void v9_csv_row(FILE *f, const struct v9_rows_table *t, const struct v9_rows_cell *cell);
void v9_csv_head(FILE *f, const struct v9_rows_table *t);

struct v9_rows *v9_rows_new(struct v9_export *x, v9_rows_put *put);
void v9_rows_free(struct v9_rows *r);

/* Is the table one of the file's? */
bool v9_rows_has(const struct v9_export *x, enum v9_rows_id id);

/* The functions of a sink whose state begins with a pointer to its v9_rows */
void v9_rows_enter(struct v9_export *x, const struct v9_call_step *s);
void v9_rows_leave(struct v9_export *x, const struct v9_call_step *s);
void v9_rows_record(struct v9_export *x, const struct v9_line *l);
void v9_rows_flow(struct v9_export *x, const struct v9_sampled *at, const struct v9_flow_rec *rec);
void v9_rows_loss(struct v9_export *x, const struct v9_loss *l);
void v9_rows_shard(struct v9_export *x, const struct v9_shard_view *v);

#define V9_ROWS_TAKES \
	.takes = { [V9_KIND_SPE] = V9_SINK_RECORDS, [V9_KIND_ETE] = V9_SINK_CALLS | V9_SINK_FLOW }, \
	.enter = v9_rows_enter, .leave = v9_rows_leave, .record = v9_rows_record, \
	.flow = v9_rows_flow, .loss = v9_rows_loss, .shard = v9_rows_shard

#endif

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Parquet by DuckDB's COPY: a file for each table in a directory. The program duckdb is looked
 * for in $PATH. A process of it for each table reads the rows from a pipe, as CSV, so no row is
 * kept in memory here.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rows.h"

#define PROGRAM	"duckdb"

struct parquet {
	struct v9_rows *rows;
	struct table {
		FILE *f;
		pid_t pid;
	} table[V9_ROWS_TABLES];
};

static bool is_found(void)
{
	char *path = v9_strdup(getenv("PATH") ? getenv("PATH") : ""), *rest = path, *dir;
	bool found = false;

	while (!found && (dir = strsep(&rest, ":"))) {
		char *file = v9_format("%s/" PROGRAM, *dir ? dir : ".");

		found = !access(file, X_OK);
		free(file);
	}
	free(path);
	return found;
}

/* The statement that reads rows from standard input. A quote in the path is doubled. */
static char *statement(const struct v9_export *x, const struct v9_rows_table *t)
{
	static const char *const types[] = {
		[V9_ROW_TEXT] = "VARCHAR", [V9_ROW_NUMBER] = "UBIGINT", [V9_ROW_HEX] = "VARCHAR",
		[V9_ROW_FLAG] = "BOOLEAN",
	};
	size_t size;
	char *sql;
	FILE *f = open_memstream(&sql, &size);

	if (!f)
		v9_out_of_memory();
	fputs("COPY (SELECT * FROM read_csv('/dev/stdin', auto_detect = false, header = true, delim = ',', "
	      "quote = '\"', escape = '\"', nullstr = '', parallel = false, columns = {", f);
	for (size_t i = 0; i < t->nr; i++)
		fprintf(f, "%s'%s': '%s'", i ? ", " : "", t->column[i].name, types[t->column[i].type]);
	fputs("})) TO '", f);
	for (const char *p = x->path; *p; p++)
		fprintf(f, *p == '\'' ? "''" : "%c", *p);
	fprintf(f, "/%s.parquet' (FORMAT parquet)", t->name);
	fclose(f);
	return sql;
}

static bool cannot_start(struct v9_export *x)
{
	v9_error("--to parquet: %s cannot be started: %s", PROGRAM, strerror(errno));
	x->failed = true;
	return false;
}

static bool start(struct v9_export *x, enum v9_rows_id id)
{
	struct parquet *p = x->state;
	char *sql = statement(x, &v9_rows_tables[id]);
	int end[2];

	if (pipe(end)) {
		free(sql);
		return cannot_start(x);
	}
	p->table[id].pid = fork();
	if (!p->table[id].pid) {
		for (unsigned int i = 0; i < id; i++)
			if (p->table[i].f)
				close(fileno(p->table[i].f));
		dup2(end[0], STDIN_FILENO);
		dup2(STDERR_FILENO, STDOUT_FILENO);
		close(end[0]);
		close(end[1]);
		signal(SIGPIPE, SIG_DFL);
		execlp(PROGRAM, PROGRAM, "-c", sql, (char *)NULL);
		_exit(127);
	}
	free(sql);
	close(end[0]);
	p->table[id].f = fdopen(end[1], "w");
	return (p->table[id].pid > 0 && p->table[id].f) || cannot_start(x);
}

static void put(struct v9_export *x, enum v9_rows_id id, const struct v9_rows_cell *cell)
{
	FILE *f = ((struct parquet *)x->state)->table[id].f;

	v9_csv_row(f, &v9_rows_tables[id], cell);
	if (ferror(f)) {
		v9_error("--to parquet: %s does not take the rows of %s", PROGRAM,
			 v9_rows_tables[id].name);
		x->failed = true;
	}
}

static bool begin(struct v9_export *x)
{
	struct parquet *p = v9_alloc(sizeof(*p));

	x->state = p;
	p->rows = v9_rows_new(x, put);
	if (!is_found()) {
		v9_error("--to parquet needs the program " PROGRAM ", which is not in $PATH: install it "
			 "(https://duckdb.org, Debian's package duckdb), or use --to sqlite or csv");
		x->failed = true;
		return false;
	}
	/* If duckdb ends early, free_state() reports that by its exit status. */
	signal(SIGPIPE, SIG_IGN);
	for (unsigned int id = 0; id < V9_ROWS_TABLES && !x->failed; id++)
		if (v9_rows_has(x, id) && start(x, id))
			v9_csv_head(p->table[id].f, &v9_rows_tables[id]);
	return !x->failed;
}

static void free_state(struct v9_export *x)
{
	struct parquet *p = x->state;

	for (unsigned int id = 0; id < V9_ROWS_TABLES; id++) {
		struct table *t = &p->table[id];
		int status = 0;

		if (t->f)
			fclose(t->f);
		if (t->pid <= 0 || (waitpid(t->pid, &status, 0) == t->pid && !status))
			continue;
		if (!x->failed)
			v9_error("--to parquet: %s did not write %s/%s.parquet", PROGRAM, x->path,
				 v9_rows_tables[id].name);
		x->failed = true;
	}
	v9_rows_free(p->rows);
	free(p);
}

const struct v9_sink v9_sink_parquet = {
	.name = "parquet", .help = "the tables of csv as Parquet, a file for each, by the program duckdb",
	.many = true, V9_ROWS_TAKES,
	.begin = begin, .free = free_state,
};

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The kinds of trace that a capture can hold. The commands walk them and know none by name. */
#ifndef V9TRACE_REPORT_KINDS_H
#define V9TRACE_REPORT_KINDS_H

#include "../capture/session.h"

struct v9_dump;
struct v9_export;
struct v9_report;
struct v9_script;

/* What commands and options show of a capture. Not each kind has all of it. */
enum {
	V9_SHOWS_TABLES = 1,		/* report */
	V9_SHOWS_MEM = 2,		/* mem */
	V9_SHOWS_FLOW = 4,		/* script: branches, instructions, ranges */
};

/**
 * struct v9_kind - a kind of trace
 * @name: prefix of the names of its tables if a capture has several kinds, and in options
 * @title: prefix of the titles of its tables
 * @auxtrace: name of its type of AUXTRACE_INFO records, or NULL: it is not in AUX data
 * @item: what its data consists of
 * @shows: V9_SHOWS_*
 * @absent: returns why a capture has no data of this kind that can be decoded, or NULL if it has
 * @report: prints its tables; returns false if there is no item
 * @feed: gives what it holds to a sink; returns false if there is no item
 * @script_begin: adds its sources of lines to the script, or NULL
 * @script: prints its lines, and those of the sources in between by time, or NULL
 * @script_end: called after all lines are printed, or NULL
 * @dump: prints the packets of AUX data, or NULL; *state is its own, NULL at first
 * @dump_end: frees @state, or NULL
 */
struct v9_kind {
	const char *name, *title, *auxtrace, *item;
	unsigned int shows;
	const char *(*absent)(const struct v9_session *s);
	bool (*report)(struct v9_report *r);
	bool (*feed)(struct v9_export *x);
	void (*script_begin)(struct v9_script *s);
	void (*script)(struct v9_script *s);
	void (*script_end)(struct v9_script *s);
	void (*dump)(const struct v9_dump *d, void **state);
	void (*dump_end)(void *state);
};

/* By enum v9_kind_id. That of V9_KIND_OTHER has only .auxtrace. */
extern const struct v9_kind v9_kinds[V9_KINDS];

#define v9_for_each_kind(k) \
	for (const struct v9_kind *k = v9_kinds + V9_KIND_OTHER + 1; k < v9_kinds + V9_KINDS; k++)

/* Walk the kinds that the capture of session @s has data of. */
#define v9_for_each_present(k, s) \
	v9_for_each_kind(k) \
		if (!k->absent(s))

/* Returns why a capture has no data to show all of @shows, or NULL if it has. */
const char *v9_kinds_absent(const struct v9_session *s, unsigned int shows);

/* Prints an error: the capture has data of kind @k, but no item. */
void v9_kind_empty(const struct v9_kind *k, const struct v9_session *s, const char *path);

#endif

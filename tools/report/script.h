/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* v9trace script: lines of several sources in the order of time. */
#ifndef V9TRACE_REPORT_SCRIPT_H
#define V9TRACE_REPORT_SCRIPT_H

#include "fields.h"
#include "options.h"

#define V9_SCRIPT_FIELDS	32

enum v9_script_how {
	V9_SCRIPT_BRANCHES,	/* a line per taken branch */
	V9_SCRIPT_INSN,		/* a line per instruction */
	V9_SCRIPT_RANGES,	/* a line per range of instructions without a taken branch */
	V9_SCRIPT_CALLS,	/* a line per begin and end of a call */
	V9_SCRIPT_JOINT,	/* a line per SPE record, with its place in the trace */
};

struct v9_script;

/* A source of lines. Structs of the callers begin with it. */
struct v9_source {
	uint64_t key;			/* time of the line to print next, in ns */
	void (*print)(struct v9_script *s, const struct v9_source *source);
	/* Goes to the next line. Returns false if there is none. */
	bool (*next)(struct v9_script *s, struct v9_source *source);
};

/* Consecutive chosen fields with the same key and the same .has, or one field without a key */
struct v9_record_part {
	const struct v9_field *const *from, *const *to;	/* to: behind the last one */
	uint32_t has;			/* V9_SPE_REC_* that they need; 0: none */
	char *(*brief)(char *to, const struct v9_line *l);	/* writes all of them at once; may be NULL */
	const struct v9_field_key *key;	/* of their texts in @texts; NULL: these are not kept */
	struct v9_text_cache texts;
};

/* Prints SPE records; one thread uses it. */
struct v9_record_printer {
	struct v9_script *s;
	struct v9_put *put;
	struct v9_record_part part[V9_SCRIPT_FIELDS];
	size_t nr_parts;
	struct v9_place_cache places, targets;
};

/* An SPE record to print. @raw: the first V9_SPE_RAWS of its @nr_raw packets without a meaning */
struct v9_script_record {
	const struct v9_queue *q;
	const struct v9_sampled *at;
	const struct v9_spe_raw *raw;
	size_t nr_raw;
};

struct v9_batches;

struct v9_script {
	struct v9_options o;
	struct v9_session s;
	struct v9_put put;		/* standard output */
	struct v9_lookup lookup;
	struct v9_record_printer records;	/* to standard output; not used with .batches */
	struct v9_batches *batches;	/* of SPE records, or NULL: one thread prints them */
	struct v9_tp *tp;
	const struct v9_field *chosen[V9_SCRIPT_FIELDS];
	size_t nr_chosen;
	bool json;
	bool beside;			/* SPE records are printed beside another kind of trace */
	bool need_cgroup, need_heap, need_raw;
	unsigned int shows;		/* V9_SHOWS_* that an option requires */
	enum v9_script_how how;
	struct v9_joint_machine machine;	/* of V9_SCRIPT_JOINT */
	struct v9_source **heap;	/* smallest key first */
	size_t nr_heap;
	size_t sample;			/* index of the next sample of another event */
	uint64_t seen;			/* records and samples, also those not printed */
	bool selected;			/* one of them fitted the filter */
	uint64_t damaged;
	char damaged_name[128];		/* event of the first damaged sample */
};

/* Adds a source, for v9_kind.script_begin. It is freed after its last line. */
void v9_script_add(struct v9_script *s, struct v9_source *source);

/* Prints the lines of all sources and the samples of other events up to @time, in ns. */
void v9_script_until(struct v9_script *s, uint64_t time);

/*
 * Prints the branch stack of a sample: as text a line for each branch that the filter selects, as JSON
 * an array. v9_script_selects() says whether there is such a branch.
 */
bool v9_script_selects(struct v9_script *s, const struct pd_sample *sample,
		       const struct v9_sampled *at);
void v9_script_branches(struct v9_script *s, const struct pd_sample *sample,
			const struct v9_sampled *at, struct v9_json *j);

/* The functions of the rows of v9_kinds. */
void v9_script_spe_begin(struct v9_script *s);
void v9_script_spe_end(struct v9_script *s);
void v9_script_trace(struct v9_script *s);

/* Its part for V9_SCRIPT_CALLS */
void v9_script_calls(struct v9_script *s);

/* Prints all for V9_SCRIPT_JOINT, by CPU. Returns false after an error message. */
bool v9_script_joint(struct v9_script *s);

/* @lookup: where other threads look up, too */
void v9_record_printer_init(struct v9_record_printer *x, struct v9_script *s, struct v9_put *put,
			    struct v9_lookup *lookup);
void v9_record_printer_free(struct v9_record_printer *x);

/* Prints the chosen fields of an SPE record, without the end of the line. */
void v9_record_print(struct v9_record_printer *x, const struct v9_script_record *r, struct v9_json *j);

/* Prints the line of an SPE record. */
void v9_record_line(struct v9_record_printer *x, const struct v9_script_record *r);

/* Prints a sample of another event, that at @offset of the capture. */
void v9_script_sample(struct v9_script *s, uint64_t offset);

struct v9_trace;
/* Warns of what an ETE trace lacks. @triggers: events of a flight recorder's trigger in it */
void v9_script_trace_losses(const struct v9_script *s, const struct v9_trace *t, uint64_t triggers);

#endif

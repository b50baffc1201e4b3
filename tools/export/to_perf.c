// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A perf.data file for programs that read samples and branch stacks. An SPE record is a sample of
 * the event "instructions". If it is a taken branch, its stack has that branch and, if known, the
 * target of the branch before. The taken branches of an ETE trace are in the stacks of samples of
 * the event "branches", each branch in one stack. A stack ends where what ran next is not known.
 * Records of tasks and mappings are copied from the capture.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/gen/spe_pkt.h>

#include "../lib/v9ete.h"
#include "export.h"

#define STACK		32		/* most branches of a stack */
#define SAMPLE_TYPE	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
			 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_BRANCH_STACK)
#define SAMPLE_ID	32		/* bytes: TID, TIME, CPU, IDENTIFIER behind other records */
#define MISPREDICTED	1		/* of struct perf_branch_entry */
#define PREDICTED	2

enum { ID_SPE = 1, ID_ETE };

struct entry { uint64_t from, to, flags; };

/* What a thread executes on a CPU. */
struct path {
	uint64_t key[1];		/* CPU << 32 | thread */
	uint64_t from;			/* a branch whose target comes next; valid if @pending */
	uint64_t next;			/* where execution goes on; valid if @open, not @pending */
	bool open, pending;
	struct entry entry[STACK];	/* oldest first */
	size_t nr;
	struct v9_sampled at;
};

struct perf {
	FILE *f;
	struct v9_bins paths;
	struct v9_export_note note;
	struct pd_header head;
	uint64_t period;		/* of SPE records */
	uint64_t untimed, placeless;
};

static void put(struct perf *p, const void *data, size_t n)
{
	fwrite(data, 1, n, p->f);
}

static void word(struct perf *p, uint64_t n)
{
	put(p, &n, sizeof(n));
}

static void pair(struct perf *p, uint32_t a, uint32_t b)
{
	word(p, (uint64_t)b << 32 | a);
}

static void put_attr(struct perf *p, uint64_t config, uint64_t period, uint64_t ids_at)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr), .config = config,
		.sample_period = period, .sample_type = SAMPLE_TYPE, .sample_id_all = 1,
		.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER |
				      PERF_SAMPLE_BRANCH_KERNEL,
	};
	const struct pd_range ids = { ids_at, sizeof(uint64_t) };

	put(p, &attr, sizeof(attr));
	put(p, &ids, sizeof(ids));
}

/*
 * Is it a record of tasks, mappings or losses? These are copied, with the sample id of our
 * events.
 */
static bool is_kept(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_LOST:
	case PERF_RECORD_COMM:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_FORK:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_NAMESPACES:
	case PERF_RECORD_KSYMBOL:
		return true;
	}
	return false;
}

static void put_sideband(struct perf *p, struct pd_file *file, uint64_t id)
{
	struct pd_event e;

	pd_rewind(file);
	while (pd_next(file, &e) == 1) {
		struct pd_event_header h = { .type = e.type, .misc = e.misc };

		if (!is_kept(e.type) || e.size + SAMPLE_ID > UINT16_MAX || e.size % 8)
			continue;
		h.size = (uint16_t)(e.size + SAMPLE_ID);
		put(p, &h, sizeof(h));
		put(p, e.p + sizeof(h), e.size - sizeof(h));
		pair(p, e.has & PD_HAS_TASK ? e.pid : UINT32_MAX, e.has & PD_HAS_TASK ? e.tid : UINT32_MAX);
		word(p, e.has & PD_HAS_TIME ? e.time : 0);
		pair(p, e.has & PD_HAS_CPU ? e.cpu : 0, 0);
		word(p, id);
	}
}

static bool begin(struct v9_export *x)
{
	const bool spe = !v9_session_no_spe(&x->r.s), ete = !v9_session_no_ete(&x->r.s);
	struct perf *p = v9_alloc(sizeof(*p));
	const size_t nr = (size_t)spe + ete;
	uint64_t ids = sizeof(p->head);

	x->state = p;
	v9_bins_init(&p->paths, sizeof(struct path));
	p->f = fopen(x->unfinished, "w");
	if (!p->f) {
		v9_error("cannot write %s: %s", x->unfinished, strerror(errno));
		return false;
	}
	p->period = x->r.s.interval.mean ? x->r.s.interval.mean : x->r.s.period ? x->r.s.period : 1;
	p->head = (struct pd_header){
		.magic = PD_MAGIC, .size = sizeof(p->head),
		.attr_size = sizeof(struct perf_event_attr) + sizeof(struct pd_range),
		.attrs.offset = sizeof(p->head) + nr * sizeof(uint64_t),
	};
	p->head.attrs.size = nr * p->head.attr_size;
	p->head.data.offset = p->head.attrs.offset + p->head.attrs.size;
	put(p, &p->head, sizeof(p->head));
	if (spe)
		word(p, ID_SPE);
	if (ete)
		word(p, ID_ETE);
	if (spe)
		put_attr(p, PERF_COUNT_HW_INSTRUCTIONS, p->period, ids);
	/* perf takes branches with a period of 1 for Intel's BTS, where a sample is one branch. */
	if (ete)
		put_attr(p, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, STACK, ids + (nr - 1) * sizeof(uint64_t));
	put_sideband(p, &x->r.s.file, spe ? ID_SPE : ID_ETE);
	return true;
}

/* @entry: oldest first */
static void sample(struct v9_export *x, uint64_t id, const struct v9_sampled *at, uint64_t ip,
		   uint64_t period, const struct entry *entry, size_t nr)
{
	struct perf *p = x->state;
	const struct pd_event_header h = {
		.type = PERF_RECORD_SAMPLE, .size = (uint16_t)(8 + 7 * 8 + nr * sizeof(*entry)),
		.misc = ip & V9_KERNEL_HALF ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
	};

	p->untimed += !at->has_time;
	put(p, &h, sizeof(h));
	word(p, id);
	word(p, ip);
	pair(p, at->pid, at->tid);
	word(p, at->has_time ? at->time : x->r.s.last_time);
	pair(p, at->cpu == V9_NO_TASK ? 0 : at->cpu, 0);
	word(p, period);
	word(p, nr);
	while (nr)
		put(p, &entry[--nr], sizeof(*entry));
}

static void record(struct v9_export *x, const struct v9_line *l)
{
	const struct v9_spe_rec *r = l->r;
	struct perf *p = x->state;
	struct entry entry[2];
	size_t nr = 0;

	p->placeless += !(r->has & V9_SPE_REC_PC);
	if (!(r->has & V9_SPE_REC_PC))
		return;
	if (r->has & V9_SPE_REC_OP && r->op_class == V9_SPE_OP_CLASS_BRANCH && r->has & V9_SPE_REC_TARGET &&
	    !(r->has & V9_SPE_REC_EVENTS && r->events >> V9_SPE_EV_NOT_TAKEN & 1)) {
		if (r->has & V9_SPE_REC_PREV_TARGET)
			entry[nr++] = (struct entry){ 0, r->prev_target.addr, 0 };
		entry[nr++] = (struct entry){ r->pc.addr, r->target.addr,
			!(r->has & V9_SPE_REC_EVENTS) ? 0 :
			r->events >> V9_SPE_EV_MISPREDICTED & 1 ? MISPREDICTED : PREDICTED };
	}
	sample(x, ID_SPE, l->at, r->pc.addr, p->period, entry, nr);
}

/* ---- the taken branches of a trace */

static void flush(struct v9_export *x, struct path *path)
{
	if (path->nr)
		sample(x, ID_ETE, &path->at, path->entry[path->nr - 1].to, path->nr, path->entry, path->nr);
	path->nr = 0;
}

/* Adds a branch to the stack. A full stack is written; the next one has none of its branches. */
static void add(struct v9_export *x, struct path *path, uint64_t from, uint64_t to)
{
	path->entry[path->nr++] = (struct entry){ from, to, 0 };
	if (path->nr == STACK)
		flush(x, path);
}

/* Ends the stack: what ran next is not known, or does not follow. */
static void stop(struct v9_export *x, struct path *path)
{
	flush(x, path);
	path->open = path->pending = false;
}

static void range(struct v9_export *x, struct path *path, const struct v9_flow_rec *rec)
{
	const bool branch = rec->taken && (rec->last.kind == V9_INSN_DIRECT ||
					   rec->last.kind == V9_INSN_INDIRECT);

	if (path->pending)
		add(x, path, path->from, rec->start);
	else if (path->open && path->next != rec->start)
		stop(x, path);
	path->pending = branch && rec->last.kind == V9_INSN_INDIRECT;
	path->open = true;
	path->from = rec->last_addr;
	path->next = rec->end;
	if (branch && !path->pending) {
		add(x, path, rec->last_addr, rec->last.target);
		path->next = rec->last.target;
	}
}

static void flow(struct v9_export *x, const struct v9_sampled *at, const struct v9_flow_rec *rec)
{
	struct perf *p = x->state;
	const uint64_t key = (uint64_t)at->cpu << 32 | at->tid;
	struct path *path = v9_bins_at(&p->paths, &key, 1);

	path->at = *at;
	if (rec->kind == V9_FLOW_RANGE) {
		range(x, path, rec);
	} else if (rec->kind == V9_FLOW_EXCEPTION) {
		if (path->pending && rec->addressed)
			add(x, path, path->from, rec->start);
		stop(x, path);
	} else if (rec->kind == V9_FLOW_GAP || rec->kind == V9_FLOW_UNPLACED) {
		stop(x, path);
	}
}

static void loss(struct v9_export *x, const struct v9_loss *l)
{
	v9_note_loss(&((struct perf *)x->state)->note, l);
}

static void end(struct v9_export *x)
{
	struct perf *p = x->state;
	const struct v9_loss untimed = {
		.kind = "untimed", .n = p->untimed, .what = "samples without a time",
		.meaning = "they have that of the end",
	};
	const struct v9_loss placeless = {
		.kind = "placeless", .n = p->placeless, .what = "SPE records without an instruction",
		.meaning = "a sample has one",
	};

	for (size_t i = 0; i < p->paths.used; i++)
		flush(x, v9_bins_get(&p->paths, i));
	if (p->untimed)
		v9_note_loss(&p->note, &untimed);
	if (p->placeless)
		v9_note_loss(&p->note, &placeless);
	p->head.data.size = (uint64_t)ftello(p->f) - p->head.data.offset;
	if (fseeko(p->f, 0, SEEK_SET))
		x->failed = true;
	put(p, &p->head, sizeof(p->head));
	if (fflush(p->f) || ferror(p->f)) {
		v9_error("cannot write %s: %s", x->path, strerror(errno));
		x->failed = true;
	}
	v9_note_lost(x, &p->note);
}

static void free_state(struct v9_export *x)
{
	struct perf *p = x->state;

	if (p->f && fclose(p->f) && !x->failed) {
		v9_error("cannot write %s: %s", x->path, strerror(errno));
		x->failed = true;
	}
	v9_bins_free(&p->paths);
	v9_note_free(&p->note);
	free(p);
}

const struct v9_sink v9_sink_perf = {
	.name = "perf", .help = "perf.data with samples and branch stacks for perf script, perf2bolt -p",
	.takes = { [V9_KIND_SPE] = V9_SINK_RECORDS, [V9_KIND_ETE] = V9_SINK_FLOW },
	.opens = true, .binary = true,
	.begin = begin, .record = record, .flow = flow, .loss = loss, .end = end, .free = free_state,
};

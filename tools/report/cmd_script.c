// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace script: prints records and tracepoints in the order of time, one line each. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../commands.h"
#include "../capture/tp.h"
#include "../util.h"
#include "fields.h"
#include "options.h"
#include "script_trace.h"

#define MAX_FIELDS	32

/* A buffer and its next record. */
struct head {
	struct v9_queue *q;
	struct v9_spe_rec rec;
	struct v9_sampled at;
	uint64_t key;
};

struct script {
	struct v9_options o;
	struct v9_session s;
	struct v9_tp *tp;
	const struct v9_field *chosen[MAX_FIELDS];
	size_t nr_chosen;
	bool json;
	bool need_sym, need_target;
	bool wants_trace;		/* an option for ETE traces was given */
	enum v9_script_how how;
	struct head **heap;		/* smallest key first */
	size_t nr_heap;
	size_t sample;			/* index of the next tracepoint */
	uint64_t seen, damaged;
	char damaged_name[128];		/* event of the first damaged sample */
};

static void sift(struct script *s, size_t i)
{
	for (;;) {
		size_t least = i, kid = 2 * i + 1;

		for (size_t k = kid; k < kid + 2 && k < s->nr_heap; k++)
			if (s->heap[k]->key < s->heap[least]->key)
				least = k;
		if (least == i)
			return;
		struct head *h = s->heap[i];

		s->heap[i] = s->heap[least];
		s->heap[least] = h;
		i = least;
	}
}

/* Reads the next record of a buffer. One without a time keeps the key of the record before it. */
static bool advance(struct script *s, struct head *h)
{
	if (!v9_session_next(&s->s, h->q, &h->rec))
		return false;
	v9_session_place(&s->s, h->q, &h->rec, &h->at);
	h->at.rec = &h->rec;
	if (h->at.has_time)
		h->key = h->at.time;
	return true;
}

static void start(struct script *s)
{
	if (!s->s.nr_queues)
		return;
	s->heap = v9_alloc(s->s.nr_queues * sizeof(*s->heap));
	for (size_t i = 0; i < s->s.nr_queues; i++) {
		struct head *h;

		if (s->s.queues[i].kind != V9_KIND_SPE)
			continue;
		h = v9_alloc(sizeof(*h));
		h->q = &s->s.queues[i];
		if (advance(s, h))
			s->heap[s->nr_heap++] = h;
		else
			free(h);
	}
	for (size_t i = s->nr_heap; i--;)
		sift(s, i);
}

static void print_record(struct script *s, const struct head *h)
{
	struct v9_line l = { .s = &s->s, .q = h->q, .r = &h->rec, .at = &h->at,
			  .pc = { .dso_name = "[unknown]" } };
	const uint64_t time = h->at.has_time ? h->at.time : UINT64_MAX;
	struct v9_json j = { .f = stdout };
	const char *gap = "";

	l.target = l.pc;
	s->seen++;
	if (!v9_filter_pass(&s->o.filter, &h->at))
		return;
	if (s->need_sym && h->rec.has & V9_SPE_REC_PC)
		v9_syms_find(&s->s.syms, h->at.pid, time, h->rec.pc.addr, &l.pc);
	if (s->need_target && h->rec.has & V9_SPE_REC_TARGET)
		v9_syms_find(&s->s.syms, h->at.pid, time, h->rec.target.addr, &l.target);
	if (s->json) {
		v9_json_begin(&j);
		v9_json_text(&j, "type", "spe");
		for (size_t i = 0; i < s->nr_chosen; i++)
			s->chosen[i]->json(&j, &l);
		v9_json_end(&j);
		return;
	}
	for (size_t i = 0; i < s->nr_chosen; i++) {
		const struct v9_field *f = s->chosen[i];

		if (f->has && !(f->has & h->rec.has))
			continue;
		fputs(gap, stdout);
		f->text(stdout, &l);
		gap = " ";
	}
	fputc('\n', stdout);
}

/* Names of fields come from the capture: use only letters, digits and underscores. */
static void put_field(void *arg, const struct v9_tp_field *f)
{
	static const char hex[] = "0123456789abcdef";
	struct v9_json *j = arg;
	struct v9_blob bytes = { 0 };
	char name[64];

	snprintf(name, sizeof(name), "%s", f->name ? f->name : "");
	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	switch (f->kind) {
	case V9_TP_UNSIGNED:
		v9_json_number(j, name, f->number);
		break;
	case V9_TP_SIGNED:
		v9_json_signed(j, name, (int64_t)f->number);
		break;
	case V9_TP_ADDRESS:
		v9_json_hex(j, name, f->number);
		break;
	case V9_TP_TEXT:
		v9_json_text(j, name, f->text);
		break;
	case V9_TP_BYTES:
		for (size_t i = 0; i < f->size; i++)
			v9_blob_put(&bytes, (const char []){ hex[f->bytes[i] >> 4],
							     hex[f->bytes[i] & 15] }, 2);
		v9_blob_zero(&bytes, 1);
		v9_json_text(j, name, (const char *)bytes.data);
		v9_blob_free(&bytes);
		break;
	}
}

static void print_sample(struct script *s, uint64_t offset)
{
	const char *name = NULL, *text = "";
	struct v9_sampled at = { .cpu = V9_NO_TASK, .pid = V9_NO_TASK, .tid = V9_NO_TASK };
	struct v9_json j = { .f = stdout };
	struct pd_sample sample;
	struct pd_event e;
	uint32_t pid = V9_NO_TASK;

	if (pd_at(&s->s.file, offset, &e) <= 0 || pd_sample(&e, &sample))
		return;
	s->seen++;
	at.has_time = e.has & PD_HAS_TIME;
	at.time = e.time;
	if (e.has & PD_HAS_CPU)
		at.cpu = e.cpu;
	if (e.has & PD_HAS_TASK) {
		at.pid = e.pid;
		at.tid = e.tid;
		at.comm = v9_session_comm(&s->s, e.tid, e.time, &pid);
	}
	if (!v9_filter_pass(&s->o.filter, &at))
		return;
	if (!v9_tp_text(s->tp, &e, &sample, &name, &text)) {
		name = v9_tp_name(s->tp, &sample);
		name = name ? name : e.attr->name[0] ? e.attr->name : "sample";
		if (e.attr->attr.type == PERF_TYPE_TRACEPOINT && !s->damaged++)
			snprintf(s->damaged_name, sizeof(s->damaged_name), "%s", name);
	}

	struct v9_line l = { .s = &s->s, .at = &at };

	if (s->json) {
		v9_json_begin(&j);
		v9_json_text(&j, "type", "event");
		v9_json_task(&j, &l);
		v9_json_text(&j, "event", name);
		v9_json_text(&j, "text", text);
		if (*text) {
			v9_json_object(&j, "fields");
			v9_tp_fields(s->tp, &sample, put_field, &j);
			v9_json_object_end(&j);
		}
		v9_json_end(&j);
		return;
	}
	v9_text_task(stdout, &l);
	printf(" %s:", name);
	if (*text) {
		fputc(' ', stdout);
		v9_text_clean(stdout, text, 0);
	} else if (sample.ip) {
		printf(" %" PRIx64 " ", sample.ip);
		v9_syms_find(&s->s.syms, at.pid, at.time, sample.ip, &l.pc);
		v9_text_place(stdout, &l.pc);
	}
	fputc('\n', stdout);
}

/* Prints records of all buffers and samples of other events in the order of time, up to @time. */
static void merge_until(void *arg, uint64_t time)
{
	struct script *s = arg;

	while ((s->nr_heap || s->sample < s->s.nr_samples) && !ferror(stdout)) {
		const struct v9_seen *seen = s->sample < s->s.nr_samples ?
					     &s->s.samples[s->sample] : NULL;
		struct head *h = s->nr_heap ? s->heap[0] : NULL;

		if (seen && (!h || seen->time <= h->key)) {
			if (seen->time > time)
				return;
			print_sample(s, seen->offset);
			s->sample++;
			continue;
		}
		if (h->key > time)
			return;
		print_record(s, h);
		if (!advance(s, h)) {
			s->heap[0] = s->heap[--s->nr_heap];
			free(h);
		}
		sift(s, 0);
	}
}

static void end_merge(struct script *s)
{
	merge_until(s, UINT64_MAX);
	while (s->nr_heap)
		free(s->heap[--s->nr_heap]);
	free(s->heap);
}

static void print_trace(struct script *s)
{
	struct v9_script_trace x = { .s = &s->s, .o = &s->o, .how = s->how, .json = s->json,
				     .others = merge_until, .arg = s };

	v9_script_trace(&x);
	s->seen += x.packets;
}

static void warn_losses(const struct script *s, bool spe)
{
	const struct v9_aux_sum *l = &s->s.aux[V9_KIND_SPE];
	uint64_t skipped = 0;

	for (size_t i = 0; i < s->s.nr_queues; i++)
		for (unsigned int k = 0; k < V9_SPE_SKIPS; k++)
			skipped += v9_spe_dec_account(s->s.queues[i].dec)->skipped[k];
	if (spe && (l->truncated || l->partial || l->collision || s->s.lost.lost_records || skipped))
		v9_warn("lost: %" PRIu64 " AUX records truncated, %" PRIu64 " partial, %" PRIu64
			" with collisions, %" PRIu64 " side-band records, %" PRIu64
			" AUX bytes skipped (see v9trace report)",
			l->truncated, l->partial, l->collision, s->s.lost.lost_records, skipped);
	if (s->s.lost.cpu_away)
		v9_warn("lost: CPUs were offline or came late %" PRIu64 " times (see v9trace report)",
			s->s.lost.cpu_away);
	if (s->s.lost.unreadable)
		v9_warn("%" PRIu64 " samples cannot be read: they do not have the format of their "
			"event", s->s.lost.unreadable);
	if (s->damaged)
		v9_warn("%" PRIu64 " tracepoint samples without a matching format, the first of %s",
			s->damaged, s->damaged_name);
}

static int run(struct script *s)
{
	/* A capture may have tracepoints only. */
	int status = v9_capture_open(&s->s, &s->o, s->wants_trace ? V9_NEED_TRACE : V9_NEED_FILE);
	const bool trace = !v9_session_no_ete(&s->s), spe = !v9_session_no_spe(&s->s);

	if (status)
		return status;
	if (!s->s.nr_samples && !trace && !spe) {
		v9_error("%s %s", s->o.path, s->s.broken[0] ? s->s.broken :
			 s->s.units_why ? s->s.units_why : v9_session_no_spe(&s->s));
		return V9_EXIT_FAILED;
	}
	s->tp = v9_tp_open(&s->s.file, &s->s.syms);
	/* Do not decode AUX data of other PMUs. */
	if (spe)
		start(s);
	if (trace)
		print_trace(s);
	end_merge(s);
	v9_tp_close(s->tp);
	warn_losses(s, spe);
	if (!s->seen)
		v9_error("%s holds no %s: %" PRIu64 " bytes of AUX data", s->o.path,
			 trace ? "ETE packet" : "SPE record",
			 s->s.aux[trace ? V9_KIND_ETE : V9_KIND_SPE].bytes);
	return v9_capture_status(&s->s, s->o.path, s->seen);
}

enum { OPT_FIELDS = V9_OPT_OWN, OPT_BRANCHES, OPT_INSN, OPT_RANGES, OPT_JSON, OPT_HELP };

static const struct option longopts[] = {
	V9_COMMON_OPTIONS,
	{ "fields", required_argument, NULL, OPT_FIELDS },
	{ "branches", no_argument, NULL, OPT_BRANCHES },
	{ "insn", no_argument, NULL, OPT_INSN },
	{ "ranges", no_argument, NULL, OPT_RANGES },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "help", no_argument, NULL, OPT_HELP },
	{ 0 }
};

static void usage(void)
{
	printf("usage: v9trace script [OPTIONS] [FILE]\n"
	       "Prints each SPE record, or what was executed in an instruction trace, and each\n"
	       "tracepoint of a capture (default: " V9_DEFAULT_CAPTURE "), by time.\n"
	       "  --branches        of an instruction trace: a line per taken branch (default)\n"
	       "  --insn            a line per instruction\n"
	       "  --ranges          a line per run of instructions without a taken branch\n"
	       "  -F, --fields LIST these fields in this order:\n                   ");
	for (size_t i = 0; i < v9_nr_fields; i++)
		printf(" %s%s", v9_fields[i].name, i + 1 < v9_nr_fields ? "," : "\n");
	printf("                    or +LIST: those in addition to the usual ones\n"
	       "  --json            JSON, one object per line\n"
	       V9_COMMON_HELP);
}

static void choose_usual(struct script *s, bool all)
{
	s->nr_chosen = 0;
	for (size_t i = 0; i < v9_nr_fields; i++)
		if ((v9_fields[i].usual || all) && s->nr_chosen < MAX_FIELDS)
			s->chosen[s->nr_chosen++] = &v9_fields[i];
}

static bool choose(struct script *s, const char *list)
{
	s->nr_chosen = 0;
	if (*list == '+') {
		choose_usual(s, false);
		list++;
	}
	while (*list) {
		const size_t n = strcspn(list, ",");
		const struct v9_field *f = v9_field_find(list, n);
		size_t k;

		if (!f) {
			v9_error("--fields: no field '%.*s' (v9trace script --help lists them)",
				 (int)n, list);
			return false;
		}
		for (k = 0; k < s->nr_chosen && s->chosen[k] != f; k++)
			;
		if (k == s->nr_chosen && k < MAX_FIELDS)
			s->chosen[s->nr_chosen++] = f;
		list += n + (list[n] == ',');
	}
	if (!s->nr_chosen)
		v9_error("--fields: which? (v9trace script --help lists them)");
	return s->nr_chosen;
}

int cmd_script(int argc, char **argv)
{
	struct script s = { .json = false };
	int opt, status;

	v9_options_init(&s.o, argv);
	while ((opt = getopt_long(argc, argv, V9_COMMON_SHORT "F:", longopts, NULL)) != -1) {
		status = 0;
		if (opt == OPT_HELP || opt == 'h') {
			usage();
			return V9_EXIT_OK;
		} else if (opt == OPT_FIELDS || opt == 'F') {
			status = choose(&s, optarg) ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_BRANCHES || opt == OPT_INSN || opt == OPT_RANGES) {
			s.wants_trace = true;
			s.how = opt == OPT_BRANCHES ? V9_SCRIPT_BRANCHES :
				opt == OPT_INSN ? V9_SCRIPT_INSN : V9_SCRIPT_RANGES;
		} else if (opt == OPT_JSON) {
			s.json = true;
		} else {
			status = v9_options_take(&s.o, opt, optarg);
		}
		if (status)
			return status;
	}
	if (!s.nr_chosen)
		choose_usual(&s, s.json);
	for (size_t i = 0; i < s.nr_chosen; i++) {
		s.need_sym |= !strcmp(s.chosen[i]->name, "sym");
		s.need_target |= !strcmp(s.chosen[i]->name, "target");
	}
	status = v9_options_file(&s.o, argc, argv);
	if (status)
		return status;
	status = run(&s);
	v9_session_close(&s.s);
	if (fflush(stdout) || ferror(stdout)) {
		v9_error("cannot write: %s", strerror(errno));
		return V9_EXIT_FAILED;
	}
	return status;
}

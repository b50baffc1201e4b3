// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace script: prints records and tracepoints in the order of time, one line each. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../commands.h"
#include "../capture/heap_read.h"
#include "../capture/strtab.h"
#include "../capture/tp.h"
#include "../util.h"
#include "fields.h"
#include "joint_read.h"
#include "kinds.h"
#include "script_batch.h"

static void sift(struct v9_script *s, size_t i)
{
	struct v9_source *const source = s->heap[i];
	size_t kid;

	while ((kid = 2 * i + 1) < s->nr_heap) {
		if (kid + 1 < s->nr_heap && s->heap[kid + 1]->key < s->heap[kid]->key)
			kid++;
		if (s->heap[kid]->key >= source->key)
			break;
		s->heap[i] = s->heap[kid];
		i = kid;
	}
	s->heap[i] = source;
}

void v9_script_add(struct v9_script *s, struct v9_source *source)
{
	if (source->next(s, source))
		*v9_vec_add(s->heap, s->nr_heap) = source;
	else
		free(source);
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

void v9_script_sample(struct v9_script *s, uint64_t offset)
{
	const char *name = NULL, *text = "";
	bool known;
	struct v9_sampled at;
	struct v9_put *put = &s->put;
	struct v9_json j = { .put = put };
	struct pd_sample sample;
	struct pd_event e;

	if (pd_at(&s->s.file, offset, &e) <= 0 || pd_sample(&e, &sample))
		return;
	s->seen++;
	/* Threads that decode an instruction trace look up tasks and functions, those that print SPE records functions. */
	pthread_mutex_lock(&s->lookup.lock);
	v9_session_sampled(&s->s, &e, &at);
	pthread_mutex_unlock(&s->lookup.lock);
	if (!v9_filter_task(&s->o.filter, &at))
		return;
	if (s->o.filter.used & V9_FILTER_OF_TRACE && !v9_script_selects(s, &sample, &at))
		return;
	s->selected = true;
	pthread_mutex_lock(&s->lookup.lock);
	known = v9_tp_text(s->tp, &e, &sample, &name, &text);
	pthread_mutex_unlock(&s->lookup.lock);
	if (!known) {
		name = v9_tp_name(s->tp, &sample);
		name = name ? name : e.attr->name[0] ? e.attr->name : "sample";
		if (e.attr->attr.type == PERF_TYPE_TRACEPOINT && !s->damaged++)
			snprintf(s->damaged_name, sizeof(s->damaged_name), "%s", name);
	}

	struct v9_line l = { .s = &s->s, .at = &at, .cgroup = s->need_cgroup };

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
		if (sample.has_branches)
			v9_script_branches(s, &sample, &at, &j);
		v9_json_end(&j);
		return;
	}
	v9_text_task(put, &l);
	v9_put_char(put, ' ');
	v9_put_str(put, name);
	v9_put_char(put, ':');
	if (*text) {
		v9_put_char(put, ' ');
		v9_text_clean(put, text, 0);
	} else if (sample.ip) {
		struct v9_place place;

		v9_put_char(put, ' ');
		v9_put_hex(put, sample.ip, 0);
		v9_put_char(put, ' ');
		v9_lookup_place(&s->lookup, at.pid, at.time, sample.ip, &place);
		v9_text_place(put, &place);
	}
	v9_put_end(put);
	if (sample.has_branches)
		v9_script_branches(s, &sample, &at, NULL);
}

void v9_script_until(struct v9_script *s, uint64_t time)
{
	/* No other thread writes to it. */
	while ((s->nr_heap || s->sample < s->s.nr_samples) && !ferror_unlocked(stdout)) {
		const struct v9_seen *seen = s->sample < s->s.nr_samples ?
					     &s->s.samples[s->sample] : NULL;
		struct v9_source *source = s->nr_heap ? s->heap[0] : NULL;

		if (seen && (!source || seen->time <= source->key)) {
			if (seen->time > time)
				return;
			v9_script_sample(s, seen->offset);
			s->sample++;
			continue;
		}
		if (source->key > time)
			return;
		source->print(s, source);
		if (!source->next(s, source)) {
			s->heap[0] = s->heap[--s->nr_heap];
			free(source);
		}
		sift(s, 0);
	}
}

static void warn_losses(const struct v9_script *s)
{
	if (s->s.lost.cpu_away)
		v9_warn("lost: CPUs were offline or came late %" PRIu64 " times (see v9trace report)",
			s->s.lost.cpu_away);
	if (s->s.lost.paused)
		v9_warn("lost: the recording was paused %" PRIu64 " times (see v9trace report)", s->s.lost.paused);
	if (s->s.lost.unreadable)
		v9_warn("%" PRIu64 " samples cannot be read: they do not have the format of their "
			"event", s->s.lost.unreadable);
	if (s->damaged)
		v9_warn("%" PRIu64 " tracepoint samples without a matching format, the first of %s",
			s->damaged, s->damaged_name);
}

/* Prints everything. The kinds that are present add their sources before one prints. */
static void print_all(struct v9_script *s)
{
	v9_lookup_init(&s->lookup, &s->s);
	s->tp = v9_tp_open(&s->s.file, &s->s.syms);
	if (s->need_heap)
		v9_heap_read(&s->s);
	v9_for_each_present(k, &s->s)
		if (k->script_begin)
			k->script_begin(s);
	for (size_t i = s->nr_heap; i--;)
		sift(s, i);
	v9_for_each_present(k, &s->s)
		if (k->script)
			k->script(s);
	v9_script_until(s, UINT64_MAX);
	if (s->batches)
		v9_batches_free(s->batches);
	v9_put_flush(&s->put);
	while (s->nr_heap)
		free(s->heap[--s->nr_heap]);
	free(s->heap);
	v9_tp_close(s->tp);
	v9_for_each_present(k, &s->s)
		if (k->script_end)
			k->script_end(s);
	v9_lookup_free(&s->lookup);
	warn_losses(s);
}

static int run(struct v9_script *s)
{
	/* A capture may have tracepoints only. */
	int status = v9_capture_open(&s->s, &s->o, s->shows);
	const struct v9_kind *last = &v9_kinds[V9_KIND_OTHER + 1];
	const char *why;

	if (status)
		return status;
	if (s->how == V9_SCRIPT_JOINT) {
		if (!v9_script_joint(s))
			return V9_EXIT_FAILED;
		goto done;
	}
	why = s->s.nr_samples ? NULL : v9_kinds_absent(&s->s, 0);
	if (why) {
		v9_error("%s %s", s->o.path, s->s.broken[0] ? s->s.broken : why);
		return V9_EXIT_FAILED;
	}
	print_all(s);
done:
	v9_for_each_present(k, &s->s)
		last = k;
	if (!s->seen)
		v9_kind_empty(last, &s->s, s->o.path);
	else if (!s->selected && s->o.filter.used)
		v9_filter_nothing(&s->o.filter, &s->s, s->o.path);
	return v9_capture_status(&s->s, s->o.path,
				 s->seen && (s->selected || !s->o.filter.used));
}

enum { OPT_FIELDS = V9_OPT_OWN, OPT_BRANCHES, OPT_INSN, OPT_RANGES, OPT_CALLS, OPT_JOINT, OPT_MHZ, OPT_MOST,
       OPT_ERROR, OPT_HELP };

static const struct option longopts[] = {
	V9_COMMON_OPTIONS,
	{ "fields", required_argument, NULL, OPT_FIELDS },
	{ "branches", no_argument, NULL, OPT_BRANCHES },
	{ "insn", no_argument, NULL, OPT_INSN },
	{ "ranges", no_argument, NULL, OPT_RANGES },
	{ "calls-timeline", no_argument, NULL, OPT_CALLS },
	{ "joint", no_argument, NULL, OPT_JOINT },
	{ "least-mhz", required_argument, NULL, OPT_MHZ },
	{ "most-mhz", required_argument, NULL, OPT_MOST },
	{ "stamp-error", required_argument, NULL, OPT_ERROR },
	V9_FORMAT_OPTIONS,
	{ "help", no_argument, NULL, OPT_HELP },
	{ 0 }
};

static void usage(void)
{
	printf("usage: v9trace script [OPTIONS] [FILE]\n"
	       "Prints each SPE record, or what was executed in an instruction trace, and each sample\n"
	       "of other events with its branch stack, of a capture (default: " V9_DEFAULT_CAPTURE "),\n"
	       "by time.\n"
	       "  --branches        of an instruction trace: a line per taken branch (default)\n"
	       "  --insn            a line per instruction\n"
	       "  --ranges          a line per run of instructions without a taken branch\n"
	       "  --calls-timeline  a line per begin and end of a call, indented by depth\n"
	       "  --joint           of a recording of SPE and ETE at once: a line per SPE record, by CPU, with\n"
	       "                    its place in the trace: class, number of the instruction, call path\n"
	       "  --least-mhz N     with --joint: lowest frequency of the CPUs (default %d)\n"
	       "  --most-mhz N      with --joint: highest frequency of the CPUs (default %d)\n"
	       "  --stamp-error NS  with --joint: by how much a unit may stamp an instruction earlier or later\n"
	       "                    than it is executed (default %d)\n"
	       "  -F, --fields LIST these fields in this order:\n                   ", V9_JOINT_MHZ, V9_JOINT_MOST_MHZ,
	       V9_JOINT_ERROR);
	for (size_t i = 0; i < v9_nr_fields; i++)
		printf(" %s%s", v9_fields[i].name, i + 1 < v9_nr_fields ? "," : "\n");
	printf("                    or +LIST: those in addition to the usual ones\n"
	       "  --json            JSON, one object per line; --format text, json is the same\n"
	       V9_COMMON_HELP);
}

static void choose_usual(struct v9_script *s, bool all)
{
	s->nr_chosen = 0;
	for (size_t i = 0; i < v9_nr_fields; i++)
		if ((v9_fields[i].usual || all) && s->nr_chosen < V9_SCRIPT_FIELDS)
			s->chosen[s->nr_chosen++] = &v9_fields[i];
}

static bool choose(struct v9_script *s, const char *list)
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
		if (k == s->nr_chosen && k < V9_SCRIPT_FIELDS)
			s->chosen[s->nr_chosen++] = f;
		list += n + (list[n] == ',');
	}
	if (!s->nr_chosen)
		v9_error("--fields: which? (v9trace script --help lists them)");
	return s->nr_chosen;
}

int cmd_script(int argc, char **argv)
{
	struct v9_script s = { .json = false };
	int opt, status;

	v9_put_begin(&s.put, stdout);
	s.put.eager = isatty(STDOUT_FILENO);
	v9_options_init(&s.o, argv, V9_TAKES_LINES | V9_TAKES_OBJECTS);
	while ((opt = getopt_long(argc, argv, V9_COMMON_SHORT "F:", longopts, NULL)) != -1) {
		status = 0;
		if (opt == OPT_HELP || opt == 'h') {
			usage();
			return V9_EXIT_OK;
		} else if (opt == OPT_FIELDS || opt == 'F') {
			status = choose(&s, optarg) ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_BRANCHES || opt == OPT_INSN || opt == OPT_RANGES ||
			   opt == OPT_CALLS || opt == OPT_JOINT) {
			s.shows = opt == OPT_JOINT ? 0 : V9_SHOWS_FLOW;
			s.how = opt == OPT_BRANCHES ? V9_SCRIPT_BRANCHES :
				opt == OPT_INSN ? V9_SCRIPT_INSN :
				opt == OPT_CALLS ? V9_SCRIPT_CALLS :
				opt == OPT_JOINT ? V9_SCRIPT_JOINT : V9_SCRIPT_RANGES;
		} else if (opt == OPT_MHZ) {
			status = v9_joint_parse("least-mhz", optarg, &s.machine.least_mhz) ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_MOST) {
			status = v9_joint_parse("most-mhz", optarg, &s.machine.most_mhz) ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_ERROR) {
			status = v9_joint_parse("stamp-error", optarg, &s.machine.stamp_error) ? 0 : V9_EXIT_USAGE;
		} else {
			status = v9_options_take(&s.o, opt, optarg);
		}
		if (status)
			return status;
	}
	if (s.how == V9_SCRIPT_CALLS && s.o.filter.used & V9_FILTER_OF_TRACE) {
		v9_error("--calls-timeline: calls need all that a thread executes: not with --el, --dso, "
			 "--symbol or options of SPE");
		return v9_options_refuse(&s.o);
	}
	if (s.how == V9_SCRIPT_JOINT ? !v9_joint_agrees(&s.machine) : !v9_joint_unused(&s.machine))
		return v9_options_refuse(&s.o);
	s.json = s.o.format->takes & V9_TAKES_OBJECTS;
	for (size_t i = 0; i < s.nr_chosen; i++)
		if (s.how == V9_SCRIPT_JOINT && !strcmp(s.chosen[i]->name, "raw")) {
			v9_error("--fields raw: not with --joint, which keeps no packets of a record");
			return v9_options_refuse(&s.o);
		}
	if (!s.nr_chosen)
		choose_usual(&s, s.json);
	for (size_t i = 0; i < s.nr_chosen; i++) {
		s.need_cgroup |= !strcmp(s.chosen[i]->name, "cgroup");
		s.need_heap |= !strcmp(s.chosen[i]->name, "alloc");
		s.need_raw |= !strcmp(s.chosen[i]->name, "raw");
	}
	status = v9_options_file(&s.o, argc, argv);
	if (status)
		return status;
	status = run(&s);
	v9_session_close(&s.s);
	v9_filter_free(&s.o.filter);
	if (fflush(stdout) || ferror(stdout)) {
		v9_error("cannot write: %s", strerror(errno));
		return V9_EXIT_FAILED;
	}
	return status;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace script --joint: a line for each SPE record, with its place in the trace of its CPU. */
#include <inttypes.h>

#include "../util.h"
#include "call_path.h"
#include "joint_read.h"
#include "kinds.h"
#include "script.h"

#define CALLERS	32	/* that are printed */

struct lines {
	struct v9_script *s;
	struct v9_joint_read in;
};

/* The number of the instruction in the trace of its CPU, from 0 */
static uint64_t number(const struct v9_joint_window *w, size_t at, const struct v9_joint_sample *s)
{
	return w->block[at].index + (s->pc - w->block[at].pc) / 4;
}

static void print_json(struct lines *x, const struct v9_joint_window *w, const struct v9_joint_sample *s,
		       const struct v9_joint_place *p, struct v9_json *j)
{
	const bool certain = p->class == V9_JOINT_EXACT || p->class == V9_JOINT_PATH;
	size_t levels = 0;

	v9_json_text(j, "place", v9_joint_class_name[p->class]);
	v9_json_number(j, "candidates", p->n);
	v9_json_number(j, "gaps", p->gaps);
	if (p->n) {
		v9_json_number(j, "first", number(w, p->first, s));
		v9_json_number(j, "last", number(w, p->last, s));
	}
	if (p->likely)
		v9_json_number(j, "likely", number(w, p->likely, s));
	if (p->class == V9_JOINT_EXACT && w->block[p->first].pass)
		v9_json_number(j, "pass", w->block[p->first].pass);
	if (!certain || !w->block[p->first].path)
		return;
	v9_json_open(j, "path");
	for (size_t i = w->block[p->first].path; i && levels++ < CALLERS; i = x->in.sum.call[i].parent)
		v9_json_item(j, v9_call_name(&x->in.sum, i));
	v9_json_close(j);
}

static void print_text(struct lines *x, const struct v9_joint_window *w, const struct v9_joint_sample *s,
		       const struct v9_joint_place *p)
{
	const bool certain = p->class == V9_JOINT_EXACT || p->class == V9_JOINT_PATH;
	struct v9_put *put = &x->s->put;
	size_t i, levels = 0;

	v9_put_str(put, "  ");
	v9_put_str(put, v9_joint_class_name[p->class]);
	if (p->n > 1) {
		v9_put_str(put, ": one of ");
		v9_put_number(put, p->n, 0);
	}
	if (p->n && p->gaps)
		v9_put_str(put, ", or in a gap");
	if (p->n) {
		v9_put_str(put, p->n > 1 ? ", from #" : ": #");
		v9_put_number(put, number(w, p->first, s), 0);
	}
	if (p->n > 1) {
		v9_put_str(put, " to #");
		v9_put_number(put, number(w, p->last, s), 0);
	}
	if (p->likely) {
		v9_put_str(put, ", likely #");
		v9_put_number(put, number(w, p->likely, s), 0);
	}
	if (p->class == V9_JOINT_EXACT && w->block[p->first].pass) {
		v9_put_str(put, " pass ");
		v9_put_number(put, w->block[p->first].pass, 0);
	}
	for (i = certain ? w->block[p->first].path : 0; i && levels < CALLERS; i = x->in.sum.call[i].parent) {
		v9_put_str(put, levels++ ? " < " : "  ");
		v9_text_clean(put, v9_call_name(&x->in.sum, i), 0);
	}
	if (i)
		v9_put_str(put, " < ...");
}

static void take(void *arg, const struct v9_joint_window *w, const struct v9_joint_record *r,
		 const struct v9_joint_sample *s, const struct v9_joint_place *p)
{
	struct lines *x = arg;
	struct v9_json j = { .put = &x->s->put };

	if (ferror(stdout) || !v9_filter_record(&x->s->o.filter, &x->s->s, &x->s->lookup, &r->at))
		return;
	x->s->selected = true;
	if (x->s->json) {
		v9_json_begin(&j);
		v9_json_text(&j, "type", "joint");
	}
	v9_record_print(&x->s->records, &(struct v9_script_record){ .q = r->q, .at = &r->at }, &j);
	if (x->s->json) {
		print_json(x, w, s, p, &j);
		v9_json_end(&j);
		return;
	}
	print_text(x, w, s, p);
	v9_put_end(&x->s->put);
}

bool v9_script_joint(struct v9_script *s)
{
	struct lines x = { .s = s, .in = { .s = &s->s, .filter = &s->o.filter, .machine = s->machine,
					   .take = take, .arg = &x } };

	if (!v9_joint_fits(&s->s, s->o.path))
		return false;
	/* One thread reads: there is no other user of the session. */
	v9_lookup_init(&s->lookup, &s->s);
	v9_record_printer_init(&s->records, s, &s->put, &s->lookup);
	v9_joint_read(&x.in);
	v9_put_flush(&s->put);
	s->seen += x.in.records;
	v9_script_trace_losses(s, &x.in.t, 0);
	v9_script_spe_end(s);
	if (!v9_joint_clocks_known(&x.in))
		v9_warn("the clocks of the units cannot be compared: no sample is exact by its time (see v9trace "
			"report --joint)");
	if (x.in.timeless + x.in.alone)
		v9_warn("%" PRIu64 " records are not printed: without a time or latency, or of a CPU without "
			"trace", x.in.timeless + x.in.alone);
	v9_joint_read_free(&x.in);
	v9_lookup_free(&s->lookup);
	return true;
}

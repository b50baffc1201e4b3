// SPDX-License-Identifier: GPL-2.0-only
/* Marks of a flow decoder: which states have one, and what makes two of them differ. */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "../../tools/lib/flow.h"

static const uint8_t *no_code(void *arg, const struct v9_ete_context *ctx, uint64_t addr, size_t *n)
{
	(void)arg, (void)ctx, (void)addr;
	*n = 0;
	return NULL;
}

/* A decoder with one of each: an element in the queue, a record, a held branch, a number */
static void begin(struct v9_flow *f)
{
	struct v9_ete_config cfg;

	v9_ete_config_init(&cfg, 0, 40, false);
	if (v9_flow_reset(f, &cfg, false, true, no_code, NULL))
		abort();
	f->ete.synced = true;
	f->ete.informed = true;
	f->has_ctx = true;
	f->has_addr = true;
	f->entries = 2;
	f->top = 2;
	f->doubt = 2;
	f->held = 1;
	f->tail = 2;
	f->room = 2;
	free(f->out);
	f->out = calloc(2, sizeof(*f->out));
	f->number.left = 8;
	f->ete.queue = calloc(3, sizeof(*f->ete.queue));
	f->ete.room = 3;
	f->ete.head = 1;
	f->ete.pass = 2;
	f->ete.tail = 3;
	if (!f->out || !f->ete.queue)
		abort();
}

/* Flips each bit of a field in turn: returns true if each gives another mark. */
static bool matters(const struct v9_flow *f, void *field, size_t size, bool truth)
{
	struct v9_flow_mark before, after;
	uint8_t *byte = field;
	bool all = v9_flow_mark(f, &before);

	for (size_t i = 0; i < size; i++)
		for (unsigned int bit = 0; bit < (truth ? 1 : 8); bit++) {
			byte[i] ^= 1u << bit;
			all &= v9_flow_mark(f, &after) && !v9_flow_same_state(&before, &after);
			byte[i] ^= 1u << bit;
		}
	return all && v9_flow_mark(f, &after) && v9_flow_same_state(&before, &after);
}

#define NUMBER(field, name) tap_ok(matters(f, &f->field, sizeof(f->field), false), "needs_%s", name)
#define TRUTH(field, name) tap_ok(matters(f, &f->field, sizeof(f->field), true), "needs_%s", name)

static void context(const struct v9_flow *f, struct v9_ete_context *ctx, const char *name)
{
	tap_ok(matters(f, &ctx->contextid, 4, false) && matters(f, &ctx->vmid, 4, false) &&
	       matters(f, &ctx->el, 1, false) && matters(f, &ctx->ns, 1, true) &&
	       matters(f, &ctx->nse, 1, true) && matters(f, &ctx->sf, 1, true), "needs_%s", name);
}

static void what_matters(struct v9_flow *f)
{
	struct v9_flow_mark plain, other;

	for (unsigned int i = 0; i < 3; i++)
		tap_ok(matters(f, &f->ete.pkt.base.ahb[i].addr, 8, false) &&
		       matters(f, &f->ete.pkt.base.ahb[i].isa, 1, false), "needs_address_%u", i);
	NUMBER(ete.pkt.base.timestamp, "timestamp");
	context(f, &f->ete.pkt.base.ctx, "context_of_packets");
	NUMBER(ete.pkt.base.threshold, "threshold");
	TRUTH(ete.pkt.base.started, "trace_info");
	NUMBER(ete.offset, "offset");
	NUMBER(ete.depth, "depth");
	NUMBER(ete.queued, "p0_elements");
	for (unsigned int i = 1; i < 3; i++) {
		struct v9_ete_elem *e = &f->ete.queue[i];

		context(f, &e->ctx, i == 1 ? "context_of_passed_element" : "context_of_element");
		tap_ok(matters(f, &e->offset, 8, false) && matters(f, &e->addr, 8, false) &&
		       matters(f, &e->count, 4, false) && matters(f, &e->kind, 1, false) &&
		       matters(f, &e->isa, 1, false) && matters(f, &e->type, 1, false) &&
		       matters(f, &e->has, 1, false) && matters(f, &e->taken, 1, true),
		       "needs_element_%u", i);
	}
	context(f, &f->ctx, "context");
	NUMBER(addr, "position");
	TRUTH(half, "instruction_set");
	TRUTH(awaiting, "pending_target");
	TRUTH(lost, "reported_gap");
	TRUTH(doubt, "doubt");
	NUMBER(resume.addr, "address_behind_trace_on");
	NUMBER(resume.isa, "instruction_set_behind_trace_on");
	for (unsigned int i = 0; i < 2; i++)
		tap_ok(matters(f, &f->stack[i].addr, 8, false) && matters(f, &f->stack[i].isa, 1, false),
		       "needs_return_address_%u", i);
	TRUTH(held, "held_branch");
	NUMBER(mark, "mark");
	NUMBER(number.value, "number");
	NUMBER(number.at, "place_of_the_next_bit");
	NUMBER(number.branch, "branch_of_the_number");
	for (unsigned int i = 0; i < 2; i++) {
		struct v9_flow_rec *r = &f->out[i];

		context(f, &r->ctx, i ? "context_of_held_record" : "context_of_record");
		tap_ok(matters(f, &r->offset, 8, false) && matters(f, &r->start, 8, false) &&
		       matters(f, &r->end, 8, false) && matters(f, &r->value, 8, false) &&
		       matters(f, &r->last_addr, 8, false) && matters(f, &r->last.target, 8, false) &&
		       matters(f, &r->last.kind, 1, false) && matters(f, &r->last.flags, 1, false) &&
		       matters(f, &r->last.size, 1, false) && matters(f, &r->insns, 4, false) &&
		       matters(f, &r->cycles, 4, false) && matters(f, &r->kind, 1, false) &&
		       matters(f, &r->isa, 1, false) && matters(f, &r->type, 1, false) &&
		       matters(f, &r->why, 1, false) && matters(f, &r->taken, 1, true) &&
		       matters(f, &r->addressed, 1, true) && matters(f, &r->counted, 1, true),
		       "needs_record_%u", i);
	}

	/* Numbers of elements, of return addresses, of missing bits, and of records */
	f->awaiting = true;
	v9_flow_mark(f, &plain);
#define OTHER(field, value, name) do {							\
		const __typeof__(f->field) was = f->field;				\
											\
		f->field = (value);							\
		tap_ok(v9_flow_mark(f, &other) && !v9_flow_same_state(&plain, &other), name);	\
		f->field = was;								\
	} while (0)
	OTHER(ete.head, 2, "needs_the_number_of_passed_elements");
	OTHER(ete.tail, 2, "needs_the_number_of_elements");
	OTHER(ete.pass, 3, "needs_which_elements_have_passed");
	OTHER(entries, 1, "needs_the_number_of_return_addresses");
	OTHER(number.left, 7, "needs_the_number_of_bits");
	OTHER(tail, 1, "needs_the_number_of_records");
	OTHER(has_addr, false, "needs_whether_the_address_is_known");
	f->awaiting = false;
}

/* What was returned, counters, and what only other fields give a meaning to */
static void what_does_not(struct v9_flow *f)
{
	struct v9_flow_mark plain, other;

	v9_flow_mark(f, &plain);
	f->counts.insns++;
	f->ete.acc.packet_bytes++;
	f->ete.queue[0].addr++;
	f->stack[2].addr++;
	f->why++;
	tap_ok(v9_flow_mark(f, &other) && v9_flow_same_state(&plain, &other), "other_counters");

	f->number.left = 0;
	f->doubt = 1;			/* no address came behind the Trace On */
	f->stacked = false;
	v9_flow_mark(f, &plain);
	f->number.value++;
	f->number.at++;
	f->number.branch++;
	f->resume.addr++;
	f->resume.isa++;
	f->stack[1].addr++;
	f->entries--;
	tap_ok(v9_flow_mark(f, &other) && v9_flow_same_state(&plain, &other), "unused_fields");
	f->has_addr = false;
	f->awaiting = true;
	v9_flow_mark(f, &plain);
	f->addr++;
	tap_ok(v9_flow_mark(f, &other) && v9_flow_same_state(&plain, &other), "unknown_address");
}

/* How many atoms an element of the queue has does not matter, and which they are does. */
static void atoms(struct v9_flow *f)
{
	struct v9_ete_elem *q = f->ete.queue, was[3];
	struct v9_flow_mark together, other;

	memcpy(was, q, sizeof(was));
	memset(q, 0, sizeof(was));
	f->ete.head = f->ete.pass = 0;
	f->ete.tail = 1;
	q[0] = (struct v9_ete_elem){ .kind = V9_EL_ATOM, .offset = 7, .addr = 0x5, .count = 3 };
	v9_flow_mark(f, &together);
	q[0].addr = 0x4d;
	tap_ok(v9_flow_mark(f, &other) && v9_flow_same_state(&together, &other), "no_bits_beyond_the_atoms");
	q[0].addr = 0x1;
	tap_ok(v9_flow_mark(f, &other) && !v9_flow_same_state(&together, &other), "needs_each_atom");
	q[0].count = 1;
	q[1] = (struct v9_ete_elem){ .kind = V9_EL_ATOM, .offset = 7, .addr = 0x2, .count = 2 };
	f->ete.tail = 2;
	tap_ok(v9_flow_mark(f, &other) && v9_flow_same_state(&together, &other), "atoms_apart");
	q[1].addr = 0;
	tap_ok(v9_flow_mark(f, &other) && !v9_flow_same_state(&together, &other), "needs_the_last_atom");
	q[1].addr = 0x2;
	f->ete.pass = 1;
	tap_ok(v9_flow_mark(f, &other) && !v9_flow_same_state(&together, &other), "needs_which_atoms_have_passed");
	memcpy(q, was, sizeof(was));
	f->ete.head = 1;
	f->ete.pass = 2;
	f->ete.tail = 3;
}

static void incomplete(struct v9_flow *f)
{
	static const uint8_t byte;
	struct v9_flow_mark m;

	tap_ok(v9_flow_mark(f, &m) && m.n, "complete");
#define WITHOUT(field, value, name) do {						\
		const __typeof__(f->field) was = f->field;			\
										\
		f->field = (value);						\
		tap_ok(!v9_flow_mark(f, &m) && !v9_flow_same_state(&m, &m),	\
		       "none_%s", name);					\
		f->field = was;							\
	} while (0)
	WITHOUT(err, -1, "after_an_error");
	WITHOUT(ete.synced, false, "before_a_synchronization");
	WITHOUT(ete.informed, false, "before_a_trace_info");
	WITHOUT(ete.p, &byte, "with_bytes_left");
	WITHOUT(ete.zeros, 1, "in_a_synchronization");
	WITHOUT(ete.carried, 1, "in_a_packet");
	WITHOUT(ete.unseen, 1, "with_older_elements");
	WITHOUT(ete.done_atoms, 1, "in_an_atom_packet");
	WITHOUT(nr_hits, 1, "with_ranges_left");
	WITHOUT(has_ctx, false, "without_a_context");
	WITHOUT(q.pending, true, "after_a_q_element");
	WITHOUT(has_addr, false, "without_a_position");
	WITHOUT(held, SIZE_MAX, "without_a_held_branch");
	WITHOUT(head, 1, "after_a_record_was_taken");
	f->has_addr = false;
	f->awaiting = true;
	tap_ok(v9_flow_mark(f, &m), "complete_while_it_awaits_an_address");
}

/* More than fits: no mark, however equal */
static void too_long(struct v9_flow *f)
{
	struct v9_flow_mark a, b;
	unsigned int fits = 0, n;

	free(f->ete.queue);
	f->ete.room = 2 * V9_FLOW_MARK_WORDS;
	f->ete.queue = calloc(f->ete.room, sizeof(*f->ete.queue));
	if (!f->ete.queue)
		abort();
	f->ete.head = 0;
	f->ete.pass = 0;
	for (n = 0; n < f->ete.room; n++) {
		f->ete.tail = n;
		if (!v9_flow_mark(f, &a) || !v9_flow_mark(f, &b))
			break;
		fits += a.n <= V9_FLOW_MARK_WORDS && v9_flow_same_state(&a, &b);
	}
	tap_ok(fits == n && n > 10 && n < V9_FLOW_MARK_WORDS, "as_many_elements_as_fit");
	tap_ok(a.n > V9_FLOW_MARK_WORDS && !v9_flow_same_state(&a, &a), "one_more");
	/* An element has 6 words, a return address 2, a number 3: with some of them no word is left. */
	fits = 0;
	for (unsigned int addresses = 0; addresses < 3; addresses++)
		for (unsigned int bits = 0; bits < 2; bits++)
			for (unsigned int elements = 0; elements < f->ete.room; elements++) {
				f->entries = addresses;
				f->number.left = bits;
				f->ete.tail = elements;
				fits += v9_flow_mark(f, &b) && b.n == V9_FLOW_MARK_WORDS;
			}
	tap_ok(fits, "exactly_as_many_words");
	a.n = V9_FLOW_MARK_WORDS;
	tap_ok(v9_flow_same_state(&a, &a), "all_words_used");
	b = a;
	b.word[V9_FLOW_MARK_WORDS - 1]++;
	tap_ok(!v9_flow_same_state(&a, &b), "last_word_differs");
}

int main(void)
{
	static void (*const tests[])(struct v9_flow *f) = { what_matters, what_does_not, atoms, incomplete,
							   too_long };

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		struct v9_flow f;

		begin(&f);
		tests[i](&f);
		v9_flow_free(&f);
	}
	return tap_done();
}

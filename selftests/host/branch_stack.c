// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples with a branch stack: each bit of an entry, and the place of the stack among the other
 * fields of a sample. Field order and bits are typed from the comments in linux/perf_event.h.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "tap.h"

#include <v9trace/base.h>

#include "../../tools/branch_filter.h"
#include "../../tools/capture/branch.h"
#include "../../tools/capture/file.h"

#define FROM	0x1122334455667788ull
#define TO	0x99aabbccddeeff01ull

static void put_word(uint8_t *p, uint64_t v)
{
	for (unsigned int i = 0; i < 8; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static struct v9_branch_rec entry(uint64_t word)
{
	struct v9_branch_rec b;
	uint8_t p[24];

	put_word(p, FROM);
	put_word(p + 8, TO);
	put_word(p + 16, word);
	v9_branch_stack_decode(p, &b);
	return b;
}

static void test_bits(void)
{
	struct v9_branch_rec b = entry(0);

	tap_ok(b.from == FROM && b.to == TO, "addresses");
	tap_ok(b.pred == V9_BRANCH_NOT_KNOWN && !b.in_tx && !b.abort && !b.cycles && !b.type && !b.spec &&
	       !b.priv, "nothing_known");
	tap_eq(entry(1 << 0).pred, V9_BRANCH_MISPREDICTED, "mispredicted");
	tap_eq(entry(1 << 1).pred, V9_BRANCH_PREDICTED, "predicted");
	tap_ok(entry(1 << 2).in_tx && !entry(~4ull).in_tx, "in_tx");
	tap_ok(entry(1 << 3).abort && !entry(~8ull).abort, "abort");
	tap_eq(entry(0xffffull << 4).cycles, 0xffff, "cycles_all");
	tap_eq(entry(1ull << 4).cycles, 1, "cycles_first_bit");
	tap_eq(entry(0x8000ull << 4).cycles, 0x8000, "cycles_last_bit");
	tap_eq(entry(~(0xffffull << 4)).cycles, 0, "cycles_no_other_bit");
	for (unsigned int i = 0; i < 15; i++)
		tap_eq(entry((uint64_t)i << 20).type, i, "type_%u", i);
	tap_eq(entry(~(0xfull << 20)).type, 0, "type_no_other_bit");
	/* 15: the type is in new_type, bits 29 to 26 */
	for (unsigned int i = 0; i < 16; i++)
		tap_eq(entry(15ull << 20 | (uint64_t)i << 26).type, V9_BRANCH_T_FAULT_ALGN + i,
		       "new_type_%u", i);
	tap_eq(entry(15ull << 20 | ~(0xfull << 26 | 0xfull << 20)).type, V9_BRANCH_T_FAULT_ALGN,
	       "new_type_no_other_bit");
	tap_ok(entry(1ull << 24).spec == 1 && entry(3ull << 24).spec == 3 &&
	       entry(~(3ull << 24)).spec == 0, "spec");
	tap_ok(entry(1ull << 33).not_taken && !entry(~(1ull << 33)).not_taken, "not_taken");
	tap_ok(entry(1ull << 30).priv == 1 && entry(7ull << 30).priv == 7 &&
	       entry(~(7ull << 30)).priv == 0, "priv");
}

static void test_types(void)
{
	static const struct { unsigned int type; const char *name, *arm; enum v9_branch_role role; } rows[] = {
		{ 0, "unknown", "unknown", V9_BRANCH_PLAIN }, { 1, "cond", "cond", V9_BRANCH_PLAIN },
		{ 2, "uncond", "uncond", V9_BRANCH_PLAIN }, { 3, "ind", "ind", V9_BRANCH_PLAIN },
		{ 4, "call", "call", V9_BRANCH_ENTERS }, { 5, "ind_call", "ind_call", V9_BRANCH_ENTERS },
		{ 6, "ret", "ret", V9_BRANCH_RETURNS }, { 7, "syscall", "syscall", V9_BRANCH_ENTERS },
		{ 8, "sysret", "sysret", V9_BRANCH_RETURNS },
		{ 9, "cond_call", "cond_call", V9_BRANCH_ENTERS },
		{ 10, "cond_ret", "cond_ret", V9_BRANCH_RETURNS }, { 11, "eret", "eret", V9_BRANCH_RETURNS },
		{ 12, "irq", "irq", V9_BRANCH_ENTERS }, { 13, "serror", "serror", V9_BRANCH_ENTERS },
		{ 14, "no_tx", "no_tx", V9_BRANCH_PLAIN },
		{ 16, "fault_algn", "fault_algn", V9_BRANCH_ENTERS },
		{ 17, "fault_data", "fault_data", V9_BRANCH_ENTERS },
		{ 18, "fault_inst", "fault_inst", V9_BRANCH_ENTERS },
		{ 19, "arch_1", "fiq", V9_BRANCH_ENTERS }, { 20, "arch_2", "debug_halt", V9_BRANCH_ENTERS },
		{ 21, "arch_3", "debug_exit", V9_BRANCH_RETURNS },
		{ 22, "arch_4", "debug_inst", V9_BRANCH_ENTERS },
		{ 23, "arch_5", "debug_data", V9_BRANCH_ENTERS },
		{ 24, "reserved", "reserved", V9_BRANCH_PLAIN },
		{ 31, "reserved", "reserved", V9_BRANCH_PLAIN },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++)
		tap_ok(!strcmp(v9_branch_type(rows[i].type, false), rows[i].name) &&
		       !strcmp(v9_branch_type(rows[i].type, true), rows[i].arm) &&
		       v9_branch_role(rows[i].type) == rows[i].role, "name_%u", rows[i].type);
	tap_ok(v9_branch_returns_to(V9_BRANCH_T_CALL, 0x1000, 0x1004) &&
	       v9_branch_returns_to(V9_BRANCH_T_IND_CALL, 0x1000, 0x100f) &&
	       v9_branch_returns_to(V9_BRANCH_T_COND_CALL, 0x1000, 0x1001), "returns_behind_a_call");
	tap_ok(!v9_branch_returns_to(V9_BRANCH_T_CALL, 0x1000, 0x1000) &&
	       !v9_branch_returns_to(V9_BRANCH_T_CALL, 0x1000, 0x1010) &&
	       !v9_branch_returns_to(V9_BRANCH_T_CALL, 0x1000, 0xffc), "does_not_return_elsewhere");
	tap_ok(v9_branch_returns_to(V9_BRANCH_T_IRQ, 0x1000, 0x1000) &&
	       v9_branch_returns_to(V9_BRANCH_T_SYSCALL, 0x1000, 0x1004) &&
	       !v9_branch_returns_to(V9_BRANCH_T_IRQ, 0x1000, 0xffc), "exception_returns_to_itself");
}

static void test_filter(void)
{
	/* The words of perf record -j, and the bits of PERF_SAMPLE_BRANCH_* */
	static const struct { const char *word; unsigned int bit; } rows[] = {
		{ "u", 0 }, { "k", 1 }, { "hv", 2 }, { "any", 3 }, { "any_call", 4 }, { "any_ret", 5 },
		{ "ind_call", 6 }, { "abort_tx", 7 }, { "in_tx", 8 }, { "no_tx", 9 }, { "cond", 10 },
		{ "stack", 11 }, { "ind_jmp", 12 }, { "call", 13 }, { "no_flags", 14 },
		{ "no_cycles", 15 }, { "save_type", 16 }, { "hw_index", 17 }, { "priv", 18 },
		{ "counter", 19 },
	};
	char room[256];

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++)
		tap_ok(v9_branch_word(rows[i].word, strlen(rows[i].word)) == 1ull << rows[i].bit &&
		       !strcmp(v9_branch_filter(room, sizeof(room), 1ull << rows[i].bit), rows[i].word),
		       "word_%s", rows[i].word);
	tap_ok(!v9_branch_word("an", 2) && !v9_branch_word("anyx", 4) && !v9_branch_word("", 0),
	       "no_such_word");
	tap_ok(!strcmp(v9_branch_filter(room, sizeof(room), 0x10009), "any,u,save_type"), "filter_text");
	tap_ok(!strcmp(v9_branch_filter(room, 8, 0x10009), "any,u,s"), "filter_text_cut");
}

/* ---- fields of a sample, in the order of the comment at PERF_RECORD_SAMPLE */

#define PAGE_SIZES	(1ull << 22 | 1ull << 23)
#define WEIGHT_STRUCT	(1ull << 24)
#define ALL		(0x1ffffffull & ~(uint64_t)PERF_SAMPLE_WEIGHT)

struct made {
	uint8_t b[1024];
	size_t n, stack;		/* offset of the first entry */
};

static void put(struct made *m, uint64_t v)
{
	put_word(m->b + m->n, v);
	m->n += 8;
}

static void make(struct made *m, const struct perf_event_attr *a)
{
	const uint64_t type = a->sample_type, filter = a->branch_sample_type;
	const struct perf_event_header h = { .type = PERF_RECORD_SAMPLE };

	memset(m, 0, sizeof(*m));
	m->n = sizeof(h);
	if (type & PERF_SAMPLE_IDENTIFIER)
		put(m, 100);
	if (type & PERF_SAMPLE_IP)
		put(m, 101);
	if (type & PERF_SAMPLE_TID)
		put(m, 102 | 103ull << 32);
	if (type & PERF_SAMPLE_TIME)
		put(m, 104);
	if (type & PERF_SAMPLE_ADDR)
		put(m, 105);
	if (type & PERF_SAMPLE_ID)
		put(m, 100);
	if (type & PERF_SAMPLE_STREAM_ID)
		put(m, 106);
	if (type & PERF_SAMPLE_CPU)
		put(m, 107);
	if (type & PERF_SAMPLE_PERIOD)
		put(m, 108);
	if (type & PERF_SAMPLE_READ)
		put(m, 109);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		put(m, 3);
		put(m, 1);
		put(m, 2);
		put(m, 3);
	}
	if (type & PERF_SAMPLE_RAW) {
		put(m, 12 | 0xaull << 32);
		put(m, 0xb);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK) {
		put(m, 2);
		if (filter & V9_BRANCH_HW_INDEX)
			put(m, 7);
		m->stack = m->n;
		for (unsigned int i = 0; i < 2; i++) {
			put(m, FROM + i);
			put(m, TO + i);
			put(m, 2);
		}
		if (filter & V9_BRANCH_COUNTERS) {
			put(m, 0xc0);
			put(m, 0xc1);
		}
	}
	if (type & PERF_SAMPLE_REGS_USER) {
		put(m, 2);
		put(m, 110);
		put(m, 111);
	}
	if (type & PERF_SAMPLE_STACK_USER) {
		put(m, 16);
		put(m, 112);
		put(m, 113);
		put(m, 16);
	}
	if (type & (PERF_SAMPLE_WEIGHT | WEIGHT_STRUCT))
		put(m, 114);
	if (type & PERF_SAMPLE_DATA_SRC)
		put(m, 115);
	if (type & PERF_SAMPLE_TRANSACTION)
		put(m, 116);
	if (type & PERF_SAMPLE_REGS_INTR) {
		put(m, 2);
		put(m, 117);
		put(m, 118);
		put(m, 119);
	}
	if (type & PERF_SAMPLE_PHYS_ADDR)
		put(m, 120);
	if (type & PERF_SAMPLE_CGROUP)
		put(m, 121);
	if (type & 1ull << 22)
		put(m, 122);
	if (type & 1ull << 23)
		put(m, 123);
	if (type & PERF_SAMPLE_AUX) {
		put(m, 8);
		put(m, 124);
	}
}

static int read_it(const struct made *m, const struct perf_event_attr *a, long more, struct pd_event *e,
		   struct pd_sample *s)
{
	static uint8_t exact[1024 + 64];
	struct pd_attr attr = { .attr = *a };
	/* At the end of the memory, so that a read beyond it is seen. */
	const size_t n = m->n + (size_t)more;
	uint8_t *p = exact + sizeof(exact) - n;
	int r;

	memcpy(p, m->b, n);
	*e = (struct pd_event){ .p = p, .size = (uint32_t)n, .type = PERF_RECORD_SAMPLE, .attr = &attr };
	r = pd_sample(e, s);
	/* The entries are compared by their offset. */
	if (!r && s->branches)
		s->branches = m->b + (s->branches - p);
	if (!r && s->counters)
		s->counters = m->b + (s->counters - p);
	return r;
}

static bool is_right(const struct made *m, const struct perf_event_attr *a, const struct pd_sample *s)
{
	const bool counters = a->branch_sample_type & V9_BRANCH_COUNTERS;

	if (!(a->sample_type & PERF_SAMPLE_BRANCH_STACK))
		return !s->has_branches && !s->nr_branches && !s->branches && !s->rest;
	return s->has_branches && s->nr_branches == 2 && s->branches == m->b + m->stack && !s->rest &&
	       s->hw_idx == (a->branch_sample_type & V9_BRANCH_HW_INDEX ? 7 : UINT64_MAX) &&
	       s->counters == (counters ? m->b + m->stack + 48 : NULL);
}

static void test_fields(void)
{
	static const uint64_t filters[] = { 0, V9_BRANCH_HW_INDEX, V9_BRANCH_COUNTERS,
					    V9_BRANCH_HW_INDEX | V9_BRANCH_COUNTERS };
	struct perf_event_attr a = { .sample_regs_user = 0x5, .sample_regs_intr = 0x111,
				     .sample_stack_user = 16 };
	struct pd_sample s;
	struct pd_event e;
	struct made m;

	for (size_t k = 0; k < V9_ARRAY_SIZE(filters); k++) {
		a.branch_sample_type = filters[k];
		/* All but one, and one alone */
		for (unsigned int bit = 0; bit < 25; bit++) {
			a.sample_type = ALL & ~(1ull << bit);
			make(&m, &a);
			tap_ok(!read_it(&m, &a, 0, &e, &s) && is_right(&m, &a, &s), "without_%u", bit);
			a.sample_type = 1ull << bit | PERF_SAMPLE_BRANCH_STACK;
			make(&m, &a);
			tap_ok(!read_it(&m, &a, 0, &e, &s) && is_right(&m, &a, &s), "alone_%u", bit);
			tap_eq(read_it(&m, &a, -8, &e, &s), -EBADMSG, "short_%u", bit);
			tap_ok(!read_it(&m, &a, 8, &e, &s) && s.rest == 8, "long_%u", bit);
		}
	}
	/* Counters that are read with a sample: one, or a group of two, with each of their words */
	for (uint64_t format = 0; format < 32; format++) {
		const unsigned int times = (format & 1) + (format >> 1 & 1);
		const unsigned int each = 1 + (format >> 2 & 1) + (format >> 4 & 1);

		a.sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_BRANCH_STACK;
		a.branch_sample_type = 0;
		a.read_format = format;		/* PERF_FORMAT_*: 8 is GROUP */
		m.n = 8;
		if (format & 8)
			put(&m, 2);
		for (unsigned int i = 0; i < times + (format & 8 ? 2 : 1) * each; i++)
			put(&m, 1000);
		put(&m, 1);
		m.stack = m.n;
		put(&m, FROM);
		put(&m, TO);
		put(&m, 2);
		tap_ok(!read_it(&m, &a, 0, &e, &s) && s.nr_branches == 1 && s.branches == m.b + m.stack &&
		       !s.rest, "read_%u", (unsigned int)format);
	}
	a.read_format = 0;
	a.branch_sample_type = V9_BRANCH_HW_INDEX | V9_BRANCH_COUNTERS;
	a.sample_type = ALL;
	make(&m, &a);
	tap_ok(!read_it(&m, &a, 0, &e, &s) && is_right(&m, &a, &s), "all");
	tap_ok(e.id == 100 && s.ip == 101 && e.pid == 102 && e.tid == 103 && e.time == 104 && s.addr == 105 &&
	       e.cpu == 107 && s.period == 108 && s.raw_size == 12, "all_other_fields");
	for (long cut = 8; m.n - (size_t)cut >= sizeof(struct perf_event_header); cut += 8)
		tap_eq(read_it(&m, &a, -cut, &e, &s), -EBADMSG, "cut");
}

/* Registers that were not there, no bytes of the stack, no entry, impossible numbers */
static void test_odd(void)
{
	struct perf_event_attr a = { .sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
						    PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_DATA_SRC,
				     .sample_regs_user = 0xff };
	struct pd_sample s;
	struct pd_event e;
	struct made m = { .n = 8 };

	put(&m, 0);		/* no entry */
	put(&m, 0);		/* PERF_SAMPLE_REGS_ABI_NONE: no registers */
	put(&m, 0);		/* no bytes, and no number of those that were copied */
	put(&m, 115);
	tap_ok(!read_it(&m, &a, 0, &e, &s) && s.has_branches && !s.nr_branches && !s.rest, "nothing_there");

	a.sample_type = PERF_SAMPLE_BRANCH_STACK;
	for (unsigned int i = 0; i < 64; i++) {
		m.n = 8;
		put(&m, 1ull << i);
		put(&m, 1);
		put(&m, 2);
		put(&m, 3);
		tap_eq(read_it(&m, &a, 0, &e, &s), i ? -EBADMSG : 0, "entries_%u", i);
	}
	m.n = 8;
	put(&m, 0xaaaaaaaaaaaaaaabull);	/* times 24 is 8 */
	put(&m, 1);
	tap_eq(read_it(&m, &a, 0, &e, &s), -EBADMSG, "entries_that_overflow");
	a.branch_sample_type = V9_BRANCH_COUNTERS;
	m.n = 8;
	put(&m, 1);
	put(&m, 1);
	put(&m, 2);
	put(&m, 3);
	tap_eq(read_it(&m, &a, 0, &e, &s), -EBADMSG, "no_counters");
	a.sample_type = PERF_SAMPLE_AUX;
	m.n = 8;
	put(&m, UINT64_MAX);
	put(&m, 1);
	tap_eq(read_it(&m, &a, 0, &e, &s), -EBADMSG, "bytes_that_overflow");
}

int main(void)
{
	test_bits();
	test_types();
	test_filter();
	test_fields();
	test_odd();
	return tap_done();
}

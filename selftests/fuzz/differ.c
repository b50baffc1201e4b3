// SPDX-License-Identifier: GPL-2.0-only
/*
 * differ SPEC ROUNDS: changes one byte of a trace and decodes it with our decoder and OpenCSD. The
 * results must be equal up to the damage, and again from the second synchronization after it. In
 * between they may differ; ours must report a gap.
 *
 * Where the results differ elsewhere, ours must be that of the undamaged trace, on which both agree
 * (host/ete_snapshots): then OpenCSD alone is wrong. Examples are uncommitted elements at the end
 * of a trace run, which a Trace Info with another speculation depth invalidates, and decoding from
 * a branch whose target is not known. Rounds in which OpenCSD reports a fatal error are counted
 * separately.
 *
 * Input: the trace of SPEC (bench/spec.h) three times; the damage is in the first one. Prints the
 * number of rounds, the number with equal results, and each violation.
 */
#include <stdbool.h>

#include <opencsd/c_api/opencsd_c_api.h>

#include "../../tools/lib/flow.h"
#include "../bench/spec.h"

struct range {
	uint64_t offset, start, end;
};

struct list {
	struct range *range;
	size_t n, room;
};

static void add(struct list *l, uint64_t offset, uint64_t start, uint64_t end)
{
	if (l->n == l->room) {
		l->room = l->room * 2 + 1024;
		l->range = realloc(l->range, l->room * sizeof(*l->range));
	}
	l->range[l->n++] = (struct range){ offset, start, end };
}

static ocsd_datapath_resp_t element(const void *arg, const ocsd_trc_index_t at, const uint8_t id,
				    const ocsd_generic_trace_elem *e)
{
	(void)id;
	if (e->elem_type == OCSD_GEN_TRC_ELEM_INSTR_RANGE)
		add((struct list *)arg, at, e->st_addr, e->en_addr);
	return OCSD_RESP_CONT;
}

/* Returns false after a fatal error of OpenCSD. */
static bool theirs(const struct spec *s, const uint8_t *p, size_t size, struct list *l)
{
	ocsd_ete_cfg cfg = {
		.reg_idr0 = s->idr0, .reg_idr1 = s->idr1, .reg_idr2 = s->idr2, .reg_idr8 = s->idr8,
		.reg_devarch = s->devarch, .reg_configr = s->configr, .reg_traceidr = s->traceidr,
		.arch_ver = ARCH_AA64, .core_prof = profile_CortexA };
	dcd_tree_handle_t tree = ocsd_create_dcd_tree(OCSD_TRC_SRC_SINGLE, 0);
	ocsd_datapath_resp_t r = OCSD_RESP_CONT;
	unsigned char id;
	uint32_t used;

	if (ocsd_dt_create_decoder(tree, OCSD_BUILTIN_DCD_ETE, OCSD_CREATE_FLG_FULL_DECODER, &cfg,
				   &id) != OCSD_OK)
		spec_die("no decoder", "OpenCSD");
	for (unsigned int i = 0; i < s->nr_codes; i++)
		if (s->code[i].size)
			ocsd_dt_add_buffer_mem_acc(tree, s->code[i].addr, OCSD_MEM_SPACE_ANY,
						   s->code[i].bytes, (uint32_t)s->code[i].size);
	ocsd_dt_set_gen_elem_outfn(tree, element, l);
	for (size_t at = 0; at < size && !OCSD_DATA_RESP_IS_FATAL(r); at += used) {
		used = 0;
		if (OCSD_DATA_RESP_IS_WAIT(r))
			r = ocsd_dt_process_data(tree, OCSD_OP_FLUSH, 0, 0, NULL, NULL);
		else
			r = ocsd_dt_process_data(tree, OCSD_OP_DATA, at, (uint32_t)(size - at),
						 p + at, &used);
	}
	ocsd_dt_process_data(tree, OCSD_OP_EOT, 0, 0, NULL, NULL);
	ocsd_destroy_dcd_tree(tree);
	return !OCSD_DATA_RESP_IS_FATAL(r);
}

static const uint8_t *code(void *arg, const struct v9_ete_context *ctx, uint64_t addr, size_t *n)
{
	const struct spec *s = arg;

	(void)ctx;
	for (unsigned int i = 0; i < s->nr_codes; i++)
		if (addr - s->code[i].addr < s->code[i].size) {
			*n = s->code[i].size - (addr - s->code[i].addr);
			return s->code[i].bytes + (addr - s->code[i].addr);
		}
	*n = 0;
	return NULL;
}

static void drain(struct v9_flow *f, struct list *l)
{
	struct v9_flow_rec r;

	while (v9_flow_next(f, &r) > 0)
		if (r.kind == V9_FLOW_RANGE)
			add(l, r.offset, r.start, r.end);
}

static void ours(struct spec *s, const uint8_t *p, size_t size, struct list *l)
{
	const struct v9_ete_setup setup = {
		.size = sizeof(setup), .trcidr0 = s->idr0, .trcidr2 = s->idr2, .trcidr8 = s->idr8,
		.trcdevarch = s->devarch, .trcconfigr = s->configr, .code = code, .arg = s };
	struct v9_flow *f = v9_flow_new(&setup);

	v9_flow_feed(f, p, size, 0);
	drain(f, l);
	v9_flow_end(f);
	drain(f, l);
	v9_flow_delete(f);
}

/* Ranges that begin with packets in [from, to). */
static struct list within(const struct list *l, uint64_t from, uint64_t to)
{
	struct list part = { l->range, 0, 0 };
	size_t i = 0;

	while (i < l->n && l->range[i].offset < from)
		i++;
	part.range += i;
	while (i < l->n && l->range[i++].offset < to)
		part.n++;
	return part;
}

static bool equal(const struct list *a, const struct list *b, const char *what, unsigned long round)
{
	const size_t n = a->n < b->n ? a->n : b->n;

	for (size_t i = 0; i < n; i++)
		if (a->range[i].start != b->range[i].start || a->range[i].end != b->range[i].end) {
			if (what)
				printf("round %lu: %s: range %zu at %" PRIu64 ": ours %" PRIx64
				       "-%" PRIx64 ", theirs %" PRIx64 "-%" PRIx64 "\n", round, what,
				       i, a->range[i].offset, a->range[i].start, a->range[i].end,
				       b->range[i].start, b->range[i].end);
			return false;
		}
	if (a->n != b->n && what)
		printf("round %lu: %s: %zu ranges, theirs %zu\n", round, what, a->n, b->n);
	return a->n == b->n;
}

int main(int argc, char **argv)
{
	unsigned long rounds, all = 0, broken = 0, given_up = 0, theirs_alone = 0;
	struct list we = { 0 }, they = { 0 }, intact = { 0 };
	struct spec s;
	uint8_t *bytes;
	size_t one;

	if (argc != 3)
		return 2;
	spec_load(&s, argv[1]);
	rounds = strtoul(argv[2], NULL, 0);
	one = s.size;
	bytes = malloc(3 * one);
	srand(1);
	ours(&s, s.trace, one, &intact);
	for (unsigned long i = 0; i < rounds; i++) {
		const size_t at = 14 + (size_t)rand() % (one - 14);
		struct list a, b, c, d;

		for (unsigned int k = 0; k < 3; k++)
			memcpy(bytes + k * one, s.trace, one);
		bytes[at] = (uint8_t)rand();
		we.n = they.n = 0;
		ours(&s, bytes, 3 * one, &we);
		if (!theirs(&s, bytes, 3 * one, &they)) {
			given_up++;
			continue;
		}
		all += equal(&we, &they, getenv("V") ? "somewhere" : NULL, i);
		/* The packet that the damage is in may begin some bytes before it. */
		a = within(&we, 0, at > 24 ? at - 24 : 0);
		b = within(&they, 0, at > 24 ? at - 24 : 0);
		c = within(&we, 2 * one, UINT64_MAX);
		d = within(&they, 2 * one, UINT64_MAX);
		/* If they differ, the result of the undamaged trace shows which one is right. */
		if (equal(&a, &b, NULL, i) && equal(&c, &d, NULL, i))
			continue;
		b = within(&intact, 0, at > 24 ? at - 24 : 0);
		if (equal(&a, &b, "before the damage", i) & equal(&c, &intact, "behind it", i))
			theirs_alone++;
		else
			broken++;
	}
	printf("%lu rounds, %lu equal throughout, %lu where OpenCSD gives up, "
	       "%lu where it alone is wrong, %lu broken\n", rounds, all, given_up, theirs_alone, broken);
	return broken != 0;
}

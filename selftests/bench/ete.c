// SPDX-License-Identifier: GPL-2.0-only
/*
 * ete MODE SPEC: our side of the measurement against opencsd.cpp, with the same modes and output:
 *   packets   packets alone, all of them, counted
 *   ranges    full decode, ranges in batches, added up
 *   hash      the same, and an FNV-1a over start and end of each range
 *   records   full decode, one whole record at a time
 */
#include "spec.h"

#include "../../tools/lib/flow.h"

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

struct sums {
	uint64_t elements, ranges, insns, sum;
};

static void add(struct sums *s, uint64_t start, uint64_t end, uint32_t insns, bool hash)
{
	s->ranges++;
	s->insns += insns;
	if (hash) {
		spec_hash(&s->sum, start);
		spec_hash(&s->sum, end);
	} else {
		s->sum += start ^ end << 1;
	}
}

static void batches(struct v9_flow *f, struct sums *s, bool hash)
{
	struct v9_flow_batch b;

	while (v9_flow_batch(f, &b) > 0) {
		s->elements += b.n ? b.n : 1;
		for (size_t i = 0; i < b.n; i++) {
			const struct v9_block *block = b.hits[i].block;

			add(s, block->start, block->end, block->insns, hash);
		}
		if (!b.n && b.rec.kind == V9_FLOW_RANGE)
			add(s, b.rec.start, b.rec.end, b.rec.insns, hash);
	}
}

static void records(struct v9_flow *f, struct sums *s)
{
	struct v9_flow_rec rec;

	while (v9_flow_next(f, &rec) > 0) {
		s->elements++;
		if (rec.kind == V9_FLOW_RANGE)
			add(s, rec.start, rec.end, rec.insns, false);
	}
}

/* Both packet decoders in turn, as the library uses them */
static uint64_t packets(const struct spec *s, const struct v9_ete_config *cfg, uint64_t *sum)
{
	struct v9_ete_pktdec dec;
	struct v9_ete_run runs[256];
	struct v9_ete_pkt pkt;
	uint64_t count = 0;
	size_t at = 0, nr;

	v9_ete_pktdec_init(&dec, cfg);
	while (at < s->size) {
		int r;

		at += v9_ete_pkt_runs(&dec, s->trace + at, s->size - at, runs, 256, &nr);
		for (size_t i = 0; i < nr; i++) {
			count += runs[i].atoms + !!runs[i].size;
			*sum += runs[i].addr;
		}
		if (nr == 256)
			continue;
		r = v9_ete_pkt_decode(&dec, s->trace + at, s->size - at, &pkt);
		if (r <= 0)
			break;
		count++;
		at += (size_t)r;
	}
	if (at != s->size)
		fprintf(stderr, "bench: stopped at %zu of %zu\n", at, s->size);
	return count;
}

int main(int argc, char **argv)
{
	struct v9_ete_config cfg;
	struct sums sum = { 0 };
	struct v9_flow f;
	struct spec s;
	double begin;
	bool hash;

	if (argc != 3)
		return 2;
	hash = !strcmp(argv[1], "hash");
	spec_load(&s, argv[2]);
	v9_ete_config_init(&cfg, s.idr0, s.idr8, (s.devarch >> 16 & 15) >= 2);
	sum.sum = hash ? SPEC_HASH : 0;
	begin = spec_seconds();
	if (!strcmp(argv[1], "packets")) {
		sum.elements = packets(&s, &cfg, &sum.sum);
	} else {
		v9_flow_reset(&f, &cfg, s.idr2 >> 31 & 1, s.configr >> 12 & 1, code, &s);
		v9_flow_feed(&f, s.trace, s.size, 0);
		for (int last = 0; last < 2; last++) {
			if (!strcmp(argv[1], "records"))
				records(&f, &sum);
			else
				batches(&f, &sum, hash);
			if (!last)
				v9_flow_end(&f);
		}
		v9_flow_free(&f);
	}
	printf("%.6f %zu %" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n",
	       spec_seconds() - begin, s.size, sum.elements, sum.ranges, sum.insns, sum.sum);
	return 0;
}

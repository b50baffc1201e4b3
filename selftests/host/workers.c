// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread and several give the same result: random traces of two CPUs, in AUX records that
 * continue the last one or do not, with synchronizations in between, damaged or not, with programs
 * that change or not. All fields of all records and all counters are compared. The test also checks
 * that pieces were started in the middle.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include <v9trace/base.h>

#include "../../tools/util.c"
#include "../../tools/capture/workers.h"
#include "../../tools/capture/when.h"

#define ROUNDS	20
#define CPUS	2
#define ROOM	(1u << 17)
#define RECORDS	12		/* AUX records of a CPU */

static uint64_t seed;

static uint32_t rnd(uint32_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % n;
}

/* ---- code: the same bytes repeat at all addresses, except where there is no code */

static const uint32_t program[16] = {
	0xd503201f, 0x54ffffc1, 0x94000002, 0xd65f03c0, 0xd503201f, 0x54ffffc1, 0x94000002,
	0xd65f03c0, 0xd503201f, 0xd61f0020, 0x14000002, 0xd65f03c0, 0xd5033fdf, 0x54ffffc1,
	0xd63f0020, 0xd65f03c0,
};
static const uint32_t changed[16] = {
	0xd503201f, 0xd503201f, 0x94000002, 0xd65f03c0, 0xd503201f, 0x54ffffc1, 0xd503201f,
	0xd65f03c0, 0xd503201f, 0xd61f0020, 0x14000002, 0xd65f03c0, 0xd5033fdf, 0x54ffffc1,
	0xd63f0020, 0xd65f03c0,
};
static uint64_t change_time;
static struct v9_dso nothing;

const uint8_t *v9_lookup_code(struct v9_lookup *l, uint32_t pid, uint64_t time, uint64_t addr,
			      size_t *n)
{
	const uint32_t *words = time >= change_time ? changed : program;

	(void)l;
	(void)pid;
	*n = sizeof(program) - addr % sizeof(program);
	return addr >> 8 & 15 ? (const uint8_t *)words + addr % sizeof(program) : NULL;
}

struct v9_dso *v9_lookup_owner(struct v9_lookup *l, uint32_t pid, uint64_t time, uint64_t addr)
{
	(void)l;
	(void)pid;
	(void)time;
	return addr & 0x1000 ? &nothing : NULL;
}

const char *v9_lookup_comm(struct v9_lookup *l, uint32_t tid, uint64_t time, uint32_t *pid)
{
	static const char *const names[] = { "a", "b", "c", "d" };

	(void)l;
	*pid = tid / 2;
	return names[(tid + (time >= change_time)) % 4];
}

bool v9_session_time(const struct v9_session *s, uint64_t count, uint64_t *ns)
{
	*ns = count;
	return s->has_conv;
}

void pd_pass(struct pd_file *f, uint64_t n)
{
	(void)f;
	(void)n;
}

/* ---- traces */

struct trace {
	struct v9_ete_pktenc enc;
	uint8_t b[ROOM];
	size_t n;
	uint64_t time;
	bool stamps;
};

static void put(struct trace *t, const struct v9_ete_pkt *p)
{
	int r = v9_ete_pkt_encode(&t->enc, t->b + t->n, sizeof(t->b) - t->n, p);

	t->n += r > 0 ? (size_t)r : 0;
}

static void kind(struct trace *t, uint8_t k)
{
	put(t, &(struct v9_ete_pkt){ .kind = k });
}

static void address(struct trace *t, bool context)
{
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_ADDRESS, .addr = 0x10000 + 4 * rnd(0x1000),
		.has = V9_ETE_HAS_ADDR | (context ? V9_ETE_HAS_CTX | V9_ETE_HAS_CONTEXTID : 0),
		.ctx = { .contextid = rnd(4) ? 100 + rnd(3) : 0, .ns = true, .sf = true,
			 .el = rnd(5) ? 0 : 1 } });
}

static void stamp(struct trace *t)
{
	t->time += 1 + rnd(50);
	if (t->stamps)
		put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_TIMESTAMP, .timestamp = t->time });
}

static void synchronize(struct trace *t)
{
	kind(t, V9_ETE_ASYNC);
	kind(t, V9_ETE_INFO);
	if (!rnd(4))
		kind(t, V9_ETE_TRACE_ON);
	/* Mostly immediately, as units do; decoders accept other places. */
	if (rnd(8))
		address(t, true);
	if (rnd(4))
		put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_ATOMS, .natoms = 1, .atoms = 1 });
	if (rnd(4))
		stamp(t);
}

static void some(struct trace *t)
{
	switch (rnd(24)) {
	case 0:
		synchronize(t);
		break;
	case 1:
		put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_EXCEPTION, .type = V9_ETE_EXC_IRQ,
			.addr = 0x10000 + 4 * rnd(0x1000), .has = V9_ETE_HAS_ADDR });
		kind(t, V9_ETE_TRACE_ON);
		address(t, rnd(2));
		break;
	case 2:
		stamp(t);
		break;
	case 3:
		kind(t, V9_ETE_MARKER);
		break;
	case 4:
		kind(t, rnd(10) ? V9_ETE_IGNORE : V9_ETE_OVERFLOW);
		break;
	case 5:
		put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_MISPREDICT });
		break;
	case 6: case 7: case 8: case 9: case 10: case 11:
		address(t, !rnd(5));
		break;
	default:
		put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_ATOMS, .natoms = 1, .atoms = rnd(2) });
		break;
	}
}

/* ---- captures */

struct world {
	struct v9_session s;
	struct v9_queue queues[CPUS];
	struct v9_chunk chunks[CPUS];
	struct v9_trace_unit units[CPUS];
	struct v9_extent extents[CPUS * RECORDS];
	struct trace traces[CPUS];
	uint64_t changes[2];
};

static void make_cpu(struct world *w, unsigned int cpu, bool stack, bool ids)
{
	struct trace *t = &w->traces[cpu];
	struct v9_ete_config cfg;
	uint64_t from = 0;

	w->units[cpu] = (struct v9_trace_unit){ .magic = PD_ETE_MAGIC, .cpu = cpu };
	w->units[cpu].word[PD_ETE_TRCCONFIGR] = (stack ? 1 << 12 : 0) | (t->stamps ? 1 << 11 : 0) |
						(ids ? 1 << 6 : 0);
	w->units[cpu].word[PD_ETE_TRCIDR0] = 0x28000ea1;
	w->units[cpu].word[PD_ETE_TRCDEVARCH] = 0x47705a13;
	w->units[cpu].word[PD_ETE_TS_SOURCE] = 1;
	v9_unit_config(&w->units[cpu], &cfg);
	v9_ete_pktenc_init(&t->enc, &cfg);
	t->n = 0;
	t->time = 1000;
	synchronize(t);
	for (unsigned int i = 0; i < RECORDS; i++) {
		const size_t end = t->n + rnd(6000);
		const bool lossy = !rnd(8);

		while (t->n < end)
			some(t);
		w->extents[w->s.nr_extents++] = (struct v9_extent){
			.offset = from, .size = t->n - from, .kind = V9_KIND_ETE, .cpu = cpu,
			.flags = PD_AUX_FLAG_RAW | (lossy ? PERF_AUX_FLAG_TRUNCATED : 0),
			.pid = 50, .tid = 100 + rnd(3), .has_time = true, .time = t->time + 1 };
		if (!rnd(6))
			t->n += 64;		/* a hole in the stream */
		from = t->n;
		if (lossy || rnd(2))
			synchronize(t);
	}
	for (unsigned int hurt = rnd(2) ? rnd(20) : 0; hurt; hurt--)
		t->b[rnd((uint32_t)t->n)] = (uint8_t)rnd(256);
	w->chunks[cpu] = (struct v9_chunk){ t->b, t->n, 0 };
	w->queues[cpu] = (struct v9_queue){ .kind = V9_KIND_ETE, .cpu = cpu, .tid = V9_NO_TASK,
					    .chunks = &w->chunks[cpu], .nr_chunks = 1 };
}

static struct world *make_world(unsigned int round)
{
	struct world *w = v9_alloc(sizeof(*w));
	bool stamps, changes;

	seed = round * 7919;
	stamps = rnd(4);
	changes = rnd(2);
	w->s.queues = w->queues;
	w->s.nr_queues = CPUS;
	w->s.extents = w->extents;
	w->s.units = w->units;
	w->s.nr_units = CPUS;
	w->s.has_conv = true;
	for (unsigned int cpu = 0; cpu < CPUS; cpu++) {
		w->traces[cpu].stamps = stamps;
		make_cpu(w, cpu, round & 1, round & 2);
	}
	change_time = UINT64_MAX;
	if (changes) {
		change_time = w->changes[0] = w->traces[0].time * (1 + rnd(3)) / 5;
		w->s.syms.changes = w->changes;
		w->s.syms.nr_changes = 1;
	}
	return w;
}

/* ---- the consumer; its sums do not depend on the order */

struct sums {
	uint64_t sum, records;
	struct v9_listener listener;
};

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static void take_record(void *arg, size_t stream, const struct v9_sampled *at,
			const struct v9_flow_rec *r)
{
	struct sums *h = arg;
	uint64_t x = mix(stream, r->offset);

	x = mix(x, (uint64_t)r->kind << 32 | (uint64_t)r->why << 24 | (uint64_t)r->type << 16 |
		   (uint64_t)r->taken << 2 | (uint64_t)r->addressed << 1 | r->counted);
	x = mix(mix(mix(x, r->start), r->end), r->last_addr);
	x = mix(mix(x, r->value), (uint64_t)r->insns << 32 | r->cycles);
	x = mix(mix(x, r->ctx.contextid), (uint64_t)r->ctx.el << 8 | r->isa);
	x = mix(mix(x, (uint64_t)at->pid << 32 | at->tid), at->cpu);
	x = mix(mix(x, at->has_time ? at->time : 1), at->comm ? (uint64_t)at->comm[0] : 0);
	h->sum += x;
	h->records++;
}

static void take_hits(void *arg, size_t stream, const struct v9_sampled *at,
		      const struct v9_flow_batch *b)
{
	struct v9_flow_rec r;

	for (size_t i = 0; i < b->n; i++) {
		v9_flow_expand(b, &b->hits[i], &r);
		take_record(arg, stream, at, &r);
	}
}

static struct { uint64_t joined, forgotten, restarts; } parts;

static struct v9_listener *create(void *arg)
{
	struct sums *h = v9_alloc(sizeof(*h));

	(void)arg;
	h->listener = (struct v9_listener){ take_record, take_hits, h, false };
	return &h->listener;
}

static void *result(struct v9_listener *listener)
{
	struct sums *h = listener->arg, *copy = v9_alloc(sizeof(*copy));

	*copy = *h;
	h->sum = h->records = 0;
	return copy;
}

static void merge(void *arg, void *result)
{
	struct sums *all = arg, *h = result;

	all->sum += h->sum;
	all->records += h->records;
	parts.joined++;
	free(h);
}

static void discard(void *result)
{
	__atomic_fetch_add(&parts.forgotten, 1, __ATOMIC_RELAXED);
	free(result);
}

static void destroy(struct v9_listener *listener)
{
	free(listener->arg);
}

struct result {
	struct sums sums;
	uint64_t bytes, insns, gaps, missed;
};

static struct result decode(unsigned int round, unsigned int threads, uint64_t grain)
{
	struct world *w = make_world(round);
	struct result r = { 0 };
	const struct v9_listener listener = { take_record, round & 4 ? take_hits : NULL, &r.sums,
					      false };
	const struct v9_workers workers = { .threads = threads, .grain = grain, .arg = &r.sums,
					    .create = create, .result = result, .merge = merge, .discard = discard,
					    .destroy = destroy };
	struct v9_lookup lookup = { .s = &w->s };
	struct v9_trace t;

	memset(&nothing, 0, sizeof(nothing));
	v9_trace_init(&t, &w->s, &lookup);
	v9_trace_plan(&t);
	v9_trace_run(&t, &listener, threads ? &workers : NULL);
	r.bytes = v9_trace_bytes(&t);
	r.insns = t.sums.counts.insns;
	parts.restarts += threads ? t.restarts : 0;
	for (unsigned int i = 0; i < V9_FLOW_WHYS; i++)
		r.gaps = r.gaps * 1009 + t.sums.counts.gaps[i];
	r.missed = nothing.code.missed << 32 | lookup.code.unmapped;
	v9_trace_free(&t);
	free(w);
	return r;
}

static bool same(const struct result *a, const struct result *b)
{
	return a->sums.sum == b->sums.sum && a->sums.records == b->sums.records &&
	       a->bytes == b->bytes && a->insns == b->insns && a->gaps == b->gaps &&
	       a->missed == b->missed;
}

int main(void)
{
	static const struct { unsigned int threads; uint64_t grain; const char *name; } ways[] = {
		{ 2, 1, "two_cut_everywhere" },
		{ 3, 1000, "three_of_1000_bytes" },
		{ 2, 10000, "two_of_10000_bytes" },
		{ 5, 300, "five_of_300_bytes" },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(ways); i++) {
		unsigned int bad = 0, first = 0;

		memset(&parts, 0, sizeof(parts));
		for (unsigned int round = 1; round <= ROUNDS; round++) {
			const struct result one = decode(round, 0, 0);
			const struct result more = decode(round, ways[i].threads, ways[i].grain);

			if (!same(&one, &more)) {
				first = bad++ ? first : round;
				fprintf(stderr,
					"round %u: %llu records, %llu instructions; %llu, %llu\n",
					round, (unsigned long long)one.sums.records,
					(unsigned long long)one.insns,
					(unsigned long long)more.sums.records,
					(unsigned long long)more.insns);
			}
		}
		tap_ok(!bad, "%s", ways[i].name);
		fprintf(stderr, "%s: %llu parts, %llu of them begun anew at most; %llu forgotten\n",
			ways[i].name, (unsigned long long)parts.joined,
			(unsigned long long)parts.restarts, (unsigned long long)parts.forgotten);
		/*
		 * Many small pieces, or several large ones, were merged after a start in the
		 * middle.
		 */
		tap_ok(parts.joined > (ways[i].grain == 1 ? parts.restarts + 3 * ROUNDS :
				       ROUNDS * CPUS), "%s_really", ways[i].name);
	}
	return tap_done();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * spe MODE TRACE: decodes SPE records of a file that contains nothing else. MODE is
 * 	records	all records, each field added up
 * 	places	added up for each PC: number, latencies, events
 * Prints: seconds of CPU, bytes, records, sum or number of places.
 */
#include "spec.h"

#include "../../tools/lib/spe.h"

#define ROOM (1u << 16)

struct place {
	uint64_t pc, n, events, total, issue, translation;
};

static struct place places[ROOM];

static uint64_t add(const struct v9_spe_rec *r)
{
	uint32_t i = (uint32_t)(r->pc.addr * UINT64_C(0x9e3779b97f4a7c15) >> 48);
	bool fresh = false;

	while (places[i % ROOM].n && places[i % ROOM].pc != r->pc.addr)
		i++;
	fresh = !places[i % ROOM].n++;
	places[i % ROOM].pc = r->pc.addr;
	places[i % ROOM].events |= r->events;
	places[i % ROOM].total += r->lat[V9_SPE_LAT_TOTAL];
	places[i % ROOM].issue += r->lat[V9_SPE_LAT_ISSUE];
	places[i % ROOM].translation += r->lat[V9_SPE_LAT_XLAT];
	return fresh;
}

int main(int argc, char **argv)
{
	uint64_t size = 0, n = 0, sum = 0;
	struct v9_spe_dec d;
	struct v9_spe_rec r;
	double begin;
	uint8_t *p;
	bool by_pc;

	if (argc != 3)
		return 2;
	by_pc = !strcmp(argv[1], "places");
	p = spec_read(argv[2], 0, &size);
	begin = spec_seconds();
	v9_spe_dec_reset(&d);
	v9_spe_dec_feed(&d, p, size, 0);
	while (v9_spe_dec_next(&d, &r)) {
		n++;
		sum += by_pc ? add(&r) : r.pc.addr ^ r.va ^ r.pa ^ r.ts ^ r.events ^ r.lat[0] ^
					 r.lat[1] ^ r.lat[2] ^ r.ctx[1] ^ r.source ^ r.op;
	}
	v9_spe_dec_end(&d, V9_SPE_SKIP_CUT);
	v9_spe_dec_free(&d);
	printf("%.6f %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", spec_seconds() - begin, size, n, sum);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fast path of the packet decoder compared with the slow one: streams of random packets, valid
 * or not, cut at each byte. Up to where the fast path stops, packets and base address must be
 * equal, and it must stop only at the packets that it does not decode.
 */
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include <v9trace/ete.h>

#define STREAMS	150
#define LENGTH	300

static uint64_t seed = 1;

static uint32_t rnd(uint32_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % n;
}

/* Mostly atoms and addresses, some of them with invalid bits */
static size_t make(uint8_t *p, size_t n)
{
	static const uint8_t headers[] = {
		0x90, 0x91, 0x92, 0x95, 0x95, 0x95, 0x96, 0x9a, 0x9b, 0x9d, 0x9e, 0x82, 0x85, 0x80,
		0x70, 0x04, 0xa0, 0xb4, 0x93, 0x72 };
	static const uint8_t payload[] = { 0, 0, 0, 1, 2, 1, 2, 4, 4, 8, 8, 5, 9, 0 };
	size_t at = 0;

	while (at < n) {
		const uint32_t kind = rnd(40) ? rnd(11) : rnd(sizeof(headers));
		unsigned int more = kind < sizeof(payload) ? payload[kind] : rnd(10);

		if (rnd(3)) {
			p[at++] = (uint8_t)(0xc0 + rnd(64));
			continue;
		}
		p[at++] = headers[kind];
		for (; more && at < n; more--)
			p[at++] = (uint8_t)(rnd(100) ? rnd(128) : rnd(256));
	}
	return n;
}

static const struct v9_ete_config cfg = { .commopt = true };
static char why[200];

static bool same_history(const struct v9_ete_pktdec *a, const struct v9_ete_pktdec *b)
{
	for (unsigned int i = 0; i < 3; i++)
		if (a->base.ahb[i].addr != b->base.ahb[i].addr ||
		    a->base.ahb[i].isa != b->base.ahb[i].isa)
			return false;
	return true;
}

/* Decodes bytes on the fast path, then on the slow one. */
static size_t compare(const struct v9_ete_pktdec *before, const uint8_t *p, size_t n)
{
	struct v9_ete_pktdec fast = *before, careful = *before;
	const size_t room = 1 + rnd(40);
	struct v9_ete_run runs[41];
	struct v9_ete_pkt pkt;
	size_t nr, at = 0, used = v9_ete_pkt_runs(&fast, p, n, runs, room, &nr);
	int r;

	if (used > n || nr > room) {
		snprintf(why, sizeof(why), "%zu of %zu bytes, %zu of %zu runs", used, n, nr, room);
		return used;
	}
	for (size_t i = 0; i < nr; i++) {
		if (runs[i].at != at)
			snprintf(why, sizeof(why), "run at %u, not %zu", runs[i].at, at);
		for (uint32_t k = 0; k < runs[i].atoms; k++) {
			r = v9_ete_pkt_decode(&careful, p + at, n - at, &pkt);
			if (r != 1 || pkt.kind != V9_ETE_ATOMS)
				snprintf(why, sizeof(why), "no atoms at %zu", at);
			at++;
		}
		if (!runs[i].size)
			continue;
		r = v9_ete_pkt_decode(&careful, p + at, n - at, &pkt);
		if (r != runs[i].size || pkt.kind != V9_ETE_ADDRESS || pkt.addr != runs[i].addr ||
		    pkt.isa != runs[i].isa || pkt.has != V9_ETE_HAS_ADDR)
			snprintf(why, sizeof(why), "%d bytes of %02x: %llx, not %llx", r, p[at],
				 (long long)pkt.addr, (long long)runs[i].addr);
		at += runs[i].size;
	}
	if (at != used || !same_history(&fast, &careful))
		snprintf(why, sizeof(why), "%zu bytes, not %zu, or another base", used, at);
	/* It did not stop early. */
	if (nr < room && n - at > V9_ETE_RUN_REACH) {
		r = v9_ete_pkt_decode(&careful, p + at, n - at, &pkt);
		if (r > 0 && n - at - (size_t)r >= V9_ETE_RUN_REACH &&
		    (pkt.kind == V9_ETE_ATOMS ||
		     (pkt.kind == V9_ETE_ADDRESS && !(pkt.has & V9_ETE_HAS_CTX))))
			snprintf(why, sizeof(why), "stopped before %02x", p[at]);
	}
	return used;
}

int main(void)
{
	static uint8_t bytes[LENGTH];
	uint64_t total = 0, fast = 0;

	for (unsigned int i = 0; i < STREAMS && !*why; i++) {
		const size_t n = make(bytes, 20 + rnd(LENGTH - 20));
		struct v9_ete_pktdec dec;
		struct v9_ete_pkt pkt;

		v9_ete_pktdec_init(&dec, &cfg);
		for (unsigned int k = 0; k < 3; k++)
			dec.base.ahb[k] = (struct v9_ete_address){
				/* No packet sends bit 0. */
				.addr = (uint64_t)rnd(UINT32_MAX) << 32 | (rnd(UINT32_MAX) & ~1u),
				.isa = (uint8_t)rnd(2) };
		for (size_t at = 0; at < n && !*why; ) {
			int r;

			for (size_t end = at; end <= n && !*why; end++) {
				/* A copy of exact size, so that sanitizers find reads beyond it */
				uint8_t *copy = malloc(end - at + 1);

				memcpy(copy, bytes + at, end - at);
				copy = realloc(copy, end - at ? end - at : 1);
				fast += compare(&dec, copy, end - at);
				total += end - at;
				free(copy);
			}
			r = v9_ete_pkt_decode(&dec, bytes + at, n - at, &pkt);
			at += r > 0 ? (size_t)r : 1;
		}
	}
	if (*why)
		fprintf(stderr, "stream of seed %llx: %s\n", (long long)seed, why);
	printf("# %llu of %llu bytes taken by the fast lane\n", (long long)fast, (long long)total);
	tap_ok(!*why, "both_lanes_agree_at_every_cut");
	tap_ok(fast > total / 100, "fast_lane_is_used");
	return tap_done();
}

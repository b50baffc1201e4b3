// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace dump: the packets of ETE traces. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../capture/trace.h"
#include "../lib/ete_text.h"
#include "../util.h"
#include "dump.h"

#define ETE_IGNORE	0x70

/* The ETE stream of a buffer, with the bytes of a packet that is not complete yet. */
struct stream {
	struct stream *next;
	uint32_t cpu, tid;
	uint64_t end;
	struct v9_ete_pktdec dec;
	struct v9_blob rest;
	bool synced;
};

static void print_skipped(uint64_t offset, const uint8_t *p, size_t n, const char *why)
{
	v9_dump_bytes(offset, p, n);
	printf("%s, %zu bytes\n", why, n);
}

/* Number of zeros at @p. Includes the 0x80 after them if both are an Alignment Synchronization. */
static size_t zero_run(const uint8_t *p, size_t n, bool *sync)
{
	size_t zeros = 0;

	while (zeros < n && !p[zeros])
		zeros++;
	*sync = zeros < n && p[zeros] == 0x80 && zeros >= V9_ETE_ASYNC_SIZE - 1;
	return zeros + *sync;
}

/* Prints packets. Returns the bytes used; the rest may be the beginning of a packet. */
static size_t print_packets(struct stream *st, const uint8_t *p, size_t n, uint64_t offset)
{
	const uint8_t *begin = p;
	struct v9_ete_pkt pkt;

	while (n && !ferror(stdout)) {
		bool sync = false;
		size_t run = 0;
		int r = 0;

		if (!st->synced) {
			run = v9_ete_find_sync(p, n);
			if (run == n && n >= V9_ETE_ASYNC_SIZE)
				run = n - V9_ETE_ASYNC_SIZE + 1;
			else if (run == n)
				break;
			if (run)
				print_skipped(offset, p, run, "no synchronization yet");
			st->synced = run + V9_ETE_ASYNC_SIZE <= n &&
				     v9_ete_find_sync(p + run, n - run) == 0;
		} else if (n >= 2 && !p[0] && !p[1]) {
			run = zero_run(p, n, &sync);
			if (run == n && !sync)
				break;
			if (sync) {
				v9_dump_bytes(offset, p, run);
				printf("Alignment Synchronization\n");
			} else {
				print_skipped(offset, p, run, "zeros that are no packet");
				st->synced = false;
			}
		} else if (*p == ETE_IGNORE) {
			while (run < n && p[run] == ETE_IGNORE)
				run++;
			v9_dump_bytes(offset, p, run);
			printf("Ignore x %zu\n", run);
		} else {
			r = v9_ete_pkt_decode(&st->dec, p, n, &pkt);
			if (r == -ENODATA)
				break;
			run = r > 0 ? (size_t)r : 1;
			v9_dump_bytes(offset, p, run);
			if (r > 0)
				v9_ete_pkt_text(stdout, &pkt);
			else
				printf("RESERVED: %s", v9_ete_reason_text(st->dec.reason));
			fputc('\n', stdout);
			st->synced = r > 0;
		}
		p += run;
		offset += run;
		n -= run;
	}
	return (size_t)(p - begin);
}

/* What follows in a stream that has an AUX chunk already. */
static void resume(struct stream *st, uint64_t offset)
{
	/* perf rounds AUX chunks up to 8 bytes; the next chunk repeats the bytes added. */
	if (offset <= st->end && st->end - offset < 8 && st->end - offset <= st->rest.len)
		st->rest.len -= (size_t)(st->end - offset);
	else if (offset <= st->end && st->end - offset < 8)
		st->rest.len = 0;
	else
		st->synced = false;
	if (!st->synced)
		st->rest.len = 0;
}

static void configure(const struct v9_dump *d, struct v9_ete_config *cfg)
{
	const struct v9_session *s = d->s;

	/* Raw data: that of most trace units, without speculation and timestamp markers. */
	*cfg = (struct v9_ete_config){ .commopt = !s, .nse = !s };
	for (size_t i = 0; s && i < s->nr_units; i++)
		if (s->units[i].magic == PD_ETE_MAGIC &&
		    (d->cpu == UINT32_MAX || s->units[i].cpu == d->cpu)) {
			v9_unit_config(&s->units[i], cfg);
			return;
		}
}

static struct stream *stream_of(const struct v9_dump *d, struct stream **first)
{
	struct stream **at = first;
	struct v9_ete_config cfg;

	while (*at && ((*at)->cpu != d->cpu || (*at)->tid != d->tid))
		at = &(*at)->next;
	if (*at) {
		resume(*at, d->chunk.offset);
		return *at;
	}
	*at = v9_alloc(sizeof(**at));
	**at = (struct stream){ .cpu = d->cpu, .tid = d->tid };
	configure(d, &cfg);
	v9_ete_pktdec_init(&(*at)->dec, &cfg);
	return *at;
}

void v9_dump_ete(const struct v9_dump *d, void **state)
{
	const struct v9_chunk *c = &d->chunk;
	struct stream *first = *state, *st;
	size_t old, done;

	if (d->s && d->s->unusable)
		return;
	st = stream_of(d, &first);
	*state = first;
	old = st->rest.len;
	/* Append to the rest of the previous AUX chunk. */
	v9_blob_put(&st->rest, c->p, c->size);
	done = print_packets(st, st->rest.data, st->rest.len, c->offset - old);
	memmove(st->rest.data, st->rest.data + done, st->rest.len - done);
	st->rest.len -= done;
	st->end = c->offset + c->size;
}

void v9_dump_ete_end(void *state)
{
	struct stream *next;

	for (struct stream *st = state; st; st = next) {
		next = st->next;
		if (st->rest.len)
			print_skipped(st->end - st->rest.len, st->rest.data, st->rest.len,
				      "cut: the stream ends here");
		v9_blob_free(&st->rest);
		free(st);
	}
}

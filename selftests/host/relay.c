// SPDX-License-Identifier: GPL-2.0-only
/* A listener in another thread (tools/capture/relay.c) receives everything, in order, and before blocks change. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "../../tools/capture/relay.h"

#define BLOCKS	16

static struct v9_block blocks[BLOCKS];
static uint64_t next, wrong;	/* number of the record or hit to come; calls that were not as expected */

static pthread_t caller;	/* of the last hits */

static uint64_t stream_of(uint64_t n)
{
	return n / 1000;
}

static void expect(bool good)
{
	wrong += !good;
}

static void take(void *arg, size_t stream, const struct v9_sampled *at, const struct v9_flow_rec *rec)
{
	expect(arg == blocks && stream == stream_of(next) && at->time == next && rec->value == next &&
	       rec->kind == V9_FLOW_EVENT);
	next++;
}

static void take_hits(void *arg, size_t stream, const struct v9_sampled *at, const struct v9_flow_batch *batch)
{
	caller = pthread_self();
	expect(arg == blocks && stream == stream_of(next) && at->time == next && batch->offset == next);
	for (size_t i = 0; i < batch->n; i++, next++) {
		const struct v9_flow_hit *h = &batch->hits[i];

		/* The block did not change since the hit was given: see change(). */
		expect(h->at == (uint32_t)next && h->taken == (next & 1) && h->block == &blocks[next % BLOCKS] &&
		       h->block->start == blocks[0].start);
	}
}

static const struct v9_listener listener = { take, take_hits, blocks, false };

static void give_record(const struct v9_listener *to, uint64_t *n)
{
	const struct v9_sampled at = { .time = *n };
	const struct v9_flow_rec rec = { .value = *n, .kind = V9_FLOW_EVENT };

	to->take(to->arg, stream_of(*n), &at, &rec);
	++*n;
}

static void give_hits(const struct v9_listener *to, uint64_t *n, size_t nr)
{
	struct v9_flow_hit *hit = malloc((nr + 1) * sizeof(*hit));
	struct v9_flow_batch batch = { .hits = hit, .n = nr, .offset = *n };
	const struct v9_sampled at = { .time = *n };

	for (size_t i = 0; hit && i < nr; i++)
		hit[i] = (struct v9_flow_hit){ &blocks[(*n + i) % BLOCKS], (uint32_t)(*n + i), (*n + i) & 1 };
	to->hits(to->arg, stream_of(*n), &at, &batch);
	*n += nr;
	/* A decoder writes the next hits to the same memory. */
	memset(hit, 0xff, (nr + 1) * sizeof(*hit));
	free(hit);
}

/* Changes the blocks, as a decoder does that drops them. */
static void change(struct v9_relay *r, uint64_t n)
{
	v9_relay_drain(r);
	expect(next == n);
	for (size_t i = 0; i < BLOCKS; i++)
		blocks[i].start++;
}

static void run(const char *name, size_t least, size_t most, unsigned int drain_every)
{
	struct v9_relay *r = v9_relay_new(&listener);
	const struct v9_listener *to = v9_relay_listener(r);
	uint64_t n = 0;

	if (!r) {
		tap_ok(false, "%s", name);
		return;
	}
	next = wrong = 0;
	for (unsigned int i = 0; n < 300000; i++) {
		if (i % 3 == 2)
			give_record(to, &n);
		else
			give_hits(to, &n, least + i % (most - least + 1));
		if (drain_every && i % drain_every == 0)
			change(r, n);
	}
	v9_relay_free(r);
	tap_ok(next == n && !wrong, "%s", name);
}

int main(void)
{
	struct v9_relay *r = v9_relay_new(&listener);

	run("small_batches", 1, 4, 0);
	run("batches_of_any_size", 1, 3000, 0);
	run("batches_larger_than_a_lot", 20000, 40000, 0);
	tap_ok(!pthread_equal(caller, pthread_self()), "another_thread");
	/* If it is waited for after nearly each lot, the listener is called directly, else not. */
	run("blocks_change", 1, 100, 7);
	tap_ok(pthread_equal(caller, pthread_self()), "no_other_thread");
	run("blocks_change_seldom", 1, 3000, 100);
	tap_ok(!pthread_equal(caller, pthread_self()), "another_thread_again");
	next = wrong = 0;
	v9_relay_free(r);
	tap_ok(!next && !wrong, "nothing_given");
	return tap_done();
}

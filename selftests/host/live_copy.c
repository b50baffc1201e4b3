// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9trace top and v9trace attach copy the sums of a running recording: each member of the copy is compared, which sums
 * are copied if there are too many, and when the copy's memory is used again.
 */
#include <string.h>

#include "tap.h"

#include "../../tools/live/copy.c"

static struct v9_live l;
static struct v9_live_copy s;

static struct v9_live_sum *sum(uint64_t object, uint64_t addr, uint64_t samples)
{
	const struct v9_live_sum key = {
		.object = object, .addr = addr, .line = V9_LIVE_NO_LINE, .pid = addr + 1, .period = 7,
	};
	struct v9_live_sum *to = v9_bins_at(&l.profile.sums, key.key, V9_LIVE_KEYS);

	to->value[V9_W_SAMPLES] = samples;
	to->value[V9_W_LATENCY] = 10 * samples;
	return to;
}

/* More sums than a chunk of the table has */
static void all_of_them(void)
{
	const size_t n = V9_BINS_CHUNK + 3;
	size_t equal = 0;

	for (size_t i = 0; i < n; i++)
		sum(V9_LIVE_KERNEL, i, i + 1);
	v9_live_copy_take(&s, &l, 0);
	tap_eq(s.nr_sums, n, "all_sums");
	for (size_t i = 0; i < n; i++)
		equal += !memcmp(&s.sums[i], v9_bins_get(&l.profile.sums, i), sizeof(s.sums[i]));
	tap_eq(equal, n, "each_of_them");
	tap_ok(!s.nr_types && !s.evicted && !s.nr_classes, "nothing_is_left_out");
	v9_live_copy_take(&s, &l, n);
	tap_ok(s.nr_sums == n && !s.evicted, "exactly_as_many");
	v9_live_copy_free(&s);
	v9_bins_clear(&l.profile.sums);
}

/* Room is made for a quarter more sums than there are. It is kept until there are more. */
static void memory(void)
{
	static const struct { size_t sums, room; } rows[] = {
		{ 0, 0 }, { 4, 5 }, { 5, 5 }, { 6, 7 }, { 7, 7 }, { 8, 10 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		while (l.profile.sums.used < rows[i].sums)
			sum(V9_LIVE_KERNEL, l.profile.sums.used, 1);
		v9_live_copy_take(&s, &l, 0);
		tap_ok(s.room_sums == rows[i].room && s.nr_sums == rows[i].sums, "room_of_%zu", rows[i].sums);
	}
	v9_live_copy_take(&s, &l, 7);
	tap_ok(s.room_sums == 10 && s.nr_sums == 7, "room_is_enough");
	v9_live_copy_free(&s);
	v9_bins_clear(&l.profile.sums);
	for (uint64_t i = 0; i < 8; i++)
		sum(V9_LIVE_KERNEL, i, 1);
	v9_live_copy_take(&s, &l, 7);
	tap_ok(s.room_sums == 7 && s.nr_sums == 7 && s.evicted == 1, "room_of_the_most");
	v9_live_copy_free(&s);
	v9_bins_clear(&l.profile.sums);
}

static void each_member(void)
{
	static const uint8_t id[20] = { 1, [19] = 20 };
	static const uint64_t lost[] = { 1, 2, 3, 4, 5, 6, 7, 8, 15, 10 };
	const uint32_t a = v9_live_object(&l.places, "/bin/a", id, 20),
		       gone = v9_live_object(&l.places, "/gone", NULL, 0),
		       b = v9_live_object(&l.places, "[b]", NULL, 0);
	struct v9_live_profile *p = &l.profile;
	const struct v9_live_class of = { .what = V9_LIVE_SOURCE, .of = 8 };
	struct v9_live_class *class;

	for (int round = 0; round < 2; round++) {
		v9_bins_clear(&p->sums);
		sum(a + 2, 0x10, 3);
		sum(b + 2, 0x20, 1)->value[V9_W_MISPREDICTS] = 9;
		sum(a + 2, 0x30, 5);
		sum(a + 2, 0x40, 1);
		sum(V9_LIVE_KERNEL, 0x50, 2);
		p->evicted = 100;
		p->types = v9_realloc(p->types, sizeof(*p->types));
		p->types[0] = (struct v9_live_type){ .period = 7, .evicted = { [V9_W_SAMPLES] = 1000 } };
		p->nr_types = 1;
		p->aux = (struct v9_aux_sum){ .bytes = 640, .truncated = 1, .collision = 2, .partial = 3 };
		p->lost = (struct v9_losses){
			.lost_records = 4, .lost_samples = 5, .cpu_away = 6, .paused_ns = 7000000,
		};
		p->late_bytes = 8;
		l.places.dropped = 10;
		/* v9_live_account() subtracts what there was before. */
		l.before.records = (uint64_t)-12;
		for (unsigned int i = 0; i < V9_SPE_SKIPS; i++)
			l.before.skipped[i] = i == V9_SPE_SKIPS - 1 ? (uint64_t)-8 : i ? 0 : (uint64_t)-7;
		v9_live_ask_classes(&l);
		v9_bins_clear(&p->classes);
		class = v9_bins_at(&p->classes, of.key, 4);
		class->value[V9_W_SAMPLES] = 11;
		if (!round) {
			v9_live_map(&l.places, 1, V9_KERNEL_PID, 0x1000, 0x1000, 0, b);
			v9_live_map(&l.places, 1, V9_KERNEL_PID, 0x5000, 0x1000, 0x5000, b);
		}

		v9_live_copy_take(&s, &l, 3);
		tap_ok(s.nr_sums == 3 && s.sums[0].addr == 0x10 && s.sums[1].addr == 0x30 && s.sums[2].addr == 0x50 &&
		       s.sums[1].value[V9_W_LATENCY] == 50, "largest");
		tap_eq(s.evicted, 102, "evicted");
		tap_ok(s.nr_types == 1 && s.types[0].period == 7 && s.types[0].evicted[V9_W_SAMPLES] == 1002 &&
		       s.types[0].evicted[V9_W_MISPREDICTS] == 9 && s.types[0].evicted[V9_W_LATENCY] == 20, "types");
		tap_ok(p->types[0].evicted[V9_W_SAMPLES] == 1000 && p->evicted == 100, "what_is_copied_stays");
		tap_ok(s.nr_classes == 1 && s.classes[0].of == 8 && s.classes[0].value[V9_W_SAMPLES] == 11, "classes");
		tap_ok(s.records == 12 && s.trace_bytes == 640, "records");
		for (unsigned int i = 0; i < V9_LIVE_LOSSES; i++)
			tap_eq(s.lost[i], lost[i], "loss_%s", v9_live_loss_name[i].key);
		tap_eq(s.nr_objects, 3, "objects");
		tap_ok(!strcmp(s.objects[a].name, "/bin/a") && s.objects[a].name != l.places.objects[a].name &&
		       s.objects[a].id_size == 20 && !memcmp(s.objects[a].id, id, 20) && s.objects[a].file, "object");
		tap_ok(!strcmp(s.objects[b].name, "[b]") && !s.objects[b].id_size && !s.objects[b].file, "no_file");
		tap_ok(!s.objects[gone].name && !l.places.objects[gone].name, "object_without_a_sum");
		tap_ok(s.nr_kernel == 2 && s.kernel[0].start == 0x1000 && s.kernel[1].pgoff == 0x5000, "kernel");
	}
	v9_live_copy_free(&s);
	tap_ok(!s.sums && !s.classes && !s.types && !s.kernel && !s.objects && !s.nr_sums && !s.room_sums &&
	       !s.nr_objects && !s.room_classes && !s.nr_types && !s.records, "free");
}

int main(void)
{
	const struct v9_live_setup setup = { .memory = 1 << 20 };

	v9_live_init(&l, &setup);
	all_of_them();
	memory();
	each_member();
	v9_live_free(&l);
	return tap_done();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * lib/plan.c: every head, free space and wakeup of small buffers against what
 * must hold of any window, and typed cases of real size.
 */
#include "tap.h"
#include "v9trace/plan.h"
// link: lib/plan.c

struct counts {
	unsigned long windows, refused;
	unsigned long room, record, align, granule, inside, pad, wake, refusal;
};

/*
 * Is there any window at all? Padding may reach the alignment, or the end of
 * the ring; then one record must fit before a whole granule that is free.
 */
static bool exists(const struct v9_aux *a)
{
	uint64_t pos, lim;

	for (pos = a->head; pos <= a->head + a->free; pos++) {
		uint64_t off = pos % a->size;

		if (off % a->align || (pos - a->head >= a->align && off))
			continue;
		for (lim = pos + a->max_record; lim <= a->head + a->free; lim++) {
			if (lim - pos > a->size - off)
				break;
			if (lim % a->granule == 0)
				return true;
		}
	}
	return false;
}

static void check(const struct v9_aux *a, struct counts *bad)
{
	struct v9_window w;
	uint64_t end;

	if (v9_plan_window(a, &w)) {
		bad->refused++;
		bad->refusal += a->snapshot || exists(a) || w.pad || w.ptr || w.limit;
		return;
	}
	bad->windows++;
	bad->align += w.ptr % a->align != 0;
	bad->granule += w.limit % a->granule != 0;
	bad->inside += w.limit > a->size || w.pad_at + w.pad > a->size;
	bad->record += w.limit < w.ptr + a->max_record;
	bad->pad += w.pad_at != a->head % a->size || w.ptr != (w.pad_at + w.pad) % a->size ||
		    (w.pad >= a->align && w.pad >= a->max_record);
	if (a->snapshot)
		return;
	bad->room += w.pad + (w.limit - w.ptr) > a->free;

	/* Up to the wish, less than a granule beyond it, or one record if it is nearer. */
	end = a->head + w.pad + (w.limit - w.ptr);
	if (a->wakeup > a->head + w.pad && a->wakeup < a->head + a->free && end > a->wakeup)
		bad->wake += end - a->wakeup >= a->granule &&
			     w.limit - w.ptr >= a->max_record + a->granule;
}

/* Every head of two laps, every amount of free space, several wakeups. */
static void sweep_ring(struct v9_aux a, struct counts *bad)
{
	for (a.head = 0; a.head < 2 * a.size; a.head++)
		for (a.free = 0; a.free < a.size; a.free++) {
			a.wakeup = a.head + (a.free * 7 + a.head * 13) % 300;
			check(&a, bad);
			a.wakeup = a.head + a.free / 2;
			check(&a, bad);
			if (a.snapshot)
				break;
		}
}

static void sweep(bool snapshot)
{
	static const uint32_t aligns[] = { 1, 8, 16, 64 };
	struct v9_aux a = { .granule = 64, .snapshot = snapshot };
	struct counts bad = { 0 };
	unsigned int i;

	for (a.size = 128; a.size <= 256; a.size += 64)
		for (i = 0; i < V9_ARRAY_SIZE(aligns); i++) {
			a.align = aligns[i];
			a.max_record = 64;
			sweep_ring(a, &bad);
			a.max_record = 16;
			if (a.align <= a.max_record)
				sweep_ring(a, &bad);
		}
	tap_note("%lu windows, %lu refusals", bad.windows, bad.refused);
	/* shows: SPE-PB2 SPE-CS7 */
	tap_eq(bad.record, 0, "%s_record_fits", snapshot ? "snapshot" : "full");
	/* shows: SPE-PB3 */
	tap_eq(bad.align, 0, "%s_pointer_aligned", snapshot ? "snapshot" : "full");
	/* shows: SPE-PB1 */
	tap_eq(bad.granule, 0, "%s_limit_on_granule", snapshot ? "snapshot" : "full");
	tap_eq(bad.inside, 0, "%s_inside_buffer", snapshot ? "snapshot" : "full");
	tap_eq(bad.room, 0, "%s_unread_data_kept", snapshot ? "snapshot" : "full");
	tap_eq(bad.pad, 0, "%s_padding_short", snapshot ? "snapshot" : "full");
	tap_eq(bad.wake, 0, "%s_wakeup_near", snapshot ? "snapshot" : "full");
	tap_eq(bad.refusal, 0, "%s_refused_only_without_room", snapshot ? "snapshot" : "full");
	tap_ok(bad.windows > 1000, "%s_windows_seen", snapshot ? "snapshot" : "full");
}

/* A consumer that has read everything always gets a window: the session cannot starve. */
static void progress(void)
{
	struct v9_aux a = { .granule = 4096 };
	unsigned long none = 0;
	struct v9_window w;

	for (a.size = 8192; a.size <= 32768; a.size *= 2)
		for (a.align = 1; a.align <= 2048; a.align *= 2)
			for (a.max_record = a.align < 16 ? 16 : a.align; a.max_record <= 2048;
			     a.max_record *= 2)
				for (a.head = 0; a.head < a.size; a.head += 7) {
					a.free = a.size - 1;
					a.wakeup = a.head + a.size / 2;
					none += v9_plan_window(&a, &w) != 0;
				}
	tap_eq(none, 0, "empty_buffer_always_has_room");
}

static const struct {
	const char *name;
	struct v9_aux aux;
	struct v9_window want;		/* all zero: no room */
} cases[] = {
	{ "fresh",
	  { 16384, 0, 16383, 8192, 64, 64, 4096, false }, { 0, 0, 0, 8192 } },
	{ "fresh_without_wakeup",
	  { 16384, 0, 16383, 65536, 64, 64, 4096, false }, { 0, 0, 0, 12288 } },
	{ "middle",
	  { 16384, 0x1040, 16383, 0x3040, 64, 64, 4096, false }, { 0x1040, 0, 0x1040, 16384 } },
	{ "second_lap",
	  { 16384, 0x5040, 16383, 0x6000, 64, 64, 4096, false }, { 0x1040, 0, 0x1040, 0x2000 } },
	{ "align_up",
	  { 16384, 0x1001, 16383, 0x3000, 64, 64, 4096, false }, { 0x1001, 63, 0x1040, 0x3000 } },
	/* Room for exactly one record is room; one byte less is not. */
	{ "one_record_left",
	  { 16384, 16320, 16383, 32768, 64, 64, 4096, false }, { 16320, 0, 16320, 16384 } },
	{ "a_byte_short_goes_round",
	  { 16384, 16321, 16383, 40000, 1, 64, 4096, false }, { 16321, 63, 0, 12288 } },
	{ "aligned_past_last_record",
	  { 16384, 16328, 16383, 40000, 64, 64, 4096, false }, { 16328, 56, 0, 12288 } },
	{ "end_exactly",
	  { 16384, 16384, 16383, 40000, 64, 64, 4096, false }, { 0, 0, 0, 12288 } },
	{ "consumer_behind",
	  { 16384, 0x1000, 0x0fff, 0x2000, 64, 64, 4096, false }, { 0, 0, 0, 0 } },
	{ "one_granule_free",
	  { 16384, 0x1000, 0x1000, 0x9000, 64, 64, 4096, false }, { 0x1000, 0, 0x1000, 0x2000 } },
	{ "nothing_free",
	  { 16384, 0x1000, 0, 0x1000, 64, 64, 4096, false }, { 0, 0, 0, 0 } },
	{ "free_too_short_to_go_round",
	  { 16384, 16380, 64, 40000, 64, 64, 4096, false }, { 0, 0, 0, 0 } },
	/* The wish lies within a record of the pointer: the granule after it. */
	{ "wakeup_too_near",
	  { 16384, 0x0fe0, 16383, 0x0ff0, 32, 64, 4096, false }, { 0x0fe0, 0, 0x0fe0, 0x2000 } },
	{ "wakeup_in_the_past",
	  { 16384, 0x1000, 0x2800, 0x0800, 64, 64, 4096, false }, { 0x1000, 0, 0x1000, 0x3000 } },
	{ "wakeup_rounded_up",
	  { 16384, 0x0000, 0x3fff, 0x1001, 64, 64, 4096, false }, { 0, 0, 0, 0x2000 } },
	{ "granule_64k",
	  { 131072, 0x100, 131071, 65536, 64, 64, 65536, false }, { 0x100, 0, 0x100, 65536 } },
	{ "records_of_2k",
	  { 8192, 6145, 8191, 40000, 2048, 2048, 4096, false }, { 6145, 2047, 0, 4096 } },
	{ "snapshot_first_half",
	  { 16384, 0x40, 0, 0, 64, 64, 4096, true }, { 0x40, 0, 0x40, 8192 } },
	{ "snapshot_into_second_half",
	  { 16384, 8150, 0, 0, 64, 64, 4096, true }, { 8150, 42, 8192, 16384 } },
	{ "snapshot_goes_round",
	  { 16384, 16384, 0, 0, 64, 64, 4096, true }, { 0, 0, 0, 8192 } },
	{ "snapshot_pads_round",
	  { 16384, 16370, 0, 0, 64, 64, 4096, true }, { 16370, 14, 0, 8192 } },
};

static void typed(void)
{
	struct v9_window w;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(cases); i++) {
		int err = v9_plan_window(&cases[i].aux, &w);

		bool same = !memcmp(&w, &cases[i].want, sizeof(w));

		if (!tap_ok(same && err == (w.limit ? 0 : -ENOSPC), "case_%s", cases[i].name))
			tap_note("%d: pad %llu at %llu, window %llu to %llu", err,
				 (unsigned long long)w.pad, (unsigned long long)w.pad_at,
				 (unsigned long long)w.ptr, (unsigned long long)w.limit);
	}
}

/* shows: SPE-PB15 */
static void used(void)
{
	uint64_t n;

	tap_ok(!v9_plan_used(0x1000, 0x3000, 0x1000, &n) && n == 0, "used_nothing");
	tap_ok(!v9_plan_used(0x1000, 0x3000, 0x2fc0, &n) && n == 0x1fc0, "used_most");
	tap_ok(!v9_plan_used(0x1000, 0x3000, 0x3000, &n) && n == 0x2000, "used_all");
	tap_ok(v9_plan_used(0x1000, 0x3000, 0x3001, &n) == -ERANGE && n == 0, "used_beyond");
	tap_ok(v9_plan_used(0x1000, 0x3000, 0x0fff, &n) == -ERANGE && n == 0, "used_before");
}

int main(void)
{
	sweep(false);
	sweep(true);
	progress();
	typed();
	used();
	return tap_done();
}

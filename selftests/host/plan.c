// SPDX-License-Identifier: GPL-2.0-only
/*
 * drivers/lib/plan.c: each head, free space and wakeup of small buffers, checked for the properties
 * of a valid window; and typed cases of real size.
 */
#include "tap.h"
#include "v9trace/plan.h"

struct counts {
	unsigned long windows, refused;
	unsigned long size, room, record, align, granule, inside, pad, wake, refusal, base, early;
	unsigned long stop;
};

static uint64_t down(uint64_t x, uint64_t to)
{
	return x / to * to;
}

/* Returns true if the rest of a granule may be too short for a record. */
static bool is_tight(const struct v9_aux *a)
{
	return a->max && down(a->max, a->granule) < (uint64_t)a->granule + a->max_record;
}

/* Returns true if the whole buffer is within the maximum size of the unit. */
static bool is_whole(const struct v9_aux *a)
{
	return !a->max || a->size <= a->max;
}

/*
 * Returns true if a window exists. Padding reaches the alignment, or the end of the ring if the
 * window cannot wrap. After it a record must fit before a free granule ends; the first such end decides. With
 * errata the padding continues after a granule.
 */
static bool exists(const struct v9_aux *a)
{
	uint64_t skip_bytes = (a->skip_bytes + a->align - 1) / a->align * a->align;
	uint64_t pos, lim, run = a->run ? a->run : a->size;

	for (pos = a->head; pos <= a->head + a->free; pos++) {
		uint64_t off = pos % a->size;
		bool near = pos - a->head < a->align;

		if (off % a->align)
			continue;
		if (a->skip_bytes)
			near = pos >= a->head + skip_bytes &&
			       (pos - skip_bytes) % a->granule == 0 &&
			       pos - skip_bytes - a->head < a->granule;
		else if (is_tight(a) && pos % a->granule == 0)
			near = pos - a->head < a->align + a->max_record;
		if (!near && (off % run || a->twice))
			continue;
		lim = down(pos + a->max_record + a->granule - 1, a->granule);
		if (lim + a->overrun_bytes > a->head + a->free)
			continue;
		if (!a->twice && lim - pos > run - off % run)
			continue;
		if (!a->max || lim - down(pos - skip_bytes, a->granule) <= a->max)
			return true;
	}
	return false;
}

/* Bytes from the pointer to the wakeup; a large number if it has passed or there is none */
static uint64_t bytes_to_wakeup(const struct v9_aux *a, const struct v9_window *w)
{
	uint64_t first = a->head + w->pad;

	return a->wakeup > first ? a->wakeup - first : ~UINT64_C(0);
}

/*
 * Checks a window that wraps: it ends at the end of the buffer, its trigger interrupts before the
 * wakeup, and its stop is a granule before unread data, with room for the data that arrives until
 * the interrupt is handled.
 */
static bool goes_round(const struct v9_aux *a, const struct v9_window *w)
{
	uint64_t room = w->limit - w->ptr, free = a->free - w->pad;

	return a->wraps && !a->snapshot && !w->base && !w->early && w->limit == a->size &&
	       w->stop % a->align == 0 && w->stop > room && w->stop + a->granule <= free &&
	       w->stop + a->granule + a->align > free && (free - room) * 4 >= room / 4 * 4 &&
	       (bytes_to_wakeup(a, w) > room / 4 * 3 || room < 2 * (uint64_t)a->granule);
}

/* Returns true if the window should wrap, because free space continues at the start. */
static bool must_go_round(const struct v9_aux *a, const struct v9_window *w)
{
	return a->wraps && is_whole(a) && !a->snapshot && !w->early && w->limit == a->size &&
	       a->free >= w->pad + (w->limit - w->ptr) * 2 + 2 * (uint64_t)a->granule;
}

static void check(const struct v9_aux *a, struct counts *bad)
{
	uint64_t span = a->twice ? 2 * a->size : a->size;
	uint64_t record = a->max_record;
	struct v9_window w;
	uint64_t end;

	if (v9_plan_window(a, &w)) {
		bad->refused++;
		/* A window that wraps must cover the whole buffer. */
		bad->refusal += (a->snapshot ? is_whole(a) || !(a->twice || a->wraps) :
				 exists(a)) ||
				w.pad || w.ptr || w.limit;
		return;
	}
	bad->size += a->max && (w.limit - w.base > a->max || w.limit - w.ptr > a->max);
	bad->windows++;
	bad->align += w.ptr % a->align != 0;
	bad->granule += w.limit % a->granule != 0;
	bad->stop += w.stop ? !goes_round(a, &w) : must_go_round(a, &w);
	bad->inside += w.limit + a->overrun_bytes > span || w.pad_at + w.pad > span;
	bad->record += !(a->snapshot && a->wraps) && w.limit < w.ptr + a->max_record;
	bad->pad += w.pad_at != a->head % a->size || (w.pad_at + w.pad - w.ptr) % a->size ||
		    (!a->skip_bytes && !is_tight(a) && w.pad >= a->align &&
		     (a->twice || w.pad >= a->max_record)) ||
		    (is_tight(a) && !a->skip_bytes && w.pad >= a->align + a->max_record) ||
		    (a->skip_bytes && w.pad >= a->granule + a->skip_bytes + a->align);
	bad->base += w.base % a->granule || w.base > w.ptr;
	if (a->skip_bytes)		/* skipped bytes are padding */
		bad->base += w.base < w.pad_at || w.base + a->skip_bytes > w.ptr;
	if (a->run) {
		span = w.ptr / a->run * a->run + a->run;
		bad->base += (a->max ? w.base < span - a->run : w.base != span - a->run) ||
			     w.limit > span;
	}
	if (a->snapshot && a->wraps)
		bad->base += w.base || w.limit != a->size;
	if (a->snapshot && a->twice)
		bad->base += w.limit - w.base != a->size || w.ptr - w.base >= a->granule;
	bad->early += w.early % a->align || w.early > w.limit - w.ptr ||
		      (w.early && !a->early);
	if (w.early)		/* room for the data that arrives until the interrupt is handled */
		bad->early += (w.limit - w.ptr - w.early) * 4 < w.limit - w.ptr ||
			      w.limit - w.ptr < 2 * (uint64_t)a->granule;
	else if (a->early && !w.stop)	/* Fill mode only with little room */
		bad->early += w.limit - w.ptr >= 2 * (uint64_t)a->granule;
	if (a->snapshot)
		return;
	bad->room += w.pad + (w.limit - w.ptr) + a->overrun_bytes > a->free;
	if (w.stop)
		return;

	/*
	 * The window ends less than a granule after the wakeup plus one record. If the rest is
	 * padding, a record is added only to a window without room for one.
	 */
	if (a->exact && a->wakeup - a->head - w.pad >= record)
		record = 1;
	end = a->head + w.pad + (w.early ? w.early : w.limit - w.ptr);
	if (a->wakeup > a->head + w.pad && a->wakeup < a->head + a->free && end > a->wakeup)
		bad->wake += w.early ? end - a->wakeup >= a->granule && w.early > a->granule :
				       end - a->wakeup >= a->granule + record - 1;
	/* It must not end before the wakeup if it could have been longer. */
	if (!w.early && w.limit + a->granule + a->overrun_bytes <= span &&
	    w.pad + (w.limit - w.ptr) + a->granule + a->overrun_bytes <= a->free &&
	    (!a->max || w.limit + a->granule - down(w.ptr, a->granule) <= a->max) &&
	    a->wakeup > a->head + w.pad)
		bad->wake += end < a->wakeup + (a->exact ? 0 : record - 1);
}

/* Heads with each offset in a granule, in two turns of the ring, each amount of free space, several wakeups */
static void sweep_ring(struct v9_aux a, struct counts *bad)
{
	for (a.head = 0; a.head < 2 * a.size; a.head += a.head < a.size ? 3 : 5)
		for (a.free = 0; a.free < a.size + a.exact; a.free++) {
			a.wakeup = a.head + (a.free * 7 + a.head * 13) % 300;
			check(&a, bad);
			a.wakeup = a.head + a.free / 2;
			check(&a, bad);
			if (a.snapshot)
				break;
		}
}

static void sweep(const char *name, struct v9_aux a)
{
	static const uint32_t aligns[] = { 1, 8, 16, 64 };
	struct counts bad = { 0 };
	unsigned int i;

	a.granule = 64;
	for (a.size = 128; a.size <= 256; a.size += 64)
		for (i = 0; i < V9_ARRAY_SIZE(aligns) && !(a.run && a.size % a.run); i++) {
			a.align = aligns[i];
			a.max_record = 64;
			sweep_ring(a, &bad);
			a.max_record = 16;
			if (a.align <= a.max_record)
				sweep_ring(a, &bad);
		}
	tap_note("%lu windows, %lu refusals", bad.windows, bad.refused);
	/* shows: SPE-PB2 SPE-CS7 */
	tap_eq(bad.record, 0, "%s_record_fits", name);
	tap_eq(bad.size, 0, "%s_as_large_as_the_unit_takes", name);
	/* shows: SPE-PB3 TRBE-UN5 */
	tap_eq(bad.align, 0, "%s_pointer_aligned", name);
	/* shows: SPE-PB1 TRBE-PT2 */
	tap_eq(bad.granule, 0, "%s_limit_on_granule", name);
	/* shows: TRBE-PT2 TRBE-UN1 */
	tap_eq(bad.base, 0, "%s_base_on_granule", name);
	/* shows: TRBE-PT12 */
	tap_eq(bad.early, 0, "%s_reported_early", name);
	/* shows: TRBE-PT8 TRBE-TR11 */
	tap_eq(bad.stop, 0, "%s_wraps_when_it_can", name);
	tap_eq(bad.inside, 0, "%s_inside_buffer", name);
	tap_eq(bad.room, 0, "%s_unread_data_preserved", name);
	tap_eq(bad.pad, 0, "%s_padding_short", name);
	tap_eq(bad.wake, 0, "%s_wakeup_near", name);
	tap_eq(bad.refusal, 0, "%s_refused_only_without_room", name);
	tap_ok(bad.windows > 1000, "%s_windows_checked", name);
}

/* The same for units with a MaxBuffSize. 100 is no multiple of the granule. */
static void sweep_sizes(const char *name, struct v9_aux a)
{
	static const uint64_t sizes[] = { 64, 100, 128, 192, 256 };
	char sized[64];

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(sizes); i++) {
		a.max = sizes[i];
		snprintf(sized, sizeof(sized), "%s_of_%u", name, (unsigned int)a.max);
		sweep(sized, a);
	}
}

/* Returns true if the last window, which was cut, can be continued. */
static bool goes_on(const struct v9_aux *a, const struct v9_window *first,
		    const struct v9_window *w, uint64_t wrote)
{
	return w->limit == first->limit && w->base == first->base && !w->pad &&
	       w->ptr == first->ptr + wrote && w->limit - w->base <= a->max && !w->stop &&
	       w->early <= w->limit - w->ptr && !w->early == !first->early;
}

/*
 * v9_plan_again() gives the same window as v9_plan_window(): for each head and free space of a
 * small buffer, each amount written, with and without a read in between, with the wakeup passed or
 * moved.
 */
static void again(const char *name, struct v9_aux a)
{
	unsigned long wrong = 0, kept = 0, changed = 0, taken = 0, n = 0;

	a.size = 256;
	a.align = 8;
	a.max_record = 16;
	a.granule = a.early ? 32 : 64;
	for (a.head = 0; a.head < 2 * a.size; a.head += 3)
		for (a.free = 0; a.free < a.size + a.exact; a.free += a.exact ? 4 : 5)
			for (a.wakeup = a.head & ~63u; a.wakeup <= a.head + 256; a.wakeup += 60) {
				struct v9_window first, w, anew;
				uint64_t wrote;

				v9_plan_window(&a, &first);
				for (wrote = 0; wrote <= first.limit - first.ptr; wrote++, n++) {
					uint64_t used = first.pad + wrote;
					uint64_t read = n % 3 == 2 ? 64 : 0;
					struct v9_aux next = a, old = a;

					if (used > a.free)
						break;
					w = first;
					next.head += used;
					next.free += read - used;
					next.wakeup += n % 5 == 4 ? 64 : 0;
					v9_plan_window(&next, &anew);
					if (v9_plan_again(&old, &w, next.head, next.free,
							  next.wakeup)) {
						taken++;
						wrong += (a.max ? !goes_on(&a, &first, &w, wrote) :
							  memcmp(&w, &anew, sizeof(w)) != 0) ||
							 memcmp(&old, &next, sizeof(old)) != 0;
					} else {
						changed += memcmp(&w, &first, sizeof(w)) != 0 ||
							   memcmp(&old, &a, sizeof(old)) != 0;
						kept += !read && next.wakeup == a.wakeup &&
							a.wakeup > next.head && wrote % 8 == 0 &&
							first.ptr + wrote < a.size &&
							first.limit - first.ptr - wrote >=
								(a.early ? 64 : 16);
					}
				}
			}
	tap_note("%lu windows, %lu gone on with", n, taken);
	tap_eq(wrong, 0, "again_%s_as_planned_anew", name);
	tap_eq(changed, 0, "again_%s_or_nothing_changed", name);
	tap_eq(kept, 0, "again_%s_whenever_nobody_has_read", name);
	tap_ok(taken > 1000, "again_%s_seen", name);
}

/* Cases in which the window cannot be continued */
static void not_again(void)
{
	struct v9_aux a = { .size = 256, .align = 8, .max_record = 16, .granule = 64, .free = 255,
			    .wakeup = 128, .snapshot = true };
	struct v9_window w;

	v9_plan_window(&a, &w);
	tap_ok(!v9_plan_again(&a, &w, a.head, a.free, a.wakeup), "again_not_in_a_snapshot");
	a.snapshot = false;
	a.twice = true;
	a.skip_bytes = 16;
	v9_plan_window(&a, &w);
	tap_ok(w.limit && !v9_plan_again(&a, &w, a.head, a.free, a.wakeup),
	       "again_not_where_the_base_is_skipped");
}

/* After the reader has read everything there is always a window. */
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

	/* Also with a small MaxBuffSize, which is a granule at least */
	none = 0;
	a.size = 16384;
	for (a.max = 4096; a.max <= 12288; a.max += 4096)
		for (a.align = 1; a.align <= 2048; a.align *= 2)
			for (a.max_record = a.align < 16 ? 16 : a.align; a.max_record <= 2048;
			     a.max_record *= 2)
				for (a.head = 0; a.head < a.size; a.head += 7)
					none += v9_plan_window(&a, &w) != 0;
	tap_eq(none, 0, "empty_buffer_always_has_room_for_a_part");

	/* With errata only from four pages on; smaller buffers are refused. */
	a = (struct v9_aux){ .size = 16384, .granule = 4096, .align = 64, .max_record = 64,
			     .twice = true, .skip_bytes = 256,
			     .overrun_bytes = 4096, .free = 16383 };
	for (none = 0; a.head < a.size; a.head++) {
		a.wakeup = a.head + a.size / 2;
		none += v9_plan_window(&a, &w) != 0;
	}
	tap_eq(none, 0, "2139208_2253138_four_pages_always_have_room");
}

#define AUX(s, h, f, w, a, m, g, snap, ...) { \
	.size = s, .head = h, .free = f, .wakeup = w, .align = a, .max_record = m, .granule = g, \
	.snapshot = snap, __VA_ARGS__ }
#define ONCE		.twice = false
#define TWICE		.twice = true
#define EXACT		.exact = true
#define EARLY		.twice = true, .early = true
#define ROUND		.wraps = true, .early = true
#define WITH_SKIP		.twice = true, .skip_bytes = 256
#define BEYOND		.twice = true, .overrun_bytes = 4096
#define WINDOW(at, n, p, l, b)	{ .pad_at = at, .pad = n, .ptr = p, .limit = l, .base = b }
#define STOPS(at, n, p, l, s)	{ .pad_at = at, .pad = n, .ptr = p, .limit = l, .stop = s }
#define WINDOW_EARLY(at, n, p, l, e)	{ .pad_at = at, .pad = n, .ptr = p, .limit = l, .early = e }

static const struct {
	const char *name;
	struct v9_aux aux;
	struct v9_window want;		/* all zero: no room */
} cases[] = {
	{ "fresh", AUX(32768, 0, 32767, 8192, 64, 64, 4096, false, ONCE),
	  WINDOW(0, 0, 0, 12288, 0) },
	{ "wakeup_just_before_a_granule", AUX(32768, 0, 32767, 8129, 64, 64, 4096, false, ONCE),
	  WINDOW(0, 0, 0, 8192, 0) },
	/*
	 * The rest of the window becomes padding: it ends at the wakeup and at the end of free
	 * space.
	 */
	{ "exact_wakeup", AUX(32768, 0, 32768, 8192, 64, 64, 4096, false, EXACT),
	  WINDOW(0, 0, 0, 8192, 0) },
	{ "exact_wakeup_rounded_up", AUX(32768, 0, 32768, 8193, 64, 64, 4096, false, EXACT),
	  WINDOW(0, 0, 0, 12288, 0) },
	{ "exact_wakeup_too_near", AUX(16384, 0x0fe0, 16384, 0x0ff0, 32, 64, 4096, false, EXACT),
	  WINDOW(0x0fe0, 0, 0x0fe0, 0x2000, 0) },
	{ "exact_wakeup_a_record_ahead",
	 AUX(16384, 0xfc0, 16384, 0x1000, 32, 64, 4096, false, EXACT),
	  WINDOW(0x0fc0, 0, 0x0fc0, 0x1000, 0) },
	{ "exact_up_to_what_is_unread", AUX(16384, 8192, 8192, 16384, 64, 64, 4096, false, EXACT),
	  WINDOW(8192, 0, 8192, 16384, 0) },
	{ "exact_less_a_byte", AUX(16384, 8192, 8191, 16384, 64, 64, 4096, false, EXACT),
	  WINDOW(8192, 0, 8192, 12288, 0) },
	{ "fresh_without_wakeup", AUX(16384, 0, 16383, 65536, 64, 64, 4096, false, ONCE),
	  WINDOW(0, 0, 0, 12288, 0) },
	{ "middle", AUX(16384, 0x1040, 16383, 0x3040, 64, 64, 4096, false, ONCE),
	  WINDOW(0x1040, 0, 0x1040, 16384, 0) },
	{ "second_lap", AUX(16384, 0x5040, 16383, 0x6000, 64, 64, 4096, false, ONCE),
	  WINDOW(0x1040, 0, 0x1040, 0x3000, 0) },
	{ "align_up", AUX(16384, 0x1001, 16383, 0x2fc0, 64, 64, 4096, false, ONCE),
	  WINDOW(0x1001, 63, 0x1040, 0x3000, 0) },
	/* Room for exactly one record suffices; one byte less does not. */
	{ "one_record_left", AUX(16384, 16320, 16383, 32768, 64, 64, 4096, false, ONCE),
	  WINDOW(16320, 0, 16320, 16384, 0) },
	{ "a_byte_short_wraps", AUX(16384, 16321, 16383, 40000, 1, 64, 4096, false, ONCE),
	  WINDOW(16321, 63, 0, 12288, 0) },
	{ "aligned_past_last_record", AUX(16384, 16328, 16383, 40000, 64, 64, 4096, false, ONCE),
	  WINDOW(16328, 56, 0, 12288, 0) },
	{ "end_exactly", AUX(16384, 16384, 16383, 40000, 64, 64, 4096, false, ONCE),
	  WINDOW(0, 0, 0, 12288, 0) },
	{ "consumer_behind", AUX(16384, 0x1000, 0x0fff, 0x2000, 64, 64, 4096, false, ONCE),
	  WINDOW(0, 0, 0, 0, 0) },
	{ "one_granule_free", AUX(16384, 0x1000, 0x1000, 0x9000, 64, 64, 4096, false, ONCE),
	  WINDOW(0x1000, 0, 0x1000, 0x2000, 0) },
	{ "nothing_free", AUX(16384, 0x1000, 0, 0x1000, 64, 64, 4096, false, ONCE),
	  WINDOW(0, 0, 0, 0, 0) },
	{ "free_too_short_to_go_round", AUX(16384, 16380, 64, 40000, 64, 64, 4096, false, ONCE),
	  WINDOW(0, 0, 0, 0, 0) },
	/* The wakeup is within one record of the pointer: the window ends a granule later. */
	{ "wakeup_too_near", AUX(16384, 0x0fe0, 16383, 0x0ff0, 32, 64, 4096, false, ONCE),
	  WINDOW(0x0fe0, 0, 0x0fe0, 0x2000, 0) },
	{ "wakeup_in_the_past", AUX(16384, 0x1000, 0x2800, 0x0800, 64, 64, 4096, false, ONCE),
	  WINDOW(0x1000, 0, 0x1000, 0x3000, 0) },
	{ "wakeup_rounded_up", AUX(16384, 0x0000, 0x3fff, 0x1001, 64, 64, 4096, false, ONCE),
	  WINDOW(0, 0, 0, 0x2000, 0) },
	{ "granule_64k", AUX(131072, 0x100, 131071, 65000, 64, 64, 65536, false, ONCE),
	  WINDOW(0x100, 0, 0x100, 65536, 0) },
	{ "records_of_2k", AUX(8192, 6145, 8191, 40000, 2048, 2048, 4096, false, ONCE),
	  WINDOW(6145, 2047, 0, 4096, 0) },
	{ "snapshot_first_half", AUX(16384, 0x40, 0, 0, 64, 64, 4096, true, ONCE),
	  WINDOW(0x40, 0, 0x40, 8192, 0) },
	{ "snapshot_into_second_half", AUX(16384, 8150, 0, 0, 64, 64, 4096, true, ONCE),
	  WINDOW(8150, 42, 8192, 16384, 0) },
	{ "snapshot_wraps", AUX(16384, 16384, 0, 0, 64, 64, 4096, true, ONCE),
	  WINDOW(0, 0, 0, 8192, 0) },
	{ "snapshot_pads_round", AUX(16384, 16370, 0, 0, 64, 64, 4096, true, ONCE),
	  WINDOW(16370, 14, 0, 8192, 0) },
	{ "twice_through_the_end",
	  AUX(16384, 0x3000, 16383, 65536, 64, 64, 4096, false, TWICE),
	  WINDOW(0x3000, 0, 0x3000, 0x6000, 0) },
	{ "twice_up_to_unread_data",
	  AUX(16384, 0x3040, 0x1fc0, 65536, 64, 64, 4096, false, TWICE),
	  WINDOW(0x3040, 0, 0x3040, 0x5000, 0) },
	{ "twice_at_the_very_end",
	  AUX(16384, 16383, 16383, 65536, 64, 64, 4096, false, TWICE),
	  WINDOW(16383, 1, 16384, 28672, 0) },
	{ "2139208_from_the_start",
	  AUX(16384, 0, 16383, 65536, 64, 64, 4096, false, WITH_SKIP),
	  WINDOW(0, 256, 256, 12288, 0) },
	{ "2139208_behind_unread_data",
	  AUX(16384, 0x1040, 16383, 65536, 64, 64, 4096, false, WITH_SKIP),
	  WINDOW(0x1040, 0x10c0, 0x2100, 0x5000, 0x2000) },
	{ "2139208_no_room_for_padding",
	  AUX(16384, 0x1040, 0x10c0, 65536, 64, 64, 4096, false, WITH_SKIP),
	  WINDOW(0, 0, 0, 0, 0) },
	{ "2253138_a_page_stays_free",
	  AUX(16384, 0, 16383, 65536, 64, 64, 4096, false, BEYOND),
	  WINDOW(0, 0, 0, 8192, 0) },
	{ "2253138_nothing_left",
	  AUX(8192, 0, 8191, 65536, 64, 64, 4096, false, BEYOND),
	  WINDOW(0, 0, 0, 0, 0) },
	{ "early_where_wanted",
	  AUX(65536, 0x1000, 65535, 0x5000, 64, 64, 4096, false, EARLY),
	  WINDOW_EARLY(0x1000, 0, 0x1000, 0x10000, 0x4000) },
	{ "early_before_the_limit",
	  AUX(65536, 0x1000, 65535, 0xf000, 64, 64, 4096, false, EARLY),
	  WINDOW_EARLY(0x1000, 0, 0x1000, 0x10000, 0xb400) },
	{ "early_without_a_request",
	  AUX(65536, 0x1000, 65535, 0x1000, 64, 64, 4096, false, EARLY),
	  WINDOW_EARLY(0x1000, 0, 0x1000, 0x10000, 0xb400) },
	{ "early_not_too_early",
	  AUX(65536, 0x1008, 65535, 0x1049, 64, 64, 4096, false, EARLY),
	  WINDOW_EARLY(0x1008, 56, 0x1040, 0x11000, 0x1000) },
	{ "early_no_more",
	  AUX(65536, 0x1000, 0x1fff, 0x8000, 64, 64, 4096, false, EARLY),
	  WINDOW_EARLY(0x1000, 0, 0x1000, 0x2000, 0) },
	/* The wakeup is close to the end of the buffer, or there is none. */
	{ "continues_at_the_start",
	  AUX(65536, 0x8000, 65535, 0x10000, 64, 64, 4096, false, ROUND),
	  STOPS(0x8000, 0, 0x8000, 0x10000, 0xefc0) },
	{ "continues_without_a_request",
	  AUX(65536, 0x8000, 65535, 0x8000, 64, 64, 4096, false, ROUND),
	  STOPS(0x8000, 0, 0x8000, 0x10000, 0xefc0) },
	{ "continues_in_the_last_granule",
	  AUX(65536, 0xf800, 65535, 0xfa00, 64, 64, 4096, false, ROUND),
	  STOPS(0xf800, 0, 0xf800, 0x10000, 0xefc0) },
	{ "woken_long_before_the_end",
	  AUX(65536, 0x8000, 65535, 0xc000, 64, 64, 4096, false, ROUND),
	  WINDOW_EARLY(0x8000, 0, 0x8000, 0x10000, 0x4000) },
	{ "little_room_at_the_start",
	  AUX(65536, 0x4000, 0xdfff, 0x10000, 64, 64, 4096, false, ROUND),
	  WINDOW_EARLY(0x4000, 0, 0x4000, 0x10000, 0x9000) },
	{ "unread_data_before_the_end",
	  AUX(65536, 0x4000, 0x7fff, 0x10000, 64, 64, 4096, false, ROUND),
	  WINDOW_EARLY(0x4000, 0, 0x4000, 0xb000, 0x5400) },
	{ "2139208_must_be_mapped_twice",
	  AUX(16384, 0, 16383, 65536, 64, 64, 4096, false, .skip_bytes = 256),
	  WINDOW(0, 0, 0, 0, 0) },
	{ "once_round_from_the_middle",
	  AUX(16384, 0x5001, 0, 0, 64, 64, 4096, true, ROUND),
	  WINDOW(0x1001, 63, 0x1040, 0x4000, 0) },
	{ "up_to_the_end_of_the_run",
	  AUX(65536, 0x1000, 65535, 0x10000, 64, 64, 4096, false, .run = 16384),
	  WINDOW(0x1000, 0, 0x1000, 0x4000, 0) },
	{ "in_the_next_run",
	  AUX(65536, 0x3fc1, 65535, 0x10000, 1, 64, 4096, false, .run = 16384),
	  WINDOW(0x3fc1, 63, 0x4000, 0x8000, 0x4000) },
	{ "from_the_last_run_to_the_first",
	  AUX(65536, 0x10000, 65535, 0x20000, 64, 64, 4096, false, .run = 16384),
	  WINDOW(0, 0, 0, 0x4000, 0) },
	{ "round_from_the_start",
	  AUX(16384, 0, 0, 0, 64, 64, 4096, true, TWICE), WINDOW(0, 0, 0, 16384, 0) },
	{ "round_from_the_middle",
	  AUX(16384, 0x5001, 0, 0, 64, 64, 4096, true, TWICE),
	  WINDOW(0x1001, 63, 0x1040, 0x5000, 0x1000) },
	{ "round_from_the_very_end",
	  AUX(16384, 16383, 0, 0, 64, 64, 4096, true, TWICE),
	  WINDOW(16383, 1, 0, 16384, 0) },
	/* 8 KiB at a time */
	{ "cut_from_the_start",
	  AUX(65536, 0, 65535, 65536, 64, 64, 4096, false, .max = 8192),
	  WINDOW(0, 0, 0, 0x2000, 0) },
	{ "cut_from_the_middle",
	  AUX(65536, 0x5040, 65535, 0x20000, 64, 64, 4096, false, .max = 8192),
	  WINDOW(0x5040, 0, 0x5040, 0x7000, 0x5000) },
	{ "cut_where_wanted",
	  AUX(65536, 0x5040, 65535, 0x5f00, 64, 64, 4096, false, .max = 8192),
	  WINDOW(0x5040, 0, 0x5040, 0x6000, 0x5000) },
	{ "cut_and_reported_early",
	  AUX(65536, 0x5000, 65535, 0x20000, 64, 64, 4096, false, .early = true, .max = 16384),
	  { .pad_at = 0x5000, .ptr = 0x5000, .limit = 0x9000, .base = 0x5000, .early = 0x3000 } },
	{ "not_cut",
	  AUX(8192, 0x40, 8191, 0x4000, 64, 64, 4096, false, .max = 8192),
	  WINDOW(0x40, 0, 0x40, 0x2000, 0) },
	{ "cut_and_does_not_go_on",
	  AUX(65536, 0x8000, 65535, 0x20000, 64, 64, 4096, false, .wraps = true, .max = 8192),
	  WINDOW(0x8000, 0, 0x8000, 0xa000, 0x8000) },
	{ "of_the_whole_size_continues",
	  AUX(65536, 0x8000, 65535, 0x10000, 64, 64, 4096, false, ROUND, .max = 65536),
	  STOPS(0x8000, 0, 0x8000, 0x10000, 0xefc0) },
	{ "a_granule_at_a_time",
	  AUX(65536, 0x5fc0, 65535, 0x20000, 64, 64, 4096, false, .max = 4096),
	  WINDOW(0x5fc0, 0, 0x5fc0, 0x6000, 0x5000) },
	{ "a_granule_whose_rest_is_too_short",
	  AUX(65536, 0x5fc8, 65535, 0x20000, 8, 64, 4096, false, .max = 4096),
	  WINDOW(0x5fc8, 0x38, 0x6000, 0x7000, 0x6000) },
	{ "2139208_a_granule_at_a_time",
	  AUX(16384, 0x1040, 16383, 65536, 64, 64, 4096, false, WITH_SKIP, .max = 4096),
	  WINDOW(0x1040, 0x10c0, 0x2100, 0x3000, 0x2000) },
	{ "snapshot_cut_in_the_first_half",
	  AUX(65536, 0x1040, 0, 0, 64, 64, 4096, true, .max = 8192),
	  WINDOW(0x1040, 0, 0x1040, 0x3000, 0x1000) },
	{ "snapshot_not_cut_in_the_last_page",
	  AUX(65536, 0xf000, 0, 0, 64, 64, 4096, true, .max = 8192),
	  WINDOW(0xf000, 0, 0xf000, 0x10000, 0xf000) },
	{ "round_of_less_than_all",
	  AUX(65536, 0, 0, 0, 64, 64, 4096, true, TWICE, .max = 61440), WINDOW(0, 0, 0, 0, 0) },
	{ "round_of_all",
	  AUX(65536, 0, 0, 0, 64, 64, 4096, true, TWICE, .max = 65536),
	  WINDOW(0, 0, 0, 65536, 0) },
	{ "round_in_two_pages",
	  AUX(8192, 8000, 0, 0, 64, 64, 4096, true, TWICE),
	  WINDOW(8000, 0, 8000, 12288, 4096) },
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
static void torn(void)
{
	struct v9_aux a = { .size = 65536, .align = 64, .max_record = 64, .granule = 4096,
			    .snapshot = true, .head = 0x1040 };
	struct v9_window w;

	v9_plan_window(&a, &w);
	tap_eq(v9_plan_torn(&a, &w, 0x2000, true), 64, "torn_behind_the_data");
	tap_eq(v9_plan_torn(&a, &w, 0x7fe0, true), 0x20, "torn_up_to_the_half");
	tap_eq(v9_plan_torn(&a, &w, 0x8000, true), 0, "torn_nothing_at_the_half");
	tap_eq(v9_plan_torn(&a, &w, 0x1040, false), 0x6fc0, "torn_all_of_the_half");
	a.head = 0xf000;
	v9_plan_window(&a, &w);
	tap_eq(v9_plan_torn(&a, &w, 0xfff0, true), 0x10, "torn_up_to_the_end");
	/* A cut window ends at a multiple of the alignment. */
	a.head = 0x1040;
	a.max = 8192;
	v9_plan_window(&a, &w);
	tap_eq(v9_plan_torn(&a, &w, 0x2fe0, true), 64, "torn_behind_what_was_cut");
	tap_eq(v9_plan_torn(&a, &w, 0x1040, false), 0x2000, "torn_all_that_was_cut_and_more");
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

/* shows: TRBE-UN6 */
static void counters(void)
{
	tap_eq(v9_plan_counter(0, 64), 0, "counter_0");
	tap_eq(v9_plan_counter(1, 64), 64, "counter_rounds_up");
	tap_eq(v9_plan_counter(64, 64), 64, "counter_aligned");
	tap_eq(v9_plan_counter(65, 64), 128, "counter_rounds_up_again");
	tap_eq(v9_plan_counter(4097, 2048), 6144, "counter_of_the_largest_alignment");
	tap_eq(v9_plan_counter(12345, 1), 12345, "counter_of_bytes");
	tap_eq(v9_plan_counter(UINT32_MAX, 1), UINT32_MAX, "counter_of_most_bytes");
	tap_eq(v9_plan_counter(UINT32_MAX, 64), 0xffffffc0, "counter_of_most");
	tap_eq(v9_plan_counter(0xffffffc1, 64), 0xffffffc0, "counter_beyond_most");
}

/*
 * A unit that wraps, byte by byte: each start, each length of up to four turns. All bytes reported
 * as data must be of this session, and all other bytes of this session must be reported as stale.
 */
static void turns(void)
{
	enum { SIZE = 32, GRANULE = 8 };
	unsigned long wrong = 0, less = 0, words = 0, cases_n = 0;
	uint64_t start, n, i;

	for (start = 0; start < SIZE; start++)
		for (n = 0; n < 4 * SIZE; n++) {
			uint64_t base = start / GRANULE * GRANULE, limit = base + SIZE;
			uint64_t written[2 * SIZE] = { 0 }, ptr = start, head, wraps = 0;
			struct v9_wrapped t;

			for (i = 1; i <= n; i++) {
				written[ptr % SIZE] = i;
				if (++ptr == limit) {
					ptr = base;
					wraps++;
				}
			}
			cases_n++;
			wrong += v9_plan_wrapped(start, base, limit, ptr, wraps, &t) != 0;
			head = start + t.moved;
			wrong += head % SIZE != ptr % SIZE || t.data + t.stale > SIZE;
			/* The newest bytes, in order, up to the head. */
			for (i = 0; i < t.data; i++)
				wrong += written[(head - 1 - i + 4 * SIZE) % SIZE] != n - i;
			/* No other byte of this session but the stale ones. */
			for (i = t.stale; i < SIZE - t.data; i++)
				wrong += written[(head + i) % SIZE] != 0;
			less += n >= SIZE + GRANULE && t.data < SIZE - GRANULE;
			words += t.pad >= 8 || (head + t.pad) % 8;
		}
	tap_note("%lu cases", cases_n);
	/* shows: TRBE-PT9 */
	tap_eq(wrong, 0, "turns_tell_data_from_old");
	tap_eq(less, 0, "turns_lose_less_than_a_granule");
	tap_eq(words, 0, "turns_end_in_whole_words");
}

static void turns_outside(void)
{
	static const struct {
		const char *name;
		struct v9_wrapped w;
		bool data;
		struct v9_closed c;
	} closed[] = {
		{ "closed", { 100, 100, 0, 4 }, true, { 100, 4, 4, 104, 0 } },
		{ "closed_aligned", { 104, 104, 0, 0 }, true, { 104, 0, 0, 104, 0 } },
		{ "closed_with_old_data", { 8100, 8100, 92, 4 }, true, { 8100, 92, 4, 8104, 0 } },
		{ "closed_after_rounds", { 20001, 8192, 0, 7 }, true, { 20001, 7, 7, 8192, 0 } },
		{ "closed_without_data", { 100, 100, 0, 4 }, false, { 0, 100, 0, 0, 100 } },
		{ "closed_rounds_without_data", { 20001, 8192, 0, 7 }, false, { 0, 8192, 0, 0, 8192 } },
	};
	struct v9_wrapped t = { 1, 1, 1, 1 };

	tap_ok(v9_plan_wrapped(0x1040, 0x1000, 0x3000, 0x103f, false, &t) == -ERANGE && !t.moved &&
	       !t.data && !t.stale && !t.pad, "turns_before_the_start");
	tap_ok(!v9_plan_wrapped(0x1040, 0x1000, 0x3000, 0x103f, true, &t) && t.moved == 0x1fff &&
	       t.data == 0x1fff && t.stale == 1 && t.pad == 1, "turns_just_before_the_start_again");
	tap_ok(v9_plan_wrapped(0x1040, 0x1000, 0x3000, 0x0fff, true, &t) == -ERANGE,
	       "turns_before_the_base");
	tap_ok(v9_plan_wrapped(0x1040, 0x1000, 0x3000, 0x3001, false, &t) == -ERANGE,
	       "turns_beyond_the_limit");
	for (size_t i = 0; i < V9_ARRAY_SIZE(closed); i++) {
		struct v9_closed c;

		memset(&c, 0xff, sizeof(c));
		v9_plan_closed(&closed[i].w, closed[i].data, 8192, &c);
		tap_ok(!memcmp(&c, &closed[i].c, sizeof(c)), "%s", closed[i].name);
	}
}

/* Padding is requested once, when the next window is opened. shows: SPE-SY2 TRBE-L4 */
static void fill(void)
{
	struct v9_aux once = { .size = 16 }, twice = { .size = 16, .twice = true };
	uint8_t mem[32];

	memset(mem, 0xff, sizeof(mem));
	v9_plan_fill(&once, mem, 0x70, 3, 0);
	tap_ok(!v9_plan_take_filled(&once), "fill_of_nothing");
	v9_plan_fill(&once, mem, 0x70, 14, 3);
	tap_ok(mem[13] == 0xff && mem[14] == 0x70 && mem[15] == 0x70 && mem[0] == 0x70 &&
	       mem[1] == 0xff && mem[16] == 0xff, "fill_continues_at_the_start");
	tap_ok(v9_plan_take_filled(&once), "fill_wants_a_dsb");
	tap_ok(!v9_plan_take_filled(&once), "fill_wants_one_dsb");
	memset(mem, 0xff, sizeof(mem));
	v9_plan_fill(&twice, mem, 0, 14, 3);
	tap_ok(mem[13] == 0xff && !mem[14] && !mem[15] && !mem[16] && mem[17] == 0xff &&
	       mem[0] == 0xff, "fill_continues_in_the_second_mapping");
	v9_plan_fill(&twice, mem, 0, 15, 0);
	tap_ok(v9_plan_take_filled(&twice), "fill_of_nothing_forgets_nothing");
}

int main(void)
{
	sweep("full", (struct v9_aux){ .snapshot = false });
	sweep("snapshot", (struct v9_aux){ .snapshot = true });
	sweep("exact", (struct v9_aux){ .exact = true });
	sweep("exact_twice", (struct v9_aux){ .exact = true, .twice = true });
	sweep("exact_runs", (struct v9_aux){ .exact = true, .run = 64 });
	sweep("twice", (struct v9_aux){ .twice = true });
	sweep("early", (struct v9_aux){ .twice = true, .early = true });
	sweep("round", (struct v9_aux){ .twice = true, .snapshot = true });
	sweep("once_round", (struct v9_aux){ .wraps = true, .snapshot = true });
	sweep("runs", (struct v9_aux){ .run = 64 });
	sweep("long_runs", (struct v9_aux){ .run = 128, .early = true });
	sweep("continues", (struct v9_aux){ .wraps = true, .early = true });
	sweep("skip_bytes", (struct v9_aux){ .twice = true, .skip_bytes = 16 });
	sweep("beyond", (struct v9_aux){ .twice = true, .overrun_bytes = 64 });
	sweep("skipped_and_beyond",
	      (struct v9_aux){ .twice = true, .skip_bytes = 16, .overrun_bytes = 64 });
	sweep_sizes("cut", (struct v9_aux){ .snapshot = false });
	sweep_sizes("cut_twice", (struct v9_aux){ .twice = true });
	sweep_sizes("cut_early", (struct v9_aux){ .twice = true, .early = true });
	sweep_sizes("cut_runs", (struct v9_aux){ .run = 128, .early = true });
	sweep_sizes("cut_continues", (struct v9_aux){ .wraps = true, .early = true });
	sweep_sizes("cut_skipped",
		    (struct v9_aux){ .twice = true, .skip_bytes = 16, .overrun_bytes = 64 });
	sweep_sizes("cut_snapshot", (struct v9_aux){ .snapshot = true });
	counters();
	turns();
	turns_outside();
	again("once", (struct v9_aux){ .twice = false });
	again("exact", (struct v9_aux){ .exact = true });
	again("exact_twice", (struct v9_aux){ .exact = true, .twice = true });
	again("twice", (struct v9_aux){ .twice = true });
	again("early", (struct v9_aux){ .twice = true, .early = true });
	again("runs", (struct v9_aux){ .run = 64 });
	again("continues", (struct v9_aux){ .wraps = true, .early = true });
	again("cut", (struct v9_aux){ .max = 64 });
	again("cut_twice", (struct v9_aux){ .twice = true, .max = 128 });
	again("cut_early", (struct v9_aux){ .twice = true, .early = true, .max = 128 });
	again("beyond", (struct v9_aux){ .twice = true, .early = true, .overrun_bytes = 32 });
	not_again();
	progress();
	typed();
	torn();
	fill();
	used();
	return tap_done();
}

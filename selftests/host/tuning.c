// SPDX-License-Identifier: GPL-2.0-only
/* Names and ranges of the settings of a PMU. The interval is PMSIRR_EL1.INTERVAL, bits 31:8. */
#include <stdio.h>
#include <string.h>

#include "tap.h"
#include "v9trace/tuning.h"

static void range(enum v9_setting setting, uint64_t value, uint64_t page, bool accepted)
{
	const char *why = v9_setting_check(setting, value, page);

	tap_ok(!why == accepted && (accepted || *why), "%s_%llu_%s", v9_setting_name(setting),
	       (unsigned long long)value, accepted ? "accepted" : "refused");
}

/* Seconds of 100 ticks, with at most 3 interrupts */
static void rate(void)
{
	static const struct {
		uint64_t now, wait;
	} row[] = {
		{ 5, 0 }, { 6, 0 }, { 50, 55 },		/* a second from 5 to 105 */
		{ 104, 1 },				/* late: another event of the same CPU */
		{ 105, 0 }, { 204, 0 }, { 204, 1 },
		{ 1000, 0 }, { 1001, 0 }, { 1099, 1 },
		{ 1100, 0 }, { 1199, 0 }, { 1200, 0 },	/* the second ended with two */
	};
	struct v9_rate rate = { 0 }, one = { 0 };

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(row); i++)
		tap_ok(v9_rate_wait(&rate, row[i].now, 100, 3) == row[i].wait, "rate_at_%u_%llu",
		       i, (unsigned long long)row[i].now);
	tap_ok(v9_rate_wait(&one, 7, 100, 1) == 100, "one_interrupt_in_a_second");
	tap_ok(v9_rate_wait(&one, 107, 100, 1) == 100, "one_in_the_next");
}

int main(void)
{
	static const char *const names[V9_SETTINGS] = {
		"min_interval", "aux_watermark", "max_buffer", "physical_access", "max_interrupts",
	};
	const char *const *words = v9_setting_words(V9_PHYSICAL_ACCESS);

	for (unsigned int i = 0; i < V9_SETTINGS; i++)
		tap_ok(!strcmp(v9_setting_name(i), names[i]), "name_of_%s", names[i]);
	tap_ok(!strcmp(words[V9_PHYSICAL_PERF], "perf") &&
	       !strcmp(words[V9_PHYSICAL_PERFMON], "perfmon") &&
	       !strcmp(words[V9_PHYSICAL_NOBODY], "nobody") && !words[3], "words_of_physical_access");
	tap_ok(!v9_setting_words(V9_MIN_INTERVAL) && !v9_setting_words(V9_AUX_WATERMARK) &&
	       !v9_setting_words(V9_MAX_BUFFER) && !v9_setting_words(V9_MAX_INTERRUPTS), "others_are_numbers");

	range(V9_MIN_INTERVAL, 0, 4096, true);
	range(V9_MIN_INTERVAL, 1, 4096, false);
	range(V9_MIN_INTERVAL, 255, 4096, false);
	range(V9_MIN_INTERVAL, 256, 4096, true);
	range(V9_MIN_INTERVAL, 257, 4096, false);
	range(V9_MIN_INTERVAL, 0xffffff00, 4096, true);
	range(V9_MIN_INTERVAL, 0xffffffff, 4096, false);
	range(V9_MIN_INTERVAL, 0x100000000, 4096, false);
	range(V9_AUX_WATERMARK, 0, 4096, true);
	range(V9_AUX_WATERMARK, 0xffffffff, 4096, true);
	range(V9_AUX_WATERMARK, 0x100000000, 4096, false);
	range(V9_MAX_BUFFER, 0, 4096, true);
	range(V9_MAX_BUFFER, 4095, 4096, false);
	range(V9_MAX_BUFFER, 4096, 4096, true);
	range(V9_MAX_BUFFER, 16383, 16384, false);
	range(V9_MAX_BUFFER, UINT64_MAX, 4096, true);
	range(V9_PHYSICAL_ACCESS, 2, 4096, true);
	range(V9_PHYSICAL_ACCESS, 3, 4096, false);
	range(V9_MAX_INTERRUPTS, 0, 4096, true);
	range(V9_MAX_INTERRUPTS, 1, 4096, true);
	range(V9_MAX_INTERRUPTS, 0xffffffff, 4096, true);
	range(V9_MAX_INTERRUPTS, 0x100000000, 4096, false);
	rate();
	return tap_done();
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Names and ranges of the settings; see tuning.h.
 */
#include "v9trace/gen/regs.h"
#include "v9trace/tuning.h"

const char *v9_setting_name(enum v9_setting setting)
{
	static const char *const name[V9_SETTINGS] = {
		[V9_MIN_INTERVAL] = "min_interval",
		[V9_AUX_WATERMARK] = "aux_watermark",
		[V9_MAX_BUFFER] = "max_buffer",
		[V9_PHYSICAL_ACCESS] = "physical_access",
		[V9_MAX_INTERRUPTS] = "max_interrupts",
	};

	return name[setting];
}

const char *const *v9_setting_words(enum v9_setting setting)
{
	static const char *const access[] = {
		[V9_PHYSICAL_PERF] = "perf",
		[V9_PHYSICAL_PERFMON] = "perfmon",
		[V9_PHYSICAL_NOBODY] = "nobody",
		NULL
	};

	return setting == V9_PHYSICAL_ACCESS ? access : NULL;
}

const char *v9_setting_check(enum v9_setting setting, uint64_t value, uint64_t page_size)
{
	switch (setting) {
	case V9_MIN_INTERVAL:
		return value & ~(uint64_t)V9_PMSIRR_EL1_INTERVAL ?
		       "not a multiple of 256, or more than 4294967040" : NULL;
	case V9_AUX_WATERMARK:
	case V9_MAX_INTERRUPTS:
		return value >> 32 ? "more than 4294967295" : NULL;
	case V9_MAX_BUFFER:
		return value && value < page_size ? "less than a page" : NULL;
	default:
		return value > V9_PHYSICAL_NOBODY ? "not perf, perfmon or nobody" : NULL;
	}
}

uint64_t v9_rate_wait(struct v9_rate *rate, uint64_t now, uint64_t second, uint64_t max)
{
	if (!rate->count || now - rate->since >= second) {
		rate->since = now;
		rate->count = 0;
	}
	return ++rate->count < max ? 0 : rate->since + second - now;
}

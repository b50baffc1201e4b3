/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Settings of a PMU that an administrator can change: files in tuning/ and module parameters.
 */
#ifndef V9TRACE_TUNING_H
#define V9TRACE_TUNING_H

#include "base.h"

/* Settings, in struct v9_pmu */
enum v9_setting {
	V9_MIN_INTERVAL,	/* smallest sampling interval, in operations; 0: no limit */
	V9_AUX_WATERMARK,	/* for events that state none, in bytes; 0: perf's default */
	V9_MAX_BUFFER,		/* largest AUX buffer, in bytes; 0: no limit */
	V9_PHYSICAL_ACCESS,	/* enum v9_physical_access */
	V9_MAX_INTERRUPTS,	/* in a second, of each CPU; 0: no limit */
	V9_SETTINGS
};

/* Who may record physical addresses and time that user space cannot read */
enum v9_physical_access {
	V9_PHYSICAL_PERF,	/* who may profile the kernel, as perf says */
	V9_PHYSICAL_PERFMON,	/* of these, those with CAP_PERFMON */
	V9_PHYSICAL_NOBODY,
};

/**
 * v9_setting_name - name of the file and of the module parameter
 * @setting: setting
 *
 * Return: the name.
 */
const char *v9_setting_name(enum v9_setting setting);

/**
 * v9_setting_words - names of the values
 * @setting: setting
 *
 * Return: array that ends with NULL; or NULL if the value is a number.
 */
const char *const *v9_setting_words(enum v9_setting setting);

/**
 * v9_setting_check - check a value
 * @setting: setting
 * @value: new value
 * @page_size: bytes of a page
 *
 * Return: NULL, or what is wrong with it.
 */
const char *v9_setting_check(enum v9_setting setting, uint64_t value, uint64_t page_size);

/**
 * struct v9_rate - interrupts of a CPU in the current second
 * @since: when the second began
 * @count: interrupts since then
 */
struct v9_rate {
	uint64_t since;
	uint64_t count;
};

/**
 * v9_rate_wait - count an interrupt
 * @rate: updated. All zero at first
 * @now: time in ticks
 * @second: ticks of a second
 * @max: V9_MAX_INTERRUPTS, not 0
 *
 * A second begins with the first interrupt after the previous one. The unit may go on after all but
 * the last of @max interrupts.
 *
 * Return: 0 if the unit may go on, or how many ticks it has to be off.
 */
uint64_t v9_rate_wait(struct v9_rate *rate, uint64_t now, uint64_t second, uint64_t max);

#endif

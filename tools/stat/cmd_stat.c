// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace stat: print the counters of the drivers periodically. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "../collect/spec.h"
#include "../commands.h"
#include "../report/json.h"
#include "../util.h"
#include "counters.h"

static const char usage[] =
	"usage: v9trace stat [OPTION]... [PMU]...\n"
	"\n"
	"What v9_spe, v9_ete and v9_brbe have counted, of all PMUs or of those named: a line each second\n"
	"with what has come since the line before, until it is interrupted.\n"
	"\n"
	"  -1, --once          one line with the counts since the modules were loaded\n"
	"  -C, --per-cpu       a line for each CPU on which something happened\n"
	"  -I, --interval S    seconds from line to line, with a fraction if need be (1)\n"
	"  -n, --count N       so many times, then end\n"
	"  --json              one object per line\n"
	"  --sysfs DIR         look for PMUs there, not in /sys/bus/event_source/devices\n"
	"  -h, --help\n"
	"\n"
	"Exit status: 0; 1 if there is nothing that counts; 2 for a wrong command line.\n";

struct options {
	bool once, per_cpu, json;
	double interval;
	unsigned long count;		/* 0: no end */
	uint32_t shown;			/* bit N: text has a column for counter N */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void sleep_until(const struct timespec *t)
{
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, t, NULL))
		;
}

/* Lines of text after which the heading is printed again */
#define HEADED	20

static unsigned int width(unsigned int c)
{
	unsigned int n = (unsigned int)strlen(v9_counter_name[c]);

	return n < 9 ? 9 : n;
}

/* Returns the columns, a bit for each counter that at least one PMU has. */
static uint32_t columns(const struct v9_counted *list, unsigned int n)
{
	uint32_t any = 0;

	for (unsigned int i = 0; i < n; i++)
		any |= list[i].all.has;
	return any;
}

static void print_head(uint32_t shown)
{
	printf("%-10s %4s", "pmu", "cpu");
	for (unsigned int c = 0; c < V9_COUNTERS; c++)
		if (shown & 1u << c)
			printf(" %*s", width(c), v9_counter_name[c]);
	putchar('\n');
}

static void print_text(const char *pmu, const struct v9_counts *n, uint32_t shown)
{
	printf("%-10s ", pmu);
	if (n->cpu < 0)
		printf("%4s", "all");
	else
		printf("%4d", n->cpu);
	for (unsigned int c = 0; c < V9_COUNTERS; c++) {
		if (n->has & 1u << c)
			printf(" %*" PRIu64, width(c), n->value[c]);
		else if (shown & 1u << c)
			printf(" %*s", width(c), "-");
	}
	putchar('\n');
}

static void print_json(double when, const char *pmu, const struct v9_counts *n)
{
	struct v9_put put;
	struct v9_json j = { .put = &put };

	v9_put_begin(&put, stdout);
	v9_json_begin(&j);
	v9_json_number(&j, "time_ns", (uint64_t)(when * 1e9));
	v9_json_text(&j, "pmu", pmu);
	if (n->cpu >= 0)
		v9_json_number(&j, "cpu", (uint64_t)n->cpu);
	for (unsigned int c = 0; c < V9_COUNTERS; c++)
		if (n->has & 1u << c)
			v9_json_number(&j, v9_counter_name[c], n->value[c]);
	v9_json_end(&j);
	v9_put_flush(&put);
}

static unsigned int print(const struct options *o, double when, const char *pmu,
			  const struct v9_counts *n)
{
	if (o->json)
		print_json(when, pmu, n);
	else
		print_text(pmu, n, o->shown);
	return 1;
}

/* Print the increase of one PMU's counters from @before to @after. Returns the number of lines. */
static unsigned int show(const struct options *o, double when, const struct v9_counted *after,
			 const struct v9_counted *before)
{
	struct v9_counts n;
	unsigned int lines = 0;

	for (unsigned int i = 0; o->per_cpu && i < after->cpus; i++) {
		v9_counts_since(&n, &after->cpu[i], before);
		if (v9_counts_any(&n))
			lines += print(o, when, after->name, &n);
	}
	if (o->per_cpu)
		return lines;
	v9_counts_since(&n, &after->all, before);
	return print(o, when, after->name, &n);
}

static int watch(struct options *o, char **names, int named)
{
	struct v9_counted *before = NULL, *after;
	unsigned int n_before = 0, n, lines = HEADED;
	struct timespec next;

	clock_gettime(CLOCK_MONOTONIC, &next);
	for (unsigned long turn = 0;; turn++) {
		int err = v9_count(&after, &n, names, named);
		double when = now();

		if (err) {
			v9_counted_free(before, n_before);
			return V9_EXIT_FAILED;
		}
		/* A module may have been loaded or unloaded since the last line. */
		if (o->shown != columns(after, n)) {
			o->shown = columns(after, n);
			lines = HEADED;
		}
		for (unsigned int i = 0; i < n && (o->once || turn); i++) {
			if (!o->json && lines >= HEADED) {
				print_head(o->shown);
				lines = 0;
			}
			lines += show(o, when, &after[i],
				      v9_counted_find(before, n_before, after[i].name));
		}
		if (fflush(stdout) || ferror(stdout))
			return V9_EXIT_FAILED;
		v9_counted_free(before, n_before);
		before = after;
		n_before = n;
		if (o->once || (o->count && turn == o->count))
			break;
		next.tv_sec += (time_t)o->interval;
		next.tv_nsec += (long)((o->interval - (double)(time_t)o->interval) * 1e9);
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		sleep_until(&next);
	}
	v9_counted_free(before, n_before);
	return V9_EXIT_OK;
}

static bool take_number(const char *option, const char *arg, double min, double max, double *out)
{
	char *end;

	*out = strtod(arg, &end);
	if (end != arg && !*end && *out >= min && *out <= max)
		return true;
	v9_error("%s: '%s' is not a number from %g to %g", option, arg, min, max);
	return false;
}

int cmd_stat(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "once", no_argument, NULL, '1' },
		{ "per-cpu", no_argument, NULL, 'C' },
		{ "interval", required_argument, NULL, 'I' },
		{ "count", required_argument, NULL, 'n' },
		{ "json", no_argument, NULL, 'j' },
		{ "sysfs", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	static char self[] = "v9trace";
	struct options o = { .interval = 1 };
	double n;
	int opt;

	argv[0] = self;		/* prefix of getopt's messages, as of those of v9_error() */
	while ((opt = getopt_long(argc, argv, "1CI:n:h", longs, NULL)) >= 0) {
		switch (opt) {
		case '1':
			o.once = true;
			break;
		case 'C':
			o.per_cpu = true;
			break;
		case 'I':
			if (!take_number("--interval", optarg, 0.01, 86400, &o.interval))
				return V9_EXIT_USAGE;
			break;
		case 'n':
			if (!take_number("--count", optarg, 1, 1e9, &n))
				return V9_EXIT_USAGE;
			o.count = (unsigned long)n;
			break;
		case 'j':
			o.json = true;
			break;
		case 's':
			v9_pmu_root = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			return V9_EXIT_OK;
		default:		/* getopt has printed an error */
			return V9_EXIT_USAGE;
		}
	}
	return watch(&o, argv + optind, argc - optind);
}

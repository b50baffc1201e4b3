// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "switch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../perfdata.h"
#include "../util.h"

#define TRIES	200	/* of names, if files with these exist */

/* Parses a size into .bytes, or a time into .ns. */
static bool parse(struct v9_switch_output *s, const char *text)
{
	static const struct { char unit; bool time; uint64_t factor; } units[] = {
		{ 'B', false, 1 }, { 'K', false, 1 << 10 }, { 'M', false, 1 << 20 },
		{ 'G', false, 1 << 30 }, { 's', true, 1000000000 }, { 'm', true, 60000000000 },
		{ 'h', true, 3600000000000 }, { 'd', true, 86400000000000 },
	};
	uint64_t n;
	char *end;
	bool valid;

	s->on = true;
	s->bytes = s->ns = 0;
	errno = 0;
	n = strtoull(text, &end, 10);
	valid = *text >= '0' && *text <= '9' && n && !errno;
	for (size_t i = 0; valid && i < sizeof(units) / sizeof(units[0]); i++) {
		if (end[0] != units[i].unit || end[1] || n > INT64_MAX / units[i].factor)
			continue;
		*(units[i].time ? &s->ns : &s->bytes) = n * units[i].factor;
		return true;
	}
	return false;
}

int v9_switch_parse(struct v9_switch_output *s, const char *text)
{
	s->on = true;
	s->by_signal = !text || !strcmp(text, "signal");
	s->bytes = s->ns = 0;
	if (s->by_signal || parse(s, text))
		return 0;
	v9_error("--switch-output=%s: wanted is signal, a size with B, K, M, G such as 100M, or a time with "
		 "s, m, h, d such as 30s", text);
	return -EINVAL;
}

int v9_switch_interval(struct v9_switch_output *s, const char *text)
{
	if (parse(s, text ? text : "1m") && s->ns)
		return 0;
	v9_error("--aggregate=%s: wanted is a time with s, m, h, d such as 30s", text);
	return -EINVAL;
}

static char *stamped(const struct v9_switch_output *s, const char *path)
{
	struct timespec ts;
	struct tm tm;
	char text[32];

	clock_gettime(CLOCK_REALTIME, &ts);
	localtime_r(&ts.tv_sec, &tm);
	strftime(text, sizeof(text), "%Y%m%d%H%M%S", &tm);
	return v9_format("%s.%s%02d%s", path, text, (int)(ts.tv_nsec / 10000000), s->ending ? s->ending : "");
}

static char *twin_of(const char *file)
{
	return v9_format("%s" PD_TWIN_SUFFIX, file);
}

static void remove_twin(const char *file)
{
	char *twin = twin_of(file);

	if (unlink(twin))
		v9_warn("%s cannot be removed: %s", twin, strerror(errno));
	free(twin);
}

static void keep_most(struct v9_switch_output *s)
{
	while (s->most && (uint64_t)s->n > s->most) {
		if (unlink(s->name[0]))
			v9_warn("%s cannot be removed: %s", s->name[0], strerror(errno));
		else
			s->removed++;
		if (s->twin)
			remove_twin(s->name[0]);
		free(s->name[0]);
		memmove(s->name, s->name + 1, (size_t)--s->n * sizeof(*s->name));
	}
}

/* Returns 0 or errno; EEXIST: there is a file of that name. */
static int move_to(const char *file, const char *name)
{
	if (!link(file, name)) {
		unlink(file);
		return 0;
	}
	/* Some file systems have no links. */
	if (errno != EEXIST && access(name, F_OK))
		return rename(file, name) ? errno : 0;
	return EEXIST;
}

/* The other half keeps its link to @name by its recorded name if this fails. */
static void move_twin(const char *file, const char *name)
{
	char *from = twin_of(file), *to = twin_of(name);
	const int err = move_to(from, to);

	if (err)
		v9_warn("%s cannot be renamed to %s: %s", from, to, strerror(err));
	free(from);
	free(to);
}

const char *v9_switch_name(struct v9_switch_output *s, const char *file, const char *path)
{
	char *name = NULL;
	int err = EEXIST;

	/* A file of this name is never replaced: the next hundredth is another name. */
	for (int i = 0; err == EEXIST && i < TRIES; i++) {
		free(name);
		name = stamped(s, path);
		err = move_to(file, name);
		if (err == EEXIST)
			usleep(10000);
	}
	if (err) {
		v9_error("%s cannot be renamed to %s: %s", file, name, strerror(err));
		free(name);
		return NULL;
	}
	if (s->twin)
		move_twin(file, name);
	s->name = v9_realloc(s->name, (size_t)(s->n + 1) * sizeof(*s->name));
	s->name[s->n++] = name;
	s->files++;
	keep_most(s);
	return name;
}

void v9_switch_free(struct v9_switch_output *s)
{
	for (int i = 0; i < s->n; i++)
		free(s->name[i]);
	free(s->name);
	s->name = NULL;
	s->n = 0;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "switch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../perfdata.h"
#include "../util.h"

#define TRIES	200	/* of names, if files with these exist */
#define STAMP	16	/* digits of the time in a name */

/* Parses a size into .bytes, or a time into .ns. */
static bool parse(struct v9_switch_output *s, const char *text)
{
	static const struct { char unit; bool time; uint64_t factor; } units[] = {
		{ 'B', false, 1 }, { 'K', false, 1 << 10 }, { 'M', false, 1 << 20 },
		{ 'G', false, 1 << 30 }, { 's', true, 1000000000 }, { 'm', true, 60000000000 },
		{ 'h', true, 3600000000000 }, { 'd', true, 86400000000000 },
	};
	uint64_t n;
	const bool valid = v9_take_number(&text, 10, INT64_MAX, &n) && n;

	s->on = true;
	s->bytes = s->ns = 0;
	for (size_t i = 0; valid && i < sizeof(units) / sizeof(units[0]); i++) {
		if (text[0] != units[i].unit || text[1] || n > INT64_MAX / units[i].factor)
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

/* Returns the bytes of the other half; 0 if the file has none. */
static uint64_t twin_bytes(const struct v9_switch_output *s, const char *file)
{
	char *twin = s->twin ? twin_of(file) : NULL;
	struct stat st;
	const uint64_t bytes = twin && !stat(twin, &st) ? (uint64_t)st.st_size : 0;

	free(twin);
	return bytes;
}

static void remove_twin(const char *file)
{
	char *twin = twin_of(file);

	if (unlink(twin) && errno != ENOENT)
		v9_warn("%s cannot be removed: %s", twin, strerror(errno));
	free(twin);
}

static uint64_t bytes_of(const struct v9_switch_output *s)
{
	uint64_t sum = 0;

	for (int i = 0; i < s->n; i++)
		sum += s->size[i];
	return sum;
}

/* Somebody else may have removed one. */
static void remove_oldest(struct v9_switch_output *s)
{
	if (!unlink(s->name[0])) {
		s->removed++;
		s->removed_bytes += s->size[0];
	} else if (errno != ENOENT) {
		v9_warn("%s cannot be removed: %s", s->name[0], strerror(errno));
	}
	if (s->twin)
		remove_twin(s->name[0]);
	free(s->name[0]);
	s->n--;
	memmove(s->name, s->name + 1, (size_t)s->n * sizeof(*s->name));
	memmove(s->size, s->size + 1, (size_t)s->n * sizeof(*s->size));
}

static void keep_most(struct v9_switch_output *s)
{
	while (s->most && (uint64_t)s->n > s->most)
		remove_oldest(s);
	while (s->most_bytes && s->n > 1 && bytes_of(s) > s->most_bytes)
		remove_oldest(s);
}

static void add_file(struct v9_switch_output *s, char *name, uint64_t size)
{
	s->name = v9_realloc(s->name, (size_t)(s->n + 1) * sizeof(*s->name));
	s->size = v9_realloc(s->size, (size_t)(s->n + 1) * sizeof(*s->size));
	s->name[s->n] = name;
	s->size[s->n++] = size;
}

struct found {
	struct timespec time;		/* of the last change */
	uint64_t size;
	char *name;
};

static int by_time(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->time.tv_sec != y->time.tv_sec)
		return x->time.tv_sec < y->time.tv_sec ? -1 : 1;
	if (x->time.tv_nsec != y->time.tv_nsec)
		return x->time.tv_nsec < y->time.tv_nsec ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Is it @base, a point, STAMP digits and the ending? */
static bool is_ours(const struct v9_switch_output *s, const char *name, const char *base)
{
	const size_t n = strlen(base);

	return !strncmp(name, base, n) && name[n] == '.' && strspn(name + n + 1, "0123456789") == STAMP &&
	       !strcmp(name + n + 1 + STAMP, s->ending ? s->ending : "");
}

/* Adds the files that there are, the oldest first. Those of other users are neither counted nor removed. */
static void scan(struct v9_switch_output *s, const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	char *dir = slash ? v9_format("%.*s", (int)(slash - path) + 1, path) : v9_strdup("./");
	DIR *d = opendir(dir);
	struct found *found = NULL;
	const struct dirent *entry;
	struct stat st;
	size_t n = 0;

	while (d && (entry = readdir(d)) != NULL) {
		if (!is_ours(s, entry->d_name, base) ||
		    fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode) ||
		    st.st_uid != geteuid())
			continue;
		found = v9_realloc(found, (n + 1) * sizeof(*found));
		found[n] = (struct found){
			.time = st.st_mtim, .size = (uint64_t)st.st_size,
			.name = v9_format("%s%s", slash ? dir : "", entry->d_name),
		};
		found[n].size += twin_bytes(s, found[n].name);
		n++;
	}
	if (n)
		qsort(found, n, sizeof(*found), by_time);
	for (size_t i = 0; i < n; i++)
		add_file(s, found[i].name, found[i].size);
	if (d)
		closedir(d);
	free(found);
	free(dir);
}

void v9_switch_adopt(struct v9_switch_output *s, const char *path)
{
	scan(s, path);
	keep_most(s);
}

static void forget_files(struct v9_switch_output *s)
{
	for (int i = 0; i < s->n; i++)
		free(s->name[i]);
	s->n = 0;
}

static void forget_file(struct v9_switch_output *s, const char *name)
{
	int n = 0;

	for (int i = 0; i < s->n; i++) {
		if (!strcmp(s->name[i], name)) {
			free(s->name[i]);
			continue;
		}
		s->name[n] = s->name[i];
		s->size[n++] = s->size[i];
	}
	s->n = n;
}

/* The other half keeps its link to @name by its recorded name if this fails. */
static void move_twin(const char *file, const char *name)
{
	char *from = twin_of(file), *to = twin_of(name);
	const int err = v9_move_new(from, to);

	if (err)
		v9_warn("%s cannot be renamed to %s: %s", from, to, strerror(err));
	free(from);
	free(to);
}

const char *v9_switch_name(struct v9_switch_output *s, const char *file, const char *path)
{
	char *name = NULL;
	struct stat st;
	int err = EEXIST;

	/* A file of this name is never replaced: the next hundredth is another name. */
	for (int i = 0; err == EEXIST && i < TRIES; i++) {
		free(name);
		name = stamped(s, path);
		err = v9_move_new(file, name);
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
	s->files++;
	if (s->shared && (s->most || s->most_bytes)) {
		forget_files(s);
		scan(s, path);
		/* It is the last one, whatever the times of the files are. */
		forget_file(s, name);
	}
	add_file(s, name, (stat(name, &st) ? 0 : (uint64_t)st.st_size) + twin_bytes(s, name));
	keep_most(s);
	return name;
}

void v9_switch_free(struct v9_switch_output *s)
{
	forget_files(s);
	free(s->name);
	free(s->size);
	s->name = NULL;
	s->size = NULL;
}

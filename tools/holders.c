// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "holders.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

/* What the link of such a descriptor says: anon_inode_getfile() in kernel/events/core.c */
#define LINK	"anon_inode:[perf_event]"

/* The number that all of @s is, or 0 */
static int number_of(const char *s)
{
	uint64_t n;

	return v9_take_number(&s, 10, INT_MAX, &n) && !*s ? (int)n : 0;
}

static int is_process(const struct dirent *entry)
{
	return number_of(entry->d_name) > 0;
}

static int by_number(const struct dirent **a, const struct dirent **b)
{
	const int x = number_of((*a)->d_name), y = number_of((*b)->d_name);

	return V9_ORDER(x, y);
}

/* Number of descriptors in an open directory that are perf events */
static unsigned int count_events(DIR *d)
{
	struct dirent *entry;
	unsigned int n = 0;
	char to[sizeof(LINK) + 1];

	while ((entry = readdir(d))) {
		const ssize_t len = readlinkat(dirfd(d), entry->d_name, to, sizeof(to));

		n += len == sizeof(LINK) - 1 && !memcmp(to, LINK, sizeof(LINK) - 1);
	}
	return n;
}

/* Any program chooses its name, and the name goes to a terminal. */
static void take_name(struct v9_holder *to, const char *name)
{
	size_t i = 0;

	for (; name && name[i] && i < sizeof(to->name) - 1; i++)
		to->name[i] = name[i] < ' ' || name[i] > '~' ? '?' : name[i];
	if (!i)
		to->name[i++] = '?';
	to->name[i] = '\0';
}

static void add(struct v9_holders *h, int pid, unsigned int events, const char *name)
{
	if (h->n == V9_HOLDERS) {
		h->more++;
		return;
	}
	h->of[h->n] = (struct v9_holder){ .pid = pid, .events = events };
	take_name(&h->of[h->n++], name);
}

static void look_at(const char *proc, int pid, struct v9_holders *h)
{
	char *path = v9_format("%s/%d/fd", proc, pid), *name;
	DIR *d = opendir(path);
	unsigned int events;

	free(path);
	if (!d) {
		h->unread += errno == EACCES || errno == EPERM;
		return;
	}
	events = count_events(d);
	closedir(d);
	if (!events)
		return;
	path = v9_format("%s/%d/comm", proc, pid);
	name = v9_read_line(path);
	add(h, pid, events, name);
	free(name);
	free(path);
}

void v9_holders_find(const char *proc, int self, struct v9_holders *h)
{
	struct dirent **entry;
	int n = scandir(proc, &entry, is_process, by_number);

	*h = (struct v9_holders){ 0 };
	for (int i = 0; i < n; i++) {
		const int pid = number_of(entry[i]->d_name);

		if (pid != self)
			look_at(proc, pid, h);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
}

char *v9_holders_lines(const struct v9_holders *h)
{
	struct v9_blob b = { 0 };
	char *line;

	for (unsigned int i = 0; i < h->n; i++) {
		line = v9_format("holder %d %u %s\n", h->of[i].pid, h->of[i].events, h->of[i].name);
		v9_blob_put(&b, line, strlen(line));
		free(line);
	}
	line = v9_format("more %" PRIu64 "\nunread %" PRIu64 "\n", h->more, h->unread);
	v9_blob_put(&b, line, strlen(line) + 1);
	free(line);
	return (char *)b.data;
}

void v9_holders_parse(const char *lines, struct v9_holders *h)
{
	const char *line = lines;

	*h = (struct v9_holders){ 0 };
	for (int left = V9_HOLDERS + 2; left && *line; left--) {
		char name[V9_HOLDER_NAME] = "";
		unsigned int events;
		uint64_t n;
		int pid;

		if (sscanf(line, "holder %9d %9u %15[^\n]", &pid, &events, name) >= 2 && pid > 0)
			add(h, pid, events, name);
		else if (sscanf(line, "more %18" SCNu64, &n) == 1)
			h->more = n;
		else if (sscanf(line, "unread %18" SCNu64, &n) == 1)
			h->unread = n;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
}

char *v9_holders_text(const struct v9_holders *h, bool root)
{
	const bool hidden = h->unread && !root;
	struct v9_blob b = { 0 };
	char *part;

	if (!h->n)
		return v9_strdup(hidden ? "only root sees which programs have perf events open" :
				 "no other process here has perf events open, so it is an event without "
				 "a descriptor (of the kernel), or of another PID namespace");
	v9_blob_put(&b, "perf events are open in ", 24);
	for (unsigned int i = 0; i < h->n; i++) {
		part = v9_format("%s%s (PID %d, %u event%s)",
				 !i ? "" : i + 1 == h->n && !h->more ? " and " : ", ",
				 h->of[i].name, h->of[i].pid, h->of[i].events,
				 h->of[i].events == 1 ? "" : "s");
		v9_blob_put(&b, part, strlen(part));
		free(part);
	}
	part = h->more ? v9_format(" and %" PRIu64 " more", h->more) : v9_strdup("");
	v9_blob_put(&b, part, strlen(part));
	free(part);
	part = v9_strdup(hidden ? "; root may see others" : "");
	v9_blob_put(&b, part, strlen(part) + 1);
	free(part);
	return (char *)b.data;
}
